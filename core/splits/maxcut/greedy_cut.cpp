#include "splits/maxcut/greedy_cut.hpp"

#include "splits/maxcut/level_cut.hpp"
#include "splits/maxcut/local_search.hpp"

namespace ramify {

std::optional<NominalSplit> GreedyCut::split(const Contingency& table,
                                             const Criterion& criterion) const {
    return split_by_cut(table, criterion, [&](auto& cut, Balance& balance, std::uint64_t& work) {
        greedy_cut(cut, work);
        LocalSearch(cut, balance, table.interrupt, work).run();
    });
}

}  // namespace ramify
