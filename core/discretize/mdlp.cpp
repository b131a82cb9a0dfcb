#include "discretize/mdlp.hpp"

#include <algorithm>
#include <utility>

#include "discretize/best_cut.hpp"
#include "discretize/mdl.hpp"
#include "support/parallel.hpp"

namespace ramify {
namespace {

std::vector<double> cut_column(const Blocks& blocks, EntropySides& sides, MdlCriterion& criterion,
                               Interrupt& interrupt) {
    std::vector<double> thresholds;
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, blocks.size()}};
    while (!open.empty()) {
        const auto [begin, end] = open.back();
        open.pop_back();
        if (end < begin + 2) continue;
        interrupt.poll();
        const BlockCut cut = best_cut(blocks, begin, end, sides);
        if (!criterion.accepts(blocks, cut)) continue;
        thresholds.push_back(blocks.thresholds[cut.at - 1]);
        open.emplace_back(cut.begin, cut.at);
        open.emplace_back(cut.at, cut.end);
    }
    std::sort(thresholds.begin(), thresholds.end());
    return thresholds;
}

}  // namespace

std::vector<std::vector<double>> mdlp_cuts(const LabelledTable& data, int threads,
                                           Interrupt& interrupt) {
    check(data);
    const Masses masses(data);
    const EntropyTerms terms(masses);
    std::vector<std::vector<double>> found(data.table.size());
    for_each_index(data.table.size(), threads, [&](std::size_t column) {
        EntropySides sides(terms, data.classes);
        MdlCriterion criterion(masses, data.classes);
        found[column] = cut_column(find_blocks(data, column, masses), sides, criterion, interrupt);
    });
    return found;
}

}  // namespace ramify
