// Trees of the store written out as nodes.
#include <algorithm>

#include "optimal/binary/search.hpp"

namespace ramify::optimal {
namespace {

// Makes the last node of `to` a split; `below` appends the nodes of a branch.
template <typename Below>
void write_split(std::int32_t column, NodeList& to, Below&& below) {
    const std::size_t at = to.size();
    to.push_back({column, 0, static_cast<std::int32_t>(at) + 1, -1});
    below(false);
    to[at].right = static_cast<std::int32_t>(to.size());
    below(true);
}

}  // namespace

void Search::write(const Word* cover, std::int32_t tree, int depth, std::int64_t leaves,
                   NodeList& to) {
    if (tree == TreeStore::leaf) {
        to.push_back({});
        return;
    }
    if (tree == TreeStore::two_levels) {
        write_two_levels(cover, std::min(depth, 2), leaves, to);
        return;
    }
    const TreeStore::Split split = context_.trees[tree];
    const auto feature = static_cast<std::size_t>(split.feature);
    const Word* bits = context_.table.feature(feature);
    write_split(context_.table.column[feature], to, [&](bool with) {
        Cover branch(words_);
        for (std::size_t w = 0; w < words_; ++w) branch[w] = cover[w] & (with ? bits[w] : ~bits[w]);
        write(branch.data(), with ? split.with : split.without, depth - 1,
              with ? split.leaves_with : split.leaves_without, to);
    });
}

void Search::write_two_levels(const Word* cover, int depth, std::int64_t leaves, NodeList& to) {
    const double sparsity = context_.limits.sparsity;
    const TwoLevels two = two_levels(cover, depth);
    const PairSolver& solver = *level(depth).solver;
    const auto most = static_cast<std::size_t>(std::min<std::int64_t>(leaves, depth * 2));
    if (two.split[most] < 0) {
        to.push_back({});
        return;
    }
    const auto at = static_cast<std::size_t>(two.split[most]);
    const SplitLosses& l = solver.losses;
    // Which branches are split once more: the first way that gives the value.
    bool split_with = false, split_without = false;
    const auto price = [&](bool a, bool b) {
        return (a ? l.best_with[at] + sparsity : l.with[at]) +
               (b ? l.best_without[at] + sparsity : l.without[at]) + 2 * sparsity;
    };
    double best = price(false, false);
    for (const auto& [a, b] : {std::pair{true, false}, {false, true}, {true, true}}) {
        if (depth < 2 || (a && b ? 4u : 3u) > most || price(a, b) >= best) continue;
        best = price(a, b);
        split_with = a;
        split_without = b;
    }
    const auto feature = static_cast<std::size_t>(solver.features[at]);
    const Word* bits = context_.table.feature(feature);
    write_split(context_.table.column[feature], to, [&](bool with) {
        if (!(with ? split_with : split_without)) {
            to.push_back({});
            return;
        }
        Cover branch(words_);
        for (std::size_t w = 0; w < words_; ++w) branch[w] = cover[w] & (with ? bits[w] : ~bits[w]);
        write_two_levels(branch.data(), 1, 2, to);
    });
}

}  // namespace ramify::optimal
