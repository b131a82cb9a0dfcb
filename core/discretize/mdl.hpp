// The criterion of Fayyad and Irani (1993): a cut is worth making if it shortens the message that
// tells the classes, including the cut itself. Invariant: weights count as repeated rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "discretize/best_cut.hpp"
#include "discretize/blocks.hpp"

namespace ramify {

class MdlCriterion {
  public:
    MdlCriterion(const Masses& masses, std::size_t classes)
        : unit_(masses.unit()), left_(classes), right_(classes) {}

    // gain > (log2(N - 1) + delta) / N, delta = log2(3^k - 2) - (k H - k1 H1 - k2 H2).
    bool accepts(const Blocks& blocks, const BlockCut& cut) {
        const auto below = blocks(cut.begin, cut.at);
        const auto above = blocks(cut.at, cut.end);
        for (const BlockEntry& entry : below) left_[entry.label] += entry.mass;
        for (const BlockEntry& entry : above) right_[entry.label] += entry.mass;
        Part whole, low, high;
        const auto take = [&](const BlockEntry& entry) {
            auto& left = left_[entry.label];
            auto& right = right_[entry.label];
            whole.add(unit_ * static_cast<double>(left + right));
            low.add(unit_ * static_cast<double>(left));
            high.add(unit_ * static_cast<double>(right));
            left = right = 0;  // counts every class once, and clears it for the next cut
        };
        for (const BlockEntry& entry : below) take(entry);
        for (const BlockEntry& entry : above) take(entry);
        const double n = whole.weight;
        const double gain = whole.total_entropy() - low.total_entropy() - high.total_entropy();
        const double delta = log2_of_power(whole.classes) -
                             (whole.classes * whole.entropy() - low.classes * low.entropy() -
                              high.classes * high.entropy());
        // The price of the cut's place is never negative, even if weights are small.
        return gain > std::log2(std::max(1.0, n - 1.0)) + delta;
    }

  private:
    struct Part {
        double weight = 0.0, logs = 0.0, classes = 0.0;
        void add(double of_class) {
            if (of_class <= 0.0) return;
            weight += of_class;
            logs += of_class * std::log2(of_class);
            classes += 1.0;
        }
        double total_entropy() const {
            return classes > 1.0 ? weight * std::log2(weight) - logs : 0.0;
        }
        double entropy() const { return total_entropy() / weight; }
    };

    // log2(3^k - 2), which must not overflow.
    static double log2_of_power(double k) {
        return k * std::log2(3.0) + std::log1p(-2.0 * std::pow(3.0, -k)) / std::log(2.0);
    }

    double unit_;
    std::vector<std::int64_t> left_, right_;  // by class
};

}  // namespace ramify
