// The best threshold of a short column: all scores are computed first, then the first of the best
// is taken. A loop without jumps costs a few cycles per row; the walks, which jump at every new
// best, cost twice that. Invariant: it finds what the walks find. It serves squared error, and
// two-class Gini as well, which is twice the variance of the class indicator.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "criteria/deviance.hpp"
#include "splits/walks/walk.hpp"

namespace ramify {

// The first of the best cuts first ... last that are allowed, if it scores more than `floor`. A
// negative score is no cut. Most columns are done with after one test, or none. `scores` of cuts
// that are not allowed are lost.
template <typename Allowed>
std::optional<std::size_t> first_allowed(double* scores, std::size_t first, std::size_t last,
                                         double highest, double margin, double floor,
                                         Allowed&& allowed) {
    while (highest >= 0.0 && highest > floor) {
        for (std::size_t i = first; i <= last; ++i) {
            if (scores[i] < highest - margin || scores[i] < 0.0) continue;
            if (allowed(i)) return i;
            scores[i] = -1.0;
        }
        // No cut that ties with the best is allowed: look for the best of the others.
        double next = -1.0;
        for (std::size_t i = first; i <= last; ++i) {
            if (scores[i] <= next || scores[i] <= floor) continue;
            if (allowed(i)) {
                next = scores[i];
            } else {
                scores[i] = -1.0;
            }
        }
        highest = next;
    }
    return std::nullopt;
}

// The first of the cuts, from `first` on, whose score ties with the highest.
inline std::size_t first_of_best(const double* scores, std::size_t first, double highest,
                                 double margin) {
    while (scores[first] < highest - margin || scores[first] < 0.0) ++first;
    return first;
}

// The cuts of a node, by the number of entries on the left: those that leave rows enough on both
// sides.
struct ShortCuts {
    std::size_t size = 0;
    std::size_t first = 1;
    std::size_t last = 0;

    ShortCuts() = default;
    ShortCuts(std::size_t rows, double min_leaf)
        : size(rows), first(static_cast<std::size_t>(std::ceil(std::max(1.0, min_leaf)))) {
        last = any() ? size - first : 0;
    }
    bool any() const { return size >= 2 * first; }
};

template <std::size_t most_rows>
class ShortScan {
  public:
    // For a node of `size` rows: the divisor of the squared left sum, for every cut.
    void prepare(std::size_t size, double min_leaf) {
        cuts_ = ShortCuts(size, min_leaf);
        for (std::size_t i = 1; i < size; ++i) {
            inverse_[i] = 1.0 / (static_cast<double>(i) * static_cast<double>(size - i));
        }
    }

    // Gives the number of entries left of the best cut, and its reduction of variance. `value`
    // gives the target of an entry minus the mean of the node. Cuts whose reductions differ by less
    // than `margin` tie.
    template <typename Layout, typename Value>
    std::optional<std::pair<std::size_t, double>> best(const typename Layout::Word* entries,
                                                       double margin, Value&& value) {
        if (!cuts_.any()) return std::nullopt;
        const double highest = score<Layout>(entries, value, [](std::size_t, double) {});
        if (highest < 0.0) return std::nullopt;
        const std::size_t at = first_of_best(scores_.data(), cuts_.first, highest, margin);
        return std::pair(at, scores_[at]);
    }

    // The same among the cuts that `allowed` lets pass, given the number of entries on the left and
    // the sum of their values, and if one of them reduces the variance by more than `floor`.
    template <typename Layout, typename Value, typename Allowed>
    std::optional<std::pair<std::size_t, double>> best_allowed(const typename Layout::Word* entries,
                                                               double margin, double floor,
                                                               Value&& value, Allowed&& allowed) {
        if (!cuts_.any()) return std::nullopt;
        const double highest =
            score<Layout>(entries, value, [&](std::size_t i, double sum) { sums_[i] = sum; });
        const auto at = first_allowed(scores_.data(), cuts_.first, cuts_.last, highest, margin,
                                      floor, [&](std::size_t i) { return allowed(i, sums_[i]); });
        if (!at) return std::nullopt;
        return std::pair(*at, scores_[*at]);
    }

