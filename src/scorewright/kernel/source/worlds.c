/* Worlds: what information and costs may be, a sample of it; learn/worlds.py says what that is.

   A world is (q, c): a distribution over beliefs and a cost for every effort. It agrees with an answer if the effort made
   is the best response in it, which is linear in (q, c): so the worlds that agree with all answers form a polytope, and
   the posterior is a product of Dirichlet densities cut off at its faces. Every world is moved by

       costs       one cost at a time, between the answers that hold it from below and from above;
       pairs       q_k(a) up, q_k(b) down, by slice sampling; the cost of k moves along, so that what k gains under some
                   past rule stays as it is: near a face that is the only direction with room;
       shape       along directions drawn from the polytope's shape as a whole (learn/shape.py);
       fresh       a new q_k from its Dirichlet, taken if it agrees.

   Where effort does not move the state (learn/base_rate.py), the density has one more factor, normal in how far the
   efforts' mean beliefs are apart. There a pair won't do, and as many beliefs change at once as leave the mean as it is. */

#include "worlds.h"

#define SMALL 1e-4 /* a cost below this, relative to the size of the payments, is as good as none */
#define FEW 4 /* steps combined in one move */
#define FAR 20 /* mean beliefs so many standard deviations apart are not together */
#define BROKEN 1e-7 /* an answer is broken by more than this, relative to the size of the payments */

/* -- chance: xoshiro256**, seeded by splitmix64 -------------------------------------------------------------------- */

static uint64_t rotated(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

uint64_t worlds_next(Worlds *w) {
    uint64_t *s = w->random, result = rotated(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t, s[3] = rotated(s[3], 45);
    return result;
}

static double normal(Worlds *w) { return sqrt(-2 * log(uniform(w))) * cos(6.283185307179586 * uniform(w)); }

/* Marsaglia and Tsang's method */
static double gamma_draw(Worlds *w, double shape) {
    double boost = 1;
    if (shape < 1) boost = pow(uniform(w), 1 / shape), shape += 1;
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = normal(w), v = 1 + c * x;
        if (v <= 0) continue;
        v = v * v * v;
        if (log(uniform(w)) < 0.5 * x * x + d - d * v + d * log(v)) return d * v * boost;
    }
}

static void dirichlet(Worlds *w, const double *counts, const double *prior, double *out) {
    double sum = 0;
    for (int m = 0; m < w->M; m++) {
        out[m] = gamma_draw(w, counts[m] + prior[m]);
        if (!(out[m] > TINY)) out[m] = TINY;
        sum += out[m];
    }
    for (int m = 0; m < w->M; m++) out[m] /= sum;
}

/* -- making -------------------------------------------------------------------------------------------------------- */

PUBLIC Worlds *sw_worlds_new(int M, int W, int P, double bound, double reach, const double *beliefs, const double *lowest,
                             const double *priors, int count, uint64_t seed) {
    Worlds *w = room_for(1, sizeof *w);
    w->M = M, w->P = P, w->reach = reach;
    w->priors = room_for(count, sizeof(double)), w->choices = count;
    w->error = room_for(P, sizeof(double)), w->temperature = room_for(P, sizeof(double));
    memcpy(w->priors, priors, (size_t)count * sizeof(double));
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u, z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        w->random[i] = z ^ (z >> 31);
    }
    past_make(&w->past, 0, M, W, bound, beliefs, lowest);
    solver_make(&w->solver, &w->past.terms, 0);
    return w;
}

