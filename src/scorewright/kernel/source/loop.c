/* The rational agent, what a round pays, and many rounds in one call. */

#include "kernel.h"

/* The best response: the largest surplus; among those within `slack` of it the principal's favourite, the first of equals. */
PUBLIC int sw_respond(int K, const double *surplus, const double *profit, double slack) {
    double most = -INFINITY, best = -INFINITY;
    for (int k = 0; k < K; k++)
        if (surplus[k] > most) most = surplus[k];
    for (int k = 0; k < K; k++)
        if (surplus[k] >= most - slack && profit[k] > best) best = profit[k];
    for (int k = 0; k < K; k++)
        if (surplus[k] >= most - slack && profit[k] >= best - slack) return k;
    return 0;
}

typedef struct {
    int K, M, W;
    const double *information, *costs, *worth; /* K x M, K, K: worth is information . value */
    const double *reports, *states;            /* running sums of information and of beliefs by row */
    const double *utility;                     /* M x W: of the decision that belief m calls for */
    double slack, optimum;
    double *surplus, *profit;                  /* K each: scratch */
} Board;

typedef struct {
    double regret, realised, paid, earned;
    int64_t phases[PHASES], aimed, obeyed, rounds;
    const int64_t *keep; /* rounds to record, ascending */
    int64_t kept, wanted;
    int64_t *effort, *target, *phase, *report, *state;
    double *payment, *utility, *regrets, *realiseds;
} Ledger;

/* information . expected, (K,): what each effort is paid under a rule */
PUBLIC void sw_paid(int K, int M, const double *information, const double *expected, double *paid) {
    for (int k = 0; k < K; k++) paid[k] = dot(information + k * M, expected, M);
}

static int choose(const Board *board, const double *expected) {
    double *paid = board->profit;
    sw_paid(board->K, board->M, board->information, expected, paid);
    for (int k = 0; k < board->K; k++) {
        board->surplus[k] = paid[k] - board->costs[k];
        board->profit[k] = board->worth[k] - paid[k];
    }
    return sw_respond(board->K, board->surplus, board->profit, board->slack);
}

static int drawn(const double *sums, int count, double draw) {
    double at = draw * sums[count - 1];
    int place = 0;
    while (place < count - 1 && !(sums[place] > at)) place++;
    return place;
}

/* Book a round: what its report and state are paid, and worth. */
PUBLIC void sw_book(const Board *board, Ledger *ledger, const double *payments, const double *expected, int effort,
                    int target, int phase, int report, int state) {
    double payment = payments[report * board->W + state], utility = board->utility[report * board->W + state];
    double paid = dot(board->information + effort * board->M, expected, board->M);
    ledger->rounds++;
    ledger->regret += board->optimum - (board->worth[effort] - paid);
    ledger->realised += board->optimum - (utility - payment);
    ledger->paid += payment, ledger->earned += utility;
    ledger->phases[phase]++;
    ledger->aimed += target >= 0, ledger->obeyed += target == effort;
    if (ledger->kept < ledger->wanted && ledger->keep[ledger->kept] == ledger->rounds) {
        int64_t at = ledger->kept++;
        ledger->effort[at] = effort, ledger->target[at] = target, ledger->phase[at] = phase;
        ledger->report[at] = report, ledger->state[at] = state;
        ledger->payment[at] = payment, ledger->utility[at] = utility;
        ledger->regrets[at] = ledger->regret, ledger->realiseds[at] = ledger->realised;
    }
}

/* Draw the report and the state of a round, and book it. The report. */
PUBLIC int sw_settle(const Board *board, Ledger *ledger, const double *payments, const double *expected, int effort,
                     int target, int phase, const double *draws) {
    int report = drawn(board->reports + effort * board->M, board->M, draws[0]);
    int state = drawn(board->states + report * board->W, board->W, draws[1]);
    sw_book(board, ledger, payments, expected, effort, target, phase, report, state);
    return report;
}

/* Play `rounds` rounds from number `first` with the rational agent; `draws` has two per round. How many were played. */
PUBLIC int64_t sw_play(Learner *learner, const Board *board, Ledger *ledger, const double *draws, int64_t first,
                       int64_t rounds, int *said) {
    const Proposal *offer = &learner->offer;
    for (int64_t r = 0; r < rounds; r++) {
        *said = learner->propose(learner, first + r);
        if (*said != PROPOSED) return r;
        int effort = choose(board, offer->expected);
        int report = sw_settle(board, ledger, offer->payments, offer->expected, effort, offer->target, offer->phase,
                               draws + 2 * r);
        *said = learner->absorb(learner, effort, report);
        if (*said != PROPOSED) return r;
    }
    return rounds;
}
