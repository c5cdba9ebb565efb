/* Opt-LP_k where the zero rule is not optimal, by column generation.

   A proper rule is a convex combination of vertices of the polytope, with weights x. In units of the bound, with
   a_b = share_k . s_b and e_ib = share_i . s_b for vertex b, the program is

       minimise v + BIG z   subject to   sum x_b = 1,   x, z >= 0,
           v - a . x          >= -room
           a . x - v + z      >= -room
           v - e_i . x        >=  r_i         for every rival i :

   K + 2 rows. z measures infeasibility. Only few columns are at hand; prices pi of the rows say what a vertex would be
   worth, g . s_b - pi_0 with g = (pi_1 - pi_2) share_k + sum pi_i share_i, and proper.c finds the best one or proves
   that none is worth taking. The basis of the last program of the same effort is the start of the next.

   What can't be decided safely is said to be so (UNDECIDED), and HiGHS is asked. */

#include "kernel.h"

#define BIG 1e3
#define WORTH 1e-10     /* a column must promise this much */
#define BELOW 1e-11     /* a weight may be this far below zero */
#define NONE 1e-15      /* infeasibility below this is none, */
#define CERTAIN 1e-9    /* beyond this it is certain; between, who knows */
#define MOST 400        /* steps */
#define SCAN 256        /* columns looked at before a new one is made */

enum { V = -1, Z = -2, LOW = -3, UP = -4, RIVAL = -5 };

int invert(double *a, double *inverse, int n);

typedef struct {
    Solver *solver;
    Past *past;
    int k, rows;
    int32_t *basis, *rivals;
} Master;

static void column_of(const Master *master, int32_t code, double *column) {
    int rows = master->rows;
    memset(column, 0, (size_t)rows * sizeof *column);
    if (code >= 0) {
        double a = past_worth(master->past, master->k, code) / master->solver->unit;
        column[0] = 1, column[1] = -a, column[2] = a;
        for (int i = 3; i < rows; i++)
            column[i] = -past_worth(master->past, master->rivals[i - 3], code) / master->solver->unit;
    } else if (code == V) {
        column[1] = 1, column[2] = -1;
        for (int i = 3; i < rows; i++) column[i] = 1;
    } else if (code == Z) column[2] = 1;
    else if (code == LOW) column[1] = -1;
    else if (code == UP) column[2] = -1;
    else column[3 + RIVAL - code] = -1;
}

/* The zero rule with its least payment: always a basis, with z as large as it takes. */
static void start(Master *master) {
    int tightest = 3;
    for (int i = 3; i < master->rows; i++)
        if (master->solver->rhs[i] > master->solver->rhs[tightest]) tightest = i;
    int32_t *basis = master->basis;
    *basis++ = 0, *basis++ = V, *basis++ = Z, *basis++ = LOW;
    for (int i = 3; i < master->rows; i++)
        if (i != tightest) *basis++ = RIVAL - (i - 3);
}

/* Point and prices of the basis; 0 if it is singular. */
static int evaluate(Master *master, int phase) {
    Solver *solver = master->solver;
    int rows = master->rows;
    for (int b = 0; b < rows; b++) {
        column_of(master, master->basis[b], solver->column);
        for (int r = 0; r < rows; r++) solver->matrix[r * rows + b] = solver->column[r];
    }
    if (!invert(solver->matrix, solver->inverse, rows)) return 0;
    memset(solver->dual, 0, (size_t)rows * sizeof(double));
    for (int b = 0; b < rows; b++) {
        const double *row = solver->inverse + b * rows;
        solver->point[b] = dot(row, solver->rhs, rows);
        double cost = master->basis[b] == V ? phase == 2 : master->basis[b] == Z ? (phase == 2 ? BIG : 1) : 0;
        if (cost != 0)
            for (int r = 0; r < rows; r++) solver->dual[r] += cost * row[r];
    }
    return 1;
}

static double lowest_weight(const Master *master) {
    double lowest = 0;
    for (int b = 0; b < master->rows; b++)
        if (master->basis[b] != V && master->solver->point[b] < lowest) lowest = master->solver->point[b];
    return lowest;
}

static int basic(const Master *master, int32_t code) {
    for (int b = 0; b < master->rows; b++)
        if (master->basis[b] == code) return 1;
    return 0;
}

/* The slack that it pays most to let in, or 0. */
static int32_t worthy_slack(const Master *master, int phase, double tolerance) {
    const double *dual = master->solver->dual;
    double best = -tolerance;
    int32_t found = 0;
    if (dual[1] < best && !basic(master, LOW)) best = dual[1], found = LOW;
    if (dual[2] < best && !basic(master, UP)) best = dual[2], found = UP;
    for (int i = 3; i < master->rows; i++)
        if (dual[i] < best && !basic(master, RIVAL - (i - 3))) best = dual[i], found = RIVAL - (i - 3);
    double more = (phase == 2 ? BIG : 1) - dual[2];
    if (more < best && !basic(master, Z)) found = Z;
    return found;
}

enum { COLUMN, NO_COLUMN, NOT_SURE };

