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
        : total_(total),
          samples_(&samples),
          left_(total, samples, scratch),
          share_(left_.data() + left_.classes()),
          threshold_(std::max(-1.0, total.floor)) {
        for (std::size_t j = 0; j < left_.classes(); ++j) share_[j] = total.sums[j] / total.weight;
    }

    // Two classes: as TwoClassGiniWalk.
    std::size_t block_size() const {
        return left_.classes() == 2 && total_.support >= 128.0 ? 16 : 0;
    }
    bool skip(const Word* entries, std::size_t size) {
        double of_class[2] = {};
        double support = 0.0;
        for (std::size_t k = 0; k < size; ++k) {
            const double weight = P::weight(*samples_, entries[k]);
            const bool second = P::Layout::label(entries[k]) != 0;
            of_class[0] += second ? 0.0 : weight;
            of_class[1] += second ? weight : 0.0;
            support += P::fraction(*samples_, entries[k]);
        }
        for (std::size_t corner = 0; corner < 4; ++corner) {
            const double first = left_[0] + ((corner & 1) != 0 ? of_class[0] : 0.0);
            const double second = left_[1] + ((corner & 2) != 0 ? of_class[1] : 0.0);
            const double weight = first + second;
            const double excess = second - weight * share_[1];
            const double product = std::max(0.0, weight * (total_.weight - weight));
            if (!(2.0 * excess * excess <= threshold_ * product)) return false;
        }
        left_.add_block(of_class, support);
        return true;
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
    const Samples* samples_;
    LeftWeights<P> left_;
    double* share_;
    double threshold_;
    double last_ = 0.0;
    double best_ = -1.0;
};

}  // namespace ramify
