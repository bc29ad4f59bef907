#include <fitsio.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <system_error>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/io/fits.hpp"

namespace aliquot::io {

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

std::string cfitsio_reason(int status) {
    char text[FLEN_STATUS] = "";
    fits_get_errstatus(status, text);
    fits_clear_errmsg();
    return text;
}

bool same_name(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) {
        return std::toupper(static_cast<unsigned char>(x)) == std::toupper(static_cast<unsigned char>(y));
    });
}

std::string trimmed(std::string text) {
    while (!text.empty() && text.back() == ' ')
        text.pop_back();
    return text;
}

std::optional<double> non_finite(std::string_view text) {
    if (same_name(text, "nan")) return nan_value;
    if (same_name(text, "inf")) return std::numeric_limits<double>::infinity();
    if (same_name(text, "-inf")) return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

using FilePointer = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// Refuse what is not there, cannot be read, or does not begin as FITS (or gzip) does.
void check_start(const std::string& path) {
    const FilePointer file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (file == nullptr) {
        const std::string why = std::generic_category().message(errno);
        throw DataError(format("cannot open {} ({}): check the path", path, why), ExitCode::no_input);
    }
    std::array<char, 9> start{};
    const std::size_t count = std::fread(start.data(), 1, start.size(), file.get());
    if (std::ferror(file.get()) != 0)
        throw DataError(format("cannot read {} ({}): name a file", path, std::generic_category().message(errno)),
                        ExitCode::no_input);
    const bool fits = count == start.size() && std::memcmp(start.data(), "SIMPLE  =", start.size()) == 0;
    const bool gzip = count > 2 && start[0] == '\x1f' && start[1] == '\x8b';
    if (!fits && !gzip)
        throw DataError(format("{}: not a FITS file ({}): name a FITS file or set another format", path,
                               count == 0 ? "it is empty" : "it does not begin with \"SIMPLE  =\""));
}

bool begins_extension(const std::string& path, LONGLONG offset) {
    const FilePointer file(std::fopen(path.c_str(), "rb"), std::fclose);
    std::array<char, 8> start{};
    return file != nullptr && std::fseek(file.get(), static_cast<long>(offset), SEEK_SET) == 0 &&
           std::fread(start.data(), 1, start.size(), file.get()) == start.size() && std::memcmp(start.data(), "XTENSION", 8) == 0;
}

}  // namespace

struct FitsReader::File {
    std::string path;
    fitsfile* handle = nullptr;
    std::size_t hdus = 0;

    struct Column {
        int number = 0;
        std::string name;
        int type = 0;
        LONGLONG repeat = 0;
    };

    ~File() {
        int status = 0;
        if (handle != nullptr) fits_close_file(handle, &status);
        fits_clear_errmsg();
    }
    void check(int status, std::size_t hdu, std::string_view what) const {
        if (status != 0)
            throw DataError(format("{}, HDU {}: cannot read {} ({}): the file is damaged or not what it claims to be", path, hdu,
                                   what, cfitsio_reason(status)));
    }
    void go(std::size_t hdu) const {
        if (hdu >= hdus)
            throw DataError(format("{}: there is no HDU {} (the file has {}, counted from 0): name another", path, hdu, hdus));
        int status = 0;
        fits_movabs_hdu(handle, static_cast<int>(hdu) + 1, nullptr, &status);
        check(status, hdu, "its header");
    }
    [[nodiscard]] double file_size() const { return static_cast<double>(handle->Fptr->filesize); }

