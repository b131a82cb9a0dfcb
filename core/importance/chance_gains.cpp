#include "importance/chance_gains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "columns/forms.hpp"
#include "grow/grow.hpp"
#include "grow/memory.hpp"
#include "reshape/row_divider.hpp"
#include "support/parallel.hpp"
#include "support/random.hpp"

namespace ramify {
namespace {

constexpr double reach = 4.0;  // standard deviations that a gain by chance may reach
// The most searches at all nodes without known competitors: a mean over thousands of nodes needs
// few of each.
constexpr std::size_t most_searches = 5000;
// With many rows, gains by chance differ little. Then two searches tell whether a split gains a
// hundred times as much, so that chance does not matter.
constexpr double negligible = 0.01;
constexpr std::size_t first_searches = 2;
constexpr std::size_t many_rows = 1000;
constexpr double rounding = 1e-9;

// The mean of the gains that are at least `least`. If there is none: `least` itself if chance could
// reach it, otherwise the mean of all.
double mean_above(std::span<const double> found, double least, double scale) {
    const auto count = static_cast<double>(found.size());
    const double mean = std::accumulate(found.begin(), found.end(), 0.0) / count;
    double above = 0.0;
    double square = 0.0;
    std::size_t winning = 0;
    for (const double gain : found) {
        square += (gain - mean) * (gain - mean);
        if (gain < least - rounding * scale) continue;
        above += gain;
        ++winning;
    }
    if (winning > 0) return above / static_cast<double>(winning);
    return least <= mean + reach * std::sqrt(square / count) ? least : mean;
}

// The searches of one thread: a table of one column with the rows of a node, and a tree of one
// split on it.
class Shuffler {
  public:
    Shuffler(const Problem& problem, const ChanceOptions& options, Interrupt& interrupt)
        : problem_(problem), options_(options), interrupt_(interrupt) {}

    // The gains of up to `searches` searches.
    const std::vector<double>& gains(std::size_t attribute, std::span<const RowPart> parts,
                                     std::size_t searches, double gain, Random& random) {
        Table table(parts.size());
        add_column(table, problem_.table[attribute], parts);
        take_targets(parts);
        Problem stump = split_once(table);
        const ColumnForms forms = weights_.empty() ? forms_of(stump, false) : ColumnForms{};
        if (weights_.empty()) stump.forms = &forms;
        stump.memory = &memory_;
        const double enough = parts.size() < many_rows ? 0.0 : negligible * gain;
        found_.clear();
        while (found_.size() < searches) {
            shuffle(random);
            Tree tree = grow(stump, interrupt_);
            found_.push_back(tree.arrays().gain[0]);
            memory_.nodes = std::move(tree).release();
            const double most = *std::max_element(found_.begin(), found_.end());
            if (found_.size() == first_searches && most < enough) break;
        }
        return found_;
    }

  private:
    void add_column(Table& table, const Column& column, std::span<const RowPart> parts) {
        if (column.kind == Kind::numeric) {
            values_.resize(parts.size());
            for (std::size_t i = 0; i < parts.size(); ++i) values_[i] = column.values[parts[i].row];
            table.add_numeric({StridedNumbers{values_.data(), 1}}, 1, interrupt_);
            return;
        }
        // Only the levels that are present: a small node may have few of thousands.
        std::vector<std::int32_t> codes(parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i) codes[i] = column.codes[parts[i].row];
        levels_ = codes;
        std::sort(levels_.begin(), levels_.end());
        levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
        std::erase_if(levels_, [](std::int32_t code) { return code < 0; });
        for (std::int32_t& code : codes) {
            if (code < 0) continue;
            const auto place = std::lower_bound(levels_.begin(), levels_.end(), code);
            code = static_cast<std::int32_t>(place - levels_.begin());
        }
        table.add_codes(column.kind, std::move(codes), levels_.size());
    }

    // Takes the targets, and the part of the weights that belongs to the rows.
    void take_targets(std::span<const RowPart> parts) {
        const bool whole = std::all_of(parts.begin(), parts.end(),
                                       [](const RowPart& part) { return part.fraction == 1.0; });
        const bool weighted = !problem_.weights.empty() || !whole;
        row_weights_.resize(weighted ? parts.size() : 0);
        labels_.resize(problem_.classes > 0 ? parts.size() : 0);
        target_.resize(problem_.classes > 0 ? 0 : parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::size_t row = parts[i].row;
            if (problem_.classes > 0) {
                labels_[i] = problem_.labels[row];
            } else {
                target_[i] = problem_.target[row];
            }
            if (!weighted) continue;
            row_weights_[i] = parts[i].fraction;
            if (problem_.weights.empty()) continue;
            row_weights_[i] *= problem_.weights[row];
            if (!options_.class_weights.empty()) row_weights_[i] /= class_weight(labels_[i]);
        }
        weights_ = row_weights_;
        fractions_.resize(whole ? 0 : parts.size());
        for (std::size_t i = 0; i < fractions_.size(); ++i) fractions_[i] = parts[i].fraction;
    }
    double class_weight(std::int32_t label) const {
        return options_.class_weights[static_cast<std::size_t>(label)];
    }