PUBLIC void sw_worlds_free(Worlds *w) {
    solver_free(&w->solver, w->K);
    past_free(&w->past);
    void *all[] = {w->information, w->costs, w->priors, w->prior, w->counts, w->rules.at, w->answers.at, w->near.at, w->turned.at,
                   w->efforts.at, w->gain.at, w->room.at, w->sign.at, w->slope.at, w->change.at, w->direction,
                   w->error, w->temperature, w->weights.at, w->within.at, w->apart.at, w};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

/* What effort k gains in a world under a rule. */
static double gains(const Worlds *w, int world, int k, const double *rule) {
    return dot(w->information + ((int64_t)world * w->K + k) * w->M, rule, w->M) - w->costs[(int64_t)world * w->K + k];
}

/* Make room for more efforts: a new one's information is drawn from the prior, its cost high enough for every answer. */
PUBLIC void sw_worlds_grow(Worlds *w, int K) {
    int before = w->K, M = w->M;
    if (K <= before) return;
    double *information = room_for((int64_t)w->P * K * M, sizeof(double)), *costs = room_for((int64_t)w->P * K, sizeof(double));
    double *counts = room_for(K * M, sizeof(double)), *prior = room_for((int64_t)w->P * K * M, sizeof(double));
    for (int p = 0; p < w->P; p++) {
        for (int i = 0; i < K * M; i++) prior[(int64_t)p * K * M + i] = w->priors[p % w->choices];
        for (int i = 0; i < before * M; i++) information[(int64_t)p * K * M + i] = w->information[(int64_t)p * before * M + i];
        for (int i = 0; i < before; i++) costs[(int64_t)p * K + i] = w->costs[(int64_t)p * before + i];
    }
    for (int i = 0; i < before * M; i++) counts[i] = w->counts[i];
    free(w->information), free(w->costs), free(w->counts), free(w->prior), free(w->direction);
    w->information = information, w->costs = costs, w->counts = counts, w->prior = prior;
    w->direction = room_for(K * M + K, sizeof(double));
    solver_free(&w->solver, before);
    past_grow(&w->past, K);
    w->K = K;
    solver_make(&w->solver, &w->past.terms, K);
    for (int p = 0; p < w->P; p++)
        for (int k = before; k < K; k++) {
            double *q = information + ((int64_t)p * K + k) * M, *c = costs + (int64_t)p * K, least = k == 0 ? 0 : c[0] - w->reach;
            dirichlet(w, counts + k * M, prior + ((int64_t)p * K + k) * M, q);
            c[k] = 0;
            for (int64_t r = 0; r < w->answers.size; r++) {
                const double *rule = w->rules.at + r * M;
                double short_of = gains(w, p, k, rule) - gains(w, p, w->answers.at[r], rule);
                if (w->answers.at[r] != k && short_of > least) least = short_of;
            }
            double most = c[0] + w->reach;
            c[k] = k == 0 ? 0 : least < most ? least + (most - least) * uniform(w) : least;
        }
}

PUBLIC void sw_worlds_answer(Worlds *w, const double *expected, int effort) {
    RESERVE(w->rules, w->M);
    for (int m = 0; m < w->M; m++) w->rules.at[w->rules.size++] = expected[m];
    PUSH(w->answers, effort);
}

PUBLIC void sw_worlds_unanswer(Worlds *w) { w->rules.size = w->answers.size = 0; }

/* -- moves --------------------------------------------------------------------------------------------------------- */

/* Take the answers to look at: all, or those marked. */
void worlds_prepare(Worlds *w, const int8_t *marked) {
    int M = w->M;
    w->near.size = w->efforts.size = w->turned.size = w->gain.size = w->room.size = w->sign.size = w->slope.size = 0;
    w->change.size = 0;
    for (int64_t r = 0; r < w->answers.size; r++) {
        if (marked && !marked[r]) continue;
        RESERVE(w->near, M);
        for (int m = 0; m < M; m++) w->near.at[w->near.size++] = w->rules.at[r * M + m];
        PUSH(w->efforts, w->answers.at[r]);
    }
    int64_t R = w->R = w->efforts.size;
    RESERVE(w->turned, R * M + 1);
    RESERVE(w->gain, R * w->K + 1);
    RESERVE(w->change, R * w->K + 1);
    RESERVE(w->room, R + 1);
    RESERVE(w->sign, 2 * R + 1);
    RESERVE(w->slope, R + 1);
    for (int64_t r = 0; r < R; r++)
        for (int m = 0; m < M; m++) w->turned.at[m * R + r] = w->near.at[r * M + m];
}

void worlds_look_at(Worlds *w, int world) {
    for (int k = 0; k < w->K; k++)
        for (int64_t r = 0; r < w->R; r++) w->gain.at[k * w->R + r] = gains(w, world, k, w->near.at + r * w->M);
}

/* How far the world at hand is from breaking an answer; below zero: it does. */
static double room_to(const Worlds *w, int64_t r) {
    int answer = w->efforts.at[r];
    double least = INFINITY;
    for (int k = 0; k < w->K; k++) {
        double room = w->gain.at[answer * w->R + r] - w->gain.at[k * w->R + r];
        if (k != answer && room < least) least = room;
    }
    return least;
}

/* For effort k: room to every answer's face, and the sign with which k's gain enters it. */
static void face(Worlds *w, int k) {
    int64_t R = w->R;
    for (int64_t r = 0; r < R; r++) {
        int answer = w->efforts.at[r];
        double other = -INFINITY;
        if (answer == k) {
            for (int j = 0; j < w->K; j++)
                if (j != k && w->gain.at[j * R + r] > other) other = w->gain.at[j * R + r];
        } else
            other = w->gain.at[answer * R + r];
        w->sign.at[r] = answer == k ? 1 : -1;
        double room = w->sign.at[r] * (w->gain.at[k * R + r] - other);
        w->room.at[r] = room > 0 ? room : 0;
    }
}

/* Logarithm of the prior of costs that differ from the world's by `by` times `drift`, or in effort k alone if drift is
   NULL: the same for all costs in one world, for all orders of magnitude of what each costs beyond the least in the next. */
static double modest(const Worlds *w, int world, int k, const double *drift, double by) {
    if (world % 2 == 0) return 0;
    const double *c = w->costs + (int64_t)world * w->K;
    double least = INFINITY, sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < w->K; j++) {
            double cost = c[j] + (drift ? by * drift[j] : j == k ? by : 0);
            if (pass == 0) least = fmin(least, cost);
            else sum -= log((cost - least) / w->reach + SMALL);
        }
    return sum;
}

