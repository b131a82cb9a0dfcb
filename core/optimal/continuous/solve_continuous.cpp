#include "optimal/continuous/root.hpp"
#include "optimal/searches.hpp"

namespace ramify::optimal {

Result solve_continuous(const OptimalProblem& problem, const Limits& limits,
                        const Switches& switches, Monitor& monitor) {
    using namespace continuous;
    const Data data(problem, limits, switches);
    constexpr std::size_t most_of_16_bits = 15000;  // rows, see pair_kernel.hpp
    if (data.rows <= most_of_16_bits) {
        return Root<std::int16_t>(data, limits, switches, monitor).run(problem.start);
    }
    return Root<std::int32_t>(data, limits, switches, monitor).run(problem.start);
}

}  // namespace ramify::optimal
