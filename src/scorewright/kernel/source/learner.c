/* Learners as Python sees them: made, asked, told, and what they know. */

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

/* Set the oracle: a rule for each effort, -1 where there is none; `play`: each is to be played once, first. */
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

PUBLIC int sw_absorb(Learner *learner, int effort, int report) { return learner->absorb(learner, effort, report); }

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
    estimate(past, strategies, time, &now, learner->raised);
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
