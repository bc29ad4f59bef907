#include "aliquot/infer/checkpoint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "aliquot/core/error.hpp"
#include "aliquot/infer/nested_run.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "support/cube_problem.hpp"
#include "support/files.hpp"

namespace aliquot::infer {
namespace {

using test::Cube;

/// A Gaussian with impossible and undefined corners, so that every member of the state has something in it.
Cube difficult(double sigma = 0.01) {
    return {5, [sigma](auto u) {
                if (u[0] < 0.2) return -std::numeric_limits<double>::infinity();
                return u[1] < 0.1 ? std::nan("") : std::round(50.0 * test::gaussian(u, sigma)) / 50.0;
            }};
}

NestedOptions options() {
    NestedOptions o;
    o.live_points = 60;
    o.seed = 5;
    o.slices_per_dimension = 0.1;
    return o;
}

void expect_same_bits(const NestedResult& a, const NestedResult& b) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.log_evidence), std::bit_cast<std::uint64_t>(b.log_evidence));
    EXPECT_EQ(a.log_evidence_error, b.log_evidence_error);
    EXPECT_EQ(a.information, b.information);
    EXPECT_EQ(a.iterations, b.iterations);
    EXPECT_EQ(a.likelihood_calls, b.likelihood_calls);
    EXPECT_EQ(a.log_likelihood, b.log_likelihood);
    EXPECT_EQ(a.log_birth, b.log_birth);
    EXPECT_EQ(a.log_weight, b.log_weight);
    ASSERT_EQ(a.samples.rows(), b.samples.rows());
    EXPECT_TRUE(std::equal(a.samples.data(), a.samples.data() + a.samples.rows() * a.dimension, b.samples.data()));
    EXPECT_EQ(a.status, b.status);
    const Diagnostics& c = a.diagnostics;
    const Diagnostics& d = b.diagnostics;
    EXPECT_EQ(c.insertion_rank_p_value, d.insertion_rank_p_value);
    EXPECT_EQ(c.rank_correlation, d.rank_correlation);
    EXPECT_EQ(c.rank_correlation_error, d.rank_correlation_error);
    EXPECT_EQ(c.calls_per_slice, d.calls_per_slice);
    EXPECT_EQ(c.slices_per_point, d.slices_per_point);
    EXPECT_EQ(c.live_fraction, d.live_fraction);
    EXPECT_EQ(c.effective_samples, d.effective_samples);
    EXPECT_EQ(c.nan_likelihoods, d.nan_likelihoods);
    EXPECT_EQ(c.failed_slices, d.failed_slices);
    EXPECT_EQ(c.amplitude_rounds, d.amplitude_rounds);
    EXPECT_EQ(c.plateau_points, d.plateau_points);
    EXPECT_EQ(c.nan_examples, d.nan_examples);
    EXPECT_EQ(c.warnings, d.warnings);
}

TEST(Checkpoint, ARunContinuedFromAnyBatchGivesTheSameBits) {
    const test::ScratchDirectory folder;
    const Cube problem = difficult();
    Threads one(1);
    Threads two(2);
    const NestedSampler sampler(problem, options(), one);
    const NestedSampler continued(problem, options(), two);
    NestedState whole = sampler.init();
    const RunIdentity identity = run_identity(problem, options());
    std::vector<Checkpoint> kept;
    while (!sampler.converged(whole)) {
        if (whole.batches % 37 == 0) {
            write_checkpoint(folder / "c", whole, 2.5, identity);
            kept.push_back(read_checkpoint(folder / "c", identity));
        }
        (void)sampler.step(whole);
    }
    const NestedResult expected = sampler.finish(whole, Status::converged, 0.0);
    EXPECT_GT(expected.diagnostics.nan_likelihoods, 0U);
    EXPECT_GT(expected.diagnostics.plateau_points, 0U);
    ASSERT_GT(kept.size(), 3U);
    for (Checkpoint& checkpoint : kept) {
        SCOPED_TRACE(checkpoint.state.batches);
        EXPECT_EQ(checkpoint.seconds, 2.5);
        while (!continued.converged(checkpoint.state))
            (void)continued.step(checkpoint.state);
        expect_same_bits(continued.finish(checkpoint.state, Status::converged, 0.0), expected);
    }
    EXPECT_EQ(folder.listing(), std::vector<std::string>{"c"});
}

TEST(Checkpoint, ADrivenRunThatIsStoppedAgainAndAgainGivesTheSameBits) {
    const test::ScratchDirectory folder;
    const Cube problem = difficult();
    Threads threads(2);
    const NestedResult expected = run_nested(problem, options(), threads);
    Checkpointing checkpointing{folder / "c", true, {{"configuration", "a\nb\n"}}};
    NestedResult run;
    int starts = 0;
    do {
        int asked = 0;
        run = run_nested(problem, options(), threads, {}, [&] { return ++asked > 30; }, checkpointing);
        ++starts;
    } while (run.status == Status::interrupted);
    EXPECT_GT(starts, 3);
    expect_same_bits(run, expected);

    // Caps may change between starts, and the seconds of all starts add up.
    NestedOptions capped = options();
    capped.max_calls = 5000;
    checkpointing.resume = false;
    const NestedResult first = run_nested(problem, capped, threads, {}, {}, checkpointing);
    EXPECT_EQ(first.status, Status::call_limit);
    checkpointing.resume = true;
    const NestedResult second = run_nested(problem, options(), threads, {}, {}, checkpointing);
    expect_same_bits(second, expected);
    EXPECT_GT(second.seconds, first.seconds);
}

