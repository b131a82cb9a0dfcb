#include "splits/nominal/flip_flop.hpp"

#include "splits/nominal/scan.hpp"
#include "splits/nominal/two_class_scan.hpp"
#include "splits/work_limit.hpp"

namespace ramify {
namespace {

template <typename Measure>
class Alternation {
  public:
    Alternation(const Contingency& table, const Criterion& criterion)
        : table_(table),
          best_(table, criterion),
          side_(table, criterion, table.classes * table.levels),
          level_weight_(table.weight, table.weight + table.levels),
          all_(weight_of(table.total, table.classes)) {
        for (std::size_t j = 0; j < table.classes; ++j) {
            if (table.total[j] > 0.0) classes_.push_back(j);
        }
        for (const std::size_t j : classes_) class_weight_.push_back(table.total[j]);
    }

    FoundSplit run() {
        // With two classes, both starts are the same.
        const std::size_t starts = classes_.size() <= 2 ? 1 : classes_.size();
        // A round adds up parts of the table, mostly in order: quick steps.
        const std::uint64_t most_rounds =
            times_within(2 * most_steps, table_.levels * table_.classes);
        std::uint64_t rounds = 0;
        for (std::size_t c = 0; c < starts && rounds < most_rounds; ++c) {
            std::vector<std::uint8_t> superclass(table_.classes, 0);
            superclass[classes_[c]] = 1;
            double reached = -1.0;
            while (rounds < most_rounds) {
                ++rounds;
                if (table_.interrupt != nullptr) table_.interrupt->poll();
                const double gain = split_levels(superclass);
                if (!(gain > reached + tie_tolerance)) break;
                reached = gain;
                superclass = split_classes();
            }
        }
        FoundSplit split = best_.result(false);
        if (split) split->work = work_;
        return split;
    }

  private:
    // The best partition for the superclasses; its gain, or -1 if it has too few rows on a side.
    double split_levels(const std::vector<std::uint8_t>& superclass) {
        const std::vector<double> share = superclass_share(table_, superclass);
        order_.sort(share);
        double inside = 0.0;
        for (std::size_t i = 0; i < share.size(); ++i) inside += level_weight_[i] * share[i];
        const Measure measure{all_, inside};
        const TwoClassCut found = best_cut(order_, level_weight_, share, table_.support,
                                           table_.min_leaf, measure.scale(), measure);
        work_ += table_.levels - 1;
        if (found.cut == 0) return -1.0;
        std::vector<std::uint8_t> right(table_.levels, 1);
        for (std::size_t i = 0; i < found.cut; ++i) right[order_[i]] = 0;
        side_.all_right();
        side_.assign(right);
        if (side_.offer(best_)) best_.keep(right);
        return found.value;
    }

    // The best superclasses for the partition: the classes take the place of the levels.
    std::vector<std::uint8_t> split_classes() {
        std::vector<double> share(classes_.size());
        double left = 0.0;
        for (std::size_t c = 0; c < classes_.size(); ++c) {
            share[c] = side_.sums()[classes_[c]] / class_weight_[c];
            left += side_.sums()[classes_[c]];
        }
        order_.sort(share);
        const std::vector<double> any(classes_.size(), 1.0);
        // The same measure of the same joint table, with rows and columns exchanged.
        const auto measure = [&](double inside, double inside_left) {
            return Measure{all_, inside}(left, inside_left);
        };
        const TwoClassCut found =
            best_cut(order_, class_weight_, share, any.data(), 0.0, 1.0, measure);
        std::vector<std::uint8_t> superclass(table_.classes, 0);
        for (std::size_t c = 0; c < found.cut; ++c) superclass[classes_[order_[c]]] = 1;
        return superclass;
    }

    const Contingency& table_;
    BestPartition best_;
    Side side_;
    ShareOrder order_;
    std::vector<double> level_weight_;
    std::vector<double> class_weight_;
    std::vector<std::size_t> classes_;  // those with weight
    double all_;
    std::uint64_t work_ = 0;
};

}  // namespace

FoundSplit FlipFlop::split(const Contingency& table, const Criterion& criterion) const {
    return on_supervalues(table, criterion, [&](const Contingency& merged) {
        return criterion.walk_kind() == WalkKind::entropy
                   ? Alternation<TwoClassEntropy>(merged, criterion).run()
                   : Alternation<TwoClassGini>(merged, criterion).run();
    });
}

}  // namespace ramify
