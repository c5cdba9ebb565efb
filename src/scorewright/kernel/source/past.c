/* What has happened.

   Every rule that OSRL-UCB offers lies on a line from its optimistic rule S* (lambda = 0) to the oracle rule of its
   target (lambda = 1), and S* is a convex combination of a few vertices of the polytope of proper rules. A payment gap is
   linear along a line, so of all points that effort i answered on it only the first and the last matter: a `Span`. The
   lines from the zero rule are few and come back all the time: each has one span per effort, its `axis`. Rules that
   lie on no line (those of a procedure that acquires an oracle, of the baselines) are kept one by one. */

#include <stdio.h>
#include "kernel.h"

void *room_for(int64_t count, size_t size) {
    void *at = calloc((size_t)(count > 0 ? count : 1), size);
    if (!at) {
        fputs("scorewright: out of memory\n", stderr);
        abort();
    }
    return at;
}

void *grown(void *at, int64_t *room, int64_t needed, size_t size) {
    int64_t more = *room + *room / 2;
    if (more < needed) more = needed;
    if (more < 16) more = 16;
    at = realloc(at, (size_t)more * size);
    if (!at) {
        fputs("scorewright: out of memory\n", stderr);
        abort();
    }
    *room = more;
    return at;
}

#define FEW 256 /* spans or lines: below, forgetting is not worth the while */

