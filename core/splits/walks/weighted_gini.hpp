// The walk for Gini with weights: what CriterionWalk would find, without a call per cut. With e_j
// what the left side has of class j beyond its share L / W of the node's, the gain is
// sum_j e_j^2 / (L R). Invariant: that of walk.hpp.
#pragma once

#include <algorithm>
#include <vector>

#include "splits/walks/walk.hpp"

namespace ramify {

template <typename P>
class WeightedGiniWalk {
  public:
    using Word = typename P::Word;
    static constexpr bool cheap = false;
    WeightedGiniWalk(const WalkTotal& total, const Samples& samples, std::vector<double>& scratch)
        : total_(total), samples_(&samples), classes_(samples.classes) {
        scratch.assign(2 * classes_, 0.0);
        left_ = scratch.data();
        share_ = left_ + classes_;
        for (std::size_t j = 0; j < classes_; ++j) share_[j] = total.sums[j] / total.weight;
        least_ = std::max(total.min_leaf - support_slack, support_slack);
        threshold_ = std::max(-1.0, total.floor);
    }
    void add(Word entry) {
        left_[P::Layout::label(entry)] += P::weight(*samples_, entry);
        i_ += P::fraction(*samples_, entry);
    }

    // Two classes: as TwoClassGiniWalk.
    std::size_t block_size() const { return classes_ == 2 && total_.support >= 128.0 ? 16 : 0; }
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
        left_[0] += of_class[0];
        left_[1] += of_class[1];
        i_ += support;
        return true;
    }
    void add_block(const double* sums, double support) {
        for (std::size_t j = 0; j < classes_; ++j) left_[j] += sums[j];
        i_ += support;
    }
    bool better() {
        if (i_ < least_ || total_.support - i_ < least_) return false;
        double weight = 0.0;
        for (std::size_t j = 0; j < classes_; ++j) weight += left_[j];
        double squares = 0.0;
        for (std::size_t j = 0; j < classes_; ++j) {
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
    static constexpr double support_slack = 1e-9;  // as in CriterionWalk
    WalkTotal total_;
    const Samples* samples_;
    std::size_t classes_;
    double* left_;
    double* share_;
    double least_ = 0.0, i_ = 0.0, last_ = 0.0;
    double best_ = -1.0, threshold_ = -1.0;
};

}  // namespace ramify
