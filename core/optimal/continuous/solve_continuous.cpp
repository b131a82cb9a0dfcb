#include "optimal/continuous/root.hpp"
#include "optimal/searches.hpp"

namespace ramify::optimal {
namespace {

using namespace continuous;

template <class T>
class ContinuousSolver : public Solver {
  public:
    ContinuousSolver(Data data, const Limits& limits, const Switches& switches, Monitor& monitor)
        : data_(std::move(data)), root_(data_, limits, switches, monitor) {}
    Result run(const Run& run) override { return root_.run(run); }

  private:
    Data data_;
    Root<T> root_;
};

}  // namespace

std::unique_ptr<Solver> make_continuous_solver(const OptimalProblem& problem, const Limits& limits,
                                               const Switches& switches, Monitor& monitor) {
    Data data(problem, limits, switches);
    constexpr std::size_t most_of_16_bits = 15000;  // rows, see pair_kernel.hpp
    if (data.rows <= most_of_16_bits) {
        return std::make_unique<ContinuousSolver<std::int16_t>>(std::move(data), limits, switches,
                                                                monitor);
    }
    return std::make_unique<ContinuousSolver<std::int32_t>>(std::move(data), limits, switches,
                                                            monitor);
}

}  // namespace ramify::optimal
