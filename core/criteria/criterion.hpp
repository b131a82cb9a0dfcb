// A criterion scores how well a partition of a node separates the classes, or the numbers: higher
// is better. Invariant: a criterion is immutable and reads nothing but sums (class weights, or the
// moments of numbers), so one object serves all threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ramify {

// Two gains that differ by less than this, times the impurity of the node, are equal.
inline constexpr double tie_tolerance = 1e-11;

// Class weights of a node and of its children (children x classes, row by row).
struct Partition {
    const double* node;
    const double* children;
    std::size_t count;
    std::size_t classes;
};

inline double weight_of(const double* weights, std::size_t classes) {
    double sum = 0.0;
    for (std::size_t j = 0; j < classes; ++j) sum += weights[j];
    return sum;
}

// Whether the largest class of a child reaches the minimum; parts of rows are rounded.
inline bool has_support(const double* child, std::size_t classes, double support) {
    return support <= 0.0 || *std::max_element(child, child + classes) >= support * (1.0 - 1e-9);
}

// What a child contributes to a sum over the children.
inline double counted(double gain, const double* child, std::size_t classes, double support) {
    return has_support(child, classes, support) ? gain : std::min(0.0, gain);
}

// The same for a score that is no sum over the children: if one child lacks support, the score is
// zero.
inline double counted(double score, const Partition& partition, double support) {
    for (std::size_t c = 0; c < partition.count && score > 0.0; ++c) {
        if (!has_support(partition.children + c * partition.classes, partition.classes, support))
            return 0.0;
    }
    return score;
}

// How a threshold search may walk a column: with the criterion's own formula kept up to date row by
// row, by calling `score` at every candidate, or over the ranks of the targets.
enum class WalkKind { any, gini, entropy, squared_error, poisson, gamma, ranks };

// The loss of a criterion by ranks: `above` times what a target lies above the prediction, or
// `below` times what it lies below. The prediction is the quantile that loses least.
struct RankLoss {
    double quantile = 0.5;
    double above = 1.0;
    double below = 1.0;
    // Where every point between two targets loses least: their middle; otherwise the lower one.
    bool middle = true;
};

class Criterion {
  public:
    virtual ~Criterion() = default;

    // The impurity of one node, as the tree shows it. A criterion that is no drop of impurity gives
    // the index closest to it.
    virtual double impurity(const double* weights, std::size_t classes) const = 0;

    // A child whose largest class is below `min_support` has no support (Berzal et al., section
    // 4.1): it contributes min(0, its gain) and stays in every denominator, so that raising the
    // minimum never raises a score. A score that is negative by rounding alone is zero.
    double score(const Partition& partition) const { return score(partition, min_support); }
    // With another minimum: levels that are no branches of their own have none.
    double score(const Partition& partition, double support) const;

    // The scale of scores: of two that differ by less than `tie_tolerance` times the scale, the
    // first wins.
    virtual double scale(const double* weights, std::size_t classes) const {
        return impurity(weights, classes);
    }
    // The score of leaving the node as it is; a split must beat it.
    virtual double baseline(const double*, std::size_t) const { return 0.0; }
    // Whether the score is the drop of impurity. Then no score exceeds that of pure children.
    virtual bool drop_of_impurity() const { return true; }
    // Whether the score grows with the number of rows, as that of a test does; otherwise it is a
    // mean over the rows.
    virtual bool counts_rows() const { return false; }
    // Whether costs of mixing two classes enter the score.
    virtual bool takes_costs() const { return false; }
    // Whether a split scored on the known rows counts in proportion to their weight.
    virtual bool discounts_missing() const { return true; }
    // Whether a gain of zero means that the children are distributed as the node is. Where it does
    // not (the plateaus of the error rate), a split without gain is not worth making.
    virtual bool strictly_concave() const { return true; }
    // Whether the best balanced of the splits that tie is made, unless the caller says otherwise.
    // That helps where many splits score the same, because the score changes only where the answer
    // of a branch does.
    virtual bool balances_ties() const { return false; }
    // Whether a split that gains nothing is worth making, since a split below it may separate the
    // classes. Not where a minimum support has made the gain zero.
    bool needs_no_gain() const { return strictly_concave() && min_support <= 0.0; }
    // Whether, for two classes, the best partition cuts the levels in the order of their class
    // shares.
    virtual bool concave() const { return min_support <= 0.0; }
    // Whether, for this number of classes, the score is a convex function of the class weights of
    // one side. Then a hyperplane in the space of class weights cuts off a best partition of the
    // levels.
    virtual bool separable(std::size_t) const { return concave(); }
    virtual WalkKind walk_kind() const { return WalkKind::any; }
    // Whether the score is a quadratic form of class shares or means. Then dividing rows with holes
    // among the children first only multiplies the gain on the known rows by the square of their
    // share.
    virtual bool quadratic() const { return walk_kind() == WalkKind::gini; }
    // Numbers: whether the mean may be subtracted from all targets, so that sums lose less to
    // rounding.
    virtual bool centred() const { return false; }
    // Numbers, WalkKind::poisson and gamma: the deviance of a target from a mean.
    virtual double deviance(double, double) const { return 0.0; }
    // Numbers, WalkKind::ranks.
    virtual RankLoss rank_loss() const { return {}; }
    // Whether attributes compete only if they gain at least the average information (gain ratio).
    virtual bool by_information() const { return false; }
    // The criterion that finds thresholds, where that is another one.
    virtual const Criterion& of_thresholds() const { return *this; }
    // Whether it is defined for two children only.
    virtual bool binary_only() const { return false; }
    // Whether a partition of levels is scored by the class weights of its sides alone. Where it is
    // not (sums over pairs of levels), only searches that look at pairs can use it.
    virtual bool sums_suffice() const { return true; }
    // Whether several threads may call it. Only a criterion that runs the caller's code forbids it.
    virtual bool thread_safe() const { return true; }

    double min_support = 0.0;

  protected:
    // The default is the drop of weighted impurity.
    virtual double evaluate(const Partition& partition, double support) const;
};

// Whether the impurity of a node is the deviance of its targets from their mean.
inline bool by_deviance(const Criterion& criterion) {
    return criterion.walk_kind() == WalkKind::poisson || criterion.walk_kind() == WalkKind::gamma;
}

// What a criterion of numbers may take.
struct NumberOptions {
    double quantile = 0.5;
};

struct CriterionOptions {
    double min_support = 0.0;
    // Costs of mixing two classes (classes x classes, row = true class): not negative, zero on the
    // diagonal. Empty: all errors cost the same.
    std::vector<double> costs;
};

// What is known of a criterion by its name alone.
struct CriterionInfo {
    std::string name;
    bool counts_rows = false;
    bool takes_costs = false;
    bool binary_only = false;
    bool adds_up_pairs = false;  // of levels: sums do not suffice
};

// All criteria of classes; the order is that of the choices in messages.
std::vector<CriterionInfo> criteria();
// The names of the criteria of numbers.
std::vector<std::string> number_criteria();
// Throws std::invalid_argument naming the valid choices.
std::unique_ptr<Criterion> make_criterion(std::string_view name, const CriterionOptions& options);
std::unique_ptr<Criterion> make_number_criterion(std::string_view name,
                                                 const NumberOptions& options);
// The score of given children (count x classes). Throws std::invalid_argument if the criterion is
// defined for two children and the number is another.
double score_of(std::string_view criterion, const CriterionOptions& options, const double* children,
                std::size_t count, std::size_t classes);

}  // namespace ramify
