// Writes trees of the store as lists of nodes.
#include <utility>

#include "optimal/binary/search.hpp"

namespace ramify::optimal::binary {
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
    if (tree < 0) {
        write_two_levels(cover, TreeStore::first_split(tree), depth, leaves, to);
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

// A node with at most one split.
struct Search::OneLevel {
    double leaf = 0.0;
    double split = infinite;
    std::int32_t column = -1;
};

Search::OneLevel Search::one_level(const Word* cover) {
    PairSolver& solver = *level(0).solver;
    solver.load(cover);
    OneLevel out;
    out.leaf = solver.leaf;
    for (std::size_t f = 0; f < solver.features.size(); ++f) {
        const double loss = solver.losses.with[f] + solver.losses.without[f];
        if (loss >= out.split) continue;
        out.split = loss;
        out.column = context_.table.column[static_cast<std::size_t>(solver.features[f])];
    }
    return out;
}

void Search::write_two_levels(const Word* cover, std::int32_t feature, int depth,
                              std::int64_t leaves, NodeList& to) {
    const double sparsity = context_.limits.sparsity;
    const Word* bits = context_.table.feature(static_cast<std::size_t>(feature));
    OneLevel branch[2];  // without the feature, and with it
    Cover rows(words_);
    for (const bool with : {false, true}) {
        for (std::size_t w = 0; w < words_; ++w) rows[w] = cover[w] & (with ? bits[w] : ~bits[w]);
        branch[with] = one_level(rows.data());
    }
    // Which branches are split once more; of equally good ways, the first.
    bool split[2] = {false, false};
    const auto price = [&](bool without, bool with) {
        return (without ? branch[0].split + sparsity : branch[0].leaf) +
               (with ? branch[1].split + sparsity : branch[1].leaf);
    };
    double best = price(false, false);
    for (const auto& [without, with] : {std::pair{false, true}, {true, false}, {true, true}}) {
        if (depth < 2 || (without && with ? 4 : 3) > leaves || price(without, with) >= best) {
            continue;
        }
        best = price(without, with);
        split[0] = without;
        split[1] = with;
    }
    write_split(context_.table.column[static_cast<std::size_t>(feature)], to, [&](bool with) {
        if (!split[with]) {
            to.push_back({});
            return;
        }
        write_split(branch[with].column, to, [&](bool) { to.push_back({}); });
    });
}

}  // namespace ramify::optimal::binary
