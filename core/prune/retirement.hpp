// A pruning that cuts a tree back step by step gives every internal node a retirement key: at a
// threshold t, nodes with a key of at most t are leaves. Invariant: the key of a node is at least
// that of every node below it, so that the trees of ascending thresholds are nested.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tree/tree.hpp"

namespace ramify {

// The key of a leaf: it retired before anything else.
inline constexpr double never_split = -std::numeric_limits<double>::infinity();

class Retirement {
  public:
    virtual ~Retirement() = default;
    virtual std::vector<double> keys(const Tree& tree) const = 0;  // one per node
    // The threshold of the largest tree of the sequence.
    virtual double start(const Tree&) const { return never_split; }
    // Whether the keys of another tree differ from these by chance, so that between two of them one
    // is as good as the other; otherwise they count something.
    virtual bool continuous() const { return true; }
    // Whether a branch all of whose leaves have the label of its root has retired in every tree of
    // the sequence, and counts for no other key.
    virtual bool drops_equal_labels() const { return false; }
};

// Weakest-link cutting (Breiman et al. 1984, chapter 3): the complexity price alpha at which the
// branch below a node is no longer worth its leaves.
class CostComplexity final : public Retirement {
  public:
    explicit CostComplexity(bool impurity, std::span<const double> costs)
        : impurity_(impurity), costs_(costs) {}
    std::vector<double> keys(const Tree& tree) const override;
    double start(const Tree&) const override { return 0.0; }
    bool drops_equal_labels() const override { return !impurity_ && costs_.empty(); }

  private:
    bool impurity_;  // of the node, in place of its errors
    std::span<const double> costs_;
};

// The number of expansions (Shi 2007, section 3.4): minus the place in best-first order.
class BestFirst final : public Retirement {
  public:
    explicit BestFirst(bool weigh_gains) : weigh_gains_(weigh_gains) {}
    std::vector<double> keys(const Tree& tree) const override;
    double start(const Tree& tree) const override;  // all its expansions
    bool continuous() const override { return false; }

  private:
    bool weigh_gains_;  // see GrowParameters
};

// The largest gain at or below a node (Mingers 1987).
class CriticalValue final : public Retirement {
  public:
    std::vector<double> keys(const Tree& tree) const override;
};

}  // namespace ramify
