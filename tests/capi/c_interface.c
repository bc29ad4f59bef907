/* The C interface from C: a Gaussian whose evidence is a closed form, and everything that can go wrong. */
#include "aliquot/capi/aliquot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                 \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            printf("%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, aliquot_error());  \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

static const double pi = 3.14159265358979323846;

/* U(-5, 5) in every dimension */
static int box(void* user, size_t count, size_t dimension, const double* unit, double* parameters) {
    (void)user;
    for (size_t i = 0; i < count * dimension; ++i)
        parameters[i] = -5.0 + 10.0 * unit[i];
    return 0;
}

/* Standard normal, normalised: ln Z = -dimension ln 10 but for 6e-7 */
static int gaussian(void* user, size_t count, size_t dimension, const double* parameters, double* values) {
    (void)user;
    for (size_t i = 0; i < count; ++i) {
        values[i] = -0.5 * (double)dimension * log(2.0 * pi);
        for (size_t k = 0; k < dimension; ++k)
            values[i] -= 0.5 * parameters[i * dimension + k] * parameters[i * dimension + k];
    }
    return 0;
}

static int fails_later(void* user, size_t count, size_t dimension, const double* parameters, double* values) {
    int* left = user;
    if (--*left < 0) return 7;
    return gaussian(NULL, count, dimension, parameters, values);
}

static int nowhere(void* user, size_t count, size_t dimension, const double* parameters, double* values) {
    (void)user;
    (void)dimension;
    (void)parameters;
    for (size_t i = 0; i < count; ++i)
        values[i] = -INFINITY;
    return 0;
}

static int stop_at_half(void* user, double fraction, uint64_t calls, const char* detail) {
    ++*(int*)user;
    EXPECT(calls > 0 && strncmp(detail, "ln Z", 4) == 0);
    return fraction > 0.5;
}

static int tell(void* user, double fraction, uint64_t calls, const char* detail) {
    (void)calls;
    (void)detail;
    EXPECT(fraction >= 0.0 && fraction <= 1.0);
    ++*(int*)user;
    return 0;
}

static void evidence_and_posterior(void) {
    aliquot_options options;
    aliquot_options_init(&options);
    EXPECT(options.live_points == 400 && options.second_opinion == 1);
    options.seed = 3;
    int told = 0;
    aliquot_run* run = aliquot_sample(4, box, gaussian, &told, &options, tell);
    EXPECT(run != NULL && told > 10);
    aliquot_summary s;
    aliquot_run_summary(run, &s);
    const double truth = -4.0 * log(10.0);
    EXPECT(s.converged && s.dimension == 4 && s.samples > 1000);
    EXPECT(fabs(s.log_evidence - truth) < 4.0 * s.log_evidence_error);
    EXPECT(s.trusted && fabs(s.quoted_log_evidence - truth) < 0.02 && s.quoted_log_evidence_error < 0.01);
    EXPECT(aliquot_run_reason(run, 0) == NULL && aliquot_run_warning(run, 0) == NULL);
    double weight = 0.0, mean = 0.0, square = 0.0;
    for (size_t i = 0; i < s.samples; ++i) {
        const double w = exp(aliquot_run_log_weight(run)[i]);
        const double x = aliquot_run_samples(run)[i * 4];
        EXPECT(fabs(-5.0 + 10.0 * aliquot_run_unit_samples(run)[i * 4] - x) < 1e-12);
        EXPECT(aliquot_run_log_birth(run)[i] < aliquot_run_log_likelihood(run)[i]);
        weight += w;
        mean += w * x;
        square += w * x * x;
    }
    EXPECT(fabs(weight - 1.0) < 1e-9 && fabs(mean) < 0.15 && fabs(square - 1.0) < 0.25);

    /* One thread: the same bits. */
    options.threads = 1;
    aliquot_run* again = aliquot_sample(4, box, gaussian, NULL, &options, NULL);
    aliquot_summary t;
    aliquot_run_summary(again, &t);
    EXPECT(t.log_evidence == s.log_evidence && t.quoted_log_evidence == s.quoted_log_evidence && t.samples == s.samples);
    EXPECT(memcmp(aliquot_run_samples(run), aliquot_run_samples(again), s.samples * 4 * sizeof(double)) == 0);
    aliquot_run_free(again);
    aliquot_run_free(run);
    aliquot_run_free(NULL);
}

