/* Worlds of an agent that errs: effort k answers rule s with probability

       (1 - e) exp(g_k / t) / sum_j exp(g_j / t) + e / K,    g_k = q_k . s - c_k,

   a random effort now and then (e) and logit response (t); both unknown. The answers then cut nothing off, they weigh:
   each move of worlds.c becomes a slice of the posterior. Priors of e and t are uniform in the logarithm. */

#include "worlds.h"

static const double LEAST_ERROR = 1e-4, MOST_ERROR = 0.5, COLDEST = 5e-4; /* the last in units of the reach */

/* Log-likelihood of all answers when the gains of effort k are `by` along the slope. */
static double likelihood(const Worlds *w, double error, double temperature, int k, double by) {
    int64_t R = w->R;
    int K = w->K;
    double sum = 0, *chance = w->direction, cold = 1 / temperature;
    for (int64_t r = 0; r < R; r++) {
        double most = -INFINITY, all = 0;
        for (int i = 0; i < K; i++) {
            chance[i] = w->gain.at[i * R + r] + (i == k ? by * w->slope.at[r] : 0);
            if (chance[i] > most) most = chance[i];
        }
        for (int i = 0; i < K; i++) all += chance[i] = exp((chance[i] - most) * cold);
        for (int i = 0; i < K; i++)
            if (w->weights.at[r * K + i] > 0)
                sum += w->weights.at[r * K + i] * log((1 - error) * chance[i] / all + error / K);
    }
    return sum;
}

/* Draw from [low, high] by shrinking it around the present value, at 0; `rest` is what else the density depends on. */
#define SLICE(w, low, high, value, by)                          \
    do {                                                        \
        double level_ = (by = 0, (value)) + log(uniform(w));    \
        int found_ = 0;                                         \
        for (int tries_ = 0; tries_ < 60 && !found_; tries_++) {\
            by = (low) + ((high) - (low)) * uniform(w);         \
            found_ = (value) >= level_;                         \
            if (!found_ && by > 0) high = by;                   \
            if (!found_ && by <= 0) low = by;                   \
        }                                                       \
        if (!found_) by = 0;                                    \
    } while (0)

static void move_cost(Worlds *w, int world, int k) {
    double *c = w->costs + (int64_t)world * w->K, low = c[0] - w->reach - c[k], high = c[0] + w->reach - c[k], by;
    double error = w->error[world], temperature = w->temperature[world];
    for (int64_t r = 0; r < w->R; r++) w->slope.at[r] = -1;
    SLICE(w, low, high, likelihood(w, error, temperature, k, by), by);
    c[k] += by;
    for (int64_t r = 0; r < w->R; r++) w->gain.at[k * w->R + r] -= by;
}

static double density(const Worlds *w, double a, double b, double A, double B) {
    (void)w;
    return a > 0 && b > 0 ? A * log(a) + B * log(b) : -INFINITY;
}

static void move_pairs(Worlds *w, int world, int k, const double *still) {
    int64_t R = w->R;
    int M = w->M;
    double *q = w->information + ((int64_t)world * w->K + k) * M, *c = w->costs + (int64_t)world * w->K + k;
    double error = w->error[world], temperature = w->temperature[world];
    const double *prior = w->prior + ((int64_t)world * w->K + k) * w->M;
    for (int a = 0; a < M; a++) {
        int b = below(w, M);
        if (a == b) continue;
        double low = -q[a], high = q[b], along = still ? still[a] - still[b] : 0, by;
        double A = w->counts[k * M + a] + prior[a] - 1, B = w->counts[k * M + b] + prior[b] - 1;
        double from = q[a] > TINY ? q[a] : TINY, to = q[b] > TINY ? q[b] : TINY;
        const double *up = w->turned.at + a * R, *down = w->turned.at + b * R;
        for (int64_t r = 0; r < R; r++) w->slope.at[r] = up[r] - down[r] - along;
        SLICE(w, low, high, density(w, from + by, to - by, A, B) + likelihood(w, error, temperature, k, by), by);
        if (!(q[a] + by >= 0 && q[b] - by >= 0)) continue;
        q[a] += by, q[b] -= by, *c += by * along;
        for (int64_t r = 0; r < R; r++) w->gain.at[k * R + r] += by * w->slope.at[r];
    }
}

static void move_noise(Worlds *w, int world) {
    double *error = w->error + world, *temperature = w->temperature + world, by;
    double low = log(LEAST_ERROR / *error), high = log(MOST_ERROR / *error);
    SLICE(w, low, high, likelihood(w, *error * exp(by), *temperature, -1, 0), by);
    *error *= exp(by);
    low = log(COLDEST * w->reach / *temperature), high = log(w->reach / *temperature);
    SLICE(w, low, high, likelihood(w, *error, *temperature * exp(by), -1, 0), by);
    *temperature *= exp(by);
}

/* Move every world; `weights` (all answers x K) says how often each rule was answered with each effort. */
PUBLIC void sw_worlds_refit_noisy(Worlds *w, const double *counts, const double *prior, const double *weights, int sweeps) {
    int K = w->K;
    int8_t *counted = room_for(w->answers.size + 1, 1);
    memcpy(w->counts, counts, (size_t)K * w->M * sizeof(double));
    memcpy(w->prior, prior, (size_t)w->P * K * w->M * sizeof(double));
    worlds_forget_vertices(w);
    w->weights.size = 0;
    for (int64_t r = 0; r < w->answers.size; r++) {
        double sum = 0;
        for (int k = 0; k < K; k++) sum += weights[r * K + k];
        counted[r] = sum > 0.01;
        for (int k = 0; counted[r] && k < K; k++) PUSH(w->weights, weights[r * K + k]);
    }
    worlds_prepare(w, counted);
    for (int p = 0; p < w->P; p++) {
        if (!(w->error[p] > 0)) w->error[p] = 0.02, w->temperature[p] = 0.01 * w->reach;
        worlds_look_at(w, p);
        for (int sweep = 0; sweep < sweeps; sweep++) {
            move_noise(w, p);
            for (int k = 1; k < K; k++) move_cost(w, p, k);
            const double *still = w->R > 0 && below(w, 8) ? w->near.at + (int64_t)below(w, (int)w->R) * w->M : NULL;
            for (int k = 0; !w->given && k < K; k++) move_pairs(w, p, k, still);
        }
        double *c = w->costs + (int64_t)p * K;
        for (int k = K - 1; k >= 0; k--) c[k] -= c[0];
    }
    free(counted);
}
