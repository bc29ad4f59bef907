#include "aliquot/infer/verdict.hpp"

#include <gtest/gtest.h>

namespace aliquot::infer {
namespace {

NestedResult clean_run() {
    NestedResult run;
    run.log_evidence = -10.0;
    run.log_evidence_error = 0.3;
    run.diagnostics.rank_correlation = 0.002;
    run.diagnostics.rank_correlation_error = 0.003;
    return run;
}

SecondOpinion good_opinion() {
    SecondOpinion opinion;
    opinion.log_evidence = -10.2;
    opinion.log_evidence_error = 0.01;
    opinion.pareto_k = 0.2;
    opinion.effective_samples = 9000.0;
    opinion.trusted = true;
    return opinion;
}

TEST(Verdict, TheMorePreciseOfTwoThatAgreeIsQuoted) {
    const Verdict verdict = judge(clean_run(), good_opinion(), {});
    EXPECT_TRUE(verdict.trusted);
    EXPECT_EQ(verdict.source, EvidenceSource::importance);
    EXPECT_EQ(verdict.log_evidence, -10.2);
    EXPECT_EQ(verdict.log_evidence_error, 0.01);
    EXPECT_TRUE(verdict.reasons.empty());
}

TEST(Verdict, WeightsThatCannotBeBelievedLeaveNestedSamplingQuotedAndUntrusted) {
    SecondOpinion opinion = good_opinion();
    opinion.trusted = false;
    opinion.reason = "Pareto k of the importance weights is 0.80 (must be below 0.5)";
    const Verdict verdict = judge(clean_run(), opinion, {});
    EXPECT_FALSE(verdict.trusted);
    EXPECT_FALSE(verdict.contradicted);
    EXPECT_EQ(verdict.source, EvidenceSource::nested);
    EXPECT_EQ(verdict.log_evidence, -10.0);
    ASSERT_EQ(verdict.reasons.size(), 1U);
    EXPECT_NE(verdict.reasons[0].find("Pareto k"), std::string::npos);
}

TEST(Verdict, AVerificationThatAgreesStandsInForIt) {
    SecondOpinion opinion = good_opinion();
    opinion.trusted = false;
    opinion.reason = "the importance weights are worth 300 samples (1000 are asked for)";
    EXPECT_TRUE(judge(clean_run(), opinion, Verification{Status::converged, -9.6, 0.3, 60.0, 2, 1000}).trusted);
    EXPECT_TRUE(judge(clean_run(), {}, Verification{Status::converged, -9.6, 0.3, 60.0, 2, 1000}).trusted);
    const Verdict stopped = judge(clean_run(), {}, Verification{Status::interrupted, -9.6, 0.3, 60.0, 2, 1000});
    EXPECT_FALSE(stopped.trusted);
}

TEST(Verdict, DisagreementContradicts) {
    SecondOpinion opinion = good_opinion();
    opinion.log_evidence = -8.0;
    opinion.trusted = false;
    opinion.disagrees = true;
    opinion.reason = "importance and nested sampling disagree by +2.00 (error of nested sampling 0.30)";
    const Verdict apart = judge(clean_run(), opinion, {});
    EXPECT_TRUE(apart.contradicted);
    EXPECT_FALSE(apart.trusted);
    EXPECT_EQ(apart.source, EvidenceSource::nested);

    // A longer run that finds more than importance sampling, which knows only what the first one found.
    const Verdict longer = judge(clean_run(), good_opinion(), Verification{Status::converged, -5.0, 0.3, 60.0, 2, 1000});
    EXPECT_TRUE(longer.contradicted);
    EXPECT_FALSE(longer.trusted);
    EXPECT_EQ(longer.source, EvidenceSource::nested);
}

TEST(Verdict, TheRunsOwnDiagnosticsComeFirst) {
    NestedResult remembering = clean_run();
    remembering.diagnostics.rank_correlation = 0.03;
    EXPECT_FALSE(judge(remembering, good_opinion(), {}).trusted);
    NestedResult uneven = clean_run();
    uneven.diagnostics.insertion_rank_p_value = 1e-5;
    EXPECT_FALSE(judge(uneven, good_opinion(), {}).trusted);
    NestedResult stopped = clean_run();
    stopped.status = Status::call_limit;
    EXPECT_FALSE(judge(stopped, {}, {}).trusted);
    // 0.012 +- 0.003 is not clearly above 0.01.
    NestedResult unclear = clean_run();
    unclear.diagnostics.rank_correlation = 0.012;
    EXPECT_TRUE(judge(unclear, good_opinion(), {}).trusted);
}

}  // namespace
}  // namespace aliquot::infer
