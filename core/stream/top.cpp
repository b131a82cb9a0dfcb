#include "stream/top.hpp"

#include "node/entry.hpp"
#include "stream/top_of.hpp"
#include "targets/classes.hpp"
#include "targets/numbers.hpp"

namespace ramify {

std::unique_ptr<Top> Top::make(const Problem& problem, const TopGiven& given) {
    if (problem.classes > 0)
        return std::make_unique<TopOf<Classes<WideEntry, true>>>(problem, given);
    return std::make_unique<TopOf<Numbers<WideEntry, true>>>(problem, given);
}

}  // namespace ramify
