// A node of growth in memory, made from the ranked rows of one of its columns. Invariant: the
// search by ranks sees the weight of every target on both sides of a cut, so it finds what it would
// find on the rows themselves. Of a column that is searched part by part, the cells on both sides
// of the part join its first and its last value: there are no cuts among them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "evaluate/evaluator.hpp"
#include "stream/ranked_column.hpp"
#include "stream/top_node.hpp"

namespace ramify {

template <Target P>
class RankedNode {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;

    RankedNode(const TopFacts<P>& facts, const TopNode& of, std::size_t c,
               const ColumnCounts& counts, Interrupt& interrupt)
        : column_(c),
          ranked_(counts, facts.numeric(c), facts.given),
          table_(make_table(facts)),
          samples_(0),
          problem_(facts.problem_on(*table_)),
          context_(facts.context_on(problem_, samples_, of, interrupt)),
          evaluator_(context_) {
        node_.stats = of.stats;
        facts.put(of, node_);
        make_samples(counts.first, counts.last);
        ranks_.resize(samples_.weight.size());
        context_.ranks = &ranks_;
        divided_rows_.assign(facts.columns(), 0.0);
        if (column().holes != nullptr)
            divided_rows_[c] = facts.given.channels.divided(column().holes);
        context_.divided_rows = &divided_rows_;
        view_.start(&node_);
        evaluator_.ranks().prepare(view_, ranks_);
        view_.loss = of.stats.impurity * of.stats.weight;
        view_.missing_side = counts.missing_side;
        view_.vague.assign(ranks_.size(), 0);
        for (std::size_t i = 0; i < ranks_.size(); ++i) view_.vague[ranks_[i]] = vague_[i];
    }
    RankedNode(const RankedNode&) = delete;

    const CountedColumn& column() const { return ranked_.column(); }
    const std::vector<std::int64_t>& sums() const { return ranked_.sums(); }
    // The best split of the column, which has passed all tests.
    void search(Candidate& split) {
        Workspace<Word> workspace;
        evaluator_.search(view_, node_.ranges[column_], column_, workspace, split);
    }
    std::vector<std::int32_t> force(const SkeletonNode& asked, Candidate& split) {
        Workspace<Word> workspace;
        return evaluator_.force(view_, node_.ranges[column_], asked, workspace, split);
    }
    std::vector<std::size_t> order_of_levels() const {
        Workspace<Word> workspace;
        const MissingRules<P> missing(context_);
        missing.find_known(node_, column_, workspace.known);
        const auto form = context_.ordered(node_, column_);
        std::vector<std::size_t> codes;
        for (const CountedValue& value : column().values)
            codes.push_back(static_cast<std::size_t>(value.code));
        codes.push_back(problem_.table[column_].levels);
        std::vector<std::size_t> order =
            evaluator_.ranks().order_of_levels(view_, form, workspace.known);
        for (std::size_t& level : order) level = codes[level];
        return order;
    }
    // The first value on the right of a threshold.
    std::size_t cut(const Candidate& split) const {
        const Range& range = node_.ranges[column_];
        if (split.kind != ConditionKind::threshold || split.boundary.position >= range.size)
            return column().values.size();
        const Word entry = node_.block->columns[column_][split.boundary.position];
        return samples_.source[Layout::row(entry)];
    }

  private:
    // A value is a row of the table, and the last row has none.
    std::unique_ptr<Table> make_table(const TopFacts<P>& facts) {
        std::vector<std::int32_t> codes;
        for (const CountedValue& value : column().values) {
            numbers_.push_back(value.value);
            codes.push_back(value.code);
        }
        numbers_.push_back(nothing);
        codes.push_back(-1);
        auto table = std::make_unique<Table>(numbers_.size());
        for (std::size_t other = 0; other < facts.columns(); ++other) {
            const Column& like = facts.problem.table[other];
            if (other != column_) {
                table->add_in_order({&nothing, 0});
            } else if (like.kind == Kind::numeric) {
                table->add_in_order({numbers_.data(), 1});
            } else {
                table->add_codes(like.kind, codes, like.levels);
            }
        }
        return table;
    }
    void make_samples(std::size_t first, std::size_t last) {
        const std::size_t columns = problem_.table.size();
        node_.block = std::make_shared<Block<Word>>();
        node_.block->columns.resize(columns + 1);
        node_.ranges.resize(columns + 1);
        RawVector<Word>& entries = node_.block->columns[column_];
        RawVector<Word>& all = node_.block->columns[columns];
        const auto add = [&](const std::vector<RankedRows>& rows, std::size_t value, bool fresh) {
            for (const RankedRows& one : rows) {
                const auto sample = static_cast<std::uint32_t>(samples_.weight.size());
                samples_.weight.push_back(one.weight);
                samples_.support.push_back(one.support);
                samples_.target.push_back(one.target);
                samples_.source.push_back(static_cast<std::uint32_t>(value));
                vague_.push_back(one.vague ? 1 : 0);
                all.push_back(Layout::make(sample, 0, false));
                if (value < column().values.size())
                    entries.push_back(Layout::make(sample, 0, fresh));
                fresh = false;
            }
        };
        const auto& values = column().values;
        const auto before = [&](std::size_t cell) {  // the values of lower cells
            return static_cast<std::size_t>(
                std::lower_bound(values.begin(), values.end(), cell,
                                 [](const CountedValue& value, std::size_t bound) {
                                     return static_cast<std::size_t>(value.code) < bound;
                                 }) -
                values.begin());
        };
        const bool part = last < std::numeric_limits<std::size_t>::max();
        const std::size_t begin = part ? before(first) : 0;
        const std::size_t end = part ? before(last + 1) : values.size();
        for (std::size_t i = 0; i < values.size(); ++i)
            add(ranked_.rows(i), std::max(i, begin), i == 0 || (i > begin && i < end));
        add(ranked_.holes(), values.size(), false);
        node_.ranges[column_].size = static_cast<std::uint32_t>(entries.size());
        node_.ranges[columns].size = static_cast<std::uint32_t>(all.size());
        node_.stats.rows = static_cast<std::int64_t>(all.size());
    }

    static constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

    std::size_t column_;
    RankedColumn ranked_;
    std::vector<double> numbers_;
    std::unique_ptr<Table> table_;
    Samples samples_;
    std::vector<std::uint8_t> vague_;
    std::vector<double> divided_rows_;
    Problem problem_;
    Context<P> context_;
    Evaluator<P> evaluator_;
    OpenNode<Word> node_;
    std::vector<std::uint32_t> ranks_;
    NodeView<Word> view_;
};

}  // namespace ramify