static void move_cost(Worlds *w, int world, int k) {
    int64_t R = w->R;
    double *c = w->costs + (int64_t)world * w->K, low = c[0] - w->reach - c[k], high = c[0] + w->reach - c[k];
    face(w, k);
    for (int64_t r = 0; r < R; r++) {
        if (w->sign.at[r] > 0) {
            if (w->room.at[r] < high) high = w->room.at[r];
        } else if (-w->room.at[r] > low)
            low = -w->room.at[r];
    }
    if (!(low < high)) return;
    double by = 0, level = modest(w, world, k, NULL, 0) + log(uniform(w));
    for (int tries = 0; tries < 60; tries++) {
        by = low + (high - low) * uniform(w);
        if (modest(w, world, k, NULL, by) >= level) break;
        if (by > 0) high = by;
        else low = by;
        by = 0;
    }
    c[k] += by;
    for (int64_t r = 0; r < R; r++) w->gain.at[k * R + r] -= by;
}

/* How far along `slope` there is room. */
WIDE static void limits(int64_t R, const double *room, const double *slope, double *low, double *high) {
    double least = *low, most = *high;
    for (int64_t r = 0; r < R; r++) {
        double end = -room[r] / slope[r];
        double down = slope[r] > 0 ? end : -INFINITY, up = slope[r] < 0 ? end : INFINITY;
        least = down > least ? down : least;
        most = up < most ? up : most;
    }
    *low = least, *high = most;
}

static void move_pairs(Worlds *w, int world, int k, const double *still) {
    int64_t R = w->R;
    int M = w->M;
    double *q = w->information + ((int64_t)world * w->K + k) * M, *c = w->costs + (int64_t)world * w->K + k;
    const double *prior = w->prior + ((int64_t)world * w->K + k) * M;
    face(w, k);
    for (int a = 0; a < M; a++) {
        int b = below(w, M);
        if (a == b) continue;
        double low = -q[a], high = q[b], along = still ? still[a] - still[b] : 0;
        const double *up = w->turned.at + a * R, *down = w->turned.at + b * R;
        double *slope = w->slope.at;
        for (int64_t r = 0; r < R; r++) slope[r] = w->sign.at[r] * (up[r] - down[r] - along);
        limits(R, w->room.at, slope, &low, &high);
        if (!(low < high)) continue;
        double A = w->counts[k * M + a] + prior[a] - 1, B = w->counts[k * M + b] + prior[b] - 1;
        double from = fmax(q[a], TINY), to = fmax(q[b], TINY), level = A * log(from) + B * log(to) + log(uniform(w));
        double by = 0, before = modest(w, world, k, NULL, 0);
        for (int tries = 0; tries < 60; tries++) {
            by = low + (high - low) * uniform(w);
            if (q[a] + by > 0 && q[b] - by > 0 &&
                A * log(q[a] + by) + B * log(q[b] - by) + modest(w, world, k, NULL, by * along) - before >= level)
                break;
            if (by > 0) high = by;
            else low = by;
            by = 0;
        }
        if (by == 0) continue;
        q[a] += by, q[b] -= by, *c += by * along;
        for (int64_t r = 0; r < R; r++) {
            double room = w->room.at[r] + by * slope[r];
            w->room.at[r] = room > 0 ? room : 0;
            w->gain.at[k * R + r] += by * w->sign.at[r] * slope[r];
        }
    }
}

