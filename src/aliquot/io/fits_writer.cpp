#include <fitsio.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/io/fits.hpp"

namespace aliquot::io {

namespace {

std::string ascii(std::string_view text) {
    std::string result(text);
    std::ranges::replace_if(result, [](char c) { return c < ' ' || c > '~'; }, '?');
    return result;
}

/// Significant digits that bring the number back bit for bit; negative, as cfitsio wants it for the general format.
int digits(double value) {
    for (int count = 15; count < 17; ++count) {
        std::array<char, 40> text{};
        std::snprintf(text.data(), text.size(), "%.*G", count, value);
        if (std::strtod(text.data(), nullptr) == value) return -count;
    }
    return -17;
}

std::size_t length_of(const FitsColumn& column) {
    return std::visit([](const auto& values) { return values.size(); }, column.values);
}

/// The FITS type of a column ("D", "K", "L", "12A").
std::string type_of(const FitsColumn& column) {
    if (std::holds_alternative<std::vector<double>>(column.values)) return "D";
    if (std::holds_alternative<std::vector<std::int64_t>>(column.values)) return "K";
    if (std::holds_alternative<std::vector<bool>>(column.values)) return "L";
    std::size_t width = 1;
    for (const std::string& text : std::get<std::vector<std::string>>(column.values))
        width = std::max(width, text.size());
    return std::to_string(width) + "A";
}

void write_column(fitsfile* file, int number, const std::vector<double>& values, int* status) {
    fits_write_col(file, TDOUBLE, number, 1, 1, static_cast<LONGLONG>(values.size()), const_cast<double*>(values.data()), status);
}
void write_column(fitsfile* file, int number, const std::vector<std::int64_t>& values, int* status) {
    std::vector<long long> converted(values.begin(), values.end());
    fits_write_col(file, TLONGLONG, number, 1, 1, static_cast<LONGLONG>(converted.size()), converted.data(), status);
}
void write_column(fitsfile* file, int number, const std::vector<bool>& values, int* status) {
    std::vector<char> converted(values.begin(), values.end());
    fits_write_col(file, TLOGICAL, number, 1, 1, static_cast<LONGLONG>(converted.size()), converted.data(), status);
}
void write_column(fitsfile* file, int number, const std::vector<std::string>& values, int* status) {
    for (std::size_t row = 0; row < values.size(); ++row) {
        std::string text = ascii(values[row]);
        char* cell = text.data();
        fits_write_col_str(file, number, static_cast<LONGLONG>(row) + 1, 1, 1, &cell, status);
    }
}

}  // namespace

struct FitsWriter::File {
    explicit File(const std::filesystem::path& path) : atomic(path) {
        int status = 0;
        fits_create_diskfile(&handle, atomic.hand_over().c_str(), &status);
        if (status != 0) handle = nullptr;
        check(status);
        fits_create_img(handle, BYTE_IMG, 0, nullptr, &status);
        check(status);
    }
    ~File() {
        int status = 0;
        if (handle != nullptr) fits_close_file(handle, &status);
        fits_clear_errmsg();
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    void check(int status) const {
        if (status == 0) return;
        char text[FLEN_STATUS] = "";
        fits_get_errstatus(status, text);
        fits_clear_errmsg();
        throw ResourceError(
            format("cannot write {} ({}): check the path, its permissions and the free space", atomic.target().string(), text));
    }
    void image(const std::string& name, int bitpix, int type, std::vector<LONGLONG> axes, const void* values) const {
        ALIQUOT_EXPECT(handle != nullptr);
        LONGLONG count = 1;
        for (const LONGLONG length : axes)
            count *= length;
        int status = 0;
        fits_create_imgll(handle, bitpix, static_cast<int>(axes.size()), axes.data(), &status);
        fits_update_key_longstr(handle, "EXTNAME", ascii(name).c_str(), "", &status);
        if (count > 0) fits_write_img(handle, type, 1, count, const_cast<void*>(values), &status);
        check(status);
    }

    AtomicFile atomic;
    fitsfile* handle = nullptr;
};

FitsWriter::FitsWriter(const std::filesystem::path& path) : file_(std::make_unique<File>(path)) {}
FitsWriter::~FitsWriter() = default;

void FitsWriter::card(const std::string& key, const FitsValue& value, const std::string& comment) {
    ALIQUOT_EXPECT(file_->handle != nullptr);
    fitsfile* file = file_->handle;
    int status = 0;
    fits_movabs_hdu(file, 1, nullptr, &status);
    const std::string note = ascii(comment);
    const auto text = [&](const std::string& content) {
        ALIQUOT_EXPECT(key.size() <= 8 || key.size() + content.size() <= 60);  // cfitsio cannot continue a HIERARCH card
        fits_update_key_longstr(file, key.c_str(), ascii(content).c_str(), note.c_str(), &status);
    };
    if (const auto* flag = std::get_if<bool>(&value)) {
        fits_update_key_log(file, key.c_str(), *flag ? 1 : 0, note.c_str(), &status);
    } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        fits_update_key_lng(file, key.c_str(), *integer, note.c_str(), &status);
    } else if (const auto* number = std::get_if<double>(&value)) {
        if (std::isfinite(*number)) {
            fits_update_key_dbl(file, key.c_str(), *number, digits(*number), note.c_str(), &status);
        } else {
            text(std::isnan(*number) ? "nan" : *number > 0.0 ? "inf" : "-inf");
        }
    } else {
        text(std::get<std::string>(value));
    }
    file_->check(status);
}

void FitsWriter::image(const std::string& name, std::span<const double> values) {
    file_->image(name, DOUBLE_IMG, TDOUBLE, {static_cast<LONGLONG>(values.size())}, values.data());
}

void FitsWriter::image(const std::string& name, MatrixView<const double> values) {
    file_->image(name, DOUBLE_IMG, TDOUBLE, {static_cast<LONGLONG>(values.columns()), static_cast<LONGLONG>(values.rows())},
                 values.data());
}

void FitsWriter::bytes(const std::string& name, std::span<const std::uint8_t> values) {
    file_->image(name, BYTE_IMG, TBYTE, {static_cast<LONGLONG>(values.size())}, values.data());
}

void FitsWriter::text(const std::string& name, std::string_view value) {
    file_->image(name, BYTE_IMG, TBYTE, {static_cast<LONGLONG>(value.size())}, value.data());
}

void FitsWriter::table(const std::string& name, std::span<const FitsColumn> columns) {
    ALIQUOT_EXPECT(file_->handle != nullptr && !columns.empty());
    std::vector<std::string> texts;
    for (const FitsColumn& column : columns) {
        ALIQUOT_EXPECT(length_of(column) == length_of(columns.front()));
        texts.insert(texts.end(), {ascii(column.name), type_of(column), ascii(column.unit)});
    }
    std::vector<char*> names;
    std::vector<char*> types;
    std::vector<char*> units;
    for (std::size_t i = 0; i < texts.size(); i += 3) {
        names.push_back(texts[i].data());
        types.push_back(texts[i + 1].data());
        units.push_back(texts[i + 2].data());
    }
    int status = 0;
    fits_create_tbl(file_->handle, BINARY_TBL, static_cast<LONGLONG>(length_of(columns.front())),
                    static_cast<int>(columns.size()), names.data(), types.data(), units.data(), ascii(name).c_str(), &status);
    for (std::size_t i = 0; i < columns.size() && length_of(columns[i]) > 0; ++i)
        std::visit([&](const auto& values) { write_column(file_->handle, static_cast<int>(i) + 1, values, &status); },
                   columns[i].values);
    file_->check(status);
}

void FitsWriter::begin_table(const std::string& name, std::span<const FitsColumnType> columns, std::size_t rows) {
    ALIQUOT_EXPECT(file_->handle != nullptr && !columns.empty());
    std::vector<std::string> texts;
    for (const FitsColumnType& column : columns)
        texts.insert(texts.end(), {ascii(column.name), std::string(1, column.type)});
    std::vector<char*> names;
    std::vector<char*> types;
    for (std::size_t i = 0; i < texts.size(); i += 2) {
        names.push_back(texts[i].data());
        types.push_back(texts[i + 1].data());
    }
    int status = 0;
    fits_create_tbl(file_->handle, BINARY_TBL, static_cast<LONGLONG>(rows), static_cast<int>(columns.size()), names.data(),
                    types.data(), nullptr, ascii(name).c_str(), &status);
    file_->check(status);
}

void FitsWriter::put(std::size_t column, std::size_t first, std::span<const float> values) {
    int status = 0;
    if (!values.empty())
        fits_write_col(file_->handle, TFLOAT, static_cast<int>(column) + 1, static_cast<LONGLONG>(first) + 1, 1,
                       static_cast<LONGLONG>(values.size()), const_cast<float*>(values.data()), &status);
    file_->check(status);
}

void FitsWriter::put(std::size_t column, std::size_t first, std::span<const std::int64_t> values) {
    static_assert(sizeof(LONGLONG) == sizeof(std::int64_t));
    int status = 0;
    if (!values.empty())
        fits_write_col(file_->handle, TLONGLONG, static_cast<int>(column) + 1, static_cast<LONGLONG>(first) + 1, 1,
                       static_cast<LONGLONG>(values.size()), const_cast<std::int64_t*>(values.data()), &status);
    file_->check(status);
}

void FitsWriter::close() {
    ALIQUOT_EXPECT(file_->handle != nullptr);
    int status = 0;
    fits_close_file(file_->handle, &status);
    file_->handle = nullptr;
    file_->check(status);
    file_->atomic.commit();
}

}  // namespace aliquot::io
