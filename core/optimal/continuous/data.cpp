#include "optimal/continuous/data.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace ramify::optimal::continuous {
namespace {

std::uint64_t scramble(std::uint64_t x) {  // splitmix64
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Rows that no column tells apart stay together in every tree, so the loss of such a group is
// unavoidable. It is booked on the first row of the group.
void find_unavoidable(Data& data) {
    std::vector<std::size_t> order(data.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto compare = [&](std::size_t a, std::size_t b) {
        for (const auto& codes : data.codes) {
            if (codes[a] != codes[b]) return codes[a] < codes[b] ? -1 : 1;
        }
        return 0;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return compare(a, b) < 0; });
    std::vector<double> sums(data.width);
    for (std::size_t begin = 0; begin < data.rows;) {
        std::size_t end = begin;
        std::fill(sums.begin(), sums.end(), 0.0);
        for (; end < data.rows && compare(order[begin], order[end]) == 0; ++end) {
            data.add(order[end], sums.data());
        }
        if (end - begin > 1) data.unavoidable[order[begin]] = data.loss(sums.data());
        begin = end;
    }
}

}  // namespace

Data::Data(const OptimalProblem& problem, const Limits& limits, const Switches& switches)
    : rows(problem.rows),
      classes(problem.classes),
      regression(problem.task == Task::regression),
      min_leaf(std::max<std::int64_t>(1, limits.min_samples_leaf)),
      sparsity(limits.sparsity),
      neighbours(switches.neighbours),
      similarity(switches.similarity) {
    const LeafLoss leaf_loss(problem);
    for (std::size_t c = 0; c < problem.columns.size(); ++c) {
        const auto& given = problem.columns[c];
        std::vector<std::int32_t> dense(static_cast<std::size_t>(given.values), 0), present;
        for (std::size_t row = 0; row < rows; ++row)
            dense[static_cast<std::size_t>(given[row])] = 1;
        for (std::int32_t code = 0; code < given.values; ++code) {
            auto& slot = dense[static_cast<std::size_t>(code)];
            if (slot == 0) continue;
            slot = static_cast<std::int32_t>(present.size());
            present.push_back(code);
        }
        if (present.size() < 2) continue;
        column.push_back(static_cast<std::int32_t>(c));
        values.push_back(std::move(present));
        codes.emplace_back(rows);
        for (std::size_t row = 0; row < rows; ++row) {
            codes.back()[row] = dense[static_cast<std::size_t>(given[row])];
        }
    }
    const bool policy = !problem.regrets.empty();
    if (!regression && !policy) labels.assign(problem.labels.begin(), problem.labels.end());
    if (policy) {  // the best answer of each row stands for its class where splits are ranked
        labels.resize(rows);
        for (std::size_t row = 0; row < rows; ++row) {
            const auto of_row = problem.regrets.subspan(row * classes, classes);
            labels[row] = static_cast<std::int32_t>(std::min_element(of_row.begin(), of_row.end()) -
                                                    of_row.begin());
        }
    }
    counting = !regression && !policy && problem.costs.empty() && problem.weights.empty();
    width = leaf_loss.width();
    numbers = leaf_loss.numbers();
    if (!by_ranks()) contribution.assign(rows * width, 0.0);
    stake.resize(rows);
    keys.resize(rows);
    std::vector<double> total(width, 0.0);
    const bool squares = regression && !numbers;
    const double range = squares && rows > 0 ? leaf_loss.stake(0) / leaf_loss.weight(0) : 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        if (regression || policy) {
            if (!by_ranks()) leaf_loss.add(row, contribution.data() + row * width);
        } else {
            double* to = contribution.data() + row * width;
            const double* of_label =
                leaf_loss.costs().data() + static_cast<std::size_t>(labels[row]) * width;
            for (std::size_t p = 0; p < width; ++p) to[p] = leaf_loss.weight(row) * of_label[p];
        }
        add(row, total.data());
        stake[row] = squares ? leaf_loss.weight(row) * range : leaf_loss.stake(row);
        max_stake = std::max(max_stake, stake[row]);
        keys[row] = {scramble(2 * row + 1), scramble(scramble(2 * row + 2))};
    }
    unavoidable.assign(rows, 0.0);
    tolerance = counting && sparsity == 0.0 ? 0.5
                                            : 1e-13 * (loss(total.data()) + sparsity +
                                                       (squares   ? total[2]
                                                        : numbers ? numbers->scale(total.data())
                                                                  : 0.0));
    if (switches.equivalent_rows && rows > 0) find_unavoidable(*this);
}

}  // namespace ramify::optimal::continuous
