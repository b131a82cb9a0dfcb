// All trees within a budget, as subproblems that share their parts: a subproblem is a set of rows
// and a depth, and lists the splits below which some tree keeps to the budget. Invariant: the
// options of a subproblem are complete for trees of at most its `budget`; a subproblem is reached
// only from greater depths. Splits of one column that divide the rows of a subproblem alike are one
// option, the first. The conditions of a beginning that is laid down are subproblems of their own,
// above the branches, which are no leaves.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "optimal/binary/search.hpp"
#include "optimal/laid_down.hpp"
#include "optimal/monotone/order.hpp"
#include "optimal/questions/near_table.hpp"

namespace ramify::optimal::near {

struct Option {
    std::int32_t question;     // -2 - p: the condition of part p of what is laid down
    std::int32_t left, right;  // subproblems
    int sign = 0;              // of the order that the answers of both sides must keep
    std::size_t output = 0;
};

// What the trees must keep besides the limits.
struct Constraints {
    const Table* cells = nullptr;  // of the order
    monotone::Signs signs;         // empty: no order
    LaidDown laid;                 // empty: no beginning
    double best = -1.0;            // the objective of the best tree, if there are any
    bool any() const { return !signs.sign.empty() || !laid.empty(); }
};

struct Subproblem {
    LeafFacts leaf;
    monotone::Range range{};  // of the leaf
    std::int32_t depth = 0;
    std::int32_t part = -1;    // of what is laid down; then it is no leaf
    std::int32_t wanted = -1;  // the part whose columns may be asked
    Cost budget = -1;
    std::vector<Option> options;
};

// The graph has outgrown its memory.
struct Full : Halt {};

class NearGraph {
  public:
    NearGraph(const OptimalProblem& problem, const std::vector<std::int32_t>& columns,
              const Limits& limits, const Switches& switches, Monitor& monitor,
              const Constraints& constraints);

    static constexpr std::int32_t root = 0;

    // Adds what is missing for the trees of at most this cost. Halt leaves the graph as complete as
    // it was.
    void expand(Cost budget);
    // What the sums of costs may differ by from losses that were added up as doubles.
    Cost slack() const { return slack_; }
    const NearTable& table() const { return table_; }
    const std::optional<monotone::Order>& order() const { return order_; }
    const LaidDown& laid() const { return laid_; }
    std::int32_t column(const Option& option) const;
    // The rows of both sides of an option.
    void sides(const Option& option, const Word* cover, Cover& left, Cover& right) const;
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
    std::int32_t subproblem(const Word* cover, std::int32_t depth, std::int32_t wanted = -1);
    void lay_down();
    std::int32_t lay_down(std::int32_t part);
    void expand_laid(std::int32_t node, Cost budget);
    Cost least_of_laid(std::int32_t part, Cost limit);
    // Whether the answers of both sides can be in order, and how.
    bool ordered(Option& option, const Cover& left, const Cover& right) const;
    Cost least(const Word* cover, std::int32_t depth, Cost limit);
    Cost least_of_one_split(const Word* cover) const;
    // Gives the rows on the left, or -1 if a side has too few.
    std::int64_t divide(const Word* cover, std::size_t question, Word* left, Word* right) const;

    NearTable table_;
    std::optional<monotone::Order> order_;
    LaidDown laid_;
    std::vector<Cover> covers_;               // of each part
    std::vector<std::int32_t> node_of_part_;  // -1: not made
    std::vector<std::int32_t> same_wanted_;   // of each part, the first that may ask the same
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
