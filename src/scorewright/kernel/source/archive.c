/* Making, asking, saving and restoring learners: what Python calls. */

#include "kernel.h"

/* -- making -------------------------------------------------------------------------------------------------------- */

static void make_by_effort(Learner *learner) {
    int K = learner->past.K;
    estimates_make(&learner->now, K);
    learner->offer.index = room_for(K, sizeof(double));
    learner->frozen = realloc(learner->frozen, (size_t)(K > 0 ? K : 1) * sizeof(double));
    learner->relaxed = room_for(K, sizeof(double));
    solver_make(&learner->solver, &learner->past.terms, K);
}

static void free_by_effort(Learner *learner, int K) {
    estimates_free(&learner->now);
    free(learner->offer.index);
    free(learner->relaxed);
    solver_free(&learner->solver, K);
}

PUBLIC Learner *sw_new(int K, int M, int W, double bound, const double *beliefs, const double *lowest,
                       const double *value, double top, int32_t *raised) {
    Learner *learner = room_for(1, sizeof *learner);
    past_make(&learner->past, K, M, W, bound, beliefs, lowest);
    learner->value = room_for(M, sizeof(double));
    memcpy(learner->value, value, (size_t)M * sizeof(double));
    learner->top = top;
    learner->raised = raised;
    learner->offer.payments = room_for(M * W, sizeof(double));
    learner->offer.expected = room_for(M, sizeof(double));
    learner->offer.rule = learner->offer.target = -1;
    learner->propose = arms_propose, learner->absorb = arms_absorb;
    make_by_effort(learner);
    return learner;
}