    /// The header's raw text of a value, or nothing.
    [[nodiscard]] std::optional<std::string> raw(std::size_t hdu, const std::string& key) const {
        go(hdu);
        char value[FLEN_VALUE] = "";
        int status = 0;
        fits_read_keyword(handle, key.c_str(), value, nullptr, &status);
        if (status == KEY_NO_EXIST || (status == 0 && value[0] == '\0')) {
            fits_clear_errmsg();
            return std::nullopt;
        }
        check(status, hdu, "key " + key);
        return std::string(value);
    }
    [[noreturn]] void wrong_type(std::size_t hdu, const std::string& key, const std::string& value, const char* expected) const {
        throw DataError(format("{}, HDU {}: key {} = {} (expected {}): the header is not what the reader understands", path, hdu,
                               key, value, expected));
    }
    [[nodiscard]] std::optional<double> number(std::size_t hdu, const std::string& key) const {
        const auto value = raw(hdu, key);
        if (!value) return std::nullopt;
        if (value->front() == '\'') {
            if (const auto special = non_finite(trimmed(value->substr(1, value->size() - 2)))) return special;
            wrong_type(hdu, key, *value, "a number");
        }
        double result = 0.0;
        int status = 0;
        fits_read_key(handle, TDOUBLE, key.c_str(), &result, nullptr, &status);
        if (status != 0 || value->front() == 'T' || value->front() == 'F') {
            fits_clear_errmsg();
            wrong_type(hdu, key, *value, "a number");
        }
        return result;
    }
    /// Bytes of data that the current HDU's header promises, fill not counted.
    [[nodiscard]] double promised_bytes(std::size_t hdu) const {
        const auto positive = [&](const std::string& key, double otherwise) { return number(hdu, key).value_or(otherwise); };
        const double axes = positive("NAXIS", 0.0);
        if (axes <= 0.0) return 0.0;
        double count = 1.0;
        for (int i = 1; i <= static_cast<int>(axes) && i <= 999; ++i)
            count *= positive("NAXIS" + std::to_string(i), 0.0);
        return std::abs(positive("BITPIX", 8.0)) / 8.0 * positive("GCOUNT", 1.0) * (positive("PCOUNT", 0.0) + count);
    }
    void open() {
        check_start(path);
        int status = 0;
        fits_open_diskfile(&handle, path.c_str(), READONLY, &status);
        if (status != 0) {
            handle = nullptr;
            throw DataError(format("{}: the file is truncated or damaged ({}): fetch it again", path, cfitsio_reason(status)));
        }
        int count = 0;
        fits_get_num_hdus(handle, &count, &status);
        check(status, 0, "the list of HDUs");
        hdus = static_cast<std::size_t>(std::max(count, 0));
        LONGLONG end = 0;
        for (std::size_t hdu = 0; hdu < hdus; ++hdu) {
            go(hdu);
            LONGLONG start = 0;
            fits_get_hduaddrll(handle, nullptr, &start, &end, &status);
            check(status, hdu, "its place");
            const double needed = static_cast<double>(start) + promised_bytes(hdu);
            if (!(needed <= file_size()))
                throw DataError(format(
                    "{}, HDU {}: the file is truncated (its header promises {:.0f} bytes, there are {:.0f}): fetch it again",
                    path, hdu, needed, file_size()));
        }
        if (static_cast<double>(end) < file_size() && begins_extension(path, end))
            throw DataError(
                format("{}, HDU {}: the file is truncated or damaged (its header does not end or cannot be read): fetch it again",
                       path, hdus));
    }
    [[nodiscard]] std::vector<std::string> column_names(std::size_t hdu) const {
        go(hdu);
        int type = 0;
        int count = 0;
        int status = 0;
        fits_get_hdu_type(handle, &type, &status);
        if (type == IMAGE_HDU)
            throw DataError(format("{}, HDU {}: it is an image (expected a table): name another HDU", path, hdu));
        fits_get_num_cols(handle, &count, &status);
        check(status, hdu, "its columns");
        std::vector<std::string> names;
        for (int i = 1; i <= count; ++i) {
            char value[FLEN_VALUE] = "";
            fits_read_key(handle, TSTRING, ("TTYPE" + std::to_string(i)).c_str(), value, nullptr, &status);
            if (status == KEY_NO_EXIST) status = 0;
            fits_clear_errmsg();
            check(status, hdu, "its column names");
            names.push_back(trimmed(value));
        }
        return names;
    }
    [[nodiscard]] Column find_column(std::size_t hdu, std::string_view wanted) const {
        const std::vector<std::string> names = column_names(hdu);
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (!same_name(names[i], wanted)) continue;
            Column column;
            column.number = static_cast<int>(i) + 1;
            column.name = names[i];
            int status = 0;
            fits_get_coltypell(handle, column.number, &column.type, &column.repeat, nullptr, &status);
            check(status, hdu, "column " + column.name);
            return column;
        }
        throw DataError(format("{}, HDU {}: no column \"{}\"{}", path, hdu, wanted, suggest(wanted, names)));
    }
    [[noreturn]] void wrong_column(std::size_t hdu, const Column& column, const char* expected) const {
        throw DataError(format("{}, HDU {}: column {} cannot be used (expected {} in each row): name another column", path, hdu,
                               column.name, expected));
    }
    [[nodiscard]] std::size_t rows(std::size_t hdu) const {
        go(hdu);
        LONGLONG count = 0;
        int status = 0;
        fits_get_num_rowsll(handle, &count, &status);
        check(status, hdu, "its number of rows");
        return static_cast<std::size_t>(std::max<LONGLONG>(count, 0));
    }
    /// Read a scalar column in the blocks of rows that cfitsio buffers; `null` may be null: no check for undefined values.
    template <typename T>
    [[nodiscard]] std::vector<T> read_column(std::size_t hdu, const Column& column, int type, T* null) const {
        std::vector<T> values(rows(hdu));
        long block = 0;
        int status = 0;
        fits_get_rowsize(handle, &block, &status);
        const auto step = static_cast<std::size_t>(std::max(block, 1L));
        for (std::size_t first = 0; first < values.size() && status == 0; first += step) {
            const std::size_t count = std::min(step, values.size() - first);
            fits_read_col(handle, type, column.number, static_cast<LONGLONG>(first) + 1, 1, static_cast<LONGLONG>(count), null,
                          values.data() + first, nullptr, &status);
        }
        check(status, hdu, "column " + column.name);
        return values;
    }
    /// The number of pixels of an image, checked against what the file can hold.
    [[nodiscard]] std::size_t pixels(std::size_t hdu, const std::vector<std::size_t>& shape) const {
        double count = shape.empty() ? 0.0 : 1.0;
        for (const std::size_t length : shape)
            count *= static_cast<double>(length);
        constexpr double most_per_byte = 4096.0;  // no compression of an image reaches this
        if (count > most_per_byte * file_size())
            throw DataError(format("{}, HDU {}: {:.0f} pixels in a file of {:.0f} bytes: the header is damaged", path, hdu, count,
                                   file_size()));
        return static_cast<std::size_t>(count);
    }
};

