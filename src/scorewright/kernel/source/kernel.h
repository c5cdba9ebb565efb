/* The kernel: OSRL-UCB and the simulation loop, compiled.

   One implementation of the mathematics: `ask` and `tell` call it round by round, `simulate` many rounds at a time.

       past.c        what has happened: counts, rules, and the lines on which offered rules lie
       gaps.c        D(i, j), the least payment gap over all past rules, kept in trees with bounds
       hull.c        which of many rules matter for that
       estimates.c   information, radii, cost gaps along shortest paths
       proper.c      the polytope of proper rules: its best vertex in a direction, by the simplex method
       opt_lp.c      Opt-LP_k over convex combinations of such vertices
       osrl_ucb.c    the algorithm: oracle rounds, optimise rounds, searches
       arms.c        fixed rules and bandits over them: the baselines
       worlds.c      worlds that agree with every answer: what Haggler asks
       noise.c       the same for an agent that errs
       loop.c        the rational agent, and many rounds in one call
       learner.c     what Python calls
       archive.c     saving and restoring

   Matrices are row by row. K efforts, M beliefs, W states, MW = M * W. */

#ifndef SCOREWRIGHT_KERNEL_H
#define SCOREWRIGHT_KERNEL_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define PUBLIC __declspec(dllexport)
#else
#define PUBLIC __attribute__((visibility("default")))
#endif

/* Compiled twice, the wider registers used where the processor has them; the digits are the same. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

#define ROUNDING 1e-12 /* tolerance.ROUNDING: what rounding alone can do, relative to the size of the payments */

/* -- memory ------------------------------------------------------------------------------------------------------ */

void *room_for(int64_t count, size_t size);                             /* zeroed; never NULL */
void *grown(void *at, int64_t *room, int64_t needed, size_t size);      /* at least doubles */

#define VECTOR(type, name) typedef struct { type *at; int64_t size, room; } name
#define RESERVE(v, more) \
    ((v).size + (more) > (v).room ? (void)((v).at = grown((v).at, &(v).room, (v).size + (more), sizeof *(v).at)) : (void)0)
#define PUSH(v, ...) (RESERVE(v, 1), (v).at[(v).size++] = __VA_ARGS__)

VECTOR(double, Numbers);
VECTOR(int32_t, Integers);
VECTOR(int64_t, Longs);

/* a . b with a fixed order of summation, so that every machine gives the same digits */
static inline double dot(const double *a, const double *b, int n) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int m = 0;
    for (; m + 4 <= n; m += 4) {
        s0 += a[m] * b[m];
        s1 += a[m + 1] * b[m + 1];
        s2 += a[m + 2] * b[m + 2];
        s3 += a[m + 3] * b[m + 3];
    }
    for (; m < n; m++) s0 += a[m] * b[m];
    return (s0 + s1) + (s2 + s3);
}

/* -- what is paid -------------------------------------------------------------------------------------------------- */

typedef struct {
    int M, W, MW;
    double bound, size; /* size = max(1, bound): what tolerances are relative to */
    double *beliefs, *lowest; /* M x W */
} Terms;

typedef struct { double weight; int32_t rule; } Part; /* of a convex combination of rules */
VECTOR(Part, Parts);

/* -- what has happened (past.c, gaps.c) ---------------------------------------------------------------------------- */

typedef struct { int64_t first; int32_t parts; } Line; /* from a combination of rules towards an oracle rule */
VECTOR(Line, Lines);

typedef struct { int64_t line; double low, high; } Span; /* where on a line one effort was the answer */
VECTOR(Span, Spans);

#define RECENT 1024 /* rounds whose answers are remembered one by one */
#define FAN 8
#define LEVELS 12
typedef struct {
    Spans spans;
    Numbers level[LEVELS]; /* nodes: boxes and anchored bounds; see gaps.c */
    int levels;
    int64_t limit;         /* how many spans before those that do not matter are forgotten */
} Tree;