PUBLIC void sw_free(Learner *learner) {
    free_by_effort(learner, learner->past.K);
    past_free(&learner->past);
    void *all[] = {learner->value, learner->offer.payments, learner->offer.expected, learner->queue.at, learner->frozen,
                   learner->best.at, learner->found.at, learner->arms.at, learner->aims.at, learner->plays.at,
                   learner->gains.at, learner};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

PUBLIC void sw_grow(Learner *learner, int K) {
    int before = learner->past.K;
    if (K <= before) return;
    Solver old = learner->solver;
    past_grow(&learner->past, K);
    free_by_effort(learner, before);
    make_by_effort(learner);
    learner->solver.leaving = old.leaving;
    learner->solver.programs = old.programs, learner->solver.nonzero = old.nonzero;
    learner->solver.infeasible = old.infeasible, learner->solver.handed = old.handed;
    learner->solver.pivots = old.pivots, learner->solver.columns = old.columns;
}

/* Become an OSRL-UCB learner. */
PUBLIC void sw_osrl(Learner *learner, Strategies strategies, Hand hand) {
    learner->strategies = strategies;
    learner->hand = hand;
    learner->propose = osrl_propose, learner->absorb = osrl_absorb;
}

/* Let HiGHS solve every program that is not trivial. */
PUBLIC void sw_leave(Learner *learner) { learner->solver.leaving = 1; }

/* Set the oracle: a rule for each effort, -1 where there is none; `first` of them are to be played first. */
PUBLIC void sw_oracle(Learner *learner, const int32_t *rules, int play) {
    learner->queue.size = learner->played = 0;
    for (int k = 0; k < learner->past.K; k++) {
        learner->past.oracle[k] = rules[k];
        if (play && rules[k] >= 0) {
            PUSH(learner->queue, k);
            PUSH(learner->queue, rules[k]);
        }
    }
}

/* Become a learner that plays these rules. */
PUBLIC void sw_arms(Learner *learner, int count, const int32_t *rules, const int32_t *aims, double span, int in_turn,
                    int phase) {
    learner->arms.size = learner->aims.size = learner->plays.size = learner->gains.size = 0;
    for (int a = 0; a < count; a++) {
        PUSH(learner->arms, rules[a]);
        PUSH(learner->aims, aims[a]);
        PUSH(learner->plays, 0.0);
        PUSH(learner->gains, 0.0);
    }
    learner->span = span, learner->in_turn = in_turn, learner->phase = phase;
}

/* -- playing ------------------------------------------------------------------------------------------------------- */

PUBLIC int32_t sw_rule(Learner *learner, const double *payments) { return past_rule(&learner->past, payments); }

PUBLIC int sw_propose(Learner *learner, int64_t number) { return learner->propose(learner, number); }

PUBLIC void sw_absorb(Learner *learner, int effort, int report) { learner->absorb(learner, effort, report); }

/* The answer to a rule that the kernel did not propose. */
PUBLIC void sw_tell(Learner *learner, int32_t rule, int effort, int report) {
    past_count(&learner->past, effort, report);
    past_single(&learner->past, rule, effort);
}

PUBLIC const Proposal *sw_offer(const Learner *learner) { return &learner->offer; }

/* K, rounds, oracle rounds left, rules, spans kept, bytes kept, and the solver's tallies. */
PUBLIC void sw_tally(const Learner *learner, int64_t *out) {
    const Past *past = &learner->past;
    const Solver *solver = &learner->solver;
    int64_t spans = 0, bytes = 0;
    for (int t = 0; t < past->K * (past->K + 1); t++) {
        spans += past->tree[t].spans.size;
        bytes += past->tree[t].spans.room * (int64_t)sizeof(Span);
        for (int l = 0; l < LEVELS; l++) bytes += past->tree[t].level[l].room * (int64_t)sizeof(double);
    }
    bytes += past->lines.room * (int64_t)sizeof(Line) + past->parts.room * (int64_t)sizeof(Part);
    bytes += (past->payments.room + past->expected.room) * (int64_t)sizeof(double);
    bytes += past->by_rule * past->K * 17;
    int64_t all[] = {past->K, past->rounds, learner->queue.size / 2 - learner->played, past->rules, spans, bytes,
                     solver->programs, solver->nonzero, solver->infeasible, solver->handed, solver->pivots,
                     solver->columns, learner->searching};
    memcpy(out, all, sizeof all);
}

PUBLIC int sw_recall(const Learner *learner, int64_t number, int32_t *answer) {
    const Past *past = &learner->past;
    if (number < 1 || number > past->rounds || number + RECENT <= past->rounds) return 0;
    memcpy(answer, &past->recent[2 * ((number - 1) % RECENT)], 2 * sizeof *answer);
    return 1;
}

/* -- what is known ------------------------------------------------------------------------------------------------- */

PUBLIC void sw_counts(const Learner *learner, int64_t *counts, int32_t *oracle) {
    int K = learner->past.K, M = learner->past.terms.M;
    memcpy(counts, learner->past.counts, (size_t)K * M * sizeof *counts);
    memcpy(oracle, learner->past.oracle, (size_t)K * sizeof *oracle);
}

/* The arm proposed last; rounds and gains of every arm. */
PUBLIC int sw_arm(const Learner *learner, double *plays, double *gains) {
    memcpy(plays, learner->plays.at, (size_t)learner->plays.size * sizeof *plays);
    memcpy(gains, learner->gains.at, (size_t)learner->gains.size * sizeof *gains);
    return learner->arm;
}

PUBLIC void sw_payments(const Learner *learner, int32_t rule, double *payments) {
    int MW = learner->past.terms.MW;
    memcpy(payments, learner->past.payments.at + (int64_t)rule * MW, (size_t)MW * sizeof *payments);
}

PUBLIC void sw_estimates(Learner *learner, int64_t time, const Strategies *strategies, double *share, double *radius,
                         double *gap, double *spread, double *least) {
    Past *past = &learner->past;
    int K = past->K, M = past->terms.M;
    Estimates now;
    estimates_make(&now, K);
    estimate(past, strategies, time, &now);
    memcpy(share, past->share, (size_t)K * M * sizeof(double));
    memcpy(radius, now.radius, (size_t)K * sizeof(double));
    memcpy(gap, now.gap, (size_t)K * K * sizeof(double));
    memcpy(spread, now.spread, (size_t)K * K * sizeof(double));
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) least[i * K + j] = i == j ? (past->seen[i] ? 0 : INFINITY) : least_gap(past, i, j);
    estimates_free(&now);
}

typedef struct {
    Past *past;
    const double *value;
    double *payments, *expected, *best; /* scratch, scratch, payments of the best rule */
    double low, profit, half;
    int effort;
} Pick;