/* How far each effort's mean belief is from the average of all, K x W, in units of how far it may be; q: K x M. */
static void mean_beliefs_apart(const Worlds *w, const double *q, double *apart) {
    int K = w->K, W = w->past.terms.W;
    const double *within = w->within.at;
    memset(apart, 0, (size_t)K * W * sizeof(double));
    for (int i = 0; i < K * w->M; i++)
        for (int s = 0; q[i] != 0 && s < W; s++) apart[i / w->M * W + s] += q[i] * w->past.terms.beliefs[i % w->M * W + s];
    for (int s = 0; s < W; s++) {
        double sum = 0, weights = 0;
        for (int k = 0; k < K; k++) sum += apart[k * W + s] / (within[k] * within[k]), weights += 1 / (within[k] * within[k]);
        for (int k = 0; k < K; k++) apart[k * W + s] = (apart[k * W + s] - sum / weights) / within[k];
    }
}

/* What the direction does to how far mean beliefs are apart in a world. */
static void strain(Worlds *w, const double *q) {
    int size = w->K * w->past.terms.W;
    double *now = w->apart.at, *change = now + size;
    w->tension[0] = w->tension[1] = 0;
    if (w->within.size == 0) return;
    mean_beliefs_apart(w, q, now);
    mean_beliefs_apart(w, w->direction, change);
    w->tension[0] = dot(now, change, size), w->tension[1] = dot(change, change, size) / 2;
}

/* How much likelier the world at hand becomes `by` along the direction. */
static double likelier(const Worlds *w, int world, double by) {
    const double *drift = w->direction + w->K * w->M;
    const double *q = w->information + (int64_t)world * w->K * w->M, *prior = w->prior + (int64_t)world * w->K * w->M;
    double sum = modest(w, world, 0, drift, by) - modest(w, world, 0, drift, 0);
    sum -= by * (w->tension[0] + by * w->tension[1]);
    for (int i = 0; i < w->K * w->M; i++) {
        if (w->direction[i] == 0) continue;
        double then = q[i] + by * w->direction[i];
        if (!(then > 0)) return -INFINITY;
        sum += (w->counts[i] + prior[i] - 1) * log(then / q[i]);
    }
    return sum;
}

/* What a direction changes in an effort's gains under R rules, `turned` (M x R); of a whole distribution: what it is paid. */
WIDE static void changes(int64_t R, int M, const double *turned, const double *direction, double drift, double *change) {
    for (int64_t r = 0; r < R; r++) change[r] = -drift;
    for (int m = 0; m < M; m++) {
        double by = direction[m];
        if (by == 0) continue;
        for (int64_t r = 0; r < R; r++) change[r] += by * turned[m * R + r];
    }
}

/* Room to what a rival gains, and how a move changes that. */
WIDE static void apart(int64_t R, const double *mine, const double *its, const double *more, const double *its_more,
                       double *room, double *slope) {
    for (int64_t r = 0; r < R; r++) {
        double far = mine[r] - its[r];
        room[r] = far > 0 ? far : 0, slope[r] = more[r] - its_more[r];
    }
}

/* Walk along the direction, whose part in costs comes last (K, 0 for the first), by a slice of
   what there is room for. */