static void failures(void) {
    aliquot_options options;
    aliquot_options_init(&options);
    EXPECT(aliquot_sample(4, NULL, gaussian, NULL, &options, NULL) == NULL && aliquot_error_code() == ALIQUOT_CONFIG);
    options.live_points = 3;
    EXPECT(aliquot_sample(4, box, gaussian, NULL, &options, NULL) == NULL && aliquot_error_code() == ALIQUOT_CONFIG);
    EXPECT(strlen(aliquot_error()) > 20);
    aliquot_options_init(&options);
    options.threads = 1;
    int left = 5;
    EXPECT(aliquot_sample(4, box, fails_later, &left, &options, NULL) == NULL && aliquot_error_code() == ALIQUOT_CALLBACK);
    EXPECT(strstr(aliquot_error(), "returned 7") != NULL);
    EXPECT(aliquot_sample(4, box, nowhere, NULL, &options, NULL) == NULL && aliquot_error_code() == ALIQUOT_NUMERIC);

    int told = 0;
    aliquot_run* run = aliquot_sample(4, box, gaussian, &told, &options, stop_at_half);
    aliquot_summary s;
    EXPECT(run != NULL && told > 5);
    aliquot_run_summary(run, &s);
    EXPECT(!s.converged && !s.trusted && aliquot_run_reason(run, 0) != NULL && aliquot_run_warning(run, 0) != NULL);
    aliquot_run_free(run);

    EXPECT(aliquot_fit_open("no such file.toml", "") == NULL && aliquot_error_code() == ALIQUOT_DATA);
    EXPECT(strstr(aliquot_error(), "no such file.toml") != NULL);
    EXPECT(aliquot_fit_open(NULL, NULL) == NULL && aliquot_error_code() == ALIQUOT_CONFIG);
}

/* A spectrum of our own, so that no data are needed: the likelihood of its fit, called from outside. */
static void fits(void) {
    FILE* data = fopen("c_interface.csv", "w");
    fprintf(data, "wavelength,flux,error\n");
    for (int i = 0; i < 60; ++i)
        fprintf(data, "%d,%g,0.1\n", 5000 + i, 2.0 + 0.05 * sin(i));
    fclose(data);
    FILE* config = fopen("c_interface.toml", "w");
    fprintf(config, "[input]\nfile = \"c_interface.csv\"\n[[model.component]]\nclass = \"Const1D\"\nname = \"C\"\n"
                    "prior.amplitude = { uniform = [0, 4] }\n");
    fclose(config);
    aliquot_fit* fit = aliquot_fit_open("c_interface.toml", NULL);
    EXPECT(fit != NULL && aliquot_fit_dimension(fit) == 1);
    EXPECT(strcmp(aliquot_fit_parameter(fit, 0), "C.amplitude") == 0 && aliquot_fit_parameter(fit, 1) == NULL);
    const double unit[2] = {0.5, 0.25};
    double parameters[2], values[2];
    EXPECT(aliquot_fit_transform(fit, 2, 1, unit, parameters) == ALIQUOT_OK && parameters[0] == 2.0 && parameters[1] == 1.0);
    EXPECT(aliquot_fit_log_likelihood(fit, 2, 1, parameters, values) == ALIQUOT_OK);
    EXPECT(aliquot_fit_transform(fit, 1, 2, unit, parameters) != ALIQUOT_OK && aliquot_error_code() == ALIQUOT_CONFIG);
    EXPECT(aliquot_fit_log_likelihood(fit, 1, 2, parameters, values) != ALIQUOT_OK && strstr(aliquot_error(), "the fit has 1 free") != NULL);
    EXPECT(aliquot_fit_log_likelihood(NULL, 1, 1, parameters, values) != ALIQUOT_OK && strstr(aliquot_error(), "NULL") != NULL);
    double chi_square = 0.0;
    for (int i = 0; i < 60; ++i)
        chi_square += pow(0.05 * sin(i) / 0.1, 2.0);
    EXPECT(fabs(values[0] - (-0.5 * chi_square - 60.0 * log(0.1 * sqrt(2.0 * pi)))) < 1e-3);
    aliquot_options options;
    aliquot_options_init(&options);
    aliquot_run* run = aliquot_sample(1, aliquot_fit_transform, aliquot_fit_log_likelihood, fit, &options, NULL);
    EXPECT(run != NULL);
    aliquot_run_free(run);
    aliquot_fit_free(fit);
    remove("c_interface.csv");
    remove("c_interface.toml");
}

int main(void) {
    EXPECT(aliquot_abi() == ALIQUOT_ABI && strlen(aliquot_version()) > 0 && strcmp(aliquot_error(), "") == 0);
    evidence_and_posterior();
    failures();
    fits();
    puts("passed");
    return 0;
}