    // The split of the column is searched as in the tree, without the rules that select an
    // attribute.
    Problem split_once(const Table& table) const {
        Problem stump{table};
        stump.labels = labels_;
        stump.target = target_;
        stump.weights = weights_;
        stump.fractions = fractions_;
        stump.classes = problem_.classes;
        stump.criterion = problem_.criterion;
        stump.nominal = problem_.nominal;
        GrowParameters& parameters = stump.parameters;
        parameters = problem_.parameters;
        const GrowParameters defaults;
        parameters.growth = defaults.growth;
        parameters.selection = defaults.selection;
        parameters.significance = defaults.significance;
        parameters.min_second_value = defaults.min_second_value;
        parameters.min_gain = defaults.min_gain;
        parameters.min_weight_fraction_leaf = defaults.min_weight_fraction_leaf;
        parameters.monotone.clear();
        parameters.monotone_class.clear();
        parameters.max_leaves = defaults.max_leaves;
        parameters.max_expansions = defaults.max_expansions;
        parameters.max_depth = 1;
        parameters.threads = 1;
        parameters.competitor_depth = 0;
        return stump;
    }

    void shuffle(Random& random) {
        if (problem_.classes > 0) {
            random.shuffle(std::span(labels_));
        } else {
            random.shuffle(std::span(target_));
        }
        if (options_.class_weights.empty()) return;
        for (std::size_t i = 0; i < weights_.size(); ++i)
            weights_[i] = row_weights_[i] * class_weight(labels_[i]);
    }

    const Problem& problem_;
    const ChanceOptions& options_;
    Interrupt& interrupt_;
    GrowMemory memory_;
    std::vector<double> values_, target_, row_weights_, weights_, fractions_, found_;
    std::vector<std::int32_t> labels_, levels_;
};

struct Visit {
    std::int32_t node;
    NodeParts parts;
};

// The largest gain that a split has beaten, if it was chosen by gain.
double second_best(const Problem& problem, const TreeArrays& arrays, std::size_t node) {
    double best = -std::numeric_limits<double>::infinity();
    if (problem.parameters.selection != Selection::criterion) return best;
    const double most = arrays.gain[node] * (1.0 + rounding);
    const auto first = static_cast<std::size_t>(arrays.competitor_start[node]);
    const auto end = static_cast<std::size_t>(arrays.competitor_start[node + 1]);
    for (std::size_t i = first; i < end; ++i) {
        // C4.5's rule may skip attributes of larger gain ratio.
        if (arrays.competitor_gain[i] <= most) best = std::max(best, arrays.competitor_gain[i]);
    }
    return best;
}

}  // namespace

std::vector<double> chance_gains(const Problem& problem, const Tree& tree,
                                 const ChanceOptions& options, Interrupt& interrupt) {
    if (!options.class_weights.empty() && options.class_weights.size() != problem.classes)
        throw std::invalid_argument("class_weights: wrong length");
    const TreeArrays& arrays = tree.arrays();
    std::vector<double> expected(tree.size(), 0.0);
    const auto inner = static_cast<std::size_t>(std::count_if(
        arrays.kind.begin(), arrays.kind.end(), [](std::uint8_t kind) { return kind != 0; }));
    if (inner == 0) return expected;
    const std::size_t few =
        std::max<std::size_t>(1, std::min(options.searches, most_searches / inner));
    const std::uint64_t seed = Random(options.seed).next();
    const Reshaped shape(tree);
    const auto threads = static_cast<std::size_t>(std::max(1, problem.parameters.threads));
    std::vector<RowDivider> dividers(threads, RowDivider(problem, shape, options.unseen));
    std::vector<Shuffler> shufflers(threads, Shuffler(problem, options, interrupt));

    // Depth by depth: apart from divided rows, the nodes of one depth have no more rows together
    // than the root.
    std::vector<Visit> level{{0, dividers[0].all_rows()}};
    while (!level.empty()) {
        std::vector<std::vector<Visit>> below(level.size());
        for_each_index(level.size(), static_cast<int>(threads), [&](std::size_t i) {
            interrupt.poll();
            const auto thread = static_cast<std::size_t>(thread_index());
            const auto node = static_cast<std::size_t>(level[i].node);
            const double least = second_best(problem, arrays, node);
            Random random(Random(seed + node).next());
            const auto& found = shufflers[thread].gains(
                static_cast<std::size_t>(arrays.attribute[node]), level[i].parts.parts,
                std::isfinite(least) ? options.searches : few, arrays.gain[node], random);
            expected[node] = mean_above(found, least, arrays.gain[node]);
            Division division = dividers[thread].divide(level[i].node, level[i].parts);
            for (std::int32_t b = 0; b < arrays.n_children[node]; ++b) {
                const std::int32_t child = arrays.first_child[node] + b;
                if (shape.leaf(child)) continue;
                below[i].push_back({child, division.branches[static_cast<std::size_t>(b)]});
            }
        });
        level.clear();
        for (auto& children : below)
            std::move(children.begin(), children.end(), std::back_inserter(level));
    }
    return expected;
}

}  // namespace ramify
