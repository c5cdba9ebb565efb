/* The polytope of proper rules, in units of the bound, and its best vertex in a direction.

       lowest <= S <= highest,    <sigma_i, S_i - S_j> >= 0  for all i != j :

   n = MW variables, 2n + M(M - 1) rows a_l . x >= b_l. A vertex is the solution of n active rows N x = b; column s of the
   inverse of N is the edge that leaves row s and keeps to the others. With prices y = c N^-1 the vertex minimises c . x when
   y >= 0, and then c . x >= y . b for every x in the polytope, whatever became of x. Only c changes from program to program:
   the inverse is kept, and usually nothing has to be done.

   The polytope is very degenerate (all properness rows hold at zero), so the simplex method works on one whose
   properness rows are relaxed by about 1e-9, each by another amount; the vertex reported is that of the true rows.

   A journal of the pivots since the inverse was last computed from scratch makes a saved vertex come back bit for bit. */


#include "kernel.h"

#define PERTURBATION 1e-9
#define NEGATIVE 1e-12   /* a price below minus this, per unit of movement and of cost, can still be improved on */
#define TINY 1e-11       /* a slope below this does not block; a vertex may overstep a row by no more */
#define LEEWAY 1e-12     /* by which a row may be overstepped for the sake of a better pivot */
#define REFRESH 100      /* pivots between computing the inverse from scratch */

/* Invert the n x n matrix a (destroyed) into inverse; 0 if singular. */
WIDE int invert(double *a, double *inverse, int n) {
    memset(inverse, 0, (size_t)n * n * sizeof *inverse);
    for (int i = 0; i < n; i++) inverse[i * n + i] = 1;
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(a[r * n + c]) > fabs(a[pivot * n + c])) pivot = r;
        if (fabs(a[pivot * n + c]) < 1e-13) return 0;
        if (pivot != c)
            for (int x = 0; x < n; x++) {
                double t = a[c * n + x];
                a[c * n + x] = a[pivot * n + x], a[pivot * n + x] = t;
                t = inverse[c * n + x];
                inverse[c * n + x] = inverse[pivot * n + x], inverse[pivot * n + x] = t;
            }
        double over = 1 / a[c * n + c];
        for (int x = c; x < n; x++) a[c * n + x] *= over;
        for (int x = 0; x < n; x++) inverse[c * n + x] *= over;
        for (int r = 0; r < n; r++) {
            double times = a[r * n + c];
            if (r == c || times == 0) continue;
            for (int x = c; x < n; x++) a[r * n + x] -= times * a[c * n + x];
            for (int x = 0; x < n; x++) inverse[r * n + x] -= times * inverse[c * n + x];
        }
    }
    return 1;
}

/* -- rows ---------------------------------------------------------------------------------------------------------- */

static void pair_of(int M, int pair, int *i, int *j) {
    *i = pair / (M - 1);
    *j = pair % (M - 1);
    if (*j >= *i) ++*j;
}

static double highest(const Solver *solver) { return solver->terms->bound > 0 ? 1 : 0; }

/* a_l . x */
static double row_times(const Solver *solver, int l, const double *x) {
    const Terms *terms = solver->terms;
    int n = terms->MW, W = terms->W, i, j;
    if (l < n) return x[l];
    if (l < 2 * n) return -x[l - n];
    pair_of(terms->M, l - 2 * n, &i, &j);
    double sum = 0;
    for (int w = 0; w < W; w++) sum += terms->beliefs[i * W + w] * (x[i * W + w] - x[j * W + w]);
    return sum;
}

/* b_l, of the true polytope */
static double least(const Solver *solver, int l) {
    int n = solver->terms->MW;
    return l < n ? solver->terms->lowest[l] / solver->unit : l < 2 * n ? -highest(solver) : 0;
}

/* a_l . x for every row at once */
WIDE static void all_rows(const Solver *solver, const double *x, double *out) {
    const Terms *terms = solver->terms;
    int n = terms->MW, M = terms->M, W = terms->W, l = 2 * n;
    for (int v = 0; v < n; v++) out[v] = x[v], out[n + v] = -x[v];
    for (int i = 0; i < M; i++) {
        const double *own = terms->beliefs + i * W;
        double mine = 0;
        for (int w = 0; w < W; w++) mine += own[w] * x[i * W + w];
        for (int j = 0; j < M; j++) {
            if (j == i) continue;
            double theirs = 0;
            for (int w = 0; w < W; w++) theirs += own[w] * x[j * W + w];
            out[l++] = mine - theirs;
        }
    }
}

/* -- a vertex ------------------------------------------------------------------------------------------------------ */