static void walk(Worlds *w, int world) {
    int64_t R = w->R;
    int K = w->K, M = w->M;
    double *q = w->information + (int64_t)world * K * M, *c = w->costs + (int64_t)world * K;
    const double *drift = w->direction + K * M;
    double *mine = w->sign.at, *more = w->sign.at + R, low = -INFINITY, high = INFINITY;
    for (int k = 0; k < K; k++) {
        const double *d = w->direction + k * M;
        for (int m = 0; m < M; m++) {
            if (d[m] > 0) low = fmax(low, -q[k * M + m] / d[m]);
            if (d[m] < 0) high = fmin(high, -q[k * M + m] / d[m]);
        }
        double now = c[k] - c[0];
        if (drift[k] > 0) low = fmax(low, (-w->reach - now) / drift[k]), high = fmin(high, (w->reach - now) / drift[k]);
        if (drift[k] < 0) low = fmax(low, (w->reach - now) / drift[k]), high = fmin(high, (-w->reach - now) / drift[k]);
        changes(R, M, w->turned.at, d, drift[k], w->change.at + k * R);
    }
    for (int64_t r = 0; r < R; r++) {
        int64_t own = w->efforts.at[r] * R + r;
        mine[r] = w->gain.at[own], more[r] = w->change.at[own];
    }
    for (int k = 0; k < K; k++) {
        apart(R, mine, w->gain.at + k * R, more, w->change.at + k * R, w->room.at, w->slope.at);
        limits(R, w->room.at, w->slope.at, &low, &high);
    }
    if (!(low < high) || isinf(low) || isinf(high)) return;
    strain(w, q);
    double level = log(uniform(w));
    for (int tries = 0; tries < 40; tries++) {
        double by = low + (high - low) * uniform(w);
        if (likelier(w, world, by) >= level) {
            for (int i = 0; i < K * M; i++) q[i] = fmax(0, q[i] + by * w->direction[i]);
            for (int k = 0; k < K; k++) c[k] += by * drift[k];
            for (int64_t i = 0; i < R * K; i++) w->gain.at[i] += by * w->change.at[i];
            return;
        }
        if (by > 0) high = by;
        else low = by;
    }
}

WIDE static void add(double *to, double by, const double *step, int n) {
    for (int i = 0; i < n; i++) to[i] += by * step[i];
}

/* By a normal combination of a few of the `D` steps that there is room for (learn/shape.py), rows of q (K x M) and costs
   (K); or by a single step, of any length. */
static void move_in_shape(Worlds *w, int world, const double *steps, int D) {
    int N = w->K * w->M + w->K;
    memset(w->direction, 0, (size_t)N * sizeof(double));
    for (int i = 0; i < FEW; i++) add(w->direction, normal(w), steps + (int64_t)below(w, D) * N, N);
    walk(w, world);
}

static void move_along(Worlds *w, int world, const double *step) {
    memcpy(w->direction, step, (size_t)(w->K * w->M + w->K) * sizeof(double));
    walk(w, world);
}

/* Weights of the N beliefs chosen that leave both their sum and the mean belief as they are: W conditions, the beliefs'
   sum being one of them; all zero if there are none, as may be for N <= W. `table`: room for W x N. */
static void balance(const Worlds *w, const int *chosen, int N, double *table, double *weights) {
    int W = w->past.terms.W, done = 0;
    for (int s = 0; s < W; s++)
        for (int i = 0; i < N; i++) table[s * N + i] = w->past.terms.beliefs[chosen[i] * W + s];
    memset(weights, 0, (size_t)N * sizeof(double));
    for (int i = 0; i < N; i++) {
        int best = done;
        for (int s = done + 1; s < W; s++)
            if (fabs(table[s * N + i]) > fabs(table[best * N + i])) best = s;
        if (done == W || fabs(table[best * N + i]) < 1e-9) { /* this one is a combination of those before it */
            weights[i] = 1;
            for (int s = done - 1; s >= 0; s--) {
                double sum = 0;
                for (int j = s + 1; j <= i; j++) sum += table[s * N + j] * weights[j];
                weights[s] = -sum / table[s * N + s];
            }
            return;
        }
        for (int j = 0; j < N; j++) {
            double other = table[best * N + j];
            table[best * N + j] = table[done * N + j], table[done * N + j] = other;
        }
        for (int s = done + 1; s < W; s++)
            for (int j = N - 1; j >= i; j--) table[s * N + j] -= table[s * N + i] / table[done * N + i] * table[done * N + j];
        done++;
    }
}

/* Every belief of effort k in turn, with others that balance it, half of them such as it was seen to report; or, once in
   four times, with a single other, which moves the mean belief a little. */
