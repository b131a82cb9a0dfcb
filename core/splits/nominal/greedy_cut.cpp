#include "splits/nominal/greedy_cut.hpp"

#include "splits/maxcut/best_cut.hpp"
#include "splits/nominal/level_cut.hpp"

namespace ramify {

FoundSplit GreedyCut::split(const Contingency& table, const Criterion& criterion) const {
    return split_by_cut(table, criterion, [&](auto& cut, Balance& balance, std::uint64_t& work) {
        const bool few = cut.size() <= few_levels;
        if (few) {
            maximum_cut(cut, balance, table.interrupt, work);
        } else {
            greedy_cut_of_orders(cut, balance, orders, seed, table.interrupt, work);
        }
        return few;
    });
}

FoundSplit GreedyCutOnce::split(const Contingency& table, const Criterion& criterion) const {
    return split_by_cut(table, criterion, [&](auto& cut, Balance& balance, std::uint64_t& work) {
        greedy_cut(cut, work);
        LocalSearch(cut, balance, table.interrupt, work).run();
        return false;
    });
}

}  // namespace ramify
