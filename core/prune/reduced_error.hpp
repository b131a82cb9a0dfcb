// Reduced-error pruning (Quinlan 1987): rows that the tree was not grown on decide, bottom-up,
// which nodes become leaves. Invariant: labels and predictions are those of the growing rows;
// held-out rows only judge them.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "problem/problem.hpp"
#include "prune/held_out.hpp"
#include "prune/loss.hpp"
#include "support/interrupt.hpp"
#include "tree/tree.hpp"

namespace ramify {

// Sums over held-out rows, per node. They add up over parts of the rows. A row that missing values
// spread counts at every node with its share there.
struct HeldOutSums {
    std::vector<double> loss;    // as a leaf
    std::vector<double> counts;  // class weights; or weight, sum and squares of targets
};

// `centre`: sums of squares are taken about it; otherwise small differences would be lost.
HeldOutSums held_out_sums(const Tree& tree, const Judge& judge, double centre,
                          const HeldOut& held_out, Interrupt& interrupt);

// What the held-out rows say about every node. It serves any significance level.
class HeldOutJudge {
  public:
    // Throws std::invalid_argument if the sums are not those of the tree.
    HeldOutJudge(const Tree& tree, HeldOutSums sums);
    // `marks` has one entry per row of the table, not 0 for those held out.
    HeldOutJudge(const Problem& problem, const Tree& tree, std::span<const std::uint8_t> marks,
                 std::span<const double> costs, Unseen unseen, Interrupt& interrupt);

    // Marks the nodes that become leaves. A subtree becomes a leaf if that does not raise the loss.
    // With a significance level (Frank 2000), it also becomes a leaf if no split in it is
    // associated with the target at that level, by a test of independence of branch and target.
    std::vector<std::uint8_t> retired(std::optional<double> significance) const;

  private:
    void test_splits();

    const Tree& tree_;
    HeldOutSums sums_;
    std::size_t width_;
    std::vector<double> log_p_;  // of the split of an internal node; 0 if nothing can be tested
};

// The role of a row in a fold of the cross-validation that chooses the significance level.
enum class LevelRole : std::uint8_t { absent, growing, held_out, tested };
// Roles by number. Throws std::invalid_argument if there is no such role.
std::vector<LevelRole> level_roles(std::span<const std::uint8_t> numbers);

struct LevelLosses {
    std::vector<std::vector<double>> of_folds;  // one loss per level
    std::vector<std::uint8_t> finished;         // 0: time ran out

    std::vector<double> of_finished() const;  // finished folds x levels
};

// The loss of every fold's tree, pruned at each of the levels, on the tested rows. `roles` is folds
// x rows. `done` counts the finished folds.
LevelLosses losses_of_levels(const Problem& problem, std::span<const LevelRole> roles,
                             std::span<const std::optional<double>> levels,
                             std::span<const double> costs, Unseen unseen, Interrupt& interrupt,
                             std::atomic<int>& done);

}  // namespace ramify