/* Look for a column that it pays to let in; its number in `enters`. */
static int worthy_column(Master *master, double tolerance, int32_t *enters) {
    Solver *solver = master->solver;
    Past *past = master->past;
    const Terms *terms = solver->terms;
    const double *dual = solver->dual, unit = solver->unit;
    int M = terms->M, W = terms->W;
    for (int m = 0; m < M; m++) {
        double sum = (dual[1] - dual[2]) * past->share[master->k * M + m];
        for (int i = 3; i < master->rows; i++) sum += dual[i] * past->share[master->rivals[i - 3] * M + m];
        solver->mixed[m] = sum;
        for (int w = 0; w < W; w++) solver->cost[m * W + w] = sum * terms->beliefs[m * W + w];
    }
    Vertex *vertex = &solver->vertex[master->k];
    if (!vertex->n) vertex_start(solver, vertex);
    double bound;
    if (vertex_optimal(solver, vertex, solver->cost, &bound) && bound - dual[0] >= -tolerance) return NO_COLUMN;
    double best = -tolerance;
    int32_t found = -1;
    for (int64_t p = solver->pool.size; p-- > 0 && p >= solver->pool.size - SCAN;) {
        int32_t rule = solver->pool.at[p];
        double worth = dot(solver->mixed, past->expected.at + (int64_t)rule * M, M) / unit - dual[0];
        if (worth < best && !basic(master, rule)) best = worth, found = rule;
    }
    if (found >= 0) {
        *enters = found;
        return COLUMN;
    }
    if (!vertex_minimise(solver, vertex, solver->cost, &bound)) return NOT_SURE;
    if (bound - dual[0] >= -tolerance) return NO_COLUMN;
    if (!vertex_point(solver, vertex, solver->payments)) return NOT_SURE;
    for (int x = 0; x < terms->MW; x++) solver->payments[x] *= unit;
    int32_t rule = past_rule(past, solver->payments);
    PUSH(solver->pool, rule);
    solver->columns++;
    double worth = dot(solver->mixed, past->expected.at + (int64_t)rule * M, M) / unit - dual[0];
    if (worth >= -tolerance) return NOT_SURE; /* bound and point do not agree */
    *enters = rule;
    return COLUMN;
}

/* Let a variable in and another one out; 0 if none can go. */
static int exchange(Master *master, int32_t enters) {
    Solver *solver = master->solver;
    int rows = master->rows, leaves = -1;
    column_of(master, enters, solver->column);
    double nearest = INFINITY, steepest = 0;
    for (int b = 0; b < rows; b++) {
        if (master->basis[b] == V) continue;
        double slope = dot(solver->inverse + b * rows, solver->column, rows);
        if (slope <= 1e-10) continue;
        double step = (solver->point[b] > 0 ? solver->point[b] : 0) / slope;
        if (step < nearest - 1e-13 || (step < nearest + 1e-13 && slope > steepest)) {
            if (step < nearest) nearest = step;
            steepest = slope;
            leaves = b;
        }
    }
    if (leaves < 0) return 0;
    master->basis[leaves] = enters;
    return 1;
}

static double value_of(const Master *master, int32_t code) {
    for (int b = 0; b < master->rows; b++)
        if (master->basis[b] == code) return master->solver->point[b];
    return 0;
}

static int solve(Master *master) {
    Solver *solver = master->solver;
    int restarted = 0, phase = 2;
    for (int step = 0; step < MOST; step++) {
        double tolerance = 1;
        int sound = evaluate(master, phase);
        if (!sound || lowest_weight(master) < -BELOW) {
            if (restarted && (!sound || lowest_weight(master) < -CERTAIN)) return UNDECIDED;
            if (!restarted) {
                restarted = 1;
                start(master);
                continue;
            }
        }
        restarted = 1;
        for (int r = 0; r < master->rows; r++)
            if (fabs(solver->dual[r]) > tolerance) tolerance = fabs(solver->dual[r]);
        tolerance *= WORTH;
        int32_t enters = worthy_slack(master, phase, tolerance);
        if (enters == 0) {
            int found = worthy_column(master, tolerance, &enters);
            if (found == NOT_SURE) return UNDECIDED;
            if (found == NO_COLUMN) {
                double missing = value_of(master, Z);
                if (missing <= NONE) return phase == 2 ? SOLVED : UNDECIDED; /* feasible, at a price above BIG */
                if (phase == 1) return missing > CERTAIN ? INFEASIBLE : UNDECIDED;
                phase = 1;
                continue;
            }
        }
        if (!exchange(master, enters)) return UNDECIDED;
    }
    return UNDECIDED;
}

/* Solve for one effort. `relaxed` are the right-hand sides r_i, minus infinity where there is none; the zero rule
   must not be optimal. The rule comes as a combination, with its payment v. */
int opt_lp(Solver *solver, Past *past, int effort, double room, const double *relaxed, Parts *best, double *payment) {
    if (solver->leaving) return UNDECIDED;
    int K = past->K, rows = 3;
    Master master = {solver, past, effort, 0, solver->basis + effort * (K + 2), solver->rivals + effort * K};
    int same = solver->rows[effort] > 0;
    for (int i = 0; i < K; i++) {
        if (relaxed[i] == -INFINITY) continue;
        same = same && rows < solver->rows[effort] && master.rivals[rows - 3] == i;
        master.rivals[rows - 3] = i;
        solver->rhs[rows++] = relaxed[i] / solver->unit;
    }
    same = same && rows == solver->rows[effort];
    master.rows = rows;
    solver->rhs[0] = 1, solver->rhs[1] = solver->rhs[2] = -room / solver->unit;
    if (rows < 4) return UNDECIDED; /* no rival: the zero rule was optimal */
    if (!same) start(&master);
    int found = solve(&master);
    solver->rows[effort] = found == UNDECIDED ? 0 : rows;
    if (found != SOLVED) return found;
    best->size = 0;
    double sum = 0;
    for (int b = 0; b < rows; b++) {
        if (master.basis[b] < 0 || !(solver->point[b] > BELOW)) continue;
        PUSH(*best, (Part){solver->point[b], master.basis[b]});
        sum += solver->point[b];
    }
    for (int64_t p = 0; p < best->size; p++) best->at[p].weight /= sum;
    *payment = value_of(&master, V) * solver->unit;
    return SOLVED;
}
