/* The C interface of Aliquot: sample a likelihood written in any language, or evaluate Aliquot's own from any sampler.
 *
 * Nothing throws across it. A function that can fail returns NULL or a code other than ALIQUOT_OK; aliquot_error() then says what is
 * wrong, why and what to do, for the calling thread, until its next failure. Arrays are row by row, the last index fastest. */
#ifndef ALIQUOT_H
#define ALIQUOT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ALIQUOT_API __attribute__((visibility("default")))
#define ALIQUOT_ABI 1 /* changes where a program compiled against an older header would no longer work */

enum {
    ALIQUOT_OK = 0,
    ALIQUOT_CONFIG = 1,      /* options, configuration */
    ALIQUOT_DATA = 2,        /* files and their content */
    ALIQUOT_NUMERIC = 3,     /* likelihoods that cannot be sampled */
    ALIQUOT_INTERRUPTED = 4, /* a callback asked to stop before anything was gathered */
    ALIQUOT_CALLBACK = 5,    /* a callback failed */
    ALIQUOT_INTERNAL = 6
};

/* Version of the library, "0.1.0", and of its binary interface. */
ALIQUOT_API const char* aliquot_version(void);
ALIQUOT_API int aliquot_abi(void);
/* The last failure of this thread, "" where there was none. */
ALIQUOT_API const char* aliquot_error(void);
ALIQUOT_API int aliquot_error_code(void);

/* Map `count` points of the unit cube to parameters; both (count, dimension). 0: done, anything else: failed. */
typedef int (*aliquot_transform)(void* user, size_t count, size_t dimension, const double* unit, double* parameters);
/* ln L of `count` points; -INFINITY rejects one, NaN is a counted fault. 0: done, anything else: failed. */
typedef int (*aliquot_log_likelihood)(void* user, size_t count, size_t dimension, const double* parameters, double* values);
/* Called now and then on the calling thread; `fraction` is of the work, estimated, `detail` "ln Z = -12.34". Not 0: stop, and keep what
 * is there. */
typedef int (*aliquot_progress)(void* user, double fraction, uint64_t calls, const char* detail);

typedef struct {
    size_t live_points;
    double dlogz; /* stop when the live points could still add this much to ln Z */
    uint64_t seed;
    size_t batch; /* points replaced together, part of the algorithm; 0: a tenth of the live points */
    double slices_per_dimension;
    uint64_t max_calls;
    double max_seconds;
    size_t threads;     /* 0: all cores. With 1, callbacks come from the calling thread only. The result does not depend on it. */
    double effective_samples; /* more are drawn where the posterior is until it is worth so many; 0: as it comes */
    int second_opinion; /* not 0: estimate ln Z again by importance sampling */
    /* Coordinates of the unit cube in which 0 and 1 are the same place, such as phases; NULL where there are none. */
    const size_t* periodic;
    size_t periodic_count;
} aliquot_options;

/* Fill in the defaults. */
ALIQUOT_API void aliquot_options_init(aliquot_options* options);

typedef struct aliquot_run aliquot_run;

/* Nested sampling. `progress` may be NULL. NULL where it failed. */
ALIQUOT_API aliquot_run* aliquot_sample(size_t dimension, aliquot_transform transform, aliquot_log_likelihood log_likelihood, void* user,
                                        const aliquot_options* options, aliquot_progress progress);
ALIQUOT_API void aliquot_run_free(aliquot_run* run);

typedef struct {
    size_t dimension;
    size_t samples;      /* rows of every array of the run */
    double log_evidence; /* by nested sampling */
    double log_evidence_error;
    double quoted_log_evidence; /* the estimate to quote, by nested or importance sampling */
    double quoted_log_evidence_error;
    double information; /* nats */
    double effective_samples;
    double rank_correlation; /* of start and end of the chains; above 0.01 they are too short */
    double insertion_rank_p_value;
    uint64_t likelihood_calls;     /* of nested sampling */
    uint64_t second_opinion_calls; /* of the second opinion, besides */
    double seconds;
    int converged;
    int trusted;
} aliquot_summary;

ALIQUOT_API void aliquot_run_summary(const aliquot_run* run, aliquot_summary* summary);
/* Arrays, valid as long as the run: (samples, dimension) or (samples). Weights are logarithms and sum to one. */
ALIQUOT_API const double* aliquot_run_samples(const aliquot_run* run);
ALIQUOT_API const double* aliquot_run_unit_samples(const aliquot_run* run);
ALIQUOT_API const double* aliquot_run_log_likelihood(const aliquot_run* run);
ALIQUOT_API const double* aliquot_run_log_birth(const aliquot_run* run);
ALIQUOT_API const double* aliquot_run_log_volume(const aliquot_run* run);
ALIQUOT_API const double* aliquot_run_log_weight(const aliquot_run* run);
/* Sentences for the user, and reasons why the evidence is not trusted; NULL beyond the last. */
ALIQUOT_API const char* aliquot_run_warning(const aliquot_run* run, size_t index);
ALIQUOT_API const char* aliquot_run_reason(const aliquot_run* run, size_t index);

typedef struct aliquot_fit aliquot_fit;

/* The likelihood of a configuration of `aliquot fit`; `data_folder` ("" or NULL: none) is where its files are looked for besides. */
ALIQUOT_API aliquot_fit* aliquot_fit_open(const char* configuration, const char* data_folder);
ALIQUOT_API void aliquot_fit_free(aliquot_fit* fit);
ALIQUOT_API size_t aliquot_fit_dimension(const aliquot_fit* fit);
/* "OIII.amp_c0"; NULL beyond the last. */
ALIQUOT_API const char* aliquot_fit_parameter(const aliquot_fit* fit, size_t index);
/* The signatures of the callbacks above, with the fit as `user`: they can be given to aliquot_sample. Safe from many threads. A dimension
 * that is not the fit's is refused. */
ALIQUOT_API int aliquot_fit_transform(void* fit, size_t count, size_t dimension, const double* unit, double* parameters);
ALIQUOT_API int aliquot_fit_log_likelihood(void* fit, size_t count, size_t dimension, const double* parameters, double* values);

#ifdef __cplusplus
}
#endif

#endif
