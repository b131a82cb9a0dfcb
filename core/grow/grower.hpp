// Greedy growth: expand a node, hand its rows to the children column by column, find the best split
// of each child. Invariant: the result depends on the problem alone, never on threads or on the
// order in which nodes are worked on.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "grow/builder.hpp"
#include "grow/column_forms.hpp"
#include "grow/evaluator.hpp"
#include "grow/frontier.hpp"
#include "grow/memory.hpp"
#include "grow/partition.hpp"
#include "grow/small_subtree.hpp"
#include "grow/stepwise.hpp"
#include "select/by_criterion.hpp"
#include "select/by_gain_ratio.hpp"
#include "select/conditional_inference.hpp"
#include "support/parallel.hpp"

namespace ramify {

template <typename P>
class Grower final : public Stepwise {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;
    using Node = OpenNode<Word>;
    using NodePointer = std::unique_ptr<Node>;

    // `above`: the codes of a grower that will hand nodes to this one. Then this grower starts
    // without samples.
    Grower(const Problem& problem, Interrupt& interrupt,
           const std::vector<CodedColumn>* above = nullptr);
    Tree grow();

    void start();  // the root, before anything else
    void advance(std::int64_t expansions) override;
    bool finished() const override;
    Tree tree() const override;

  private:
    // The grower for nodes whose rows are divided, see divide_impl.hpp.
    using Divided = Grower<Policy<WideEntry, true, P::classification>>;
    struct DividedGrowth;
    template <typename>
    friend class Grower;

    // One thread's share of the work: its buffers and the tree it adds to.
    struct Worker {
        Worker(Builder& to, int many) : builder(to), threads(many) {}
        Builder& builder;
        int threads;  // that it may use for the columns of one node
        std::vector<NodePointer> spare;
        std::vector<Candidate> candidates;
        std::vector<NodeStats> stats;
        // The samples of the children whose sums are not exact enough; empty for other children.
        std::vector<std::vector<std::uint32_t>> members;
        std::vector<std::uint8_t> wanted;
        std::vector<double> known_weight;
        std::vector<std::uint32_t> branch_of_code;
        std::vector<double> branch_sums, branch_support;
        std::vector<std::int64_t> branch_rows;
        std::vector<NodeView<Word>> views;
        std::unique_ptr<SmallSubtree<P>> small;
        std::unique_ptr<DividedGrowth> divided;
    };
    struct DividedGrowth {
        Divided grower;
        typename Divided::Worker worker;
    };

    struct Open {
        NodePointer node;
        typename Divided::NodePointer divided;  // in its place
    };

    static constexpr Task task = P::classification ? Task::classification : Task::regression;
    static constexpr std::uint32_t unknown = 0xffffffffu;
    static constexpr std::uint8_t unknown_side = 255;

    std::size_t expected(std::int64_t rows, std::int64_t depth) const;  // nodes of a subtree
    static ColumnForms make_forms(const Problem& problem, const std::vector<CodedColumn>* above);
    void make_samples();
    void make_root(Node& root);
    RawVector<Word> used_column(std::size_t c);
    NodePointer fresh_node(Worker& worker);

    // Grows everything below the given nodes, depth-first. Returns the nodes that are left to other
    // threads.
    void grow_depth_first(Worker& worker, std::vector<NodePointer> stack, std::int64_t hand_over,
                          std::vector<NodePointer>& handed_over);

    std::vector<NodePointer> expand(Worker& worker, Node& node);
    void mark(const Node& node, Worker& worker, bool& spreads);
    template <typename Child>
    void mark_entries(const Node& node, Worker& worker, Child* child, Child none, bool& spreads);
    void send_codes(const Node& node, std::vector<std::uint32_t>& branch_of_code) const;
    template <typename Child>
    void mark_codes(const Node& node, Worker& worker, Child* child);
    void renumber(const Node& node, Worker& worker);
    void spread(const Node& node, Worker& worker);
    bool lacks_values(const Node& node) const;
    bool marks_sides(const Node& node) const;
    bool divides(const Node& node) const;
    typename Divided::NodePointer divide(Worker& worker, Node& node);
    void divide_column(std::size_t c, Node& node, typename Divided::Node& divided);
    void make_room();
    void write_condition(Worker& worker, Node& node);
    BuiltCondition describe(const Node& node, std::size_t c, const Candidate& candidate) const;

