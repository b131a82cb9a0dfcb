// Which attribute: the one whose gain is least likely by chance. The distribution by chance of the
// best cut of a numeric column costs half a microsecond, so it is asked only of columns that may
// win. Invariant: ties go to the lower index; the choice does not depend on threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "counts/beyond_chance.hpp"

namespace ramify {

// What a column claims at a node.
struct ChanceClaim {
    bool entered = false;  // false: the column has no split here, or was refused
    bool known = false;    // log_p is that of the column; otherwise it is still to be computed
    double log_p = 0.0;
    // Of a threshold whose log_p is not known: gain / impurity of the best cut, times the rows - 1
    // in which the column is known. Of levels 0.
    double statistic = 0.0;
    ChanceCuts cuts{-1.0, 0.0, 0.0, {}};  // those that were tried; -1: not counted yet
    bool complete = true;                 // a threshold, known in all rows of the node
};

// Log p-values that differ by rounding alone are equal.
inline bool less_by_chance(double log_p, double than) {
    return log_p < than - (1e-10 * std::abs(than) + 1e-14);
}

// Whether both have a cut after every row between the first and the last.
inline bool same_cuts(const ChanceCuts& a, const ChanceCuts& b) {
    return a.count == b.count && a.first == b.first && a.last == b.last &&
           a.count > a.last - a.first + 0.5;
}

// Whether there are as many cuts as others, and they reach as far.
inline bool wider_cuts(const ChanceCuts& cuts, const ChanceCuts& others) {
    return cuts.count >= others.count && cuts.first <= others.first && cuts.last >= others.last;
}

// Up to which statistic a column that is known in all rows cannot have a p-value as small as
// `best`, because one cut alone has a larger one. `one(statistic)` gives its logarithm, which falls
// nearly along a line.
template <typename One>
double hopeless_statistic(double largest, double best, One&& one) {
    const double least = one(largest);
    if (!(least < best)) return less_by_chance(best, least) ? largest : 0.0;
    for (double part = 0.75; part > 0.1; part -= 0.25) {
        const double lower = part * largest;
        const double found = one(lower);
        if (!less_by_chance(best, found)) continue;
        const double guess =
            largest - (largest - lower) * ((best - least) / (found - least) + 0.01);
        return guess > lower && less_by_chance(best, one(guess)) ? guess : lower;
    }
    return 0.0;
}

// -1 if no column is entered. `exact(c, crossings)` is log_p_of_threshold of a column, `least(c,
// crossings)` is log_p_of_crossings, `one(statistic)` is log_p_of_one_cut of a column that is known
// in all rows, `cuts(c)` gives the cuts without their places. Claims that were computed are known
// afterwards.
template <typename Cuts, typename One, typename Least, typename Exact>
std::int32_t select_by_chance(ChanceClaim* claims, std::size_t count, Cuts&& cuts, One&& one,
                              Least&& least, Exact&& exact) {
    // The largest statistic comes first: it tells that most others cannot win.
    std::size_t leader = count;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < count; ++c) {
        if (!claims[c].entered) continue;
        if (claims[c].known) {
            best = std::min(best, claims[c].log_p);
        } else if (leader == count ||
                   claims[c].statistic > claims[leader].statistic * (1.0 + 1e-9)) {
            leader = c;  // which one must not depend on rounding
        }
    }
    double crossings = 0.0;
    const auto know = [&](std::size_t c, double& found) {
        claims[c].log_p = exact(c, found);
        claims[c].known = true;
        best = std::min(best, claims[c].log_p);
    };
    if (leader < count && (std::isinf(best) || !less_by_chance(best, least(leader, 0.0))))
        know(leader, crossings);
    // Found when it is needed.
    double hopeless = -1.0;
    for (std::size_t c = 0; c < count && leader < count; ++c) {
        ChanceClaim& claim = claims[c];
        const bool alike = claim.complete && claims[leader].complete;
        if (!claim.entered || claim.known) continue;
        if (alike && hopeless < 0.0)
            hopeless = hopeless_statistic(claims[leader].statistic, best, one);
        if (alike && claim.statistic <= hopeless) continue;
        // As many cuts as the leader has, and a smaller statistic.
        const ChanceClaim& first = claims[leader];
        const bool behind = alike && claim.statistic < first.statistic * (1.0 - 1e-9);
        const bool beside = alike && !behind && claim.statistic <= first.statistic * (1.0 + 1e-9);
        const bool counted = claim.cuts.count >= 0.0 && first.cuts.count >= 0.0;
        if (counted && behind && first.known && wider_cuts(claim.cuts, first.cuts)) continue;
        if (!alike && less_by_chance(best, least(c, 0.0))) continue;
        // As many cuts, or nearly as many, are crossed as often, or nearly. A tie may still win.
        if (alike && first.known && crossings > 0.0) {
            if (claim.cuts.count < 0.0) claim.cuts = cuts(c);
            if (first.cuts.count < 0.0) claims[leader].cuts = cuts(leader);
            const double ratio = std::min(1.0, claim.cuts.count / first.cuts.count);
            const bool wider = wider_cuts(claim.cuts, first.cuts);
            if (behind && wider) continue;
            if (beside && same_cuts(claim.cuts, first.cuts)) {
                claim.log_p = first.log_p;
                claim.known = true;
                continue;
            }
            // Fewer cuts, or cuts that leave out a little at the ends, are crossed almost as often.
            const double inner = claim.cuts.last - claim.cuts.first;
            const double reach = std::min(1.0, inner / (first.cuts.last - first.cuts.first));
            const double part = ratio * ratio * reach * reach;
            if (ratio > 0.5 && reach > 0.9 && less_by_chance(best, least(c, part * crossings)))
                continue;
        }
        double found = 0.0;
        know(c, found);
    }
    for (std::size_t c = 0; c < count; ++c) {
        if (claims[c].entered && claims[c].known && !less_by_chance(best, claims[c].log_p))
            return static_cast<std::int32_t>(c);
    }
    return -1;
}

}  // namespace ramify
