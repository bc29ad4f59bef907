#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace aliquot {

/// 64-bit FNV-1a (Fowler, Noll and Vo; RFC 9923): tells damage and differences, not forgeries. Two inputs that differ in one byte
/// never share a hash, because every step is a bijection of the hash so far.
class FnvHash {
  public:
    void add(std::string_view bytes) {
        for (const char byte : bytes)
            value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
    }
    void add(std::span<const double> values) { add({reinterpret_cast<const char*>(values.data()), values.size_bytes()}); }

    [[nodiscard]] std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0xCBF29CE484222325U;
};

}  // namespace aliquot
