// Gain ratio: information gain divided by the entropy of the partition itself, so that many small
// children do not pay (Quinlan 1993). Invariant: thresholds are found by the information gain.
// select/by_gain_ratio.hpp decides which attributes may compete.
#pragma once

#include "criteria/entropy.hpp"
#include "criteria/no_drop.hpp"

namespace ramify {

struct GainRatio final : NoDrop<Entropy> {
    static constexpr std::string_view name = "gain_ratio";

    explicit GainRatio(const CriterionOptions& options) : NoDrop(options) {
        index.min_support = options.min_support;
    }

    double scale(const double*, std::size_t) const override { return 1.0; }
    bool concave() const override { return false; }
    bool by_information() const override { return true; }
    const Criterion& of_thresholds() const override { return index; }

  protected:
    double evaluate(const Partition& partition, double support) const override {
        const double gain = index.score(partition, support);
        const double information = split_information(partition);
        return information > 0.0 ? gain / information : 0.0;
    }
};

}  // namespace ramify