typedef struct {
    int K;
    Terms terms;
    int64_t *counts;  /* K x M: rounds by effort and report */
    int64_t *seen;    /* K: rounds by effort */
    int64_t rounds;
    int64_t *version; /* K: changes with share */
    int64_t *added;   /* K: changes with the rules that the effort answered */
    double *share;    /* K x M: counts / seen, where not stale */
    int8_t *stale;    /* K */

    Numbers payments, expected; /* of every rule: MW and M numbers each; rule 0 pays nothing */
    int32_t rules;
    double **worth;     /* K vectors: share_i . expected of each rule, where stamped with the version */
    int64_t **stamp;
    int8_t **known;     /* K vectors: whether a rule on no line was answered with the effort */
    int64_t by_rule;    /* room in these */

    int32_t *oracle;    /* K: the rule known to induce each effort, or -1 */
    double *axis;       /* K x K x 2: on the line from nothing to oracle k, between where effort i answered */
    Lines lines;
    Parts parts;
    int64_t line_limit;
    Tree *tree;         /* K x (K + 1): spans of effort i on lines towards oracle k; K: single rules */

    Parts open;         /* the line of the round at hand */
    int open_target;
    double *open_span;  /* K x 2 */

    double *gap;        /* K x K: D(i, j), where not out of date */
    int64_t *gap_stamp; /* K x K x 3: versions and additions it was computed with */
    int32_t *last;      /* K x K: tree in which the minimum was last found, or -1 */
    int64_t *last_span;
    double *direction, *other_point; /* M each: scratch */
    Numbers apart;      /* worth of a rule to i less that to j, for the pair at hand, where stamped with the look */
    Longs apart_stamp;
    int64_t looks;
    int32_t *recent;    /* RECENT x 2: effort and report of the last rounds */
} Past;

void past_make(Past *, int K, int M, int W, double bound, const double *beliefs, const double *lowest);
void past_free(Past *);
void past_grow(Past *, int K);
int32_t past_rule(Past *, const double *payments);
void past_count(Past *, int effort, int report);
void past_open(Past *, const Part *parts, int count, int target);
void past_note(Past *, double at, int effort);
void past_close(Past *);
void past_single(Past *, int32_t rule, int effort);
void past_restore_single(Past *, int effort, Span span);
void past_shares(Past *);
double past_worth_anew(Past *, int effort, int32_t rule);
void past_table(const Past *, const Part *parts, int count, int32_t end, double at, double *payments);
void expected_payments(const Terms *, const double *payments, double *expected);
double least_gap(Past *, int i, int j);
void tree_add(Past *, int effort, int slot, Span span);
void span_points(const Past *, int slot, Span span, double *low, double *high);
void tree_free(Tree *);
int64_t extreme_points(const double *points, int64_t count, int M, double size, int64_t most, int8_t *keep);

/* share_effort . expected payments of a rule, computed once per version of the share. */
static inline double past_worth(Past *past, int effort, int32_t rule) {
    if (rule < past->by_rule && past->stamp[effort][rule] == past->version[effort]) return past->worth[effort][rule];
    return past_worth_anew(past, effort, rule);
}

/* -- estimates (estimates.c) --------------------------------------------------------------------------------------- */

typedef struct {
    double radius, exponent, factor, stop; /* Radius.scale, Mixing.exponent, Mixing.factor (NaN: K), Stop.scale */
    void (*radii)(const double *seen, int K, int M, int64_t time, double *out); /* strategies of the user's own: */
    double (*mixing)(int K, int64_t time);                                      /* NULL means the paper's        */
    double (*width)(double rival, double target);
} Strategies;

typedef struct { double *radius, *gap, *spread, *seen; } Estimates; /* K, K x K, K x K, K */

void estimates_make(Estimates *, int K);
void estimates_free(Estimates *);
PUBLIC double sw_mixing(double factor, double exponent, int64_t time);
void estimate(Past *, const Strategies *, int64_t time, Estimates *, int32_t *raised);

/* -- Opt-LP (proper.c, opt_lp.c) ----------------------------------------------------------------------------------- */