static double *copied(const double *from, int count) {
    double *to = room_for(count, sizeof *to);
    memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

static void nothing_yet(double *spans, int count) {
    for (int i = 0; i < count; i++) spans[2 * i] = 2, spans[2 * i + 1] = -1; /* empty: low above high */
}

static void make_by_effort(Past *past, int K) {
    int M = past->terms.M;
    past->K = K;
    past->counts = room_for((int64_t)K * M, sizeof *past->counts);
    past->seen = room_for(K, sizeof *past->seen);
    past->version = room_for(K, sizeof *past->version);
    past->added = room_for(K, sizeof *past->added);
    past->share = room_for((int64_t)K * M, sizeof *past->share);
    past->stale = room_for(K, sizeof *past->stale);
    past->worth = room_for(K, sizeof *past->worth);
    past->stamp = room_for(K, sizeof *past->stamp);
    past->known = room_for(K, sizeof *past->known);
    past->by_rule = 0;
    past->oracle = room_for(K, sizeof *past->oracle);
    for (int k = 0; k < K; k++) past->oracle[k] = -1;
    past->axis = room_for((int64_t)K * K * 2, sizeof *past->axis);
    nothing_yet(past->axis, K * K);
    past->tree = room_for((int64_t)K * (K + 1), sizeof *past->tree);
    past->open_span = room_for((int64_t)K * 2, sizeof *past->open_span);
    nothing_yet(past->open_span, K);
    past->gap = room_for((int64_t)K * K, sizeof *past->gap);
    past->gap_stamp = room_for((int64_t)K * K * 3, sizeof *past->gap_stamp);
    for (int64_t i = 0; i < (int64_t)K * K * 3; i++) past->gap_stamp[i] = -1;
    past->last = room_for((int64_t)K * K, sizeof *past->last);
    past->last_span = room_for((int64_t)K * K, sizeof *past->last_span);
    for (int i = 0; i < K * K; i++) past->last[i] = -1;
}

static void free_by_effort(Past *past) {
    for (int k = 0; k < past->K; k++) {
        free(past->worth[k]);
        free(past->stamp[k]);
        free(past->known[k]);
    }
    for (int64_t i = 0; i < (int64_t)past->K * (past->K + 1); i++) tree_free(&past->tree[i]);
    void *all[] = {past->counts, past->seen, past->version, past->added, past->share, past->stale, past->worth,
                   past->stamp, past->known, past->oracle, past->axis, past->tree, past->open_span, past->gap, past->gap_stamp,
                   past->last, past->last_span};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

void past_make(Past *past, int K, int M, int W, double bound, const double *beliefs, const double *lowest) {
    memset(past, 0, sizeof *past);
    past->terms = (Terms){M, W, M * W, bound, bound > 1 ? bound : 1, copied(beliefs, M * W), copied(lowest, M * W)};
    past->direction = room_for(M, sizeof(double));
    past->other_point = room_for(M, sizeof(double));
    past->recent = room_for(2 * RECENT, sizeof *past->recent);
    past->open_target = -1;
    make_by_effort(past, K);
    double *zero = room_for(M * W, sizeof *zero);
    past_rule(past, zero);
    free(zero);
}

void past_free(Past *past) {
    free_by_effort(past);
    void *all[] = {past->terms.beliefs, past->terms.lowest, past->payments.at, past->expected.at, past->lines.at,
                   past->parts.at, past->open.at, past->direction, past->other_point,
                   past->recent, past->apart.at, past->apart_stamp.at};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static void cover(Past *, int32_t rule);

/* Make room for newly discovered efforts. */
void past_grow(Past *past, int K) {
    Past old = *past;
    int M = past->terms.M;
    if (K <= old.K) return;
    make_by_effort(past, K);
    memcpy(past->counts, old.counts, (size_t)old.K * M * sizeof *old.counts);
    for (int i = 0; i < old.K; i++) {
        past->seen[i] = old.seen[i];
        past->stale[i] = 1;
        past->oracle[i] = old.oracle[i];
        memcpy(&past->open_span[2 * i], &old.open_span[2 * i], 2 * sizeof(double));
        for (int k = 0; k < old.K; k++)
            memcpy(&past->axis[2 * (k * K + i)], &old.axis[2 * (k * old.K + i)], 2 * sizeof(double));
        for (int k = 0; k <= old.K; k++) {
            Spans spans = old.tree[i * (old.K + 1) + k].spans;
            for (int64_t e = 0; e < spans.size; e++) tree_add(past, i, k == old.K ? K : k, spans.at[e]);
        }
        cover(past, past->rules - 1);
        int64_t rules = old.by_rule < past->by_rule ? old.by_rule : past->by_rule;
        for (int64_t r = 0; r < rules; r++) past->known[i][r] = old.known[i][r];
    }
    free_by_effort(&old);
}

void expected_payments(const Terms *terms, const double *payments, double *expected) {
    for (int m = 0; m < terms->M; m++) {
        double sum = 0;
        for (int w = 0; w < terms->W; w++) sum += terms->beliefs[m * terms->W + w] * payments[m * terms->W + w];
        expected[m] = sum;
    }
}

/* Keep a rule; its number. */
int32_t past_rule(Past *past, const double *payments) {
    const Terms *terms = &past->terms;
    RESERVE(past->payments, terms->MW);
    RESERVE(past->expected, terms->M);
    memcpy(past->payments.at + past->payments.size, payments, (size_t)terms->MW * sizeof *payments);
    expected_payments(terms, payments, past->expected.at + past->expected.size);
    past->payments.size += terms->MW;
    past->expected.size += terms->M;
    return past->rules++;
}

void past_count(Past *past, int effort, int report) {
    past->counts[(int64_t)effort * past->terms.M + report]++;
    past->seen[effort]++;
    past->stale[effort] = 1;
    int32_t *answer = &past->recent[2 * (past->rounds++ % RECENT)];
    answer[0] = effort, answer[1] = report;
}

/* Bring `share` up to date. */
void past_shares(Past *past) {
    int M = past->terms.M;
    for (int i = 0; i < past->K; i++) {
        if (!past->stale[i]) continue;
        double seen = past->seen[i] > 0 ? (double)past->seen[i] : 1;
        for (int m = 0; m < M; m++) past->share[i * M + m] = (double)past->counts[i * M + m] / seen;
        past->stale[i] = 0;
        past->version[i]++;
    }
}

/* Make room for what is kept by effort and rule. */
static void cover(Past *past, int32_t rule) {
    if (rule < past->by_rule) return;
    int64_t room = past->by_rule;
    for (int k = 0; k < past->K; k++) {
        int64_t more[3] = {past->by_rule, past->by_rule, past->by_rule};
        past->worth[k] = grown(past->worth[k], &more[0], past->rules, sizeof *past->worth[k]);
        past->stamp[k] = grown(past->stamp[k], &more[1], past->rules, sizeof *past->stamp[k]);
        past->known[k] = grown(past->known[k], &more[2], past->rules, sizeof *past->known[k]);
        room = more[0];
        for (int64_t r = past->by_rule; r < room; r++) past->stamp[k][r] = -1, past->known[k][r] = 0;
    }
    past->by_rule = room;
}

double past_worth_anew(Past *past, int effort, int32_t rule) {
    cover(past, rule);
    int M = past->terms.M;
    past->stamp[effort][rule] = past->version[effort];
    return past->worth[effort][rule] = dot(&past->share[effort * M], &past->expected.at[(int64_t)rule * M], M);
}

/* -- the line at hand ---------------------------------------------------------------------------------------------- */

static void widen(double *span, double at) {
    if (at < span[0]) span[0] = at;
    if (at > span[1]) span[1] = at;
}

void past_open(Past *past, const Part *parts, int count, int target) {
    past_close(past);
    for (int p = 0; p < count; p++) PUSH(past->open, parts[p]);
    past->open_target = target;
}

/* The rule at `at` on the line at hand was answered with `effort`. */
void past_note(Past *past, double at, int effort) {
    if (past->open_target < 0) return;
    int axis = past->open.size == 1 && past->open.at[0].rule == 0;
    widen(axis ? &past->axis[2 * (past->open_target * past->K + effort)] : &past->open_span[2 * effort], at);
    past->added[effort]++;
}

/* Forget lines on which no span is left. */
static void forget_lines(Past *past) {
    int trees = past->K * (past->K + 1);
    int64_t *moved = room_for(past->lines.size, sizeof *moved), lines = 0, parts = 0;
    for (int t = 0; t < trees; t++)
        for (int64_t e = 0; e < past->tree[t].spans.size; e++) moved[past->tree[t].spans.at[e].line] = 1;
    for (int64_t l = 0; l < past->lines.size; l++) {
        if (!moved[l]) continue;
        Line line = past->lines.at[l];
        memmove(past->parts.at + parts, past->parts.at + line.first, (size_t)line.parts * sizeof(Part));
        moved[l] = lines;
        past->lines.at[lines++] = (Line){parts, line.parts};
        parts += line.parts;
    }
    for (int t = 0; t < trees; t++)
        for (int64_t e = 0; e < past->tree[t].spans.size; e++) {
            Span *span = &past->tree[t].spans.at[e];
            span->line = moved[span->line];
        }
    past->lines.size = lines, past->parts.size = parts;
    past->line_limit = 2 * lines > FEW ? 2 * lines : FEW;
    free(moved);
}

/* Forget, once a tree has grown enough, the spans whose ends are convex combinations of others. */
static void forget_spans(Past *past, int effort, int slot) {
    Tree *tree = &past->tree[effort * (past->K + 1) + slot];
    if (tree->limit < FEW) tree->limit = FEW;
    if (tree->spans.size < tree->limit) return;
    int M = past->terms.M;
    int64_t count = tree->spans.size;
    double *points = room_for(2 * count * M, sizeof *points);
    int8_t *keep = room_for(2 * count, sizeof *keep);
    for (int64_t e = 0; e < count; e++) span_points(past, slot, tree->spans.at[e], points + 2 * e * M, points + (2 * e + 1) * M);
    int64_t kept = extreme_points(points, 2 * count, M, past->terms.size, FEW, keep);
    if (kept >= 0) {
        Spans spans = tree->spans;
        tree->spans = (Spans){0};
        tree_free(tree);
        *tree = (Tree){0};
        for (int64_t e = 0; e < count; e++) {
            Span span = spans.at[e];
            if (!keep[2 * e] && !keep[2 * e + 1]) continue;
            if (!keep[2 * e]) span.low = span.high;
            else if (!keep[2 * e + 1]) span.high = span.low;
            tree_add(past, effort, slot, span);
        }
        free(spans.at);
        for (int j = 0; j < past->K; j++)
            if (past->last[effort * past->K + j] == slot) past->last[effort * past->K + j] = -1;
        past->added[effort]++;
    }
    tree->limit = kept < 0 ? 4 * count : 4 * tree->spans.size > FEW ? 4 * tree->spans.size : FEW;
    free(points);
    free(keep);
    if (past->lines.size > past->line_limit) forget_lines(past);
}

void past_close(Past *past) {
    if (past->open_target < 0) return;
    int64_t first = past->parts.size;
    for (int i = 0; i < past->K; i++) {
        double *span = &past->open_span[2 * i];
        if (!(span[0] <= span[1])) continue;
        if (past->parts.size == first) {
            for (int64_t p = 0; p < past->open.size; p++) PUSH(past->parts, past->open.at[p]);
            PUSH(past->lines, (Line){first, (int32_t)past->open.size});
        }
        tree_add(past, i, past->open_target, (Span){past->lines.size - 1, span[0], span[1]});
    }
    int target = past->open_target, new = past->parts.size > first;
    nothing_yet(past->open_span, past->K);
    past->open.size = 0;
    past->open_target = -1;
    for (int i = 0; new && i < past->K; i++) forget_spans(past, i, target);
}

/* A rule on no line was answered with `effort`. */
void past_single(Past *past, int32_t rule, int effort) {
    cover(past, rule);
    if (past->known[effort][rule]) return;
    past->known[effort][rule] = 1;
    PUSH(past->lines, (Line){past->parts.size, 1});
    PUSH(past->parts, (Part){1.0, rule});
    tree_add(past, effort, past->K, (Span){past->lines.size - 1, 0.0, 0.0});
    past->added[effort]++;
}

/* Take back a span of a rule on no line. */
void past_restore_single(Past *past, int effort, Span span) {
    int32_t rule = past->parts.at[past->lines.at[span.line].first].rule;
    cover(past, rule);
    past->known[effort][rule] = 1;
    tree_add(past, effort, past->K, span);
}

/* Payments at `at` on the line from a combination of rules to the rule `end` (-1: none), within their limits. */
void past_table(const Past *past, const Part *parts, int count, int32_t end, double at, double *payments) {
    const Terms *terms = &past->terms;
    if (count == 1 && end < 0) { /* a rule as it was given, to the last digit */
        memcpy(payments, past->payments.at + (int64_t)parts[0].rule * terms->MW, (size_t)terms->MW * sizeof *payments);
        return;
    }
    const double *to = end < 0 ? NULL : past->payments.at + (int64_t)end * terms->MW;
    for (int x = 0; x < terms->MW; x++) {
        double sum = 0;
        for (int p = 0; p < count; p++) sum += parts[p].weight * past->payments.at[(int64_t)parts[p].rule * terms->MW + x];
        if (to) sum = (1 - at) * sum + at * to[x];
        payments[x] = sum < terms->lowest[x] ? terms->lowest[x] : sum > terms->bound ? terms->bound : sum;
    }
}
