// The tree of least cost among those whose errors on named classes stay within budgets. A branch
// has no single optimum, but a front: what its trees cost and miss, of which none is at least as
// good as another in everything. The front of a split is made of the sums of its branches' fronts.
// Prices of the missed weights (Lagrange multipliers) bound what can still be part of a better
// tree. Invariant: a front that was asked for below a limit has all undominated points whose priced
// cost is below it.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "optimal/binary/binary_table.hpp"
#include "optimal/binary/cache.hpp"
#include "optimal/monitor.hpp"
#include "optimal/problem.hpp"

namespace ramify::optimal::budget {

struct Budget {
    std::int32_t label = 0;
    double most = 0.0;   // weight of its rows that may get another answer
    double price = 0.0;  // of that weight; any price gives the same tree
};

// A node of the tree that was found: a split, or a leaf with its answer.
struct LabelledNode {
    Node node;
    std::int32_t label = -1;
};

struct BudgetResult {
    std::vector<LabelledNode> nodes;    // empty: none was found below the upper bound
    std::vector<std::int32_t> answers;  // to every row
    double cost = std::numeric_limits<double>::infinity();  // with the price of leaves
    bool finished = false;                                  // nothing is left to search
    bool interrupted = false;
    std::int64_t subproblems = 0;
};

class BudgetSearch {
  public:
    // Columns of many codes become one question for each threshold.
    BudgetSearch(const OptimalProblem& problem, const std::vector<Budget>& budgets,
                 const Limits& limits, Monitor& monitor);

    // The best tree that costs less than limits.upper_bound.
    BudgetResult run();

  private:
    static constexpr std::size_t many = 4096;  // points that are weeded out at the earliest
    struct Front;
    using FrontPointer = std::shared_ptr<const Front>;
    struct Origin {  // of a point of a front
        std::int32_t feature = -1;
        std::int32_t answer = -1;  // of a leaf
        FrontPointer branch[2];    // without, with
        std::size_t at[2] = {0, 0};
    };
    struct Front {
        std::vector<double> values;  // points x dimensions: cost, then what each budget pays for
        std::vector<double> priced;  // of each point
        std::vector<Origin> origin;
        double least = std::numeric_limits<double>::infinity();  // priced
        std::size_t full = many;                                 // points at which it is weeded out
        std::size_t size() const { return origin.size(); }
    };
    struct Known {
        double limit;
        FrontPointer front;
    };
    struct Hash {
        std::size_t operator()(const binary::Fingerprint& key) const {
            return static_cast<std::size_t>(key.low ^ key.high);
        }
    };
    using Word = binary::Word;
    using Cover = binary::Cover;

    void make_questions();
    OptimalProblem priced(OptimalProblem problem) const;

    FrontPointer front(const Cover& cover, int depth, std::int64_t leaves, double limit);
    void leaf_points(const double* weights, double limit, Front& to);
    struct Leaves {
        std::int64_t left, right;  // that the branches may have
    };
    static std::vector<Leaves> shares(int depth, std::int64_t leaves);
    std::vector<std::vector<std::size_t>> divisions(const Cover& cover) const;
    template <typename MostOf, typename Found>
    void branch(const Cover& cover, int depth, Leaves leaves, MostOf&& limit, Found&& found);
    void join(std::int32_t feature, const FrontPointer& left, const FrontPointer& right,
              double limit, Front& to);
    bool within(const double* values) const;
    void offer(const double* values, const Origin& origin, double limit, Front& to);
    void keep_undominated(Front& to);
    double priced_of(const double* values) const;
    void class_weights(const Cover& cover, double* to) const;
    double unavoidable(const Cover& cover) const { return table_->unavoidable(cover.data()); }
    std::vector<std::int32_t> answers(const std::vector<LabelledNode>& nodes) const;
    void write(const Front& front, std::size_t at, std::vector<LabelledNode>& to) const;

    const OptimalProblem& problem_;
    std::vector<Budget> budgets_;
    Limits limits_;
    Monitor& monitor_;
    std::size_t dimensions_;
    bool counting_;  // every row weighs 1
    std::vector<double> costs_;
    std::vector<std::vector<std::uint64_t>> bits_;
    std::vector<Node> splits_;  // of the questions: column and code
    OptimalProblem questions_;
    std::optional<binary::BinaryTable> table_;
    std::unordered_map<binary::Fingerprint, Known, Hash> known_;
    std::size_t bytes_ = 0;
    std::int64_t subproblems_ = 0;
    std::size_t pairs_ = 0;
};

}  // namespace ramify::optimal::budget
