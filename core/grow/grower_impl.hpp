// The code of the grower: the loop, the limits, and the choice of an attribute. Invariant: that of
// grower.hpp. Included where a policy is instantiated.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grow/grower.hpp"

namespace ramify {

constexpr double row_slack = 1e-9;  // numbers of rows are sums of fractions

template <typename P>
ColumnForms Grower<P>::make_forms(const Problem& problem, const std::vector<CodedColumn>* above) {
    if (above != nullptr) return {std::vector<bool>(problem.table.size(), false), {}};
    if (problem.forms != nullptr) return {};
    return column_forms(problem, P::weighted);
}

template <typename P>
Grower<P>::Grower(const Problem& problem, Interrupt& interrupt,
                  const std::vector<CodedColumn>* above)
    : problem_(problem),
      parameters_(problem.parameters),
      interrupt_(interrupt),
      columns_(problem.table.size()),
      rows_(problem.table.rows()),
      made_forms_(make_forms(problem, above)),
      hidden_(above == nullptr && problem.forms != nullptr ? problem.forms->hidden
                                                           : made_forms_.hidden),
      coded_(above != nullptr           ? *above
             : problem.forms != nullptr ? problem.forms->coded
                                        : made_forms_.coded),
      frontier_(parameters_.weigh_gains) {
    absolute_ = !P::classification && parameters_.loss == TargetLoss::absolute_error;
    samples_.classes = problem.classes;
    if (above == nullptr) make_samples();
    any_missing_ = has_missing(problem.table);
    if (P::classification && any_missing_ && parameters_.missing == Missing::fractional) {
        std::size_t present = 0;
        bool equal = true;
        double first = 1.0;
        for (std::size_t row = 0; row < rows_; ++row) {
            if (!problem.includes(row)) continue;
            const double weight = problem.weights.empty() ? 1.0 : problem.weights[row];
            if (present++ == 0) first = weight;
            equal = equal && weight == first;
        }
        if (equal) samples_.set_grain(present);
    }
    small_ = !P::weighted && !absolute_ && !any_missing_ && columns_ < 65536;
    for (std::size_t c = 0; c < columns_; ++c) {
        small_ = small_ && problem.table[c].kind != Kind::nominal;
        small_ = small_ && !(problem.table[c].kind == Kind::ordinal && parameters_.merges());
    }
    if (!P::weighted && any_missing_ && parameters_.missing == Missing::fractional)
        place_.resize(rows_);
    const bool any_coded = std::any_of(coded_.begin(), coded_.end(),
                                       [](const CodedColumn& coded) { return coded.values() > 0; });
    has_rows_ = any_missing_ || absolute_ || any_coded ||
                std::find(hidden_.begin(), hidden_.end(), true) != hidden_.end();
    renumbers_ = small_ && !P::classification && !has_rows_ && problem.included.empty();
    if (renumbers_) {
        const std::size_t rows = problem.table.rows();
        samples_.source.resize(rows);
        std::iota(samples_.source.begin(), samples_.source.end(), 0u);
        renumbered_.target.resize(rows);
        renumbered_.source.resize(rows);
        place_.resize(rows);
    }
    evaluator_ =
        std::make_unique<Evaluator<P>>(problem_, samples_, hidden_, coded_, columns_, interrupt_);
    evaluator_->ranks = &ranks_;
    evaluator_->centre = centre_;
    // A small subtree is grown by the criterion alone.
    small_ = small_ && !evaluator_->screens() && !evaluator_->by_p_value();
    if constexpr (P::classification) small_ = small_ && !problem.criterion->by_information();
    scratch_.resize(static_cast<std::size_t>(std::max(1, parameters_.threads)));
}

template <typename P>
auto Grower<P>::fresh_node(Worker& worker) -> NodePointer {
    if (worker.spare.empty()) return std::make_unique<Node>();
    NodePointer node = std::move(worker.spare.back());
    worker.spare.pop_back();
    return node;
}

template <typename P>
bool Grower<P>::may_split(const NodeStats& stats, std::int32_t depth) const {
    // A divided row counts in both branches, and each branch needs at least one row of its own.
    const double leaf = parameters_.min_samples_leaf;
    const double least = divides_into_pieces() ? leaf + 1.0 : 2.0 * leaf;
    return depth < parameters_.max_depth &&
           stats.support >= parameters_.min_samples_split - row_slack &&
           stats.support >= least - row_slack &&
           stats.weight >= parameters_.min_weight_split * (1.0 - row_slack) &&
           !stats.pure(P::classification) && !(parameters_.labels_only && one_label(stats));
}

// Whether every leaf below a node has the label of the node. This holds if all rows of other
// classes, put into one leaf of the least size, would still be fewer than half of it.
template <typename P>
bool Grower<P>::one_label(const NodeStats& stats) const {
    // Pieces of rows may weigh almost nothing.
    if (!P::classification || parameters_.small_branches || divides_into_pieces()) return false;
    const double others = stats.weight - *std::max_element(stats.sums.begin(), stats.sums.end());
    return 2.0 * others < parameters_.min_samples_leaf - row_slack;
}

template <typename P>
double Grower<P>::median(const std::vector<std::uint32_t>& samples) const {
    std::vector<std::pair<double, double>> pairs;
    double total = 0.0;
    for (const std::uint32_t sample : samples) {
        const double w = P::weighted ? samples_.weight[sample] : 1.0;
        pairs.emplace_back(samples_.target[sample], w);
        total += w;
    }
    std::sort(pairs.begin(), pairs.end());
    double sum = 0.0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        sum += pairs[i].second;
        const double beyond = sum - total / 2;
        const double slack = row_slack * total;  // parts of rows are rounded
        if (beyond > slack || i + 1 == pairs.size()) return pairs[i].first;
        if (beyond >= -slack) return (pairs[i].first + pairs[i + 1].first) / 2;
    }
    return 0.0;
}

