#include "aliquot/io/png.hpp"

#include <zlib.h>

#include "aliquot/core/contract.hpp"

namespace aliquot::io {

namespace {

void put_number(std::string& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8)
        out += static_cast<char>(value >> static_cast<unsigned>(shift) & 255U);
}

/// Length, type, data and check sum, as every part of a PNG file.
void put_chunk(std::string& out, std::string_view type, std::string_view data) {
    put_number(out, static_cast<std::uint32_t>(data.size()));
    std::string content(type);
    content += data;
    out += content;
    put_number(out, static_cast<std::uint32_t>(
                        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()))));
}

}  // namespace

std::string encode_png(std::span<const std::uint8_t> pixels, std::size_t width, std::size_t height, const Palette& palette) {
    ALIQUOT_EXPECT(pixels.size() == width * height && width > 0 && height > 0);
    std::string lines;
    for (std::size_t y = 0; y < height; ++y) {
        lines += '\0';  // no filter
        lines.append(reinterpret_cast<const char*>(pixels.data()) + y * width, width);
    }
    uLongf size = compressBound(lines.size());
    std::string packed(size, '\0');
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(lines.data()), lines.size(), 4);
    packed.resize(size);
    std::string header;
    put_number(header, static_cast<std::uint32_t>(width));
    put_number(header, static_cast<std::uint32_t>(height));
    header += std::string("\10\3\0\0\0", 5);  // 8 bits, palette
    std::string colours;
    for (const auto& colour : palette)
        colours.append(reinterpret_cast<const char*>(colour.data()), 3);
    std::string png = "\x89PNG\r\n\x1a\n";
    put_chunk(png, "IHDR", header);
    put_chunk(png, "PLTE", colours);
    put_chunk(png, "tRNS", std::string_view("\0", 1));
    put_chunk(png, "IDAT", packed);
    put_chunk(png, "IEND", "");
    return png;
}

std::string base64(std::string_view bytes) {
    static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        for (std::size_t b = 0; b < 3; ++b)
            group = group << 8U | (b < count ? static_cast<unsigned char>(bytes[i + b]) : 0U);
        for (std::size_t d = 0; d < 4; ++d)
            out += d <= count ? digits[group >> (18 - 6 * d) & 63U] : '=';
    }
    return out;
}

}  // namespace aliquot::io
