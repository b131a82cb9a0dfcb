// The walk for Gini with weights: what CriterionWalk would find, without a call per cut. With e_j
// what the left side has of class j beyond its share L / W of the node's, the gain is
// sum_j e_j^2 / (L R). Invariant: that of walk.hpp.
#pragma once

#include <vector>

#include "splits/walks/left_weights.hpp"
#include "splits/walks/walk.hpp"

namespace ramify {

template <typename P>
class WeightedGiniWalk {
  public:
    using Word = typename P::Word;
    static constexpr bool cheap = false;
    WeightedGiniWalk(const WalkTotal& total, const Samples& samples, std::vector<double>& scratch)
        : total_(total), left_(total, samples, scratch), share_(left_.data() + left_.classes()) {
        for (std::size_t j = 0; j < left_.classes(); ++j) share_[j] = total.sums[j] / total.weight;
    }
    void add(Word entry) { left_.add(entry); }
    void add_block(const double* sums, double support) { left_.add_block(sums, support); }
    bool better() {
        if (!left_.both_sides_large_enough()) return false;
        const std::size_t classes = left_.classes();
        double weight = 0.0;
        for (std::size_t j = 0; j < classes; ++j) weight += left_[j];
        double squares = 0.0;
        for (std::size_t j = 0; j < classes; ++j) {
            const double excess = left_[j] - weight * share_[j];
            squares += excess * excess;
        }
        const double rest = total_.weight - weight;
        // What is left of the weight by rounding alone is nothing, and parting with it gains
        // nothing.
        const bool parts = rest > total_.weight * 1e-13;
        const double product = parts ? weight * rest : 1.0;
        if (!((parts ? squares : 0.0) > threshold_ * product)) return false;
        last_ = parts ? squares / product : 0.0;
        return true;
    }
    void accept() {
        best_ = last_;
        threshold_ = best_ + tie_tolerance * total_.scale;
    }
    double gain() const { return best_; }

  private:
    WalkTotal total_;
    LeftWeights<P> left_;
    double* share_;
    double last_ = 0.0;
    double best_ = -1.0, threshold_ = -1.0;
};

}  // namespace ramify
