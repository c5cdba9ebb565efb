/* Saving and restoring: one walk through everything, which either writes it down or reads it back.

   Two flat lists, of numbers and of integers. What is read is checked before it is used: a damaged list is refused, or it
   makes a learner that is wrong but not one that breaks. */

#include "kernel.h"

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
    if ((past->open_target < 0) != (past->open.size == 0)) archive->broken = 1;
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
