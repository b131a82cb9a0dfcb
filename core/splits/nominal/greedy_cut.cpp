#include "splits/nominal/greedy_cut.hpp"

#include "splits/maxcut/best_cut.hpp"
#include "splits/nominal/level_cut.hpp"
#include "splits/work_limit.hpp"

namespace ramify {
namespace {

constexpr std::uint64_t cut_steps = 4 * most_steps;  // sums of products are quick

}  // namespace

FoundSplit GreedyCut::split(const Contingency& table, const Criterion& criterion) const {
    return split_by_cut(table, criterion, [&](auto& cut, Balance& balance, std::uint64_t& work) {
        const bool few = cut.size() <= few_levels;
        if (few) {
            maximum_cut(cut, balance, table.interrupt, work);
        } else {
            greedy_cut_of_orders(cut, balance, orders, seed, table.interrupt, work, cut_steps);
        }
        return few;
    });
}

FoundSplit GreedyCutOnce::split(const Contingency& table, const Criterion& criterion) const {
    return split_by_cut(table, criterion, [&](auto& cut, Balance& balance, std::uint64_t& work) {
        greedy_cut(cut, work);
        LocalSearch(cut, balance, table.interrupt, work, cut_steps).run();
        return false;
    });
}

}  // namespace ramify