static void move_balanced(Worlds *w, int world, int k, const double *still) {
    int K = w->K, M = w->M, W = w->past.terms.W, most = M <= W ? M : W + 1, seen = 0;
    int *chosen = room_for(W + 1 + M, sizeof(int)), *reported = chosen + W + 1;
    double *table = room_for(W * (W + 1) + W + 1, sizeof(double)), *weights = table + W * (W + 1);
    for (int m = 0; m < M; m++)
        if (w->counts[k * M + m] > 0) reported[seen++] = m;
    for (int a = 0; a < M; a++) {
        int many = 1, wanted = below(w, 4) && most > 2 ? most : 2;
        chosen[0] = a;
        for (int tries = 0; many < wanted && tries < 20 * W; tries++) {
            int b = seen > 0 && below(w, 2) ? reported[below(w, seen)] : below(w, M), taken = 0;
            for (int i = 0; i < many; i++) taken |= chosen[i] == b;
            if (!taken) chosen[many++] = b;
        }
        if (many < wanted) continue;
        if (wanted == 2) weights[0] = 1, weights[1] = -1;
        else balance(w, chosen, wanted, table, weights);
        double *drift = w->direction + K * M, along = 0;
        memset(w->direction, 0, (size_t)(K * M + K) * sizeof(double));
        for (int i = 0; i < many; i++) {
            w->direction[k * M + chosen[i]] = weights[i];
            if (still) along += weights[i] * still[chosen[i]];
        }
        for (int j = 1; j < K; j++) drift[j] = k == 0 ? -along : j == k ? along : 0; /* the first cost stays */
        walk(w, world);
    }
    free(chosen), free(table);
}

static void move_afresh(Worlds *w, int world, int k) {
    int64_t R = w->R;
    int M = w->M;
    double *q = w->information + ((int64_t)world * w->K + k) * M;
    dirichlet(w, w->counts + k * M, w->prior + ((int64_t)world * w->K + k) * M, w->direction);
    for (int64_t r = 0; r < R; r++) {
        int answer = w->efforts.at[r];
        double mine = dot(w->direction, w->near.at + r * M, M) - w->costs[(int64_t)world * w->K + k];
        w->slope.at[r] = mine;
        if (answer != k && mine > w->gain.at[answer * R + r]) return;
        for (int j = 0; answer == k && j < w->K; j++)
            if (j != k && w->gain.at[j * R + r] > mine) return;
    }
    memcpy(q, w->direction, (size_t)M * sizeof(double));
    memcpy(w->gain.at + k * R, w->slope.at, (size_t)R * sizeof(double));
}

static void move(Worlds *w, int world, const double *steps, int D, int U, int sweeps, int strides) {
    int64_t R = w->R;
    worlds_look_at(w, world);
    for (int sweep = 0; sweep < sweeps; sweep++) {
        for (int k = 1; k < w->K; k++) move_cost(w, world, k);
        const double *still = R > 0 && below(w, 8) ? w->near.at + (int64_t)below(w, (int)R) * w->M : NULL;
        for (int k = 0; !w->given && k < w->K; k++) (w->within.size > 0 ? move_balanced : move_pairs)(w, world, k, still);
    }
    for (int i = 0; D > 0 && i < strides; i++) move_in_shape(w, world, steps, D);
    for (int i = 0; i < U && i < strides; i++)
        move_along(w, world, steps + (int64_t)(D + (U > strides ? below(w, U) : i)) * (w->K * w->M + w->K));
    for (int k = 0; !w->given && w->within.size == 0 && k < w->K; k++) move_afresh(w, world, k);
    double *c = w->costs + (int64_t)world * w->K;
    for (int k = w->K - 1; k >= 0; k--) c[k] -= c[0];
}

/* Which of the worlds `mine` agree with every answer (and have mean beliefs together, if they must), how many do; and
   which answers they are close to breaking: those no further off than the worlds are apart in how far off they are. */
