// Upper tails of distributions, as logarithms: p-values far below the smallest double still have an
// order. Invariant: relative error near 1e-13 wherever the logarithm itself can be told from zero.
#pragma once

namespace ramify {

// log Gamma(a) for a > 0. std::lgamma may write to a global variable and differs between systems.
double log_gamma(double a);

// log P(X >= statistic) of a chi-square variable with `df` > 0 degrees of freedom, any real number.
double log_chi_square_tail(double statistic, double df);

// log P(F >= f) of Fisher's F with df1 > 0 and df2 > 0 degrees of freedom, where f = (between /
// df1) / (within / df2): given as the two sums of squares, so that a share near 0 or 1 keeps its
// digits.
double log_f_tail(double between, double within, double df1, double df2);

// log(1 - (1 - p)^count), given log p: the probability that the least of `count` p-values is as
// small as p. This is Bonferroni's correction as partykit makes it.
double log_adjusted(double log_p, double count);

}  // namespace ramify