static void consider(Pick *pick, int effort, double spread, const Part *parts, int count, int32_t end, double at) {
    const Past *past = pick->past;
    int M = past->terms.M;
    past_table(past, parts, count, end, at, pick->payments);
    expected_payments(&past->terms, pick->payments, pick->expected);
    double most = -INFINITY, least = INFINITY;
    for (int m = 0; m < M; m++) {
        pick->expected[m] = pick->value[m] - pick->expected[m];
        if (pick->expected[m] > most) most = pick->expected[m];
        if (pick->expected[m] < least) least = pick->expected[m];
    }
    double profit = dot(past->share + effort * M, pick->expected, M), half = spread * (most - least) / 2;
    if (profit - half > pick->low) {
        pick->low = profit - half, pick->profit = profit, pick->half = half, pick->effort = effort;
        memcpy(pick->best, pick->payments, (size_t)past->terms.MW * sizeof(double));
    }
}

static void consider_span(Pick *pick, int effort, double spread, const Part *parts, int count, int32_t end, double low,
                          double high) {
    if (!(low <= high)) return;
    consider(pick, effort, spread, parts, count, end, low);
    if (high > low) consider(pick, effort, spread, parts, count, end, high);
}

/* Of the rules kept, the one whose profit is surely the highest; `spread` is the L1 radius of each effort. */
PUBLIC int sw_recommend(Learner *learner, const double *spread, double *payments, double *out) {
    Past *past = &learner->past;
    int K = past->K;
    past_shares(past);
    Pick pick = {past, learner->value, room_for(past->terms.MW, sizeof(double)), room_for(past->terms.M, sizeof(double)),
                 payments, -INFINITY, 0, 0, -1};
    Part zero = {1.0, 0};
    for (int i = 0; i < K; i++) {
        if (past->seen[i] == 0) continue;
        for (int k = 0; k < K; k++)
            consider_span(&pick, i, spread[i], &zero, 1, past->oracle[k], past->axis[2 * (k * K + i)],
                          past->axis[2 * (k * K + i) + 1]);
        if (past->open_target >= 0)
            consider_span(&pick, i, spread[i], past->open.at, (int)past->open.size, past->oracle[past->open_target],
                          past->open_span[2 * i], past->open_span[2 * i + 1]);
        for (int slot = 0; slot <= K; slot++) {
            Spans spans = past->tree[i * (K + 1) + slot].spans;
            for (int64_t e = 0; e < spans.size; e++) {
                Line line = past->lines.at[spans.at[e].line];
                consider_span(&pick, i, spread[i], past->parts.at + line.first, line.parts,
                              slot < K ? past->oracle[slot] : -1, spans.at[e].low, spans.at[e].high);
            }
        }
    }
    free(pick.payments);
    free(pick.expected);
    out[0] = pick.profit, out[1] = pick.half;
    return pick.effort;
}

/* -- saving and restoring ------------------------------------------------------------------------------------------ */

typedef struct { Numbers numbers; Longs integers; int64_t number, integer; int loading, broken; } Archive;

static void number(Archive *archive, double *x) {
    if (!archive->loading) PUSH(archive->numbers, *x);
    else if (archive->number < archive->numbers.size) *x = archive->numbers.at[archive->number++];
    else archive->broken = 1;
}

static void integer(Archive *archive, int64_t *x) {
    if (!archive->loading) PUSH(archive->integers, *x);
    else if (archive->integer < archive->integers.size) *x = archive->integers.at[archive->integer++];
    else archive->broken = 1;
}

static void numbers(Archive *archive, double *x, int64_t count) {
    for (int64_t i = 0; i < count && !archive->broken; i++) number(archive, x + i);
}

/* An integer that must lie in [least, most]. */
static void within(Archive *archive, int64_t *x, int64_t least, int64_t most) {
    integer(archive, x);
    if (*x < least || *x > most) archive->broken = 1, *x = least;
}

static void small(Archive *archive, int *x, int64_t least, int64_t most) {
    int64_t wide = *x;
    within(archive, &wide, least, most);
    *x = (int)wide;
}

/* A size; not more than what is left can fill. */
static int64_t length(Archive *archive, int64_t x) {
    within(archive, &x, 0, INT64_MAX);
    int64_t left = archive->integers.size + archive->numbers.size;
    if (archive->loading && x > left) archive->broken = 1;
    return archive->broken ? 0 : x;
}

static void integers(Archive *archive, Integers *x, int64_t least, int64_t most) {
    int64_t size = length(archive, x->size);
    if (archive->loading) x->size = 0;
    for (int64_t i = 0; i < size && !archive->broken; i++) {
        int value = archive->loading ? 0 : x->at[i];
        small(archive, &value, least, most);
        if (archive->loading) PUSH(*x, value);
    }
}