static int judge(Worlds *w, const int8_t *mine, int8_t *fits, int8_t *close) {
    int sound = 0, many = 0, size = w->K * w->past.terms.W;
    double *least = room_for(w->answers.size + 1, sizeof(double)), *most = room_for(w->answers.size + 1, sizeof(double));
    worlds_prepare(w, NULL);
    for (int64_t r = 0; r < w->R; r++) least[r] = INFINITY, most[r] = -INFINITY;
    for (int p = 0; p < w->P; p++) {
        double worst = INFINITY;
        fits[p] = 0;
        if (!mine[p]) continue;
        many++;
        worlds_look_at(w, p);
        for (int64_t r = 0; r < w->R; r++) worst = fmin(worst, w->slope.at[r] = room_to(w, r));
        fits[p] = worst >= -BROKEN * w->past.terms.size;
        if (w->within.size > 0) mean_beliefs_apart(w, w->information + (int64_t)p * w->K * w->M, w->apart.at);
        for (int i = 0; w->within.size > 0 && i < size; i++) fits[p] &= fabs(w->apart.at[i]) <= FAR;
        sound += fits[p];
        for (int64_t r = 0; fits[p] && r < w->R; r++)
            least[r] = fmin(least[r], w->slope.at[r]), most[r] = fmax(most[r], w->slope.at[r]);
    }
    for (int64_t r = 0; close && r < w->R; r++) close[r] = w->placed || 2 * sound < many || least[r] <= most[r] - least[r];
    free(least), free(most);
    return sound;
}

/* Put a copy of a world that fits, drawn at random, in the place of each of `mine` that does not. */
static void replace(Worlds *w, const int8_t *mine, const int8_t *fits, int sound) {
    int K = w->K, M = w->M;
    for (int p = 0; p < w->P; p++) {
        if (fits[p] || !mine[p]) continue;
        int from = -1;
        for (int nth = below(w, sound); nth >= 0; nth--)
            do from++;
            while (!fits[from]);
        memcpy(w->information + (int64_t)p * K * M, w->information + (int64_t)from * K * M, (size_t)K * M * sizeof(double));
        memcpy(w->costs + (int64_t)p * K, w->costs + (int64_t)from * K, (size_t)K * sizeof(double));
    }
}

/* Move the worlds `mine`, those that break an answer from where a sound one is; `within`: how far their mean beliefs may
   be apart (K), or NULL. How many were sound; none: nothing moved. */
PUBLIC int sw_worlds_refit(Worlds *w, const int8_t *mine, const double *within, const double *counts, const double *prior,
                           const double *steps, int D, int U, int sweeps, int strides) {
    int8_t *fits = room_for(w->P, 1), *close = room_for(w->answers.size + 1, 1);
    memcpy(w->counts, counts, (size_t)w->K * w->M * sizeof(double));
    memcpy(w->prior, prior, (size_t)w->P * w->K * w->M * sizeof(double));
    w->within.size = 0;
    for (int k = 0; within && k < w->K; k++) PUSH(w->within, within[k]);
    RESERVE(w->apart, 2 * w->K * w->past.terms.W);
    worlds_forget_vertices(w);
    int sound = judge(w, mine, fits, close), many = 0;
    for (int p = 0; p < w->P; p++) many += mine[p];
    if (sound > 0) {
        replace(w, mine, fits, sound);
        worlds_prepare(w, close);
        sweeps += 4 * sweeps * (many - sound) / many; /* copies need time to part */
        for (int p = 0; p < w->P; p++)
            if (mine[p]) move(w, p, steps, D, U, sweeps, strides);
        int still = judge(w, mine, fits, NULL); /* an answer left out may have been broken after all */
        if (still > 0) replace(w, mine, fits, still);
    }
    w->placed = 0;
    free(fits), free(close);
    return sound;
}

/* Put a copy of another of its kind in the place of every world that breaks an answer from number `first` on, and mark
   those that break none; `kinds`: 0 or 1. Of a kind that has none of those, nothing changes. */
PUBLIC void sw_worlds_sift(Worlds *w, int first, const int8_t *kinds, int8_t *fits) {
    int8_t *mine = room_for(2 * w->P, 1), *sound = mine + w->P;
    for (int p = 0; p < w->P; p++) {
        fits[p] = 1;
        for (int64_t r = first; r < w->answers.size; r++) {
            const double *rule = w->rules.at + r * w->M;
            double least = gains(w, p, w->answers.at[r], rule) + BROKEN * w->past.terms.size;
            for (int k = 0; k < w->K; k++) fits[p] &= gains(w, p, k, rule) <= least;
        }
    }
    for (int kind = 0; kind < 2; kind++) {
        int many = 0;
        for (int p = 0; p < w->P; p++) mine[p] = kinds[p] == kind, sound[p] = mine[p] && fits[p], many += sound[p];
        if (many > 0) replace(w, mine, sound, many);
    }
    free(mine);
}

/* -- asking -------------------------------------------------------------------------------------------------------- */

