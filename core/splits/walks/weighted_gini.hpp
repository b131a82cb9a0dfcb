// The walks for Gini with weights: they find what CriterionWalk finds, without a call per cut. Let
// e_j be the weight of class j on the left beyond the share L / W of the node. Then the gain is
// sum_j e_j^2 / (L R). Invariant: that of walk.hpp.
#pragma once

#include <vector>

#include "splits/walks/left_weights.hpp"
#include "splits/walks/walk.hpp"

namespace ramify {

// The best cut so far, by the squares sum_j e_j^2 and the weight on the left.
class BestGiniCut {
  public:
    explicit BestGiniCut(const WalkTotal& total)
        : weight_(total.weight), scale_(total.scale), threshold_(std::max(-1.0, total.floor)) {}

    bool better(double squares, double left) {
        const double rest = weight_ - left;
        // A weight that is left by rounding alone counts as nothing, and a cut that separates it
        // gains nothing.
        const bool parts = rest > weight_ * 1e-13;
        const double product = parts ? left * rest : 1.0;
        if (!((parts ? squares : 0.0) > threshold_ * product)) return false;
        last_ = parts ? squares / product : 0.0;
        return true;
    }
    void accept() {
        best_ = last_;
        threshold_ = best_ + tie_tolerance * scale_;
    }
    double gain() const { return best_; }
    double threshold() const { return threshold_; }

  private:
    double weight_, scale_, threshold_;
    double last_ = 0.0;
    double best_ = -1.0;
};

template <typename P>
class WeightedGiniWalk {
  public:
    using Word = typename P::Word;
    static constexpr bool cheap = false;
    WeightedGiniWalk(const WalkTotal& total, const Samples& samples, std::vector<double>& scratch)
        : left_(total, samples, scratch), share_(left_.data() + left_.classes()), best_(total) {
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
        return best_.better(squares, weight);
    }
    void accept() { best_.accept(); }
    double gain() const { return best_.gain(); }
    double left_weight() const { return left_.sum(); }
    double left_sum(std::size_t place) const { return left_[place]; }

  private:
    LeftWeights<P> left_;
    double* share_;
    BestGiniCut best_;
};

// Two classes: e_0 = -e_1, so a few numbers are all there is to keep. `equal`: no row was given a
// weight, so weights are parts of rows. Blocks of cuts are skipped as by TwoClassGiniWalk.
template <typename P, bool equal>
class TwoClassWeightedGiniWalk {
  public:
    using Word = typename P::Word;
    static constexpr bool cheap = false;
    TwoClassWeightedGiniWalk(const WalkTotal& total, const Samples& samples)
        : total_(total),
          samples_(&samples),
          least_(std::max(total.min_leaf - slack, slack)),
          share_(total.sums[1] / total.weight),
          best_(total) {}

    std::size_t block_size() const { return total_.support >= 128.0 ? 16 : 0; }
    bool skip(const Word* entries, std::size_t size) {
        Left block;
        for (std::size_t k = 0; k < size; ++k) block.add(*samples_, entries[k]);
        end_ = left_;
        end_.first += block.first;
        end_.second += block.second;
        end_.support += block.support;
        for (std::size_t corner = 0; corner < 4; ++corner) {
            const double first = left_.first + ((corner & 1) != 0 ? block.first : 0.0);
            const double second = left_.second + ((corner & 2) != 0 ? block.second : 0.0);
            const double weight = first + second;
            const double excess = second - weight * share_;
            const double product = std::max(0.0, weight * (total_.weight - weight));
            if (!(2.0 * excess * excess <= best_.threshold() * product)) return false;
        }
        left_ = end_;
        return true;
    }
    void settle() { left_ = end_; }
    void add(Word entry) { left_.add(*samples_, entry); }
    void add_block(const double* sums, double support) {
        left_.first += sums[0];
        left_.second += sums[1];
        left_.support += support;
    }
    bool better() {
        const double weight = left_.first + left_.second;
        const double support = equal ? weight : left_.support;
        if (!(support >= least_ && total_.support - support >= least_)) return false;
        const double excess = left_.second - weight * share_;
        return best_.better(2.0 * excess * excess, weight);
    }
    void accept() { best_.accept(); }
    double gain() const { return best_.gain(); }
    double left_weight() const { return left_.first + left_.second; }
    double left_sum(std::size_t place) const { return place == 1 ? left_.second : left_.first; }

  private:
    static constexpr double slack = 1e-9;  // as LeftWeights has it
    struct Left {
        double first = 0.0, second = 0.0, support = 0.0;  // the support only if weights differ

        void add(const Samples& samples, Word entry) {
            const double weight = P::weight(samples, entry);
            const bool is_second = P::Layout::label(entry) != 0;
            first += is_second ? 0.0 : weight;
            second += is_second ? weight : 0.0;
            if constexpr (!equal) support += P::support(samples, entry);
        }
    };

    WalkTotal total_;
    const Samples* samples_;
    double least_, share_;
    Left left_, end_;
    BestGiniCut best_;
};

}  // namespace ramify