FitsReader::FitsReader(const std::filesystem::path& path) : file_(std::make_unique<File>()) {
    file_->path = path.string();
    file_->open();
}
FitsReader::~FitsReader() = default;
FitsReader::FitsReader(FitsReader&&) noexcept = default;
FitsReader& FitsReader::operator=(FitsReader&&) noexcept = default;

const std::string& FitsReader::path() const {
    return file_->path;
}

std::size_t FitsReader::hdu_count() const {
    return file_->hdus;
}

FitsKind FitsReader::kind(std::size_t hdu) const {
    file_->go(hdu);
    int type = 0;
    int status = 0;
    fits_get_hdu_type(file_->handle, &type, &status);
    file_->check(status, hdu, "its type");
    return type == IMAGE_HDU ? FitsKind::image : FitsKind::table;
}

std::string FitsReader::name(std::size_t hdu) const {
    return key_string(hdu, "EXTNAME").value_or("");
}

std::optional<std::size_t> FitsReader::find(std::string_view name) const {
    for (std::size_t hdu = 0; hdu < file_->hdus; ++hdu) {
        if (same_name(this->name(hdu), name)) return hdu;
    }
    return std::nullopt;
}

std::size_t FitsReader::require(std::string_view name) const {
    if (const auto hdu = find(name)) return *hdu;
    std::vector<std::string> names;
    for (std::size_t hdu = 0; hdu < file_->hdus; ++hdu) {
        if (std::string text = this->name(hdu); !text.empty()) names.push_back(std::move(text));
    }
    throw DataError(format("{}: no HDU \"{}\"{}", file_->path, name, suggest(name, names)));
}

std::optional<double> FitsReader::key_double(std::size_t hdu, const std::string& key) const {
    return file_->number(hdu, key);
}

std::optional<std::int64_t> FitsReader::key_integer(std::size_t hdu, const std::string& key) const {
    const auto value = file_->raw(hdu, key);
    if (!value) return std::nullopt;
    char* end = nullptr;
    errno = 0;
    const long long number = std::strtoll(value->c_str(), &end, 10);
    if (end == value->c_str() || *end != '\0' || errno != 0) file_->wrong_type(hdu, key, *value, "an integer");
    return number;
}

std::optional<bool> FitsReader::key_bool(std::size_t hdu, const std::string& key) const {
    const auto value = file_->raw(hdu, key);
    if (!value) return std::nullopt;
    if (*value != "T" && *value != "F") file_->wrong_type(hdu, key, *value, "T or F");
    return *value == "T";
}

