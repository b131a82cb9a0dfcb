#include "optimal/questions/near_table.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "optimal/binary/cache.hpp"

namespace ramify::optimal::near {

NearTable::NearTable(const OptimalProblem& given, const std::vector<std::int32_t>& columns,
                     const Limits& given_limits, Monitor& monitor)
    : problem(given), limits(given_limits) {
    problem.columns.clear();
    problem.start.clear();
    add_questions(given, columns, monitor);
    for (const auto& bits : by_row_) problem.columns.push_back({{}, bits, 2});
    table = std::make_unique<binary::BinaryTable>(problem, true, monitor);
    place(monitor);
    std::vector<double> sums(table->loss.width());
    table->sums(table->all.data(), sums.data());
    const double most = table->loss(sums.data()) + limits.sparsity;
    constexpr int digits = 42;
    if (most > 0.0) scale = std::exp2(digits - std::ceil(std::log2(most)));
    if (problem.task == Task::regression && sums[0] > 0.0)
        tolerance_ = 1e-12 * std::sqrt(sums[2] / sums[0]);
}

void NearTable::add_questions(const OptimalProblem& given, const std::vector<std::int32_t>& columns,
                              Monitor& monitor) {
    std::set<std::tuple<std::int32_t, std::uint64_t, std::uint64_t>> seen;
    const std::size_t n_words = (given.rows + 63) / 64;
    for (std::size_t f = 0; f < given.columns.size(); ++f) {
        const SearchColumn& feature = given.columns[f];
        for (std::int32_t code = 0; code + 1 < feature.values; ++code) {
            monitor.poll();
            std::vector<std::uint64_t> bits(n_words, 0), normal(n_words, 0);
            std::size_t count = 0;
            for (std::size_t row = 0; row < given.rows; ++row) {
                const bool right = feature[row] > code;
                count += right;
                bits[row / 64] |= static_cast<std::uint64_t>(right) << row % 64;
                normal[row / 64] |= static_cast<std::uint64_t>(right != (feature[0] > code))
                                    << row % 64;
            }
            if (count == 0 || count == given.rows) continue;
            const auto key = binary::fingerprint(normal.data(), n_words, 0);
            if (!seen.emplace(columns[f], key.low, key.high).second) continue;
            questions.push_back({static_cast<std::int32_t>(f), code, columns[f]});
            by_row_.push_back(std::move(bits));
        }
    }
}

void NearTable::place(Monitor& monitor) {
    placed.assign(questions.size() * words(), 0);
    for (std::size_t q = 0; q < questions.size(); ++q) {
        monitor.poll();
        Word* to = placed.data() + q * words();
        for (std::size_t at = 0; at < table->row_at.size(); ++at) {
            const std::int32_t row = table->row_at[at];
            if (row < 0) continue;
            const auto r = static_cast<std::size_t>(row);
            to[at / 64] |= (by_row_[q][r / 64] >> r % 64 & 1) << at % 64;
        }
    }
}

Cover NearTable::cover(const std::vector<std::int32_t>& rows) const {
    std::vector<std::uint8_t> inside(problem.rows, 0);
    for (const std::int32_t row : rows) inside.at(static_cast<std::size_t>(row)) = 1;
    Cover found(words(), 0);
    for (std::size_t at = 0; at < table->row_at.size(); ++at) {
        const std::int32_t row = table->row_at[at];
        if (row >= 0 && inside[static_cast<std::size_t>(row)]) found[at / 64] |= Word{1} << at % 64;
    }
    return found;
}

LeafFacts NearTable::leaf(const Word* cover) const {
    const LeafLoss& loss = table->loss;
    const std::size_t width = loss.width();
    std::vector<double> sums(width);
    table->sums(cover, sums.data());
    LeafFacts facts;
    facts.rows = table->rows(cover);
    facts.cost = fixed(loss(sums.data())) + fixed(limits.sparsity);
    if (loss.regression()) {
        facts.prediction = sums[0] > 0.0 ? sums[1] / sums[0] : 0.0;
        facts.impurity = loss(sums.data());
        return facts;
    }
    double weight = 0.0, squares = 0.0, least = std::numeric_limits<double>::infinity();
    for (std::size_t answer = 0; answer < width; ++answer) {
        weight += sums[answer];
        squares += sums[answer] * sums[answer];
        double cost = 0.0;
        for (std::size_t label = 0; label < width; ++label) {
            cost += sums[label] * loss.costs()[label * width + answer];
        }
        if (cost < least) {
            least = cost;
            facts.label = static_cast<std::int32_t>(answer);
        }
    }
    facts.impurity = weight > 0.0 ? weight - squares / weight : 0.0;
    return facts;
}

bool NearTable::same_answer(const LeafFacts& a, const LeafFacts& b) const {
    if (problem.task == Task::regression) {
        return std::abs(a.prediction - b.prediction) <= tolerance_;
    }
    return a.label == b.label;
}

}  // namespace ramify::optimal::near
