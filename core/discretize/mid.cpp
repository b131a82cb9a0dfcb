#include "discretize/mid.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>

#include "discretize/best_cut.hpp"
#include "discretize/mdl.hpp"
#include "support/parallel.hpp"

namespace ramify {
namespace {

struct ColumnCut {
    std::int64_t key, gain;
    double threshold;
};

struct LaterCut {
    bool operator()(const BlockCut& a, const BlockCut& b) const {
        return a.key != b.key ? a.key < b.key : a.at > b.at;
    }
};

// The cuts of one column, best first. A heap holds the best cut of every interval; cutting an
// interval adds two new ones.
template <typename Entry, typename Sides, typename Criterion>
std::vector<ColumnCut> rank_column(const BlocksOf<Entry>& blocks, const RankOptions& options,
                                   Sides& sides, Criterion& criterion, Interrupt& interrupt) {
    std::vector<ColumnCut> ranked;
    std::priority_queue<BlockCut, std::vector<BlockCut>, LaterCut> best;
    const auto look = [&](std::size_t begin, std::size_t end) {
        if (end < begin + 2) return;
        interrupt.poll();
        best.push(best_cut(blocks, begin, end, sides));
    };
    look(0, blocks.size());
    while (!best.empty() && ranked.size() < options.limit) {
        const BlockCut cut = best.top();
        best.pop();
        if (options.mdl && !criterion.accepts(blocks, cut)) break;
        ranked.push_back({cut.key, cut.gain, blocks.thresholds[cut.at - 1]});
        look(cut.begin, cut.at);
        look(cut.at, cut.end);
    }
    return ranked;
}

// Merges the lists by the gains of their heads. Each list keeps its order.
std::vector<RankedCut> merge(const std::vector<std::vector<ColumnCut>>& lists, std::size_t limit,
                             double scale) {
    struct Head {
        std::int64_t key;
        std::size_t column, place;
        bool operator<(const Head& other) const {
            return key != other.key ? key < other.key : column > other.column;
        }
    };
    std::priority_queue<Head> heads;
    for (std::size_t column = 0; column < lists.size(); ++column) {
        if (!lists[column].empty()) heads.push({lists[column][0].key, column, 0});
    }
    std::vector<RankedCut> merged;
    while (!heads.empty() && merged.size() < limit) {
        const auto [key, column, place] = heads.top();
        heads.pop();
        const ColumnCut& cut = lists[column][place];
        const double gain = std::ldexp(static_cast<double>(cut.gain), -gain_bits) * scale;
        merged.push_back({column, cut.threshold, std::max(0.0, gain)});
        if (place + 1 < lists[column].size())
            heads.push({lists[column][place + 1].key, column, place + 1});
    }
    return merged;
}

}  // namespace

std::vector<RankedCut> rank_cuts(const LabelledTable& data, const RankOptions& options,
                                 Interrupt& interrupt) {
    check(data);
    const Masses masses(data);
    std::optional<EntropyTerms> terms;
    if (options.impurity == CutImpurity::entropy) terms.emplace(masses);
    std::vector<std::vector<ColumnCut>> lists(data.table.size());
    for_each_index(data.table.size(), options.threads, [&](std::size_t column) {
        if (!options.wants(column)) return;
        interrupt.poll();
        const Blocks blocks = find_blocks(data, column, masses);
        MdlCriterion criterion(masses, data.classes);
        if (terms) {
            EntropySides sides(*terms, data.classes);
            lists[column] = rank_column(blocks, options, sides, criterion, interrupt);
        } else {
            GiniSides sides(masses, data.classes);
            lists[column] = rank_column(blocks, options, sides, criterion, interrupt);
        }
    });
    const double scale = std::ldexp(masses.unit(), masses.exponent()) / masses.total();
    return merge(lists, options.limit, scale);
}

std::vector<RankedCut> rank_cuts(const NumberedTable& data, const RankOptions& options,
                                 Interrupt& interrupt) {
    check(data);
    const Masses masses(data.target.size(), data.weights);
    const Numbers numbers(data, masses);
    std::vector<std::vector<ColumnCut>> lists(data.table.size());
    for_each_index(data.table.size(), options.threads, [&](std::size_t column) {
        if (!options.wants(column)) return;
        interrupt.poll();
        VarianceSides sides(numbers);
        NumberMdl criterion(numbers);
        const NumberBlocks blocks = find_blocks(data, column, numbers);
        lists[column] = rank_column(blocks, options, sides, criterion, interrupt);
    });
    return merge(lists, options.limit, numbers.variance());
}

}  // namespace ramify
