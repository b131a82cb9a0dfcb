// Branch and bound over the splits of a node (DL8.5; Aglin, Nijssen and Schaus 2020). Trees of
// depth two are solved by counting pairs (MurTree; Demirovic et al. 2022), bounds come from
// branches that differ in few rows, and discrepancy is limited: the split of rank r takes r of the
// budget. Invariant: the bound of an answer holds for every budget, and the tree of an answer has
// its value. Ties go to the split that comes first in the order of the node, whatever the threads
// do.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "optimal/binary/cache.hpp"
#include "optimal/binary/pair_solver.hpp"
#include "optimal/binary/tree_store.hpp"
#include "optimal/extent.hpp"
#include "optimal/monitor.hpp"

namespace ramify::optimal::binary {

inline constexpr std::int32_t any_budget = std::numeric_limits<std::int32_t>::max();

struct Answer {
    double value = infinite;
    double bound = 0.0;
    std::int32_t tree = TreeStore::leaf;
};

// What all threads of a search share.
struct SearchContext {
    const BinaryTable& table;
    const Limits& limits;
    const Switches& switches;
    Cache& cache;
    TreeStore& trees;
    Monitor& monitor;
};

// The loop over the splits of a node, shared by the threads that work on it.
struct Branching {
    const Word* cover;
    int depth;
    std::int64_t leaves;
    double upper;
    std::int32_t budget;
    bool root;

    std::mutex mutex;
    std::vector<std::int32_t> order;  // places of the features in the solver's arrays
    std::vector<double> bound_with, bound_without;
    std::vector<double> bound;  // of both together
    std::size_t next = 0;
    double value = infinite;
    std::int32_t tree = TreeStore::leaf;
    std::int64_t rank = -1;  // of the split that gave `value`

    // The limit that the split of this rank must stay below. A split that comes before the best so
    // far may equal it. So the first of equals wins, whichever thread is faster.
    double limit(std::int64_t of_rank) const;
    double lower_bound() const;
};

class Search {
  public:
    explicit Search(const SearchContext& context);

    // The best tree below `upper`, if there is one.
    Answer solve(const Word* cover, int depth, std::int64_t leaves, double upper,
                 std::int32_t budget);

    // The same in steps, for the root and several threads.
    void begin(Branching& branching);  // every thread calls it; the first fills `branching`
    void work(Branching& branching);
    Answer end(const Branching& branching);

    // Appends the nodes of a tree.
    void write(const Word* cover, std::int32_t tree, int depth, std::int64_t leaves, NodeList& to);

    // What is known of the trees of these rows: the best that was found, and a bound.
    Answer recall(const Word* cover, int depth, std::int64_t leaves);
    // A tree that was made elsewhere, for the cache.
    void offer(const Word* cover, int depth, std::int64_t leaves, double value, std::int32_t tree);

    // From now on, Halt is thrown after so much more work. The unit is about a pair of features and
    // 64 rows, counted once.
    void allow(double work) { work_left_ = work; }
    bool exhausted() const { return work_left_ < 0.0; }

    Statistics statistics;

  private:
    // What the rows of a node say before any search.
    struct Start {
        double loss, leaf, unavoidable;
        Extent extent;  // of the trees that may be worth their leaves; depth 0: none
    };
    Start start(const Word* cover, int depth, std::int64_t leaves);
    Fingerprint key(const Word* cover, Extent extent) const;
    void spend(const PairSolver& solver);

    struct Level {
        std::unique_ptr<PairSolver> solver;
        Cover with, without;
        std::vector<double> overlap_stake;
        std::vector<std::int64_t> overlap_rows;
    };
    struct Sides;

    Level& level(int depth);
    bool counts_pairs(int depth) const { return context_.switches.depth_two && depth == 3; }
    std::int64_t salt(int depth, std::int64_t leaves) const { return depth + (leaves << 8); }
    TwoLevels two_levels(const Word* cover, int depth);
    void try_split(Branching& branching, Level& at, std::size_t rank);
    void solve_pair(Branching& branching, Level& at, Sides& sides);
    void solve_branches(Branching& branching, Level& at, Sides& sides);
    bool find_two_levels(const Word* cover, bool limited, double leaf, TwoLevels& to);
    void keep_two_levels(const Word* cover, bool limited, const TwoLevels& two);
    void share_bounds(Branching& branching, Level& at, std::size_t split);
    struct OneLevel;
    OneLevel one_level(const Word* cover);
    void write_two_levels(const Word* cover, std::int32_t feature, int depth, std::int64_t leaves,
                          NodeList& to);

    SearchContext context_;
    std::array<Level, deepest + 1> levels_;
    std::size_t words_;
    double work_left_ = infinite;
};

}  // namespace ramify::optimal::binary