/* What each effort is paid under each of `count` rules in each world: K x P x count. */
PUBLIC void sw_worlds_paid(const Worlds *w, const double *expected, int count, double *paid) {
    double *turned = room_for((int64_t)w->M * count + 1, sizeof(double));
    for (int r = 0; r < count; r++)
        for (int m = 0; m < w->M; m++) turned[(int64_t)m * count + r] = expected[(int64_t)r * w->M + m];
    for (int k = 0; k < w->K; k++)
        for (int p = 0; p < w->P; p++, paid += count)
            changes(count, w->M, turned, w->information + ((int64_t)p * w->K + k) * w->M, 0.0, paid);
    free(turned);
}

/* Forget the vertices met so far, so that programs depend on nothing but the worlds. */
void worlds_forget_vertices(Worlds *w) {
    Past *past = &w->past;
    solver_free(&w->solver, w->K);
    solver_make(&w->solver, &past->terms, w->K);
    past->rules = 1, past->payments.size = past->terms.MW, past->expected.size = past->terms.M;
}

PUBLIC void sw_worlds_forget(Worlds *w) { worlds_forget_vertices(w); }

/* The cheapest rule for effort k in a world against the efforts marked as rivals, with its payment: SOLVED, INFEASIBLE or UNDECIDED. */
PUBLIC int sw_worlds_cheapest(Worlds *w, int world, int k, const int8_t *rivals, double margin, double *payments,
                              double *payment) {
    Past *past = &w->past;
    int K = w->K, MW = past->terms.MW;
    const double *c = w->costs + (int64_t)world * K;
    double most = -INFINITY, *wanted = room_for(K, sizeof(double));
    memcpy(past->share, w->information + (int64_t)world * K * w->M, (size_t)K * w->M * sizeof(double));
    for (int i = 0; i < K; i++) {
        past->stale[i] = 0, past->version[i]++;
        wanted[i] = i == k || !rivals[i] ? -INFINITY : c[k] - c[i] + margin;
        if (wanted[i] > most) most = wanted[i];
    }
    int found = SOLVED;
    *payment = 0;
    memset(payments, 0, (size_t)MW * sizeof(double));
    if (most > 0) {
        Parts best = {0};
        found = opt_lp(&w->solver, past, k, 0.0, wanted, &best, payment);
        if (found == SOLVED) past_table(past, best.at, (int)best.size, -1, 0, payments);
        free(best.at);
    }
    if (past->rules > 400) worlds_forget_vertices(w);
    free(wanted);
    return found;
}

/* Copy out (or in) information, costs, how the agent errs (P errors, P temperatures) and the state of chance. */
PUBLIC void sw_worlds_read(const Worlds *w, double *information, double *costs, double *noise, int64_t *random) {
    memcpy(information, w->information, (size_t)w->P * w->K * w->M * sizeof(double));
    memcpy(costs, w->costs, (size_t)w->P * w->K * sizeof(double));
    memcpy(noise, w->error, (size_t)w->P * sizeof(double));
    memcpy(noise + w->P, w->temperature, (size_t)w->P * sizeof(double));
    memcpy(random, w->random, sizeof w->random);
}

PUBLIC void sw_worlds_write(Worlds *w, const double *information, const double *costs, const double *noise,
                            const int64_t *random, int placed) {
    w->placed = placed;
    memcpy(w->information, information, (size_t)w->P * w->K * w->M * sizeof(double));
    memcpy(w->costs, costs, (size_t)w->P * w->K * sizeof(double));
    memcpy(w->error, noise, (size_t)w->P * sizeof(double));
    memcpy(w->temperature, noise + w->P, (size_t)w->P * sizeof(double));
    memcpy(w->random, random, sizeof w->random);
}

/* Put the worlds `mine` in one place; `given`: this is the true information, and only costs will move. */
PUBLIC void sw_worlds_place(Worlds *w, const int8_t *mine, const double *information, const double *costs, int given) {
    for (int p = 0; p < w->P; p++) {
        if (!mine[p]) continue;
        memcpy(w->information + (int64_t)p * w->K * w->M, information, (size_t)w->K * w->M * sizeof(double));
        memcpy(w->costs + (int64_t)p * w->K, costs, (size_t)w->K * sizeof(double));
    }
    w->placed = 1, w->given = given;
}
