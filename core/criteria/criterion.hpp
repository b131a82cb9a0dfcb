// A criterion scores how well a partition of a node separates the classes: higher is better.
// Invariant: a criterion is immutable and reads nothing but class weights, so one object serves all
// threads.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ramify {

// Class weights of a node and of its children (children x classes, row by row).
struct Partition {
    const double* node;
    const double* children;
    std::size_t count;
    std::size_t classes;
};

// How a threshold search may walk a column of unweighted rows: with the criterion's own formula
// kept up to date row by row, or by calling `score` at every candidate.
enum class Walk { any, gini, entropy };

class Criterion {
  public:
    virtual ~Criterion() = default;

    virtual double impurity(const double* weights, std::size_t classes) const = 0;

    // The default is the drop of weighted impurity; children whose largest class is below
    // `min_support` contribute nothing to it (Berzal et al., section 4.2).
    virtual double score(const Partition& partition) const;

    // Whether a gain of zero means that the children are distributed as the node is. Where it does
    // not (the plateaus of the error rate), a split without gain is not worth making.
    virtual bool strictly_concave() const { return true; }
    // Whether an ordering of the levels by class share (two classes) is sure to hold the best
    // partition.
    virtual bool concave() const { return min_support <= 0.0; }
    virtual Walk walk() const { return Walk::any; }
    // Only a criterion that runs foreign code may not be called from several threads.
    virtual bool thread_safe() const { return true; }

    double min_support = 0.0;
};

struct CriterionOptions {
    double min_support = 0.0;
    std::vector<double>
        costs;  // classes x classes, row = true class; empty: all errors cost the same
};

// Throws std::invalid_argument naming the valid choices.
std::unique_ptr<Criterion> make_criterion(std::string_view name, const CriterionOptions& options);
std::vector<std::string> criterion_names();

}  // namespace ramify
