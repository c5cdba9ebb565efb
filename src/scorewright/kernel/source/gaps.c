/* D(i, j): the least of share_i . s - share_j . s over all past rules that effort i answered, at the present shares.

   A scan of the past would cost O(t) a round. The shares move slowly, so most spans are known to lie above the minimum
   without a look: they are the leaves of trees, FAN to a node, in the order in which they came (neighbours in time are
   neighbours in space). For each rival j a node remembers a direction d0 in which it was last looked at and a lower bound
   f0 on d0 . s over its points, and it knows a box [low, high] around them. In the present direction d all its points
   satisfy

       d . s  >=  f0 + sum over m of min((d - d0)_m low_m, (d - d0)_m high_m),

   which is nearly exact while d is near d0 or the box is small. A node is opened only if this bound is not above the
   least value found so far; what is then found out becomes its new f0, and d its d0. Nothing is approximate: skipping
   a node changes nothing, and the minimum is over the same numbers whatever was skipped. */

#include "kernel.h"

static int stride(const Past *past) { return 2 * past->terms.M + past->K * (past->terms.M + 1); }

void tree_free(Tree *tree) {
    free(tree->spans.at);
    for (int l = 0; l < LEVELS; l++) free(tree->level[l].at);
}

/* share_i . s - share_j . s of a rule, computed once per look. */
static inline double apart(Past *past, int i, int j, int32_t rule) {
    if (past->apart_stamp.at[rule] != past->looks) {
        past->apart_stamp.at[rule] = past->looks;
        past->apart.at[rule] = past_worth(past, i, rule) - past_worth(past, j, rule);
    }
    return past->apart.at[rule];
}

/* Begin a look at another pair, or at other shares. */
static void look_anew(Past *past) {
    while (past->apart.size < past->rules) {
        PUSH(past->apart, 0.0);
        PUSH(past->apart_stamp, -1);
    }
    past->looks++;
}

/* The gap at the two ends of a line. */
static inline void ends(Past *past, int i, int j, int slot, const Part *parts, int64_t count, double *near, double *far) {
    double sum = 0;
    for (int64_t p = 0; p < count; p++) sum += parts[p].weight * apart(past, i, j, parts[p].rule);
    *near = sum;
    int32_t end = slot < past->K ? past->oracle[slot] : -1;
    *far = end < 0 ? sum : apart(past, i, j, end);
}

static double on_span(double near, double far, double low, double high) {
    double first = (1 - low) * near + low * far, last = (1 - high) * near + high * far;
    return first < last ? first : last;
}

static double span_gap(Past *past, int i, int j, int slot, Span span) {
    Line line = past->lines.at[span.line];
    double near, far;
    ends(past, i, j, slot, past->parts.at + line.first, line.parts, &near, &far);
    return on_span(near, far, span.low, span.high);
}

/* -- building ------------------------------------------------------------------------------------------------------ */

static void cover_point(const Past *past, double *node, const double *point) {
    int M = past->terms.M;
    for (int m = 0; m < M; m++) {
        if (point[m] < node[m]) node[m] = point[m];
        if (point[m] > node[M + m]) node[M + m] = point[m];
    }
    for (int j = 0; j < past->K; j++) {
        double *anchor = node + 2 * M + j * (M + 1), f = dot(anchor + 1, point, M);
        if (f < anchor[0]) anchor[0] = f;
    }
}

static double *new_node(const Past *past, Numbers *level) {
    int M = past->terms.M, size = stride(past);
    RESERVE(*level, size);
    double *node = level->at + level->size;
    level->size += size;
    for (int m = 0; m < M; m++) node[m] = INFINITY, node[M + m] = -INFINITY;
    memset(node + 2 * M, 0, (size_t)(size - 2 * M) * sizeof *node); /* direction zero, bound zero: true of every box */
    return node;
}

/* The expected payments at the two ends of a span. */
void span_points(const Past *past, int slot, Span span, double *low, double *high) {
    int M = past->terms.M;
    Line line = past->lines.at[span.line];
    int32_t rule = slot < past->K ? past->oracle[slot] : -1;
    const double *end = rule < 0 ? NULL : past->expected.at + (int64_t)rule * M;
    for (int m = 0; m < M; m++) {
        double sum = 0;
        for (int p = 0; p < line.parts; p++) {
            Part part = past->parts.at[line.first + p];
            sum += part.weight * past->expected.at[(int64_t)part.rule * M + m];
        }
        low[m] = end ? (1 - span.low) * sum + span.low * end[m] : sum;
        high[m] = end ? (1 - span.high) * sum + span.high * end[m] : sum;
    }
}

/* Add a span of effort `effort` on a line towards oracle `slot` (K: a rule on no line). */
void tree_add(Past *past, int effort, int slot, Span span) {
    Tree *tree = &past->tree[effort * (past->K + 1) + slot];
    int M = past->terms.M, size = stride(past);
    double *point = past->direction, *other = past->other_point;
    span_points(past, slot, span, point, other);
    int64_t place = tree->spans.size;
    PUSH(tree->spans, span);
    for (int l = 0; l < LEVELS; l++) {
        int64_t below = place;
        place /= FAN;
        if (l >= tree->levels) {
            if (l > 0 && below == 0) break; /* one node on the level below is root enough */
            tree->levels = l + 1;
            double *node = new_node(past, &tree->level[l]);
            if (l > 0) /* a new root over the nodes that there are */
                for (int64_t b = 0; b <= below && b < FAN; b++) {
                    const double *child = tree->level[l - 1].at + b * size;
                    for (int m = 0; m < M; m++) {
                        if (child[m] < node[m]) node[m] = child[m];
                        if (child[M + m] > node[M + m]) node[M + m] = child[M + m];
                    }
                }
        }
        if (place * size >= tree->level[l].size) new_node(past, &tree->level[l]);
        double *node = tree->level[l].at + place * size;
        cover_point(past, node, point);
        cover_point(past, node, other);
    }
}

