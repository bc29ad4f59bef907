#include "aliquot/summary/aggregate.hpp"

#include <gtest/gtest.h>

#include "aliquot/core/error.hpp"
#include "summary/frames.hpp"
#include "support/files.hpp"
#include "support/golden.hpp"

namespace aliquot::summary {
namespace {

using Integers = std::vector<std::int64_t>;

struct Golden {
    nlohmann::json extra = test::golden("collapse_cases.json")["extra"];
    std::vector<float> values;
    Integers times = extra["aggregate"]["time"].get<Integers>();
    Integers units = extra["aggregate"]["unit"].get<Integers>();
    std::size_t draws = 4;
    test::ScratchDirectory scratch;
    UnitMapping mapping;

    Golden() {
        for (const auto& row : extra["aggregate"]["values"])
            for (const auto& value : row)
                values.push_back(value.get<float>());
        std::string table = "time,unit,target\n";
        for (std::size_t i = 0; i < times.size(); ++i)
            table += std::to_string(times[i]) + "," + std::to_string(units[i]) + "," +
                     std::to_string(extra["aggregate"]["map_vals"][i].get<int>()) + "\n";
        io::write_file(scratch / "mapping.csv", table);
        mapping = UnitMapping::read((scratch / "mapping.csv").string());
    }
};

class MemorySource final : public ChunkSource {
  public:
    MemorySource(const std::vector<float>& values, std::size_t draws) : values_(values), draws_(draws) {}
    [[nodiscard]] std::size_t rows() const override { return values_.size() / draws_; }
    [[nodiscard]] std::size_t draws() const override { return draws_; }
    [[nodiscard]] bool blocks_in_any_order() const override { return true; }
    [[nodiscard]] std::uint64_t bytes_read() const override { return 0; }
    void read(std::size_t first, std::size_t count, float* out) override {
        std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(first * draws_), count * draws_, out);
    }

  private:
    const std::vector<float>& values_;
    std::size_t draws_;
};

class MemoryIndex final : public FrameIndex {
  public:
    MemoryIndex(const Integers& times, const Integers& units) : times_(times), units_(units) {}
    [[nodiscard]] std::size_t rows() const override { return times_.size(); }
    void read(std::size_t first, std::span<std::int64_t> times, std::span<std::int64_t> units) const override {
        std::copy_n(times_.begin() + static_cast<std::ptrdiff_t>(first), times.size(), times.begin());
        std::copy_n(units_.begin() + static_cast<std::ptrdiff_t>(first), units.size(), units.begin());
    }

  private:
    const Integers& times_;
    const Integers& units_;
};

std::vector<float> read_all(ChunkSource& source) {
    std::vector<float> values(source.rows() * source.draws());
    source.read(0, source.rows(), values.data());
    return values;
}

TEST(Aggregate, SumsOfViewsFrames) {
    const Golden g;
    Threads threads(2);
    DrawSums sums(g.mapping, g.draws, 1 << 20);
    sums.take(std::span(g.times).first(3), std::span(g.units).first(3), g.values.data(), threads);
    sums.take(std::span(g.times).subspan(3), std::span(g.units).subspan(3), g.values.data() + 12, threads);
    const auto& out = g.extra["aggregate"];
    Integers times(4);
    Integers units(4);
    sums.index()->read(0, times, units);
    EXPECT_EQ(times, out["out_time"].get<Integers>());
    EXPECT_EQ(units, out["out_unit"].get<Integers>());
    std::vector<float> expected;
    for (const auto& row : out["out_values"])
        for (const auto& value : row)
            expected.push_back(value.get<float>());
    EXPECT_EQ(read_all(*sums.source()), expected);
}

void expect_reconciled(const nlohmann::json& golden, std::size_t total_draws) {
    const Golden g;
    Threads threads(1);
    DrawSums sums(g.mapping, g.draws, 1 << 20, true);
    sums.take(g.times, g.units, g.values.data(), threads);
    std::vector<float> total_values;
    for (const auto& row : golden["cm_values"]) {
        if (row.is_number()) {
            total_values.push_back(row.get<float>());
        } else {
            for (const auto& value : row)
                total_values.push_back(value.get<float>());
        }
    }
    const UnitMapping identity = UnitMapping::identity();
    DrawSums totals(identity, total_draws, 1 << 20);
    const Integers times{540, 540, 541, 541};
    const Integers units{7, 8, 7, 8};
    totals.take(times, units, total_values.data(), threads);
    MemorySource cells(g.values, g.draws);
    const MemoryIndex index(g.times, g.units);
    const auto reconciled = make_reconciled_source(cells, index, g.mapping, sums, totals);
    const std::vector<float> found = read_all(*reconciled);
    std::size_t i = 0;
    for (const auto& row : golden["out"])
        for (const auto& value : row)
            EXPECT_FLOAT_EQ(found[i++], value.get<float>());
}

TEST(Aggregate, ReconciliationOfViewsFrames) {
    const Golden g;
    expect_reconciled(g.extra["reconcile"], 4);
    expect_reconciled(g.extra["reconcile_point_country"], 1);
}

TEST(Aggregate, WhatIsWrongIsSaid) {
    const Golden g;
    Threads threads(1);
    DrawSums sums(g.mapping, g.draws, 1 << 20);
    const Integers times{540};
    const Integers units{99};
    EXPECT_NE(test::message_of<DataError>([&] { sums.take(times, units, g.values.data(), threads); }).find("unit 99 at time 540"),
              std::string::npos);
    DrawSums tight(g.mapping, g.draws, 16);
    EXPECT_NE(test::message_of<ConfigError>([&] { tight.take(g.times, g.units, g.values.data(), threads); }).find("do not fit"),
              std::string::npos);
    io::write_file(g.scratch / "bad.csv", "unit,target\n1,2\n1,3\n");
    EXPECT_NE(
        test::message_of<DataError>([&] { (void)UnitMapping::read((g.scratch / "bad.csv").string()); }).find("second target"),
        std::string::npos);
    io::write_file(g.scratch / "out.csv", "unit,target\n1,2\n5,\n");
    const UnitMapping mapping = UnitMapping::read((g.scratch / "out.csv").string());
    EXPECT_EQ(mapping.target(540, 1), 2);
    EXPECT_EQ(mapping.target(540, 5), std::nullopt);
}

}  // namespace
}  // namespace aliquot::summary
