/* A handful of fixed rules: one for ever, some in turn, or UCB1 over them; learn/rule_bandits.py says what that is. */

#include "kernel.h"

static int choose(const Learner *learner, int64_t number) {
    int count = (int)learner->arms.size, best = 0;
    if (learner->in_turn) return (int)((number - 1) % count);
    double most = -INFINITY, spread = 2 * log((double)number);
    for (int a = 0; a < count; a++) {
        double plays = learner->plays.at[a];
        if (plays == 0) return a;
        double promise = learner->gains.at[a] / plays + learner->span * sqrt(spread / plays);
        if (promise > most) most = promise, best = a;
    }
    return best;
}

int arms_propose(Learner *learner, int64_t number) {
    Past *past = &learner->past;
    Proposal *offer = &learner->offer;
    if (learner->arms.size == 0) return FOREIGN;
    learner->arm = choose(learner, number);
    offer->phase = learner->phase, offer->target = learner->aims.at[learner->arm];
    offer->rule = learner->arms.at[learner->arm];
    past_table(past, &(Part){1.0, offer->rule}, 1, -1, 0, offer->payments);
    memcpy(offer->expected, past->expected.at + (int64_t)offer->rule * past->terms.M, (size_t)past->terms.M * sizeof(double));
    return PROPOSED;
}

int arms_absorb(Learner *learner, int effort, int report) {
    past_count(&learner->past, effort, report);
    if (learner->offer.rule < 0) return PROPOSED; /* nothing was proposed */
    past_single(&learner->past, learner->offer.rule, effort);
    learner->plays.at[learner->arm]++;
    learner->gains.at[learner->arm] += learner->value[report] - learner->offer.expected[report];
    return PROPOSED;
}