    void distribute(Worker& worker, Node& node, bool spreads, std::vector<NodePointer>& children);
    void count_parts(Worker& worker, Node* parent, std::span<Node* const> children);
    void distribute_two(std::size_t c, const Node& node, std::vector<NodePointer>& children,
                        const std::array<bool, 2>& settled);
    void distribute_many(std::size_t c, const Node& node, std::vector<NodePointer>& children);
    void distribute_spread(std::size_t c, const Node& node, Block<Word>& block,
                           std::vector<NodePointer>& children);
    bool may_split(const NodeStats& stats, std::int32_t depth) const;
    bool one_label(const NodeStats& stats) const;
    bool divides_into_pieces() const { return any_missing_ && parameters_.counts_pieces(); }
    void collect_members(const Node& node, Worker& worker, bool spreads);
    void finish_stats(NodeStats& stats, const std::vector<std::uint32_t>& members) const;
    // `parent`: the parent of the nodes, if they are its two and only children.
    void evaluate(Worker& worker, std::vector<NodePointer>& nodes, Node* parent = nullptr);
    bool only_best(const Node& node) const;
    void raise_floor(NodeView<Word>& view, const Candidate& candidate) const;
    bool acceptable(const NodeStats& stats, double gain) const;
    // `place`: where the worker keeps the node's candidates and view.
    bool choose(Worker& worker, Node& node, std::size_t place);
    std::int32_t select(Worker& worker, Node& node, std::size_t place);
    // A grower with one scratch runs in one thread, whose number may be any.
    Scratch<Word>& scratch() {
        return scratch_[scratch_.size() == 1 ? 0 : static_cast<std::size_t>(thread_index())];
    }

    double median(const std::vector<std::uint32_t>& samples) const;

    const Problem& problem_;
    const GrowParameters& parameters_;
    Interrupt& interrupt_;
    Samples samples_;
    double centre_ = 0.0;
    std::size_t columns_;
    std::size_t rows_;        // of the table
    ColumnForms made_forms_;  // unless the caller made them
    const std::vector<bool>& hidden_;
    const std::vector<CodedColumn>& coded_;
    bool has_rows_ = false;  // there is an extra column that lists all rows of a node
    bool any_missing_ = false;
    bool absolute_ = false;
    bool small_ = false;  // small subtrees may be grown in a buffer of their own
    // Regression reads the target of every entry of every column. The samples of a large node are
    // renumbered when it is split, so that its targets lie together in the cache.
    bool renumbers_ = false;
    bool renumbers(const Node& node) const { return renumbers_ && node.stats.rows > 16384; }
    // The next number of a sample, in a child or in a divided subtree.
    LargeVector<std::uint32_t> place_;
    Samples renumbered_;
    LargeVector<std::uint8_t> side_;    // two branches: per sample
    std::vector<std::uint32_t> child_;  // more branches, or spread rows
    std::vector<std::uint32_t> twin_;   // of a spread sample: the first of the samples added for it
    std::vector<std::uint32_t> ranks_;
    std::unique_ptr<Evaluator<P>> evaluator_;
    std::shared_ptr<Block<Word>> root_block_;
    std::unique_ptr<Builder> builder_;
    std::unique_ptr<Worker> worker_;
    std::vector<NodePointer> top_;  // the root, if it can be split and has not been yet
    // The state of best-first growth.
    Frontier frontier_;
    std::vector<Open> open_;
    std::int64_t leaves_ = 1;
    std::int64_t expansions_ = 0;
    std::vector<Scratch<Word>> scratch_;
};

}  // namespace ramify