TEST(Checkpoint, ShortRunsWriteNone) {
    const test::ScratchDirectory folder;
    Threads threads(1);
    (void)run_nested(difficult(), options(), threads, {}, {}, {folder / "c", false, {}});
    EXPECT_TRUE(folder.listing().empty());
    NestedOptions every_batch = options();
    every_batch.checkpoint_seconds = 0.0;
    (void)run_nested(difficult(), every_batch, threads, {}, {}, {folder / "c", false, {}});
    EXPECT_EQ(folder.listing(), std::vector<std::string>{"c"});
    every_batch.checkpoint_seconds = -1.0;
    EXPECT_NE(test::message_of<ConfigError>([&] {
                  (void)run_nested(difficult(), every_batch, threads);
              }).find("checkpoint_seconds = -1"),
              std::string::npos);
}

class DamagedCheckpoint : public ::testing::Test {
  protected:
    void SetUp() override {
        Threads threads(1);
        const NestedSampler sampler(problem_, options(), threads);
        NestedState state = sampler.init();
        for (int i = 0; i < 20; ++i)
            (void)sampler.step(state);
        write_checkpoint(path_, state, 1.0, identity_);
        whole_ = io::read_file(path_);
    }
    std::string refusal(const RunIdentity& identity) const {
        return test::message_of<DataError>([&] { (void)read_checkpoint(path_, identity); });
    }
    std::string refusal_of(const std::string& bytes) const {
        io::write_file(path_, bytes);
        return refusal(identity_);
    }

    test::ScratchDirectory folder_;
    std::filesystem::path path_ = folder_ / "c.bin";
    Cube problem_ = difficult();
    RunIdentity identity_ = run_identity(problem_, options());
    std::string whole_;
};

TEST_F(DamagedCheckpoint, TruncatedAtAnyLength) {
    for (std::size_t size = 0; size < whole_.size(); size += size < 40 ? 1 : 997) {
        const std::string message = refusal_of(whole_.substr(0, size));
        EXPECT_NE(message.find("c.bin: truncated"), std::string::npos) << size << ": " << message;
    }
    EXPECT_NE(refusal_of(whole_ + "x").find("damaged"), std::string::npos);
}

TEST_F(DamagedCheckpoint, AnyFlippedBit) {
    for (std::size_t byte = 0; byte < whole_.size(); byte += byte < 600 || byte + 20 > whole_.size() ? 1 : 331) {
        std::string bytes = whole_;
        bytes[byte] = static_cast<char>(bytes[byte] ^ (1 << (byte % 8)));
        const std::string message = refusal_of(bytes);
        EXPECT_NE(message.find("c.bin: "), std::string::npos) << byte << ": " << message;
        EXPECT_NE(message.find("start again without --resume"), std::string::npos) << byte << ": " << message;
    }
    io::write_file(path_, whole_);
    EXPECT_EQ(refusal(identity_), "no exception");
}

TEST_F(DamagedCheckpoint, OfAnotherRun) {
    NestedOptions other = options();
    other.live_points = 80;
    EXPECT_NE(refusal(run_identity(problem_, other)).find("another run (nlive was \"60\", is \"80\")"), std::string::npos);
    other = options();
    other.seed = 6;
    EXPECT_NE(refusal(run_identity(problem_, other)).find("seed was \"5\", is \"6\""), std::string::npos);
    other = options();
    other.dlogz = 0.1;
    EXPECT_NE(refusal(run_identity(problem_, other)).find("dlogz was \"0.01\", is \"0.1\""), std::string::npos);
    other = options();
    other.max_calls = 5;
    other.max_seconds = 5.0;
    EXPECT_EQ(refusal(run_identity(problem_, other)), "no exception");
    // A likelihood that differs in the tenth digit.
    EXPECT_NE(refusal(run_identity(difficult(0.010001), options())).find("ln L at points of the prior was"), std::string::npos);

    RunIdentity mine = identity_;
    mine[0].value = "0.0.1";
    EXPECT_NE(refusal(mine).find("version of aliquot was"), std::string::npos);
    mine = identity_;
    mine.push_back({"configuration", "x"});
    EXPECT_NE(refusal(mine).find("says less"), std::string::npos);
}

TEST(Checkpoint, AMessageQuotesTheLineThatDiffers) {
    const test::ScratchDirectory folder;
    const Cube problem = difficult();
    Threads threads(1);
    const NestedState state = NestedSampler(problem, options(), threads).init();
    write_checkpoint(folder / "c", state, 0.0, {{"configuration", "[a]\nx = 1\ny = 2\n"}});
    const auto refusal = [&](const std::string& text) {
        return test::message_of<DataError>([&] { (void)read_checkpoint(folder / "c", {{"configuration", text}}); });
    };
    EXPECT_NE(refusal("[a]\nx = 1\ny = 3\n").find("in the configuration was \"y = 2\", is \"y = 3\""), std::string::npos);
    EXPECT_NE(refusal("[a]\nx = 1\n").find("in the configuration was \"y = 2\", is \"\""), std::string::npos);
    EXPECT_EQ(refusal("[a]\nx = 1\ny = 2\n"), "no exception");
    EXPECT_NE(test::message_of<DataError>([&] { (void)read_checkpoint(folder / "none", {}); }).find("cannot open"),
              std::string::npos);
}

}  // namespace
}  // namespace aliquot::infer