  private:
    // Scores all cuts, and gives the highest score. keep(i, sum) gets the sum left of every cut.
    template <typename Layout, typename Value, typename Keep>
    double score(const typename Layout::Word* entries, Value& value, Keep&& keep) {
        double sum = 0.0;
        for (std::size_t i = 0; i < cuts_.first; ++i) sum += value(entries[i]);
        double highest = -1.0;
        for (std::size_t i = cuts_.first; i <= cuts_.last; ++i) {
            const double score = Layout::fresh(entries[i]) ? sum * sum * inverse_[i] : -1.0;
            scores_[i] = score;
            keep(i, sum);
            highest = score > highest ? score : highest;
            sum += value(entries[i]);
        }
        return highest;
    }

    ShortCuts cuts_;
    std::array<double, most_rows> inverse_;
    std::array<double, most_rows> scores_;
    std::array<double, most_rows> sums_;
};

// The same for a deviance from the mean. Logarithms take long. A bound of every score comes first,
// and only the cuts whose bound reaches the best score are scored.
template <std::size_t most_rows>
class ShortDeviance {
  public:
    void prepare(std::size_t size, double min_leaf) { cuts_ = ShortCuts(size, min_leaf); }

    // `value` gives the target of an entry minus the mean of the node. Cuts that gain no more than
    // `floor` need not be found.
    template <typename Deviance, typename Layout, typename Value>
    std::optional<std::pair<std::size_t, double>> best(const typename Layout::Word* entries,
                                                       double mean, double margin, double floor,
                                                       Value&& value) {
        if (!cuts_.any()) return std::nullopt;
        const auto [size, first, last] = cuts_;
        const auto weight = static_cast<double>(size);
        const double unit = mean > 0.0 ? mean : 1.0;
        const double inverse = 1.0 / unit;
        double sum = 0.0;
        for (std::size_t i = 0; i < first; ++i) sum += value(entries[i]);
        for (std::size_t i = first; i <= last; ++i) {
            sums_[i] = sum;
            sum += value(entries[i]);
        }
        std::size_t at = 0;
        double highest = -1.0;
        for (std::size_t i = first; i <= last; ++i) {
            const auto left = static_cast<double>(i);
            const CutBound most =
                Deviance::bound(unit, weight, CutSides(inverse, weight, left, sums_[i]));
            // Rounding may leave nothing of a sum of tiny targets.
            const double bound = most.under > 0.0 ? most.over / most.under : unbounded;
            bounds_[i] = Layout::fresh(entries[i]) ? bound : -1.0;
            at = bounds_[i] > highest ? i : at;
            highest = std::max(highest, bounds_[i]);
        }
        if (highest < 0.0 || highest <= floor) return std::nullopt;
        const double factor = Deviance::unit(mean) / weight;
        const auto score = [&](std::size_t i) {
            return factor * rises_of<Deviance>(unit, weight, static_cast<double>(i), sums_[i]);
        };
        double most = score(at);
        for (std::size_t i = first; i <= last; ++i) {
            if (bounds_[i] < 0.0) continue;
            if (bounds_[i] < most - margin) {
                bounds_[i] = -1.0;
                continue;
            }
            bounds_[i] = score(i);
            most = std::max(most, bounds_[i]);
        }
        at = first_of_best(bounds_.data(), first, most, margin);
        return std::pair(at, bounds_[at]);
    }

  private:
    static constexpr double unbounded = std::numeric_limits<double>::infinity();

