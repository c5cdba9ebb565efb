/* What the rounds so far say about information and cost gaps; the mathematics is in learn/estimates.py. */

#include "kernel.h"

void estimates_make(Estimates *now, int K) {
    now->radius = room_for(K, sizeof(double));
    now->gap = room_for((int64_t)K * K, sizeof(double));
    now->spread = room_for((int64_t)K * K, sizeof(double));
    now->seen = room_for(K, sizeof(double));
}

void estimates_free(Estimates *now) {
    free(now->radius);
    free(now->gap);
    free(now->spread);
    free(now->seen);
}

/* scale * sqrt(2 log(K 2^M t) / n), infinite where n = 0 */
PUBLIC void sw_radii(double scale, const double *seen, int K, int M, int64_t time, double *out) {
    double spread = log(K > 1 ? (double)K : 1.0) + M * log(2.0) + log((double)time);
    for (int k = 0; k < K; k++) out[k] = seen[k] > 0 ? scale * sqrt(2 * spread / seen[k]) : INFINITY;
}

PUBLIC double sw_mixing(double factor, double exponent, int64_t time) {
    double weight = factor * pow((double)time, -exponent);
    return weight < 1 ? weight : 1;
}

/* Sums of theta (in `gap`) and of phi (in `spread`) along the shortest paths under phi; the direct edge wins ties. */
PUBLIC void sw_paths(int K, double *gap, double *spread, double detour) {
    for (int via = 0; via < K; via++)
        for (int i = 0; i < K; i++) {
            double there = spread[i * K + via];
            if (there == INFINITY || i == via) continue;
            for (int j = 0; j < K; j++) {
                double through = there + spread[via * K + j];
                if (through < spread[i * K + j] - detour) {
                    spread[i * K + j] = through;
                    gap[i * K + j] = gap[i * K + via] + gap[via * K + j];
                }
            }
        }
}

/* Estimates at the start of round `time`. */
void estimate(Past *past, const Strategies *strategies, int64_t time, Estimates *now, int32_t *raised) {
    int K = past->K, M = past->terms.M;
    past_shares(past);
    for (int k = 0; k < K; k++) now->seen[k] = (double)past->seen[k];
    if (strategies->radii) {
        *raised = 1;
        strategies->radii(now->seen, K, M, time, now->radius);
        if (*raised) return;
    } else sw_radii(strategies->radius, now->seen, K, M, time, now->radius);
    for (int i = 0; i < K; i++) {
        now->gap[i * K + i] = now->spread[i * K + i] = 0;
        for (int j = 0; j < i; j++) {
            double up = least_gap(past, i, j), down = least_gap(past, j, i);
            double room = past->terms.bound * (now->radius[i] + now->radius[j]);
            double theta = (up - down) / 2, phi = (up + down) / 2 + room;
            int known = isfinite(theta) && isfinite(phi);
            if (phi < 0) phi = 0;
            now->gap[i * K + j] = known ? theta : 0;
            now->gap[j * K + i] = known ? -theta : 0;
            now->spread[i * K + j] = now->spread[j * K + i] = known ? phi : INFINITY;
        }
    }
    sw_paths(K, now->gap, now->spread, ROUNDING * past->terms.size);
}