/* -- looking ------------------------------------------------------------------------------------------------------- */

typedef struct {
    Past *past;
    Tree *tree;
    int i, j, slot, size;
    const double *direction;
    double best, slack;
    int64_t found;
} Look;

static double bound(const Look *look, const double *node) {
    int M = look->past->terms.M;
    const double *anchor = node + 2 * M + look->j * (M + 1), *d = look->direction;
    double s0 = 0, s1 = 0;
    int m = 0;
    for (; m + 2 <= M; m += 2) {
        double x = d[m] - anchor[1 + m], y = d[m + 1] - anchor[2 + m];
        double a = x * node[m], b = x * node[M + m], c = y * node[m + 1], e = y * node[M + m + 1];
        s0 += a < b ? a : b;
        s1 += c < e ? c : e;
    }
    if (m < M) {
        double x = d[m] - anchor[1 + m], a = x * node[m], b = x * node[M + m];
        s0 += a < b ? a : b;
    }
    return anchor[0] + (s0 + s1);
}

static double open_node(Look *look, int level, int64_t place) {
    Past *past = look->past;
    int M = past->terms.M;
    int64_t from = place * FAN, to = from + FAN;
    double least = INFINITY;
    if (level == 0) {
        if (to > look->tree->spans.size) to = look->tree->spans.size;
        for (int64_t e = from; e < to; e++) {
            double value = span_gap(past, look->i, look->j, look->slot, look->tree->spans.at[e]);
            if (value < least) least = value;
            if (value < look->best) look->best = value, look->found = e;
        }
    } else {
        const Numbers *below = &look->tree->level[level - 1];
        if (to * look->size > below->size) to = below->size / look->size;
        double bounds[FAN];
        for (int64_t c = from; c < to; c++) bounds[c - from] = bound(look, below->at + c * look->size);
        for (;;) { /* the most promising first */
            int64_t next = -1;
            double lowest = look->best + look->slack;
            for (int64_t c = from; c < to; c++)
                if (bounds[c - from] <= lowest) lowest = bounds[c - from], next = c;
            if (next < 0) break;
            double found = open_node(look, level - 1, next);
            if (found < least) least = found;
            bounds[next - from] = INFINITY;
        }
        for (int64_t c = from; c < to; c++)
            if (bounds[c - from] < least) least = bounds[c - from];
    }
    double *anchor = look->tree->level[level].at + place * look->size + 2 * M + look->j * (M + 1);
    anchor[0] = least;
    memcpy(anchor + 1, look->direction, (size_t)M * sizeof(double));
    return least;
}

static void least_on_axes(Past *past, int i, int j, double *best) {
    for (int k = 0; k < past->K; k++) {
        const double *span = &past->axis[2 * (k * past->K + i)];
        if (!(span[0] <= span[1]) || past->oracle[k] < 0) continue;
        double far = apart(past, i, j, past->oracle[k]);
        double value = on_span(0, far, span[0], span[1]);
        if (value < *best) *best = value;
    }
}

/* D(i, j); infinite where effort i was never the answer. The shares must be up to date. */
double least_gap(Past *past, int i, int j) {
    int K = past->K, M = past->terms.M, pair = i * K + j;
    int64_t *stamp = &past->gap_stamp[3 * pair];
    if (stamp[0] == past->version[i] && stamp[1] == past->version[j] && stamp[2] == past->added[i]) return past->gap[pair];
    double best = INFINITY;
    look_anew(past);
    least_on_axes(past, i, j, &best);
    const double *open = &past->open_span[2 * i];
    if (past->open_target >= 0 && open[0] <= open[1]) {
        double near, far;
        ends(past, i, j, past->open_target, past->open.at, past->open.size, &near, &far);
        double value = on_span(near, far, open[0], open[1]);
        if (value < best) best = value;
    }
    if (past->last[pair] >= 0) { /* where the minimum was last time it often is again */
        int slot = past->last[pair];
        double value = span_gap(past, i, j, slot, past->tree[i * (K + 1) + slot].spans.at[past->last_span[pair]]);
        if (value < best) best = value;
    }
    for (int m = 0; m < M; m++) past->direction[m] = past->share[i * M + m] - past->share[j * M + m];
    for (int slot = 0; slot <= K; slot++) {
        Tree *tree = &past->tree[i * (K + 1) + slot];
        if (tree->levels == 0) continue;
        Look look = {past, tree, i, j, slot, stride(past), past->direction, best, ROUNDING * past->terms.size, -1};
        int top = tree->levels - 1;
        int64_t nodes = tree->level[top].size / look.size;
        for (int64_t node = 0; node < nodes; node++)
            if (bound(&look, tree->level[top].at + node * look.size) <= look.best + look.slack) open_node(&look, top, node);
        if (look.found >= 0) past->last[pair] = slot, past->last_span[pair] = look.found;
        best = look.best;
    }
    stamp[0] = past->version[i], stamp[1] = past->version[j], stamp[2] = past->added[i];
    return past->gap[pair] = best;
}
