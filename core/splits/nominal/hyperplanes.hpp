// All partitions that a hyperplane through the origin cuts off in the space of class weights; a
// convex score has a best partition among them (the hyperplane lemma, Pereira 2018, theorem 8).
// Invariant: every such partition is scored, even where several rows lie on one line or plane.
#pragma once

#include "splits/nominal/search.hpp"
#include "splits/nominal/side.hpp"

namespace ramify {

// The hyperplane is turned until it holds `rank - 2` rows (the pivots), then rolled around them:
// the other rows change sides in order of their angle. O(n^(rank-1) log n) in all.
class Hyperplanes {
  public:
    // If the work would exceed `limit`, the caller does not search.
    Hyperplanes(const Contingency& table, double limit);

    // The number of partitions that `search` would score, or some number above the limit.
    double work() const;
    void search(Side& side, BestPartition& best);

  private:
    struct Level {                      // of the recursion, one per pivot
        std::vector<double> points;     // remaining rows x dimension
        std::vector<std::size_t> rows;  // which rows of the table
        std::vector<std::size_t> on;    // the pivot and the rows parallel to it
    };

    void pivot(std::size_t depth, std::size_t after);
    void project(std::size_t depth, std::size_t chosen);
    void roll(const Level& level, std::size_t pivots);
    void offer_sides_of_pivots(std::size_t pivots);

    const Contingency& table_;
    std::size_t rank_ = 0;
    std::vector<Level> levels_;
    std::vector<std::uint8_t> start_;  // sides at the start of a turn
    std::vector<std::pair<double, std::size_t>> turn_;
    Side* side_ = nullptr;
    BestPartition* best_ = nullptr;
};

}  // namespace ramify