// Sets impurity and prediction of a node after its sums.
template <typename P>
void Grower<P>::finish_stats(NodeStats& stats, const std::vector<std::uint32_t>& members) const {
    const auto rows_of = [&] {
        NodeRows rows;
        for (const std::uint32_t sample : members) {
            rows.target.push_back(problem_.target[evaluator_->source_row(sample)]);
            if constexpr (P::weighted) rows.weight.push_back(samples_.weight[sample]);
        }
        return rows;
    };
    if (!absolute_) {
        evaluator_->finish_stats(stats, rows_of);
        return;
    }
    stats.template finish<P>();
    stats.spread = std::numeric_limits<double>::quiet_NaN();
    if (stats.weight <= 0.0) return;
    const NodeRows rows = rows_of();
    stats.prediction = median(members);
    stats.spread = std::sqrt(mean_and_variance(rows).variance);
    double loss = 0.0;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const double weight = P::weighted ? rows.weight[i] : 1.0;
        loss += weight * std::abs(rows.target[i] - stats.prediction);
    }
    stats.impurity = stats.scale = loss / stats.weight;
}

template <typename P>
void Grower<P>::evaluate(Worker& worker, std::vector<NodePointer>& nodes, Node* parent) {
    worker.views.resize(std::max(worker.views.size(), nodes.size()));
    if (worker.candidates.size() < nodes.size() * columns_)
        worker.candidates.resize(nodes.size() * columns_);
    std::size_t entries = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        worker.views[i].start(nodes[i].get());
        entries += static_cast<std::size_t>(nodes[i]->stats.rows) * columns_;
        if (absolute_) evaluator_->prepare_absolute(worker.views[i], ranks_);
    }
    if constexpr (P::weighted) {
        std::vector<Node*> all;
        for (const NodePointer& node : nodes) all.push_back(node.get());
        count_parts(worker, parent, all);
    }
    const int threads = entries > 10000 ? worker.threads : 1;
    for_each_index(columns_, threads, [&](std::size_t c) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            Node& node = *nodes[i];
            const typename P::Cell* counts = evaluator_->coded_cells(worker.views[i], c);
            if constexpr (!P::weighted) {
                if (!node.counts.empty() && node.ranges[c].coded) {
                    auto* to = node.counts.data() + evaluator_->first_cell(c);
                    evaluator_->count(node, c, to);
                    counts = to;
                }
            }
            Candidate& candidate = worker.candidates[i * columns_ + c];
            evaluator_->evaluate(worker.views[i], node.ranges[c], c, scratch(), candidate, counts);
            if (threads == 1 && only_best(node) && candidate.valid())
                raise_floor(worker.views[i], candidate);
        }
    });
}

// Whether only the best split of the node is needed.
template <typename P>
bool Grower<P>::only_best(const Node& node) const {
    return node.depth >= parameters_.competitor_depth && !evaluator_->by_p_value();
}

