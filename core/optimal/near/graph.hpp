// All trees within a budget, as subproblems that share their parts: a subproblem is a set of rows
// and a depth, and lists the splits below which some tree keeps to the budget. Invariant: the
// options of a subproblem are complete for trees of at most its `budget`; a subproblem is reached
// only from greater depths. Splits of one column that divide the rows of a subproblem alike are one
// option, the first.
#pragma once

#include <unordered_map>
#include <vector>

#include "optimal/binary/search.hpp"
#include "optimal/near/near_table.hpp"

namespace ramify::optimal::near {

struct Option {
    std::int32_t question;
    std::int32_t left, right;  // subproblems
};

struct Subproblem {
    LeafFacts leaf;
    std::int32_t depth = 0;
    Cost budget = -1;
    std::vector<Option> options;
};

// The graph has outgrown its memory.
struct Full : Halt {};

class NearGraph {
  public:
    NearGraph(const OptimalProblem& problem, const std::vector<std::int32_t>& columns,
              const Limits& limits, const Switches& switches, Monitor& monitor);

    static constexpr std::int32_t root = 0;

    // Adds what is missing for the trees of at most this cost. Halt leaves the graph as complete as
    // it was.
    void expand(Cost budget);
    // What the sums of costs may differ by from losses that were added up as doubles.
    Cost slack() const { return slack_; }
    const NearTable& table() const { return table_; }
    const std::vector<Subproblem>& subproblems() const { return nodes_; }
    std::int64_t max_leaves() const { return table_.limits.max_leaves; }
    Monitor& monitor() const { return monitor_; }
    void limit_memory(std::size_t bytes) { memory_ = bytes; }
    std::size_t bytes() const { return bytes_; }

  private:
    struct Key {
        binary::Fingerprint cover;
        std::int32_t depth;
        bool operator==(const Key&) const = default;
    };
    struct HashKey {
        std::size_t operator()(const Key& key) const {
            return static_cast<std::size_t>(key.cover.low ^ (key.cover.high * 31) ^
                                            static_cast<std::uint64_t>(key.depth));
        }
    };

    void expand(std::int32_t node, const Word* cover, Cost budget);
    std::int32_t subproblem(const Word* cover, std::int32_t depth);
    Cost least(const Word* cover, std::int32_t depth, Cost limit);
    Cost least_of_one_split(const Word* cover) const;
    // Gives the rows on the left, or -1 if a side has too few.
    std::int64_t divide(const Word* cover, std::size_t question, Word* left, Word* right) const;

    NearTable table_;
    Monitor& monitor_;
    Switches switches_;
    binary::Cache cache_;
    binary::TreeStore trees_;
    std::unique_ptr<binary::Search> search_;
    Cost slack_ = 0;
    double stake_ = 0.0;  // the most that a row can cost
    std::size_t memory_;
    std::size_t bytes_ = 0;
    std::vector<Subproblem> nodes_;
    std::unordered_map<Key, std::int32_t, HashKey> known_;
    std::unordered_map<Key, Cost, HashKey> one_split_;
};

}  // namespace ramify::optimal::near