static void walk_parts(Archive *archive, Parts *parts, int64_t rules) {
    int64_t size = length(archive, parts->size);
    if (archive->loading) parts->size = 0;
    for (int64_t p = 0; p < size && !archive->broken; p++) {
        Part part = archive->loading ? (Part){0, 0} : parts->at[p];
        int rule = part.rule;
        number(archive, &part.weight);
        small(archive, &rule, 0, rules - 1);
        if (archive->loading) PUSH(*parts, (Part){part.weight, rule});
    }
}

static void walk_past(Archive *archive, Past *past) {
    int K = past->K, M = past->terms.M, MW = past->terms.MW;
    for (int i = 0; i < K; i++) {
        int64_t sum = 0;
        for (int m = 0; m < M; m++) {
            within(archive, &past->counts[i * M + m], 0, INT64_MAX / 2);
            sum += past->counts[i * M + m];
        }
        past->seen[i] = sum;
        if (archive->loading) past->stale[i] = 1;
    }
    within(archive, &past->rounds, 0, INT64_MAX / 2);
    for (int64_t n = 0; n < RECENT && n < past->rounds && !archive->broken; n++) {
        small(archive, &past->recent[2 * n], 0, K - 1);
        small(archive, &past->recent[2 * n + 1], 0, M - 1);
    }
    int64_t rules = length(archive, past->rules);
    double *payments = room_for(MW, sizeof(double));
    for (int64_t r = 1; r < rules && !archive->broken; r++) {
        if (archive->loading) {
            numbers(archive, payments, MW);
            if (!archive->broken && r >= past->rules) past_rule(past, payments);
        } else numbers(archive, past->payments.at + r * MW, MW);
    }
    free(payments);
    for (int k = 0; k < K; k++) small(archive, &past->oracle[k], -1, past->rules - 1);
    numbers(archive, past->axis, 2 * (int64_t)K * K);
    int64_t lines = length(archive, past->lines.size);
    walk_parts(archive, &past->parts, past->rules);
    for (int64_t l = 0, first = 0; l < lines && !archive->broken; l++) {
        int count = archive->loading ? 0 : past->lines.at[l].parts;
        small(archive, &count, 1, past->parts.size - first);
        if (archive->loading && !archive->broken) PUSH(past->lines, (Line){first, count});
        first += count;
    }
    for (int i = 0; i < K && !archive->broken; i++)
        for (int slot = 0; slot <= K && !archive->broken; slot++) {
            Spans *spans = &past->tree[i * (K + 1) + slot].spans;
            int64_t size = length(archive, spans->size);
            for (int64_t e = 0; e < size && !archive->broken; e++) {
                Span span = archive->loading ? (Span){0, 0, 0} : spans->at[e];
                within(archive, &span.line, 0, past->lines.size - 1);
                number(archive, &span.low);
                number(archive, &span.high);
                if (!archive->loading || archive->broken) continue;
                if (slot < K) tree_add(past, i, slot, span);
                else past_restore_single(past, i, span);
            }
            within(archive, &past->tree[i * (K + 1) + slot].limit, 0, INT64_MAX / 2);
        }
    within(archive, &past->line_limit, 0, INT64_MAX / 2);
    small(archive, &past->open_target, -1, K - 1);
    walk_parts(archive, &past->open, past->rules);
    numbers(archive, past->open_span, 2 * K);
}

