// Impurity, scale and prediction of a node, once all its rows are added. Invariant: they keep their
// digits however far from zero the targets lie; where sums do not suffice, the rows are read again.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "criteria/quantile_of.hpp"
#include "evaluate/context.hpp"
#include "grow/rows_of_node.hpp"

namespace ramify {

template <Target P>
class Finisher {
  public:
    explicit Finisher(const Context<P>& context) : context_(context) {}

    // Whether the sums of a node are not exact enough for its impurity and prediction. They are
    // taken about the mean of all targets. If the targets of a node lie close together, or their
    // mean lies close to one of them, too many digits are lost.
    bool needs_rows(const NodeStats& stats) const {
        if constexpr (P::classification) return false;
        if (context_.by_ranks()) return true;
        if (only_target(stats)) return false;
        // Everything is multiplied by the weight, or its square, because a division takes longer
        // than all the rest.
        const double weight = stats.sums[0];
        const double sum = stats.sums[1];
        const double size =
            std::abs(context_.centre) + std::max(std::abs(stats.low), std::abs(stats.high));
        const double inside = std::min(sum - stats.low * weight, stats.high * weight - sum);
        if (!(inside > 1e-6 * size * weight && stats.sums[2] * weight > 1.001 * sum * sum))
            return true;
        return context_.by_deviance() &&
               !(stats.deviance > 1.001 * weight * deviance_of_mean(sum / weight));
    }

    // `rows()` gives the rows of a node, if they are needed.
    template <typename Rows>
    void finish(NodeStats& stats, Rows&& rows) const {
        stats.template finish<P>();
        if constexpr (!P::classification) {
            if (context_.by_ranks()) {
                stats.spread = std::numeric_limits<double>::quiet_NaN();
                if (stats.weight > 0.0) finish_by_ranks(stats, rows());
                return;
            }
        }
        if (stats.weight <= 0.0) return;
        stats.impurity = stats.pure(P::classification) ? 0.0 : context_.impurity(stats.sums.data());
        if constexpr (!P::classification) {
            predict_mean(stats, rows);
        }
        stats.scale = context_.scale_of(stats.sums.data(), stats.impurity);
    }

    // The same for a node whose samples are given, if they are needed.
    void finish_members(NodeStats& stats, const std::vector<std::uint32_t>& members) const {
        finish(stats, [&] {
            const Samples& samples = context_.samples;
            NodeRows rows;
            for (const std::uint32_t sample : members) {
                rows.target.push_back(context_.problem.target[samples.source_row(sample)]);
                if constexpr (P::weighted) rows.weight.push_back(samples.weight[sample]);
            }
            return rows;
        });
    }

  private:
    // The target that all rows of a node share, if the sums tell it.
    std::optional<double> only_target(const NodeStats& stats) const {
        if (stats.low < stats.high) return std::nullopt;
        if (context_.centre == 0.0) return stats.low;
        return restored(stats.low, context_.centre);
    }

    double deviance_of_mean(double mean) const {
        return context_.criterion.deviance(mean, context_.samples.mean);
    }

    template <typename Rows>
    void predict_mean(NodeStats& stats, Rows&& rows) const {
        const bool deviances = context_.by_deviance();
        if (const auto only = only_target(stats)) {
            stats.prediction = *only;
            if (deviances) stats.spread = 0.0;
            return;
        }
        stats.prediction = stats.sums[1] / stats.sums[0] + context_.centre;
        if (deviances) {
            const double mean = stats.prediction;
            stats.spread = std::sqrt(std::max(0.0, stats.sums[2] / stats.sums[0] - mean * mean));
            // The deviance from any point is that from the mean plus that of the mean.
            stats.impurity = std::max(0.0, stats.deviance / stats.weight - deviance_of_mean(mean));
        }
        if (!needs_rows(stats)) return;
        const NodeRows& members = rows();
        const auto [mean, variance] = mean_and_variance(members);
        // Squares of huge targets are infinite; then the sums serve as well.
        if (std::isfinite(mean)) stats.prediction = mean;
        if (!deviances) {
            if (std::isfinite(variance)) stats.impurity = variance;
            return;
        }
        if (std::isfinite(variance)) stats.spread = std::sqrt(variance);
        double sum = 0.0;
        for (std::size_t i = 0; i < members.target.size(); ++i) {
            sum += (P::weighted ? members.weight[i] : 1.0) *
                   context_.criterion.deviance(members.target[i], stats.prediction);
        }
        stats.impurity = sum / stats.weight;
    }

    void finish_by_ranks(NodeStats& stats, const NodeRows& rows) const {
        const auto weight = [&](std::size_t i) { return P::weighted ? rows.weight[i] : 1.0; };
        const RankLoss rule = context_.criterion.rank_loss();
        stats.prediction = quantile(rows, rule);
        stats.spread = std::sqrt(mean_and_variance(rows).variance);
        double loss = 0.0;
        for (std::size_t i = 0; i < rows.target.size(); ++i) {
            const double off = rows.target[i] - stats.prediction;
            loss += weight(i) * (off > 0.0 ? rule.above * off : -rule.below * off);
        }
        stats.impurity = stats.scale = loss / stats.weight;
    }

    double quantile(const NodeRows& rows, const RankLoss& rule) const {
        std::vector<std::pair<double, double>> pairs;
        for (std::size_t i = 0; i < rows.target.size(); ++i) {
            pairs.emplace_back(rows.target[i], P::weighted ? rows.weight[i] : 1.0);
        }
        return quantile_of(std::move(pairs), rule, row_slack);
    }

    const Context<P>& context_;
};

}  // namespace ramify
