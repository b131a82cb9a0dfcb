// A pruning that cuts a tree back step by step gives every internal node a retirement key: at a
// threshold t, nodes with a key of at most t are leaves. Invariant: the key of a node is at least
// that of every node below it, so that the trees of ascending thresholds are nested.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tree/tree.hpp"

namespace ramify {

// The key of a leaf: below all others.
inline constexpr double never_split = -std::numeric_limits<double>::infinity();

class Retirement {
  public:
    virtual ~Retirement() = default;
    virtual std::vector<double> keys(const Tree& tree) const = 0;  // one per node
    // The threshold of the largest tree of the sequence.
    virtual double start(const Tree&) const { return never_split; }
    // Whether keys are numbers that differ by chance between the trees of different rows, so that
    // any threshold between two of them will do; otherwise keys count something.
    virtual bool continuous() const { return true; }
    // Whether a branch whose leaves all have the label of its root is a leaf in every tree of the
    // sequence, and does not affect any other key.
    virtual bool drops_equal_labels() const { return false; }
};

struct RetirementOptions {
    bool weigh_gains = true;          // see GrowParameters
    std::span<const double> costs{};  // true class by answer, not negative; may be empty
};

// What is known of a way to give keys. A kind of Retirement has one for each of its forms.
struct RetirementInfo {
    const char* name;
    const char* key;  // what a key is called
    // Whether the errors of the trees are root mean squared errors of class shares; otherwise they
    // are the errors that the tree makes, or what these cost.
    bool rmse = false;
};

// All of them; the order is that of the choices in messages.
std::vector<RetirementInfo> retirements();
// Throws std::invalid_argument naming the valid choices.
RetirementInfo find_retirement(std::string_view name);
std::unique_ptr<Retirement> make_retirement(std::string_view name,
                                            const RetirementOptions& options);

}  // namespace ramify