static inline void set_norm(Vertex *vertex, int s) {
    const double *column = vertex->inverse + (int64_t)s * vertex->n;
    vertex->norm[s] = sqrt(dot(column, column, vertex->n));
}

static void set_slacks(const Solver *solver, Vertex *vertex) {
    int n = vertex->n;
    all_rows(solver, vertex->x, vertex->slack);
    for (int l = 0; l < 2 * n; l++) vertex->slack[l] -= least(solver, l);
    for (int l = 2 * n; l < vertex->total; l++) vertex->slack[l] += solver->perturbation[l - 2 * n];
}

/* Compute the inverse and the point from the active rows; 0 if they do not make a vertex. */
static int factorise(const Solver *solver, Vertex *vertex) {
    int n = vertex->n, W = solver->terms->W, i, j;
    double *matrix = room_for((int64_t)n * n, sizeof *matrix); /* the transpose: its inverse has the columns as rows */
    for (int s = 0; s < n; s++) {
        int l = vertex->active[s];
        if (l < n) matrix[(int64_t)l * n + s] = 1;
        else if (l < 2 * n) matrix[(int64_t)(l - n) * n + s] = -1;
        else {
            pair_of(solver->terms->M, l - 2 * n, &i, &j);
            for (int w = 0; w < W; w++) {
                double p = solver->terms->beliefs[i * W + w];
                matrix[(int64_t)(i * W + w) * n + s] = p;
                matrix[(int64_t)(j * W + w) * n + s] = -p;
            }
        }
    }
    int sound = invert(matrix, vertex->inverse, n);
    free(matrix);
    if (!sound) return 0;
    memset(vertex->x, 0, (size_t)n * sizeof(double));
    for (int s = 0; s < n; s++) {
        int l = vertex->active[s];
        double b = least(solver, l) - (l < 2 * n ? 0 : solver->perturbation[l - 2 * n]);
        const double *column = vertex->inverse + (int64_t)s * n;
        if (b != 0)
            for (int v = 0; v < n; v++) vertex->x[v] += b * column[v];
        set_norm(vertex, s);
    }
    set_slacks(solver, vertex);
    memcpy(vertex->start, vertex->active, (size_t)n * sizeof *vertex->start);
    vertex->journal.size = 0;
    return 1;
}

static void set_places(Vertex *vertex) {
    for (int l = 0; l < vertex->total; l++) vertex->place[l] = -1;
    for (int s = 0; s < vertex->n; s++) vertex->place[vertex->active[s]] = s;
}

static void vertex_make(const Solver *solver, Vertex *vertex) {
    int n = solver->terms->MW, M = solver->terms->M;
    vertex->n = n;
    vertex->total = 2 * n + M * (M - 1);
    vertex->active = room_for(n, sizeof(int32_t));
    vertex->start = room_for(n, sizeof(int32_t));
    vertex->place = room_for(vertex->total, sizeof(int32_t));
    vertex->inverse = room_for((int64_t)n * n, sizeof(double));
    vertex->x = room_for(n, sizeof(double));
    vertex->slack = room_for(vertex->total, sizeof(double));
    vertex->slope = room_for(vertex->total, sizeof(double));
    vertex->row = room_for(n, sizeof(double));
    vertex->price = room_for(n, sizeof(double));
    vertex->norm = room_for(n, sizeof(double));
}

/* Begin where every payment is as low as it may be. */
void vertex_start(const Solver *solver, Vertex *vertex) {
    if (!vertex->n) vertex_make(solver, vertex);
    for (int s = 0; s < vertex->n; s++) vertex->active[s] = s;
    set_places(vertex);
    factorise(solver, vertex);
}

void vertex_free(Vertex *vertex) {
    void *all[] = {vertex->active, vertex->start, vertex->place, vertex->inverse, vertex->x, vertex->slack,
                   vertex->slope, vertex->row, vertex->price, vertex->norm, vertex->journal.at};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    memset(vertex, 0, sizeof *vertex);
}

