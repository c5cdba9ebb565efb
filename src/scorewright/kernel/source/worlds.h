/* Worlds as worlds.c and noise.c share them. */

#ifndef SCOREWRIGHT_WORLDS_H
#define SCOREWRIGHT_WORLDS_H

#include "kernel.h"

#define TINY 1e-12 /* the least probability that a move starts from */

typedef struct {
    int K, M, P;           /* efforts, beliefs, worlds */
    int given, placed;     /* whether information is given, and only costs move; whether all worlds are one just placed */
    double reach;          /* the largest cost gap that payments could make up for */
    uint64_t random[4];
    double *information;   /* P x K x M */
    double *costs;         /* P x K */
    int choices;           /* Dirichlet parameters for beliefs not yet seen, */
    double *priors;        /* which they are, */
    double *prior;         /* P x K x M: and each world's, for each effort and belief */
    double *counts;        /* K x M */
    Numbers rules;         /* expected payments of all rules answered, M each */
    Integers answers;      /* and the efforts that answered them */
    int64_t R;             /* the answers at hand: all, or those that the worlds are close to breaking */
    Numbers near, turned;  /* R x M, M x R */
    Integers efforts;      /* R */
    Numbers gain;          /* K x R: what each effort gains under each rule, in the world at hand */
    Numbers room, sign, slope; /* R (sign: 2 R): how far from each answer's face, and how a move changes that */
    Numbers change;        /* K x R */
    double *direction;     /* K x M + K: of a move */
    Numbers within;        /* K, or none: how far each effort's mean belief may be from the others', as a standard deviation */
    Numbers apart;         /* 2 x K x W: how far they are, in these units, and how a move changes that */
    double tension[2];     /* how much less likely that makes a step: its slope, and half its curvature */
    double *error, *temperature; /* P each: how the agent errs, where it does; see noise.c */
    Numbers weights;       /* R x K: how often each rule was answered with each effort, there */
    Past past;             /* for the programs */
    Solver solver;
} Worlds;

uint64_t worlds_next(Worlds *);

static inline double uniform(Worlds *w) { return ((double)(worlds_next(w) >> 11) + 0.5) / 9007199254740992.0; }

static inline int below(Worlds *w, int count) { return (int)(worlds_next(w) % (uint64_t)count); }

void worlds_prepare(Worlds *, const int8_t *marked);
void worlds_look_at(Worlds *, int world);
void worlds_forget_vertices(Worlds *);

#endif
