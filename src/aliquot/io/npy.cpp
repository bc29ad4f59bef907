#include "aliquot/io/npy.hpp"

#include <cctype>
#include <charconv>
#include <limits>
#include <optional>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::io {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_header = 1 << 20;

/// Reads the literal dictionary of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class DictionaryReader {
  public:
    DictionaryReader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

    NpyHeader read() {
        NpyHeader header;
        std::optional<std::string> descr;
        bool order = false;
        bool shape = false;
        expect('{');
        while (!accept('}')) {
            const std::string key = string();
            expect(':');
            if (key == "descr") {
                if (next() != '\'' && next() != '"')
                    throw DataError(
                        format("{}: the array has named fields (one number per place is expected): save one field", path_));
                descr = string();
            } else if (key == "fortran_order") {
                header.fortran_order = boolean();
                order = true;
            } else if (key == "shape") {
                header.shape = tuple();
                shape = true;
            } else {
                damaged();
            }
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        if (!descr || !order || !shape) damaged();
        header.type = type(*descr);
        return header;
    }

  private:
    [[noreturn]] void damaged() const {
        throw DataError(format("{}: the .npy header is damaged (byte {} of its dictionary): save the array again", path_, at_));
    }
    void skip_blanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
    }
    [[nodiscard]] char next() {
        skip_blanks();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool accept(char c) {
        if (next() != c || c == '\0') return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!accept(c)) damaged();
    }
    std::string string() {
        const char quote = next();
        if (quote != '\'' && quote != '"') damaged();
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) damaged();
        std::string value(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return value;
    }
    bool boolean() {
        skip_blanks();
        for (const std::string_view word : {"True", "False"}) {
            if (!text_.substr(at_).starts_with(word)) continue;
            at_ += word.size();
            return word == "True";
        }
        damaged();
    }
    std::vector<std::size_t> tuple() {
        std::vector<std::size_t> values;
        expect('(');
        while (!accept(')')) {
            skip_blanks();
            std::size_t value = 0;
            const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
            if (error != std::errc() || values.size() > 32) damaged();
            at_ = static_cast<std::size_t>(end - text_.data());
            accept('L');  // written by Python 2
            values.push_back(value);
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return values;
    }
    [[nodiscard]] NumberType type(const std::string& descr) const {
        const auto refuse = [&](std::string_view why, std::string_view advice) {
            throw DataError(format("{}: dtype {} ({}): {}", path_, descr, why, advice));
        };
        if (descr.empty()) damaged();
        const bool has_order = descr.front() == '<' || descr.front() == '>' || descr.front() == '|' || descr.front() == '=';
        const std::string_view rest = std::string_view(descr).substr(has_order ? 1 : 0);
        if (rest.starts_with('O'))
            refuse("Python objects, not numbers",
                   "save the array with astype(numpy.float32); lists in cells must be made rectangular first");
        NumberType type;
        type.big_endian = descr.front() == '>';
        const std::string_view size = rest.substr(rest.empty() ? 0 : 1);
        const bool integer = rest.starts_with('i') || rest.starts_with('u');
        if (!integer && !rest.starts_with('f')) refuse("not real numbers", "save the array with astype(numpy.float32)");
        type.kind = rest.starts_with('f')   ? NumberKind::floating
                    : rest.starts_with('i') ? NumberKind::signed_integer
                                            : NumberKind::unsigned_integer;
        if (size == "2" || size == "4" || size == "8" || (integer && size == "1")) {
            type.bytes = static_cast<std::size_t>(size.front() - '0');
        } else {
            refuse("a size that is not read", "save the array with astype(numpy.float32)");
        }
        return type;
    }

    std::string_view text_;
    const std::string& path_;
    std::size_t at_ = 0;
};

}  // namespace

std::size_t NpyHeader::count() const {
    std::size_t product = 1;
    for (const std::size_t length : shape)
        product *= length;
    return product;
}

std::size_t npy_header_length(std::string_view start, const std::string& path) {
    if (!start.starts_with(magic))
        throw DataError(format("{}: not a .npy file ({}): name a file that numpy.save wrote", path,
                               start.empty() ? "it is empty" : "it does not begin with \\x93NUMPY"));
    if (start.size() < npy_preamble_bytes)
        throw DataError(format("{}: the file is truncated (it ends inside its header): fetch it again", path));
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(start[i])); };
    const std::size_t version = byte(6);
    if (version < 1 || version > 3)
        throw DataError(
            format("{}: .npy format version {}.{} (1.0 to 3.0 are read): save it with numpy.save", path, version, byte(7)));
    const std::size_t length =
        version == 1 ? 10 + byte(8) + (byte(9) << 8U) : 12 + byte(8) + (byte(9) << 8U) + (byte(10) << 16U) + (byte(11) << 24U);
    if (length > longest_header)
        throw DataError(format("{}: the .npy header is damaged (it claims {} bytes): save the array again", path, length));
    return length;
}

NpyHeader parse_npy_header(std::string_view header, const std::string& path) {
    const std::size_t length = npy_header_length(header, path);
    if (header.size() < length)
        throw DataError(format("{}: the file is truncated (it ends inside its header): fetch it again", path));
    const std::size_t text = header[6] == '\1' ? 10 : 12;
    NpyHeader result = DictionaryReader(header.substr(text, length - text), path).read();
    result.data_offset = length;
    std::size_t bytes = result.type.bytes;
    for (const std::size_t axis : result.shape) {
        if (axis != 0 && bytes > (std::numeric_limits<std::size_t>::max() >> 2U) / axis)
            throw DataError(format(
                "{}: the .npy header is damaged (its shape means more bytes than can be counted): save the array again", path));
        bytes *= axis;
    }
    return result;
}

std::string npy_header(std::string_view descr, std::span<const std::size_t> shape) {
    std::string axes;
    for (const std::size_t axis : shape)
        axes += format("{}, ", axis);
    if (shape.size() > 1) axes.resize(axes.size() - 2);
    if (shape.size() == 1) axes.resize(axes.size() - 1);
    std::string text = format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, axes);
    text.resize((10 + text.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
    text += '\n';
    std::string header(magic);
    header += {'\1', '\0', static_cast<char>(text.size() & 255U), static_cast<char>(text.size() >> 8U)};
    return header + text;
}

}  // namespace aliquot::io