std::optional<std::string> FitsReader::key_string(std::size_t hdu, const std::string& key) const {
    const auto value = file_->raw(hdu, key);
    if (!value) return std::nullopt;
    if (value->front() != '\'') file_->wrong_type(hdu, key, *value, "a text");
    char* text = nullptr;
    int status = 0;
    fits_read_key_longstr(file_->handle, key.c_str(), &text, nullptr, &status);
    std::string result = status == 0 && text != nullptr ? trimmed(text) : std::string();
    int ignored = 0;
    if (text != nullptr) fits_free_memory(text, &ignored);
    file_->check(status, hdu, "key " + key);
    return result;
}

std::vector<std::size_t> FitsReader::shape(std::size_t hdu) const {
    if (kind(hdu) != FitsKind::image)
        throw DataError(format("{}, HDU {}: it is a table (expected an image): name another HDU", file_->path, hdu));
    int axes = 0;
    int status = 0;
    fits_get_img_dim(file_->handle, &axes, &status);
    std::vector<LONGLONG> lengths(static_cast<std::size_t>(std::clamp(axes, 0, 999)));
    if (!lengths.empty()) fits_get_img_sizell(file_->handle, static_cast<int>(lengths.size()), lengths.data(), &status);
    file_->check(status, hdu, "its shape");
    std::vector<std::size_t> shape;
    for (auto length = lengths.rbegin(); length != lengths.rend(); ++length)
        shape.push_back(static_cast<std::size_t>(std::max<LONGLONG>(*length, 0)));
    return shape;
}

std::vector<double> FitsReader::image(std::size_t hdu) const {
    std::vector<double> values(file_->pixels(hdu, shape(hdu)));
    int status = 0;
    if (!values.empty()) {
        int type = 0;
        fits_get_img_type(file_->handle, &type, &status);
        // Without a null value cfitsio copies floating-point numbers bit for bit; integers need one for BLANK.
        double null = nan_value;
        fits_read_img(file_->handle, TDOUBLE, 1, static_cast<LONGLONG>(values.size()), type > 0 ? &null : nullptr, values.data(),
                      nullptr, &status);
    }
    file_->check(status, hdu, "its pixels");
    return values;
}

FitsArray FitsReader::place(std::size_t hdu, const std::string& column) const {
    const auto refuse = [&](std::string_view why) {
        throw DataError(format("{}, HDU {}{}{}: {} (plain numbers are read): write it uncompressed and unscaled", file_->path,
                               hdu, column.empty() ? "" : ", column ", column, why));
    };
    const bool image = column.empty();
    FitsArray place;
    int code = 0;
    int status = 0;
    LONGLONG start = 0;
    double scale = 1.0;
    double zero = 0.0;
    if (image) {
        const std::vector<std::size_t> axes = shape(hdu);
        if (axes.size() != 2) refuse(format("{} axes, not two", axes.size()));
        int bitpix = 0;
        fits_get_img_type(file_->handle, &bitpix, &status);
        code = bitpix;
        place.rows = axes[0];
        place.columns = axes[1];
        scale = key_double(hdu, "BSCALE").value_or(1.0);
        zero = key_double(hdu, "BZERO").value_or(0.0);
        if (fits_is_compressed_image(file_->handle, &status) != 0) refuse("it is compressed");
        fits_get_hduaddrll(file_->handle, nullptr, &start, nullptr, &status);
        place.offset = static_cast<std::uint64_t>(start);
    } else {
        const File::Column found = file_->find_column(hdu, column);
        place.rows = file_->rows(hdu);
        place.columns = static_cast<std::size_t>(std::max<LONGLONG>(found.repeat, 0));
        if (found.type < 0) refuse("its cells vary in length");
        code = found.type == TBYTE       ? BYTE_IMG
               : found.type == TSHORT    ? SHORT_IMG
               : found.type == TINT32BIT ? LONG_IMG
               : found.type == TLONGLONG ? LONGLONG_IMG
               : found.type == TFLOAT    ? FLOAT_IMG
               : found.type == TDOUBLE   ? DOUBLE_IMG
                                         : 0;
        const std::string number = std::to_string(found.number);
        scale = key_double(hdu, "TSCAL" + number).value_or(1.0);
        zero = key_double(hdu, "TZERO" + number).value_or(0.0);
        fits_get_hduaddrll(file_->handle, nullptr, &start, nullptr, &status);
        place.offset =
            static_cast<std::uint64_t>(start) + static_cast<std::uint64_t>(file_->handle->Fptr->tableptr[found.number - 1].tbcol);
        place.row_stride = static_cast<std::uint64_t>(file_->handle->Fptr->rowlength);
    }
    file_->check(status, hdu, "its place");
    if (code == 0) refuse("it does not hold real numbers");
    if (scale != 1.0 || zero != 0.0) refuse("its numbers are scaled");
    place.type = {code < 0           ? NumberKind::floating
                  : code == BYTE_IMG ? NumberKind::unsigned_integer
                                     : NumberKind::signed_integer,
                  static_cast<std::size_t>(std::abs(code)) / 8, true};
    if (image) place.row_stride = place.columns * place.type.bytes;
    return place;
}