    ShortCuts cuts_;
    std::array<double, most_rows> sums_;
    std::array<double, most_rows> bounds_;
};

// The same for the Gini index of any number of classes. The sums of squared counts of both sides
// are kept up to date.
template <std::size_t most_rows>
class ShortGini {
  public:
    // For a node with these class counts.
    void prepare(std::size_t size, double min_leaf, const double* counts, std::size_t classes) {
        cuts_ = ShortCuts(size, min_leaf);
        total_.resize(classes);
        left_.resize(classes);
        squares_ = 0;
        for (std::size_t j = 0; j < classes; ++j) {
            total_[j] = static_cast<std::int32_t>(counts[j]);
            squares_ += total_[j] * total_[j];
        }
        for (std::size_t i = 1; i < size; ++i) inverse_[i] = 1.0 / static_cast<double>(i);
    }

    // Gives the number of entries left of the best cut, and its gain. Gains that differ by less
    // than `margin` tie.
    template <typename Layout>
    std::optional<std::pair<std::size_t, double>> best(const typename Layout::Word* entries,
                                                       double margin) {
        if (!cuts_.any()) return std::nullopt;
        const double highest = score<Layout>(entries, [](std::size_t) {});
        if (highest < 0.0) return std::nullopt;
        return found(first_of_best(scores_.data(), cuts_.first, highest, margin * rows()));
    }

    // The same among the cuts that `allowed` lets pass, given the number of entries on the left and
    // a function from the place of a class to its entries there, and if one of them gains more than
    // `floor`.
    template <typename Layout, typename Allowed>
    std::optional<std::pair<std::size_t, double>> best_allowed(
        const typename Layout::Word* entries, double margin, double floor,
        std::span<const std::uint32_t> places, Allowed&& allowed) {
        if (!cuts_.any()) return std::nullopt;
        kept_.resize(places.size() * most_rows);
        const double highest = score<Layout>(entries, [&](std::size_t i) {
            for (std::size_t k = 0; k < places.size(); ++k)
                kept_[k * most_rows + i] = left_[places[k]];
        });
        if (highest < 0.0) return std::nullopt;
        const auto at = first_allowed(
            scores_.data(), cuts_.first, cuts_.last, highest, margin * rows(),
            floor * rows() + squares_ / rows(), [&](std::size_t i) {
                return allowed(i, [&](std::uint32_t place) {
                    const auto k = std::find(places.begin(), places.end(), place) - places.begin();
                    return kept_[static_cast<std::size_t>(k) * most_rows + i];
                });
            });
        if (!at) return std::nullopt;
        return found(*at);
    }

  private:
    double rows() const { return static_cast<double>(cuts_.size); }
    // The cut with its gain.
    std::pair<std::size_t, double> found(std::size_t at) const {
        return {at, std::max(0.0, (scores_[at] - squares_ / rows()) / rows())};
    }
    // Scores all cuts, and gives the highest score. keep(i) is called while the counts are those
    // left of cut i.
    template <typename Layout, typename Keep>
    double score(const typename Layout::Word* entries, Keep&& keep) {
        std::fill(left_.begin(), left_.end(), 0);
        std::int32_t squares_left = 0;
        std::int32_t squares_right = squares_;
        const auto add = [&](typename Layout::Word entry) {
            const std::uint32_t j = Layout::label(entry);
            const std::int32_t left = left_[j]++;
            squares_left += 2 * left + 1;
            squares_right -= 2 * (total_[j] - left) - 1;
        };
        for (std::size_t i = 0; i < cuts_.first; ++i) add(entries[i]);
        double highest = -1.0;
        for (std::size_t i = cuts_.first; i <= cuts_.last; ++i) {
            const double score = static_cast<double>(squares_left) * inverse_[i] +
                                 static_cast<double>(squares_right) * inverse_[cuts_.size - i];
            scores_[i] = Layout::fresh(entries[i]) ? score : -1.0;
            highest = scores_[i] > highest ? scores_[i] : highest;
            keep(i);
            add(entries[i]);
        }
        return highest;
    }

    ShortCuts cuts_;
    std::int32_t squares_ = 0;
    std::vector<std::int32_t> total_, left_;
    std::vector<std::int32_t> kept_;  // entries of some classes on the left of every cut
    std::array<double, most_rows> inverse_;
    std::array<double, most_rows> scores_;
};

}  // namespace ramify