/* Leave the active row at position r for row l; `slope` holds every row's along column r. */
WIDE static void pivot(const Solver *solver, Vertex *vertex, int r, int l) {
    int n = vertex->n, W = solver->terms->W, i, j;
    double *edge = vertex->inverse + (int64_t)r * n;
    double step = vertex->slack[l] / -vertex->slope[l];
    if (step < 0) step = 0;
    for (int v = 0; v < n; v++) vertex->x[v] += step * edge[v];
    for (int a = 0; a < vertex->total; a++) vertex->slack[a] += step * vertex->slope[a];
    vertex->slack[l] = 0;
    double over = 1 / vertex->slope[l];
    for (int s = 0; s < n; s++) {
        const double *column = vertex->inverse + (int64_t)s * n;
        if (l < n) vertex->row[s] = column[l];
        else if (l < 2 * n) vertex->row[s] = -column[l - n];
        else {
            pair_of(solver->terms->M, l - 2 * n, &i, &j);
            double sum = 0;
            for (int w = 0; w < W; w++) sum += solver->terms->beliefs[i * W + w] * (column[i * W + w] - column[j * W + w]);
            vertex->row[s] = sum;
        }
    }
    for (int v = 0; v < n; v++) edge[v] *= over;
    set_norm(vertex, r);
    for (int s = 0; s < n; s++) {
        double times = vertex->row[s];
        if (s == r || times == 0) continue;
        double *column = vertex->inverse + (int64_t)s * n;
        for (int v = 0; v < n; v++) column[v] -= times * edge[v];
        set_norm(vertex, s);
    }
    vertex->place[vertex->active[r]] = -1;
    vertex->active[r] = l;
    vertex->place[l] = r;
    PUSH(vertex->journal, r);
    PUSH(vertex->journal, l);
}

/* A lower bound on cost . x over the polytope from the prices, for what they are worth: with d = cost - y N, whatever y >= 0
   is, cost . x >= y . b + sum over v of min(d_v lowest_v, d_v highest). An inverse that has lost its digits can't fake it. */
static double proven(const Solver *solver, Vertex *vertex, const double *cost) {
    const Terms *terms = solver->terms;
    int n = vertex->n, W = terms->W, i, j;
    double *rest = vertex->row, sum = 0;
    memcpy(rest, cost, (size_t)n * sizeof *rest);
    for (int s = 0; s < n; s++) {
        double price = vertex->price[s];
        int l = vertex->active[s];
        if (!(price > 0)) continue;
        if (l < n) rest[l] -= price, sum += price * least(solver, l);
        else if (l < 2 * n) rest[l - n] += price, sum += price * least(solver, l);
        else {
            pair_of(terms->M, l - 2 * n, &i, &j);
            for (int w = 0; w < W; w++) {
                double times = price * terms->beliefs[i * W + w];
                rest[i * W + w] -= times;
                rest[j * W + w] += times;
            }
        }
    }
    for (int v = 0; v < n; v++) {
        double low = rest[v] * least(solver, v), high = rest[v] * highest(solver);
        sum += low < high ? low : high;
    }
    return sum;
}

/* Prices of the active rows; the position of the most promising edge, or -1 if there is none, and then a proven lower
   bound on cost . x over the polytope. */
WIDE static int promising(const Solver *solver, Vertex *vertex, const double *cost, double *bound) {
    int n = vertex->n, best = -1;
    double size = 0, lowest = 0;
    for (int v = 0; v < n; v++) size += fabs(cost[v]);
    for (int s = 0; s < n; s++) {
        double price = vertex->price[s] = dot(cost, vertex->inverse + (int64_t)s * n, n);
        if (price < lowest * vertex->norm[s] && price < -NEGATIVE * size * vertex->norm[s]) {
            best = s;
            lowest = price / vertex->norm[s];
        }
    }
    if (best < 0) *bound = proven(solver, vertex, cost);
    return best;
}

int vertex_optimal(const Solver *solver, Vertex *vertex, const double *cost, double *bound) {
    return promising(solver, vertex, cost, bound) < 0;
}

/* The row that stops a move along `slope`, or -1: of those met first, give or take LEEWAY, the one met most squarely. */
WIDE static int blocking(const Vertex *vertex, double norm) {
    double farthest = INFINITY, steepest = 0;
    int found = -1;
    for (int l = 0; l < vertex->total; l++) {
        double slope = -vertex->slope[l];
        if (slope <= TINY * norm || vertex->place[l] >= 0) continue;
        double reach = (vertex->slack[l] + LEEWAY) / slope;
        if (reach < farthest) farthest = reach;
    }
    for (int l = 0; l < vertex->total; l++) {
        double slope = -vertex->slope[l];
        if (slope <= TINY * norm || vertex->place[l] >= 0) continue;
        if (vertex->slack[l] <= farthest * slope && slope > steepest) steepest = slope, found = l;
    }
    return found;
}

static int minimise(Solver *solver, Vertex *vertex, const double *cost, double *bound) {
    for (int64_t count = 0; count < 100 + 20 * (int64_t)vertex->n; count++) {
        int r = promising(solver, vertex, cost, bound);
        if (r < 0) return 1;
        all_rows(solver, vertex->inverse + (int64_t)r * vertex->n, vertex->slope);
        int enters = blocking(vertex, vertex->norm[r]);
        if (enters < 0) return 0;
        pivot(solver, vertex, r, enters);
        solver->pivots++;
        if (vertex->journal.size >= 2 * REFRESH && !factorise(solver, vertex)) return 0;
    }
    return 0;
}

