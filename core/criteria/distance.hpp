// Distance of Lopez de Mantaras (1991): information gain divided by the joint entropy of child and
// class (Berzal et al., section 3.4). Invariant: the score lies between 0 and 1, and one minus it
// is a metric on partitions.
#pragma once

#include "criteria/entropy.hpp"
#include "criteria/no_drop.hpp"

namespace ramify {

struct Distance final : NoDrop<Entropy> {
    static constexpr std::string_view name = "distance";

    using NoDrop::NoDrop;

    double scale(const double*, std::size_t) const override { return 1.0; }
    bool concave() const override { return false; }

  protected:
    double evaluate(const Partition& partition, double support) const override {
        const double joint =
            index.impurity(partition.children, partition.count * partition.classes);
        return joint > 0.0 ? index.score(partition, support) / joint : 0.0;
    }
};

}  // namespace ramify