static void walk_solver(Archive *archive, Solver *solver, int K, int64_t rules) {
    int64_t *tallies[] = {&solver->programs, &solver->nonzero, &solver->infeasible, &solver->handed, &solver->pivots,
                          &solver->columns};
    for (int i = 0; i < 6; i++) integer(archive, tallies[i]);
    integers(archive, &solver->pool, 0, rules - 1);
    for (int k = 0; k < K && !archive->broken; k++) {
        small(archive, &solver->rows[k], 0, K + 2);
        if (solver->rows[k] > 0 && solver->rows[k] < 4) archive->broken = 1;
        for (int r = 0; r < solver->rows[k] && !archive->broken; r++)
            small(archive, &solver->basis[k * (K + 2) + r], -1 - solver->rows[k], rules - 1);
        for (int r = 3; r < solver->rows[k]; r++) small(archive, &solver->rivals[k * K + r - 3], 0, K - 1);
        Vertex *vertex = &solver->vertex[k];
        int there = vertex->n > 0;
        small(archive, &there, 0, 1);
        if (!there) continue;
        if (archive->loading) vertex_start(solver, vertex);
        Integers journal = {0}, start = {0};
        for (int s = 0; s < vertex->n && !archive->broken; s++) {
            int row = vertex->start[s];
            small(archive, &row, 0, vertex->total - 1);
            PUSH(start, row);
        }
        integers(archive, archive->loading ? &journal : &vertex->journal, 0, vertex->total - 1);
        if (archive->loading && !archive->broken && !vertex_replay(solver, vertex, start.at, journal.at, journal.size))
            archive->broken = 1;
        free(journal.at);
        free(start.at);
    }
}

static void walk_arms(Archive *archive, Learner *learner) {
    integers(archive, &learner->arms, 0, learner->past.rules - 1);
    integers(archive, &learner->aims, -1, INT32_MAX);
    if (learner->aims.size != learner->arms.size) archive->broken = 1;
    if (archive->loading) {
        learner->plays.size = learner->gains.size = 0;
        for (int64_t a = 0; a < learner->arms.size; a++) {
            PUSH(learner->plays, 0.0);
            PUSH(learner->gains, 0.0);
        }
    }
    numbers(archive, learner->plays.at, learner->plays.size);
    numbers(archive, learner->gains.at, learner->gains.size);
    number(archive, &learner->span);
    small(archive, &learner->in_turn, 0, 1);
    small(archive, &learner->phase, 0, PHASES - 1);
    small(archive, &learner->arm, 0, learner->arms.size > 0 ? learner->arms.size - 1 : 0);
}

static void walk(Archive *archive, Learner *learner) {
    Past *past = &learner->past;
    int K = past->K;
    walk_past(archive, past);
    walk_solver(archive, &learner->solver, K, past->rules);
    integers(archive, &learner->queue, 0, past->rules > K ? past->rules : K);
    for (int64_t q = 0; q < learner->queue.size; q++)
        if (learner->queue.at[q] >= (q % 2 ? past->rules : K)) archive->broken = 1;
    within(archive, &learner->played, 0, learner->queue.size / 2);
    small(archive, &learner->searching, 0, 1);
    small(archive, &learner->target, 0, K > 0 ? K - 1 : 0);
    small(archive, &learner->other, 0, INT32_MAX);
    small(archive, &learner->frozen_count, 0, K);
    numbers(archive, learner->frozen, learner->frozen_count);
    number(archive, &learner->low);
    number(archive, &learner->high);
    number(archive, &learner->weight);
    walk_arms(archive, learner);
    small(archive, &learner->offer.phase, 0, PHASES - 1);
    small(archive, &learner->offer.target, -1, INT32_MAX);
    small(archive, &learner->offer.rule, -1, past->rules - 1);
    if (archive->loading && learner->offer.rule >= 0)
        memcpy(learner->offer.expected, past->expected.at + (int64_t)learner->offer.rule * past->terms.M,
               (size_t)past->terms.M * sizeof(double));
}

PUBLIC Archive *sw_save(Learner *learner, int64_t *sizes) {
    Archive *archive = room_for(1, sizeof *archive);
    walk(archive, learner);
    sizes[0] = archive->numbers.size, sizes[1] = archive->integers.size;
    return archive;
}

PUBLIC void sw_saved(Archive *archive, double *numbers, int64_t *integers) {
    if (archive->numbers.size) memcpy(numbers, archive->numbers.at, (size_t)archive->numbers.size * sizeof *numbers);
    if (archive->integers.size) memcpy(integers, archive->integers.at, (size_t)archive->integers.size * sizeof *integers);
    free(archive->numbers.at);
    free(archive->integers.at);
    free(archive);
}

/* Take back what was saved, into a learner just made; 0 if it does not fit. */
PUBLIC int sw_load(Learner *learner, double *numbers, int64_t *integers, const int64_t *sizes) {
    Archive archive = {{numbers, sizes[0], sizes[0]}, {integers, sizes[1], sizes[1]}, 0, 0, 1, 0};
    walk(&archive, learner);
    return !archive.broken && archive.number == sizes[0] && archive.integer == sizes[1];
}