// Later columns need not find splits that cannot win. The floor stays below all gains that tie with
// the best, so that ties are decided as without it.
template <typename P>
void Grower<P>::raise_floor(NodeView<Word>& view, const Candidate& candidate) const {
    if constexpr (P::classification) {
        if (problem_.criterion->by_information()) return;  // other gains decide as well
    }
    const double tolerance = 2.0 * Evaluator<P>::tie(view.node->stats);
    view.floor = std::max(view.floor, candidate.gain - tolerance);
}

template <typename P>
bool Grower<P>::acceptable(const NodeStats& stats, double gain) const {
    bool concave = !absolute_;
    if constexpr (P::classification) concave = problem_.criterion->needs_no_gain();
    gain -= evaluator_->baseline(stats);
    const double tolerance = Evaluator<P>::tie(stats);
    // A negative min_gain allows splits that gain nothing, for every criterion.
    const bool may_gain_nothing = concave || parameters_.min_gain < 0.0;
    return (may_gain_nothing || gain > tolerance) && gain >= parameters_.min_gain - tolerance;
}

// The attribute to split an evaluated node by, or -1.
template <typename P>
std::int32_t Grower<P>::select(Worker& worker, Node& node, std::size_t place) {
    Candidate* candidates = worker.candidates.data() + place * columns_;
    const double tolerance = Evaluator<P>::tie(node.stats);
    if (!evaluator_->by_p_value()) {
        std::int32_t best = -1;
        bool by_information = false;
        if constexpr (P::classification) by_information = problem_.criterion->by_information();
        if (by_information) {
            best = select_by_gain_ratio(candidates, columns_, tolerance);
        } else {
            best = select_by_criterion(candidates, columns_, tolerance);
        }
        return best >= 0 && acceptable(node.stats, candidates[best].gain) ? best : -1;
    }
    // If the limits leave an attribute no split, the next one is tried.
    std::vector<bool> refused(columns_, false);
    for (;;) {
        const std::int32_t best = select_by_inference(candidates, columns_, refused, parameters_);
        if (best < 0) return -1;
        const auto c = static_cast<std::size_t>(best);
        if (candidates[c].pending)
            evaluator_->search(worker.views[place], node.ranges[c], c, scratch(), candidates[c]);
        if (candidates[c].valid() && acceptable(node.stats, candidates[c].gain)) return best;
        refused[c] = true;
    }
}

// Decides on the best split of an evaluated node. False: the node stays a leaf.
template <typename P>
bool Grower<P>::choose(Worker& worker, Node& node, std::size_t place) {
    Candidate* candidates = worker.candidates.data() + place * columns_;
    node.column = select(worker, node, place);
    if (node.column < 0) return false;
    Candidate& best = candidates[node.column];
    if (parameters_.abandon_small &&
        evaluator_->smallest_branch(node, static_cast<std::size_t>(node.column), best) <
            parameters_.min_samples_leaf - row_slack) {
        return false;
    }
    node.log_p =
        evaluator_->by_p_value()
            ? log_p_value(candidates, columns_, static_cast<std::size_t>(node.column), parameters_)
            : std::numeric_limits<double>::quiet_NaN();
    const double baseline = evaluator_->baseline(node.stats);
    best.gain = std::max(best.gain - baseline, 0.0);  // rounding
    if (node.depth < parameters_.competitor_depth) {
        auto& competitors = worker.builder.side(node.id).competitors;
        for (std::size_t c = 0; c < columns_; ++c) {
            if (static_cast<std::int32_t>(c) == node.column || !candidates[c].valid()) continue;
            competitors.push_back(describe(node, c, candidates[c]));
            competitors.back().gain -= baseline;
        }
        std::stable_sort(competitors.begin(), competitors.end(),
                         [](const auto& a, const auto& b) { return a.gain > b.gain; });
    }
    std::swap(node.best, best);
    return true;
}

template <typename P>
BuiltCondition Grower<P>::describe(const Node& node, std::size_t c,
                                   const Candidate& candidate) const {
    BuiltCondition condition;
    condition.kind = candidate.kind;
    condition.attribute = static_cast<std::int32_t>(c);
    condition.missing_to = candidate.missing_to;
    condition.gain = candidate.gain;
    if (candidate.kind == ConditionKind::threshold) {
        condition.threshold = evaluator_->threshold(node, c, candidate);
    } else {
        condition.levels = evaluator_->levels(node, c, candidate);
    }
    return condition;
}