std::vector<std::uint8_t> FitsReader::bytes(std::size_t hdu) const {
    std::vector<std::uint8_t> values(file_->pixels(hdu, shape(hdu)));
    int type = 0;
    int status = 0;
    fits_get_img_type(file_->handle, &type, &status);
    if (type != BYTE_IMG) throw DataError(format("{}, HDU {}: it is not an image of bytes: name another HDU", file_->path, hdu));
    if (!values.empty())
        fits_read_img(file_->handle, TBYTE, 1, static_cast<LONGLONG>(values.size()), nullptr, values.data(), nullptr, &status);
    file_->check(status, hdu, "its bytes");
    return values;
}

std::size_t FitsReader::rows(std::size_t hdu) const {
    if (kind(hdu) != FitsKind::table)
        throw DataError(format("{}, HDU {}: it is an image (expected a table): name another HDU", file_->path, hdu));
    return file_->rows(hdu);
}

std::vector<std::string> FitsReader::column_names(std::size_t hdu) const {
    return file_->column_names(hdu);
}

std::string FitsReader::column_unit(std::size_t hdu, std::string_view column) const {
    return key_string(hdu, "TUNIT" + std::to_string(file_->find_column(hdu, column).number)).value_or("");
}

std::vector<double> FitsReader::column(std::size_t hdu, std::string_view column) const {
    const File::Column found = file_->find_column(hdu, column);
    if (found.repeat != 1 || found.type < 0 || found.type == TSTRING || found.type == TLOGICAL || found.type == TBIT ||
        found.type == TCOMPLEX || found.type == TDBLCOMPLEX)
        file_->wrong_column(hdu, found, "one number");
    const bool floating = found.type == TFLOAT || found.type == TDOUBLE;
    double null = nan_value;
    return file_->read_column<double>(hdu, found, TDOUBLE, floating ? nullptr : &null);
}

std::vector<std::int64_t> FitsReader::column_integers(std::size_t hdu, std::string_view column) const {
    const File::Column found = file_->find_column(hdu, column);
    const std::array<int, 8> integers{TBYTE, TSBYTE, TSHORT, TUSHORT, TINT, TLONG, TULONG, TLONGLONG};
    if (found.repeat != 1 || std::ranges::find(integers, found.type) == integers.end())
        file_->wrong_column(hdu, found, "one integer");
    const std::vector<long long> values = file_->read_column<long long>(hdu, found, TLONGLONG, nullptr);
    return {values.begin(), values.end()};
}

std::vector<bool> FitsReader::column_bools(std::size_t hdu, std::string_view column) const {
    const File::Column found = file_->find_column(hdu, column);
    if (found.repeat != 1 || found.type != TLOGICAL) file_->wrong_column(hdu, found, "T or F");
    const std::vector<char> values = file_->read_column<char>(hdu, found, TLOGICAL, nullptr);
    return {values.begin(), values.end()};
}

std::vector<std::string> FitsReader::column_strings(std::size_t hdu, std::string_view column) const {
    const File::Column found = file_->find_column(hdu, column);
    int width = 0;
    int status = 0;
    if (found.type != TSTRING) file_->wrong_column(hdu, found, "a text");
    fits_get_col_display_width(file_->handle, found.number, &width, &status);
    file_->check(status, hdu, "column " + found.name);
    std::vector<std::string> values(file_->rows(hdu));
    std::vector<char> buffer(static_cast<std::size_t>(std::max(width, 0)) + 1);
    char nothing[] = "";
    for (std::size_t row = 0; row < values.size(); ++row) {
        char* cell = buffer.data();
        fits_read_col_str(file_->handle, found.number, static_cast<LONGLONG>(row) + 1, 1, 1, nothing, &cell, nullptr, &status);
        file_->check(status, hdu, "column " + found.name);
        values[row] = trimmed(cell);
    }
    return values;
}

}  // namespace aliquot::io
