/* Which of many points matter: those that are not convex combinations of others.

   A minimum of linear functions over points is attained at an extreme point, so the others can be forgotten; what is lost is
   rounding (INSIDE). Clarkson's way: keep a core of points known to be extreme; a point within its hull is not needed;
   if a point is outside, the direction that separates it from the hull leads to one more extreme point. The test is
   Wolfe's for the nearest point of a polytope. Where it can't tell, a point counts as outside: keeping it is safe. */

#include "kernel.h"

#define INSIDE 1e-15 /* a point this near the hull, relative to the payments, is within it */
#define STEPS 60

typedef struct {
    int M, most;            /* dimension; room in the corral */
    const double *points;   /* rows of M */
    double size;
    Longs core;             /* rows of points known to be extreme */
    int64_t *corral;        /* the simplex of core points at hand */
    int count;
    double *weight, *next;  /* of the corral; of its affine nearest point */
    double *away;           /* M: from the point to the nearest point of the corral's hull */
    double *axes, *factor;  /* orthogonal axes of the corral, and its edges in terms of them */
    double *rest, *along;   /* M, most: scratch */
} Hull;

/* Weights of the point nearest to p in the affine hull of the corral, by Gram and Schmidt (twice is enough); 0 if the
   corral is not a simplex. */
static int affine(Hull *hull, const double *p) {
    int M = hull->M, n = hull->count - 1;
    const double *origin = hull->points + hull->corral[0] * M;
    double *rest = hull->rest, *factor = hull->factor, first = 1;
    if (n > M) return 0;
    for (int m = 0; m < M; m++) rest[m] = p[m] - origin[m];
    for (int a = 0; a < n; a++) {
        double *axis = hull->axes + a * M;
        const double *point = hull->points + hull->corral[a + 1] * M;
        for (int m = 0; m < M; m++) axis[m] = point[m] - origin[m];
        double before = sqrt(dot(axis, axis, M));
        memset(factor + a * n, 0, (size_t)n * sizeof *factor);
        for (int twice = 0; twice < 2; twice++)
            for (int b = 0; b < a; b++) {
                double along = dot(axis, hull->axes + b * M, M);
                factor[a * n + b] += along;
                for (int m = 0; m < M; m++) axis[m] -= along * hull->axes[b * M + m];
            }
        double after = factor[a * n + a] = sqrt(dot(axis, axis, M));
        if (!(after > 1e-9 * before)) return 0;
        for (int m = 0; m < M; m++) axis[m] /= after;
        hull->along[a] = dot(axis, rest, M);
        for (int m = 0; m < M; m++) rest[m] -= hull->along[a] * axis[m];
    }
    for (int a = n - 1; a >= 0; a--) {
        double sum = hull->along[a];
        for (int b = a + 1; b < n; b++) sum -= hull->next[b + 1] * factor[b * n + a];
        hull->next[a + 1] = sum / factor[a * n + a];
        first -= hull->next[a + 1];
    }
    hull->next[0] = first;
    return 1;
}

/* `away` from p by the weights; its largest entry. */
static double set_away(Hull *hull, const double *p, const double *weight) {
    int M = hull->M;
    double largest = 0;
    for (int m = 0; m < M; m++) {
        double sum = 0;
        for (int a = 0; a < hull->count; a++) sum += weight[a] * (hull->points[hull->corral[a] * M + m] - p[m]);
        hull->away[m] = sum;
        if (fabs(sum) > largest) largest = fabs(sum);
    }
    return largest;
}

static void drop(Hull *hull, int a) {
    hull->count--;
    for (; a < hull->count; a++) hull->corral[a] = hull->corral[a + 1], hull->weight[a] = hull->weight[a + 1];
}

/* Move to the nearest point of the corral's hull, dropping what it does not need; 0 if that fails. */
static int settle(Hull *hull, const double *p) {
    while (hull->count > 1) {
        if (!affine(hull, p)) return 0;
        double step = 1;
        int leaves = -1;
        for (int a = 0; a < hull->count; a++)
            if (hull->next[a] < 0) {
                double to = hull->weight[a] / (hull->weight[a] - hull->next[a]);
                if (to <= step) step = to, leaves = a;
            }
        for (int a = 0; a < hull->count; a++) hull->weight[a] += step * (hull->next[a] - hull->weight[a]);
        if (leaves < 0) return 1;
        drop(hull, leaves);
    }
    hull->weight[0] = 1;
    return 1;
}

/* Whether p is in the hull of the core; otherwise `away` points from it to the hull. */
static int inside(Hull *hull, const double *p) {
    int M = hull->M;
    double near = INSIDE * hull->size;
    if (hull->core.size == 0) return 0;
    for (int a = 0; a < hull->count; a++) hull->weight[a] = 1.0 / hull->count; /* start where the point before ended: */
    if (hull->count == 0 || !settle(hull, p)) /* it often lay next to this one */
        hull->count = 1, hull->corral[0] = hull->core.at[0], hull->weight[0] = 1;
    for (int step = 0; step < STEPS; step++) {
        if (set_away(hull, p, hull->weight) <= near) return 1;
        double square = dot(hull->away, hull->away, M), least = INFINITY, at = dot(hull->away, p, M);
        int64_t best = -1;
        for (int64_t c = 0; c < hull->core.size; c++) {
            double along = dot(hull->away, hull->points + hull->core.at[c] * M, M);
            if (along < least) least = along, best = hull->core.at[c];
        }
        if (least - at > square * (1 - 1e-9) || hull->count == hull->most) return 0;
        for (int a = 0; a < hull->count; a++)
            if (hull->corral[a] == best) return 0;
        hull->corral[hull->count] = best, hull->weight[hull->count++] = 0;
        if (!settle(hull, p)) break;
    }
    hull->count = 0;
    return 0;
}

/* Mark the points (rows of M) that are extreme; how many, or -1 if more than `most` are. */
int64_t extreme_points(const double *points, int64_t count, int M, double size, int64_t most, int8_t *keep) {
    Hull hull = {.M = M, .most = M + 2, .points = points, .size = size};
    hull.corral = room_for(hull.most, sizeof(int64_t));
    hull.weight = room_for(hull.most, sizeof(double));
    hull.next = room_for(hull.most, sizeof(double));
    hull.away = room_for(M, sizeof(double));
    hull.axes = room_for((int64_t)hull.most * M, sizeof(double));
    hull.factor = room_for((int64_t)hull.most * hull.most, sizeof(double));
    hull.rest = room_for(M, sizeof(double));
    hull.along = room_for(hull.most, sizeof(double));
    memset(keep, 0, (size_t)count);
    for (int64_t i = 0; i < count && hull.core.size <= most; i++) {
        const double *p = points + i * M;
        if (i > 0 && memcmp(p, p - M, (size_t)M * sizeof *p) == 0) continue; /* both ends of a span of one rule */
        while (!keep[i] && hull.core.size <= most && !inside(&hull, p)) {
            int64_t found = i;
            if (hull.core.size > 0) {
                double least = dot(hull.away, p, M);
                for (int64_t c = i + 1; c < count; c++) { /* those before have had their turn */
                    double along = dot(hull.away, points + c * M, M);
                    if (along < least) least = along, found = c;
                }
            }
            if (keep[found]) found = i;
            keep[found] = 1;
            PUSH(hull.core, found);
        }
    }
    int64_t kept = hull.core.size;
    void *all[] = {hull.corral, hull.weight, hull.next, hull.away, hull.axes, hull.factor, hull.rest,
                   hull.along, hull.core.at};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    return kept > most ? -1 : kept;
}