template <typename P>
void Grower<P>::write_condition(Worker& worker, Node& node) {
    BuiltCondition condition = describe(node, static_cast<std::size_t>(node.column), node.best);
    condition.log_p = node.log_p;
    worker.builder.set_condition(node.id, condition);
    if (condition.kind != ConditionKind::threshold) {
        worker.builder.side(node.id).levels = std::move(condition.levels);
    }
}

template <typename P>
void Grower<P>::start() {
    builder_ = std::make_unique<Builder>(
        task, samples_.width(), absolute_, expected(static_cast<std::int64_t>(rows_), 0),
        problem_.memory != nullptr ? &problem_.memory->nodes : nullptr);
    worker_ = std::make_unique<Worker>(*builder_, parameters_.threads);
    auto root = std::make_unique<Node>();
    make_root(*root);
    if (absolute_) child_.assign(rows_, 0);
    std::vector<std::uint32_t> members;
    for (std::uint32_t row = 0; row < rows_ && evaluator_->needs_rows(root->stats); ++row) {
        if (problem_.includes(row)) members.push_back(row);
    }
    finish_stats(root->stats, members);
    root->id = builder_->add(root->stats, -1, 0, 1.0);
    if (!may_split(root->stats, 0)) return;
    top_.push_back(std::move(root));
    if (evaluator_->keeps_counts(rows_) && !absolute_) top_[0]->counts.resize(evaluator_->cells());
    evaluate(*worker_, top_);
    if (!choose(*worker_, *top_[0], 0)) top_.clear();
}

template <typename P>
Tree Grower<P>::grow() {
    start();
    std::vector<NodePointer> handed_over;
    const bool limited = std::min(parameters_.max_leaves, parameters_.max_expansions) <
                         static_cast<std::int64_t>(rows_);
    if (limited) {
        advance(parameters_.max_expansions);
    } else if (!top_.empty()) {
        // Spreading rows adds samples, which only one thread may do. A criterion that is the
        // caller's code may be called from one thread only.
        bool parallel =
            parameters_.threads > 1 && !absolute_ &&
            !(P::weighted && any_missing_ && parameters_.missing == Missing::fractional);
        if constexpr (P::classification) parallel = parallel && problem_.criterion->thread_safe();
        const std::int64_t hand_over =
            parallel ? top_[0]->stats.rows / (4 * parameters_.threads) : 0;
        grow_depth_first(*worker_, std::move(top_), hand_over, handed_over);
    }
    // The largest subtrees come first, so that no thread is left alone with a large one at the end.
    std::stable_sort(
        handed_over.begin(), handed_over.end(),
        [](const NodePointer& a, const NodePointer& b) { return a->stats.rows > b->stats.rows; });
    std::vector<Builder::Graft> grafts(handed_over.size());
    for_each_index(handed_over.size(), parameters_.threads, [&](std::size_t i) {
        const Node& top = *handed_over[i];
        grafts[i] = {top.id, std::make_unique<Builder>(task, samples_.width(), absolute_,
                                                       expected(top.stats.rows, top.depth))};
        Builder& subtree = *grafts[i].subtree;
        Worker local(subtree, 1);
        handed_over[i]->id = subtree.add(top.stats, -1, top.depth, 1.0);
        std::vector<NodePointer> stack;
        stack.push_back(std::move(handed_over[i]));
        std::vector<NodePointer> none;
        grow_depth_first(local, std::move(stack), 0, none);
    });
    // The nodes are no longer needed. The memory of their entries serves the tree.
    worker_->spare.clear();
    handed_over.clear();
    if constexpr (std::is_same_v<Word, std::uint32_t>) {
        if (problem_.memory != nullptr) problem_.memory->columns = std::move(root_block_->columns);
    }
    root_block_.reset();
    builder_->graft(grafts, parameters_.threads);
    return Tree(task, columns_, samples_.width(),
                builder_->finish(parameters_, parameters_.threads, interrupt_));
}

template <typename P>
std::size_t Grower<P>::expected(std::int64_t rows, std::int64_t depth) const {
    // Most trees are smaller than this. Memory that is never written costs nothing.
    constexpr std::int64_t most_levels = 22;
    const auto levels = std::min(parameters_.max_depth - depth, most_levels);
    const auto most = P::classification ? rows / 4 + 1 : rows;
    const auto leaves = std::min({most, parameters_.max_leaves, std::int64_t{1} << levels});
    return 2 * static_cast<std::size_t>(leaves);
}

}  // namespace ramify
