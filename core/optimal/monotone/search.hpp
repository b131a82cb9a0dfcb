// The best tree whose predictions keep an order: branch and bound over sets of rows and ranges of
// values. If the best trees of both sides of a split break the order at some value, either all of
// the lower side stays at that value or below it, or all of the upper side above it: two
// subproblems of smaller ranges. The search without the order gives bounds, and its trees where
// they happen to keep it. Invariant: an answer below its limit is the optimum of its range, and the
// bound of any other answer holds; the leaves of a tree lie within its range.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "optimal/binary/search.hpp"
#include "optimal/monotone/order.hpp"

namespace ramify::optimal::monotone {

// A tree; trees share their parts.
struct Shape {
    std::int32_t question = -1;  // -1: a leaf
    std::shared_ptr<const Shape> left, right;
};
using Tree = std::shared_ptr<const Shape>;

struct Answer {
    double value = binary::infinite;  // of `tree`; infinite if there is none below the limit
    double bound = 0.0;
    Tree tree;
    Range leaves{};  // the lowest and the highest value of a leaf
};

class Search {
  public:
    Search(const near::NearTable& table, const Order& order, const Switches& switches,
           Monitor& monitor);

    // The best tree below `upper` whose leaves lie within the range. Only a search for all rows
    // tells the monitor of better trees.
    Answer solve(const Word* cover, int depth, std::int64_t leaves, const Range& range,
                 double upper, bool root = false);
    // A tree of questions as it is, but for splits that break the order: they become leaves.
    Answer keep_order(const NodeList& nodes, const Word* cover);

    // From now on only columns that are wanted are asked, by column of the table; null: all. Sets
    // of the same number are the same.
    void among(std::int32_t number, const std::vector<std::uint8_t>* wanted) {
        number_ = number;
        wanted_ = wanted;
    }

    bool all_depths = true;  // whether a bound of the root holds for all trees
    Tree best;               // the best tree so far for all rows
    double best_value = binary::infinite;
    Statistics statistics;
    const Statistics& of_bounds() const { return relaxed_.statistics; }

  private:
    // What is known of a set of rows for a range of values.
    struct Known {
        Range range;
        double bound;
        double value;  // of an optimum; infinite: only the bound is known
        Tree tree;
        Range leaves;
    };
    struct Key {
        binary::Fingerprint cover;
        std::int32_t wanted;
        bool operator==(const Key&) const = default;
    };
    struct HashKey {
        std::size_t operator()(const Key& key) const {
            return static_cast<std::size_t>(key.cover.low ^ (key.cover.high * 31) ^
                                            static_cast<std::uint64_t>(key.wanted));
        }
    };
    struct Split;

    Answer leaf(const Word* cover) const;
    // Whether a question can be asked: it is in order, and its column is wanted.
    bool allowed(std::size_t question) const {
        return order_.sound(question) &&
               (wanted_ == nullptr ||
                (*wanted_)[static_cast<std::size_t>(table_.questions[question].column)] != 0);
    }
    double relaxed_bound(const Word* cover, int depth, std::int64_t leaves, double upper);
    // The tree of the search without the order, if it keeps it.
    bool relaxed_tree(const Word* cover, int depth, std::int64_t leaves, const Range& range,
                      double upper, Answer& best, double& bound);
    void try_splits(const Word* cover, int depth, std::int64_t leaves, const Range& range,
                    double upper, bool root, Answer& best);
    void try_split(Split& split, int depth, std::int64_t leaves, const Range& range, Answer& best);
    // The best pair of branches below the limit; gives a bound on the pairs.
    double pair(Split& split, int depth, std::int64_t left_leaves, std::int64_t right_leaves,
                const Range& of_left, const Range& of_right, Answer& best);
    template <typename Leave>
    Answer follow(const NodeList& nodes, std::size_t at, const Word* cover, Leave&& leave);
    static Answer joined(std::int32_t question, const Answer& a, const Answer& b);
    void divide(const Word* cover, std::size_t question, Cover& left, Cover& right) const;
    bool look_up(const Key& key, const Range& range, double upper, Answer& answer);
    void remember(const Key& key, const Range& range, double upper, const Answer& answer);
    void take(const Answer& answer, bool root);

    const near::NearTable& table_;
    const Order& order_;
    const Limits& limits_;
    const Switches& switches_;
    Monitor& monitor_;
    std::size_t words_;
    binary::Cache cache_;
    binary::TreeStore trees_;
    binary::Search relaxed_;
    std::unordered_map<Key, std::vector<Known>, HashKey> known_;
    std::size_t known_entries_ = 0;
    std::int32_t number_ = -1;
    const std::vector<std::uint8_t>* wanted_ = nullptr;
};

}  // namespace ramify::optimal::monotone
