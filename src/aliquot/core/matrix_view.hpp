#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace aliquot {

/// A view of a row-major matrix (rows, columns); it owns nothing.
template <typename T>
class MatrixView {
  public:
    constexpr MatrixView() = default;
    constexpr MatrixView(T* data, std::size_t rows, std::size_t columns) : data_(data), rows_(rows), columns_(columns) {}
    /// A mutable view serves where a constant one is asked for.
    template <typename U>
        requires(std::is_same_v<const U, T> && !std::is_same_v<U, T>)
    constexpr MatrixView(MatrixView<U> other)  // NOLINT(google-explicit-constructor)
        : data_(other.data()), rows_(other.rows()), columns_(other.columns()) {}

    [[nodiscard]] constexpr std::size_t rows() const { return rows_; }
    [[nodiscard]] constexpr std::size_t columns() const { return columns_; }
    [[nodiscard]] constexpr T* data() const { return data_; }
    [[nodiscard]] constexpr T& operator()(std::size_t row, std::size_t column) const { return data_[row * columns_ + column]; }
    [[nodiscard]] constexpr std::span<T> row(std::size_t index) const { return {data_ + index * columns_, columns_}; }
    /// Rows [first, first + count).
    [[nodiscard]] constexpr MatrixView middle_rows(std::size_t first, std::size_t count) const {
        return {data_ + first * columns_, count, columns_};
    }

  private:
    T* data_ = nullptr;
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
};

/// A row-major matrix that owns its values.
template <typename T>
class Matrix {
  public:
    Matrix() = default;
    Matrix(std::size_t rows, std::size_t columns, T value = T{})
        : values_(rows * columns, value), rows_(rows), columns_(columns) {}

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t columns() const { return columns_; }
    [[nodiscard]] T* data() { return values_.data(); }
    [[nodiscard]] const T* data() const { return values_.data(); }
    [[nodiscard]] T& operator()(std::size_t row, std::size_t column) { return values_[row * columns_ + column]; }
    [[nodiscard]] const T& operator()(std::size_t row, std::size_t column) const { return values_[row * columns_ + column]; }
    [[nodiscard]] std::span<T> row(std::size_t index) { return {values_.data() + index * columns_, columns_}; }
    [[nodiscard]] std::span<const T> row(std::size_t index) const { return {values_.data() + index * columns_, columns_}; }
    [[nodiscard]] MatrixView<T> view() { return {values_.data(), rows_, columns_}; }
    [[nodiscard]] MatrixView<const T> view() const { return {values_.data(), rows_, columns_}; }
    /// Keep the first `rows` rows, or add zero rows.
    void resize_rows(std::size_t rows) {
        values_.resize(rows * columns_);
        rows_ = rows;
    }
    void append_row(std::span<const T> row) {
        values_.insert(values_.end(), row.begin(), row.end());
        ++rows_;
    }

  private:
    std::vector<T> values_;
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
};

}  // namespace aliquot