typedef struct {
    int n, total;            /* MW variables; 2 n limits and M (M - 1) properness rows */
    int32_t *active;         /* n: the rows that hold with equality */
    int32_t *place;          /* total: where in `active`, or -1 */
    double *inverse;         /* n columns of n: column r leaves row r and keeps to the others */
    double *x, *slack;       /* n, total, of the perturbed polytope */
    int32_t *start;          /* n: `active` when last factorised */
    Integers journal;        /* pairs (position, entering row) since then */
    double *norm;            /* n: length of each column */
    double *slope, *row, *price; /* scratch */
} Vertex;

typedef struct {
    const Terms *terms;
    double unit;
    double *perturbation;    /* of the properness rows */
    Vertex *vertex;          /* K: where the search for a better rule stands, per effort */
    int32_t *basis;          /* K x (K + 2) */
    int32_t *rivals;         /* K x K: the rivals it was made for */
    int32_t *rows;           /* K: how many rows; 0: no basis yet */
    Integers pool;           /* rules that are vertices */
    int leaving;             /* whether every program is left to HiGHS */
    int64_t programs, nonzero, infeasible, handed, pivots, columns;
    double *matrix, *inverse, *rhs, *point, *dual, *column, *mixed, *cost, *payments; /* scratch */
} Solver;

void solver_make(Solver *, const Terms *, int K);
void solver_free(Solver *, int K);
void vertex_start(const Solver *, Vertex *);
void vertex_free(Vertex *);
int vertex_optimal(const Solver *, Vertex *, const double *cost, double *bound);
int vertex_minimise(Solver *, Vertex *, const double *cost, double *bound);
int vertex_point(const Solver *, Vertex *, double *point);
int vertex_replay(const Solver *, Vertex *, const int32_t *start, const int32_t *journal, int64_t length);

enum { SOLVED = 1, INFEASIBLE = 0, UNDECIDED = -1, FAILED = -2 };
int opt_lp(Solver *, Past *, int effort, double room, const double *relaxed, Parts *best, double *payment);

/* -- learners (osrl_ucb.c, arms.c) --------------------------------------------------------------------------------- */

enum { ORACLE, OPTIMISE, SEARCH, EXPLORE, PROBE, EXPLOIT, PHASES };
enum { PROPOSED = 0, NO_ORACLE = -1, RAISED = -2, FOREIGN = -3 };

typedef struct {
    int phase, target;
    int32_t rule;                        /* where it is a rule as given, else -1 */
    double *payments, *expected, *index; /* MW, M, K */
    double low, high, weight;            /* of a search; of the oracle rule */
} Proposal;

/* Ask HiGHS: SOLVED with payments and payment, INFEASIBLE, or FAILED. */
typedef int (*Hand)(int effort, int K, double room, const double *share, const double *relaxed, double *payments,
                    double *payment);

typedef struct Learner Learner;
struct Learner {
    Past past;
    Estimates now;
    Proposal offer;
    double *value, top;  /* M: value of each belief to the principal; largest |utility| */
    int (*propose)(Learner *, int64_t number);
    int (*absorb)(Learner *, int effort, int report);

    /* OSRL-UCB */
    Strategies strategies;
    int32_t *raised;     /* set before a callback, which clears it if it comes to its end */
    Hand hand;
    Solver solver;
    Integers queue;      /* pairs (effort, rule): oracle rounds to play */
    int64_t played;
    int searching, target, other, frozen_count;
    double low, high, weight;
    double *frozen;      /* radii of the round that was disobeyed */
    Parts best, found;
    double *relaxed;

    /* arms */
    Integers arms, aims; /* rules, and the efforts that they are meant to buy (-1: none) */
    Numbers plays, gains;
    double span;
    int in_turn, phase, arm;
};

int osrl_propose(Learner *, int64_t number);
int osrl_absorb(Learner *, int effort, int report);
int arms_propose(Learner *, int64_t number);
int arms_absorb(Learner *, int effort, int report);

#endif
