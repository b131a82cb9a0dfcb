// What a user asks of every leaf: a least weight, and values that never fall or rise with a column.
// Every open node has bounds for each constrained value (a share of a class, or the mean). A split
// needs children within them; the children of a split by a monotone column are in order and get
// the middle of their values as a bound between them. Invariant: all values below a node lie within
// its bounds, so that the order holds for any two rows, and in every pruned tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "node/candidate.hpp"
#include "node/stats.hpp"
#include "problem/problem.hpp"
#include "splits/walks/limits.hpp"

namespace ramify {

class BranchLimits {
  public:
    explicit BranchLimits(const Problem& problem) : signs_(problem.parameters.monotone) {
        const GrowParameters& parameters = problem.parameters;
        output_of_.assign(signs_.size(), 0);
        for (std::size_t c = 0; c < signs_.size(); ++c) {
            if (signs_[c] == 0) continue;
            const auto place = problem.classes == 0
                                   ? std::uint32_t{1}
                                   : static_cast<std::uint32_t>(parameters.monotone_class[c]);
            const auto at = std::find(outputs_.begin(), outputs_.end(), place);
            output_of_[c] = static_cast<std::size_t>(at - outputs_.begin());
            if (at == outputs_.end()) outputs_.push_back(place);
        }
        classification_ = problem.classes > 0;
        if (parameters.min_weight_fraction_leaf <= 0.0) return;
        double weight = problem.beginning != nullptr ? problem.beginning->all_weight : 0.0;
        for (std::size_t row = 0; row < problem.table.rows() && problem.beginning == nullptr;
             ++row) {
            if (problem.includes(row))
                weight += problem.weights.empty() ? 1.0 : problem.weights[row];
        }
        // Sums of weights are rounded.
        least_weight_ = parameters.min_weight_fraction_leaf * weight * (1.0 - row_slack);
    }

    bool asked() const { return monotone() || least_weight_ > 0.0; }
    bool monotone() const { return !outputs_.empty(); }
    double least_weight() const { return least_weight_; }
    std::span<const std::uint32_t> outputs() const { return outputs_; }

    std::vector<double> no_bounds() const {
        std::vector<double> bounds;
        for (std::size_t o = 0; o < outputs_.size(); ++o) {
            bounds.push_back(-std::numeric_limits<double>::infinity());
            bounds.push_back(std::numeric_limits<double>::infinity());
        }
        return bounds;
    }
    // The limits of the splits of a node by a column.
    CutLimits limits(const std::vector<double>& bounds, std::size_t c, double centre) const {
        CutLimits limits;
        limits.least_weight = least_weight_;
        limits.outputs = outputs_;
        limits.bounds = bounds.data();
        limits.centre = centre;
        if (monotone()) {
            limits.sign = signs_[c];
            limits.ordered = output_of_[c];
        }
        return limits;
    }

    // Whether children can be made as they have come out. Those of a forced condition may be light.
    bool hold(const std::vector<double>& bounds, std::size_t c, bool known_only,
              std::span<const NodeStats> children, bool forced) const {
        const CutLimits limits = this->limits(bounds, c, 0.0);
        for (const NodeStats& child : children) {
            if (child.weight < least_weight_ && !forced) return false;
            for (std::size_t o = 0; o < outputs_.size(); ++o) {
                if (!limits.within(o, value(child, o))) return false;
            }
        }
        if (limits.sign == 0 || known_only) return true;
        const double left = value(children[0], limits.ordered);
        const double right = value(children[1], limits.ordered);
        return limits.sign > 0 ? left <= right : left >= right;
    }
    // The middle between the two children of a split by a monotone column.
    double middle(std::size_t c, std::span<const NodeStats> children) const {
        if (!monotone() || signs_[c] == 0) return 0.0;
        const std::size_t o = output_of_[c];
        return value(children[0], o) / 2 + value(children[1], o) / 2;
    }
    // The bounds of a child.
    void pass_on(const std::vector<double>& bounds, std::size_t c, bool known_only, double middle,
                 std::size_t branch, std::vector<double>& to) const {
        to = bounds;
        if (!monotone() || signs_[c] == 0 || known_only) return;
        double* bound = to.data() + 2 * output_of_[c];
        if ((branch == 0) == (signs_[c] > 0)) {
            bound[1] = std::min(bound[1], middle);
        } else {
            bound[0] = std::max(bound[0], middle);
        }
    }

  private:
    double value(const NodeStats& stats, std::size_t output) const {
        return classification_ ? stats.sums[outputs_[output]] / stats.weight : stats.prediction;
    }

    std::vector<std::int32_t> signs_;  // per column; empty: no column is monotone
    std::vector<std::size_t> output_of_;
    std::vector<std::uint32_t> outputs_;
    double least_weight_ = 0.0;
    bool classification_ = false;
};

}  // namespace ramify