/* Go to the vertex of least cost, if need be all the way from the start; 0 if that does not succeed. */
int vertex_minimise(Solver *solver, Vertex *vertex, const double *cost, double *bound) {
    if (minimise(solver, vertex, cost, bound)) return 1;
    vertex_start(solver, vertex);
    if (minimise(solver, vertex, cost, bound)) return 1;
    vertex_start(solver, vertex);
    return 0;
}

/* The vertex of the true polytope with the same active rows; 0 if it is not within the polytope. */
int vertex_point(const Solver *solver, Vertex *vertex, double *point) {
    int n = vertex->n;
    memset(point, 0, (size_t)n * sizeof *point);
    for (int round = 0; round < 3; round++) { /* the first finds it, the others refine it */
        for (int s = 0; s < n; s++)
            vertex->row[s] = least(solver, vertex->active[s]) - (round ? row_times(solver, vertex->active[s], point) : 0);
        for (int s = 0; s < n; s++) {
            const double *column = vertex->inverse + (int64_t)s * n;
            if (vertex->row[s] != 0)
                for (int v = 0; v < n; v++) point[v] += vertex->row[s] * column[v];
        }
    }
    all_rows(solver, point, vertex->slope);
    for (int l = 0; l < vertex->total; l++)
        if (!(vertex->slope[l] >= least(solver, l) - TINY)) return 0;
    for (int v = 0; v < n; v++) {
        double low = least(solver, v), high = highest(solver);
        point[v] = point[v] < low ? low : point[v] > high ? high : point[v];
    }
    return 1;
}

/* Go through the pivots of a saved vertex once more; 0 if they do not fit. */
int vertex_replay(const Solver *solver, Vertex *vertex, const int32_t *start, const int32_t *journal, int64_t length) {
    if (!vertex->n) vertex_make(solver, vertex);
    for (int s = 0; s < vertex->n; s++)
        if ((vertex->active[s] = start[s]) < 0 || start[s] >= vertex->total) return 0;
    set_places(vertex);
    if (!factorise(solver, vertex)) return 0;
    for (int64_t p = 0; p + 1 < length; p += 2) {
        if (journal[p] < 0 || journal[p] >= vertex->n || journal[p + 1] < 0 || journal[p + 1] >= vertex->total) return 0;
        all_rows(solver, vertex->inverse + (int64_t)journal[p] * vertex->n, vertex->slope);
        pivot(solver, vertex, journal[p], journal[p + 1]);
    }
    for (int s = 0; s < vertex->n; s++)
        if (!isfinite(vertex->norm[s]) || !isfinite(vertex->x[s])) return 0;
    return 1;
}

/* -- the solver ---------------------------------------------------------------------------------------------------- */

void solver_make(Solver *solver, const Terms *terms, int K) {
    memset(solver, 0, sizeof *solver);
    int rows = terms->M * (terms->M - 1), most = K + 2;
    solver->terms = terms;
    solver->unit = terms->bound > 0 ? terms->bound : 1;
    solver->perturbation = room_for(rows, sizeof(double));
    for (int r = 0; r < rows; r++) { /* splitmix64: any fixed spread will do */
        uint64_t z = (uint64_t)(r + 1) * 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        z ^= z >> 31;
        solver->perturbation[r] = PERTURBATION * (0.5 + (double)(z >> 11) / 9007199254740992.0);
    }
    solver->vertex = room_for(K, sizeof *solver->vertex);
    solver->basis = room_for((int64_t)K * most, sizeof(int32_t));
    solver->rivals = room_for((int64_t)K * K, sizeof(int32_t));
    solver->rows = room_for(K, sizeof(int32_t));
    solver->matrix = room_for((int64_t)most * most, sizeof(double));
    solver->inverse = room_for((int64_t)most * most, sizeof(double));
    solver->rhs = room_for(most, sizeof(double));
    solver->point = room_for(most, sizeof(double));
    solver->dual = room_for(most, sizeof(double));
    solver->column = room_for(most, sizeof(double));
    solver->mixed = room_for(terms->M, sizeof(double));
    solver->cost = room_for(terms->MW, sizeof(double));
    solver->payments = room_for(terms->MW, sizeof(double));
}

void solver_free(Solver *solver, int K) {
    for (int k = 0; k < K; k++) vertex_free(&solver->vertex[k]);
    void *all[] = {solver->perturbation, solver->vertex, solver->basis, solver->rivals, solver->rows, solver->matrix,
                   solver->inverse, solver->rhs, solver->point, solver->dual, solver->column, solver->mixed,
                   solver->cost, solver->payments, solver->pool.at};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}
