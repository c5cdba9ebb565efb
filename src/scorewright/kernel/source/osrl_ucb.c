/* OSRL-UCB, round by round; learn/osrl_ucb.py says what it does and why. */

#include "kernel.h"

/* Right-hand sides r_i of Opt-LP_k; the largest. */
static double relax(Learner *learner, int k) {
    int K = learner->past.K;
    double bound = learner->past.terms.bound, most = -INFINITY;
    for (int i = 0; i < K; i++) {
        double r = learner->now.gap[k * K + i] - learner->now.spread[k * K + i] - bound * learner->now.radius[i];
        if (i == k || !(r > -INFINITY)) r = -INFINITY;
        learner->relaxed[i] = r;
        if (r > most) most = r;
    }
    return most;
}

/* Ask HiGHS where the kernel could not decide; the rule found becomes one of our own. */
static int hand_over(Learner *learner, int k, double room, double *payment) {
    Past *past = &learner->past;
    learner->solver.handed++;
    *learner->raised = 1;
    int found = learner->hand(k, past->K, room, past->share, learner->relaxed, learner->solver.payments, payment);
    if (*learner->raised) return FAILED;
    if (found == SOLVED) {
        learner->found.size = 0;
        PUSH(learner->found, (Part){1.0, past_rule(past, learner->solver.payments)});
    }
    return found;
}

/* Index of an effort, its optimistic rule in `found`. */
static int optimistic(Learner *learner, int k, double *index) {
    Past *past = &learner->past;
    double bound = past->terms.bound, radius = learner->now.radius[k], payment;
    learner->found.size = 0;
    *index = -INFINITY;
    if (past->oracle[k] < 0 || past->seen[k] == 0) return SOLVED;
    double gain = dot(past->share + k * past->terms.M, learner->value, past->terms.M);
    double room = bound * radius, most = relax(learner, k);
    int found = SOLVED;
    learner->solver.programs++;
    if (most <= room) {
        payment = most > -room ? most : -room;
        PUSH(learner->found, (Part){1.0, 0});
    } else {
        found = opt_lp(&learner->solver, past, k, room, learner->relaxed, &learner->found, &payment);
        if (found == UNDECIDED) found = hand_over(learner, k, room, &payment);
        if (found == FAILED) return FAILED;
        learner->solver.nonzero += found == SOLVED;
    }
    if (found == INFEASIBLE) {
        learner->solver.infeasible++;
        learner->found.size = 0;
        PUSH(learner->found, (Part){1.0, past->oracle[k]});
        *index = gain - past_worth(past, k, past->oracle[k]) + (bound + learner->top) * radius;
    } else *index = gain + learner->top * radius - payment;
    return SOLVED;
}

static int optimise(Learner *learner, int64_t number) {
    Past *past = &learner->past;
    const Strategies *strategies = &learner->strategies;
    Proposal *offer = &learner->offer;
    int K = past->K, target = -1;
    estimate(past, strategies, number, &learner->now, learner->raised);
    if (*learner->raised) return RAISED;
    for (int k = 0; k < K; k++) {
        if (optimistic(learner, k, &offer->index[k]) == FAILED) return RAISED;
        if (offer->index[k] > (target < 0 ? -INFINITY : offer->index[target])) {
            target = k;
            learner->best.size = 0;
            for (int64_t p = 0; p < learner->found.size; p++) PUSH(learner->best, learner->found.at[p]);
        }
    }
    if (target < 0) return NO_ORACLE;
    double factor = isnan(strategies->factor) ? K : strategies->factor, weight;
    if (strategies->mixing) {
        *learner->raised = 1;
        weight = strategies->mixing(K, number);
        if (*learner->raised) return RAISED;
    } else weight = sw_mixing(factor, strategies->exponent, number);
    memcpy(learner->frozen, learner->now.radius, (size_t)K * sizeof(double));
    learner->frozen_count = K;
    learner->weight = weight;
    learner->target = target;
    past_open(past, learner->best.at, (int)learner->best.size, target);
    offer->phase = OPTIMISE, offer->target = target, offer->weight = weight;
    past_table(past, past->open.at, (int)past->open.size, past->oracle[target], weight, offer->payments);
    return PROPOSED;
}

int osrl_propose(Learner *learner, int64_t number) {
    Past *past = &learner->past;
    Proposal *offer = &learner->offer;
    int done = PROPOSED;
    offer->rule = -1;
    if (2 * learner->played < learner->queue.size) {
        const int32_t *next = learner->queue.at + 2 * learner->played;
        offer->phase = ORACLE, offer->target = next[0], offer->rule = next[1];
        past_table(past, &(Part){1.0, next[1]}, 1, -1, 0, offer->payments);
    } else if (learner->searching) {
        double middle = (learner->low + learner->high) / 2, at = learner->weight + (1 - learner->weight) * middle;
        offer->phase = SEARCH, offer->target = learner->target;
        offer->low = learner->low, offer->high = learner->high;
        past_table(past, past->open.at, (int)past->open.size, past->oracle[learner->target], at, offer->payments);
    } else done = optimise(learner, number);
    if (done == PROPOSED) expected_payments(&past->terms, offer->payments, offer->expected);
    return done;
}

/* Whether a search with these ends goes on; -1 if the user's own `Stop` raised. */
static int goes_on(Learner *learner, double low, double high, int other) {
    const Strategies *strategies = &learner->strategies;
    double middle = (low + high) / 2, target = learner->frozen[learner->target], width;
    double rival = other < learner->frozen_count ? learner->frozen[other] : INFINITY;
    if (strategies->width) {
        *learner->raised = 1;
        width = strategies->width(rival, target);
        if (*learner->raised) return -1;
    } else width = strategies->stop * (rival < target ? rival : target);
    return low < middle && middle < high && !(high - low < width);
}

/* Take in an answer; RAISED, with nothing changed, if the user's own `Stop` raised. */
int osrl_absorb(Learner *learner, int effort, int report) {
    Past *past = &learner->past;
    const Proposal *offer = &learner->offer;
    double middle = (learner->low + learner->high) / 2, low = 0, high = 1;
    int other = effort, searching = 0;
    if (offer->phase == SEARCH) {
        low = learner->low, high = learner->high, other = learner->other;
        if (effort == learner->target) high = middle;
        else low = middle, other = effort;
        searching = goes_on(learner, low, high, other);
    } else if (offer->phase == OPTIMISE && effort != learner->target && learner->weight < 1)
        searching = goes_on(learner, low, high, other);
    if (searching < 0) return RAISED;
    past_count(past, effort, report);
    learner->searching = searching;
    if (offer->phase == ORACLE) {
        if (offer->rule < 0 || offer->target < 0 || offer->target >= past->K) return PROPOSED; /* nothing was proposed */
        past_single(past, offer->rule, effort);
        learner->played++;
        if (effort != offer->target) {
            past->oracle[offer->target] = -1;
            if (past->oracle[effort] < 0) past->oracle[effort] = offer->rule;
        }
    } else {
        double at = offer->phase == SEARCH ? learner->weight + (1 - learner->weight) * middle : learner->weight;
        past_note(past, at, effort);
        learner->low = low, learner->high = high, learner->other = other;
    }
    return PROPOSED;
}
