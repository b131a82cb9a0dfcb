#include "optimal/monotone/order.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ramify::optimal::monotone {
namespace {

constexpr int digits = 42;

bool meet(const Word* a, const Cover& b) {
    for (std::size_t w = 0; w < b.size(); ++w) {
        if (a[w] & b[w]) return true;
    }
    return false;
}

// The values on the two sides of a question.
struct Sides {
    double least[2] = {std::numeric_limits<double>::infinity(),
                       std::numeric_limits<double>::infinity()};
    double most[2] = {-std::numeric_limits<double>::infinity(),
                      -std::numeric_limits<double>::infinity()};
};

}  // namespace

Order::Order(const near::NearTable& table, const Table& cells, const Signs& signs) : table_(table) {
    if (signs.sign.size() != cells.size() || signs.of_class.size() != cells.size())
        throw std::invalid_argument("signs: one entry a column");
    const binary::BinaryTable& rows = *table.table;
    const bool regression = rows.loss.regression();
    if (rows.loss.numbers() && rows.loss.numbers()->by_ranks())
        throw std::invalid_argument("monotone: sums of ranks have no order");
    if (regression) {
        double most = rows.loss.numbers() ? rows.loss.numbers()->reach() : 0.0;
        for (const double y : table.problem.target)
            if (!rows.loss.numbers()) most = std::max(most, std::abs(y - rows.loss.centre()));
        scale_ = most > 0.0 ? std::exp2(digits - std::ceil(std::log2(most))) : 1.0;
    } else {
        scale_ = std::exp2(digits);
    }
    for (std::size_t c = 0; c < cells.size(); ++c) {
        if (signs.sign[c] == 0) continue;
        const std::int32_t of_class = regression ? 0 : signs.of_class[c];
        if (std::find(outputs_.begin(), outputs_.end(), of_class) == outputs_.end())
            outputs_.push_back(of_class);
    }
    std::vector<std::int32_t> cover_of(cells.size(), -2);  // -2: not made
    for (const near::Question& question : table.questions) {
        const auto c = static_cast<std::size_t>(question.column);
        int sign = signs.sign[c];
        const std::int32_t of_class = regression ? 0 : signs.of_class[c];
        if (sign == 0) {
            sign_.push_back(0);
            sound_.push_back(1);
            output_of_.push_back(0);
            known_of_.push_back(-1);
            continue;
        }
        const Column& column = cells[c];
        if (column.kind == Kind::nominal || of_class < 0 ||
            (!regression && static_cast<std::size_t>(of_class) >= rows.loss.width())) {
            throw std::invalid_argument("signs: no order");
        }
        if (cover_of[c] == -2) {
            Cover known(rows.words(), 0);
            bool all = true;
            for (std::size_t at = 0; at < rows.row_at.size(); ++at) {
                if (rows.row_at[at] < 0) continue;
                if (column.missing(static_cast<std::uint32_t>(rows.row_at[at]))) {
                    all = false;
                } else {
                    known[at / 64] |= Word{1} << at % 64;
                }
            }
            cover_of[c] = all ? -1 : static_cast<std::int32_t>(known_.size());
            if (!all) known_.push_back(std::move(known));
        }
        Sides sides;
        const Word* bits = table.bits(sign_.size());
        for (std::size_t at = 0; at < rows.row_at.size(); ++at) {
            if (rows.row_at[at] < 0) continue;
            const auto row = static_cast<std::uint32_t>(rows.row_at[at]);
            if (column.missing(row)) continue;
            const std::size_t side = bits[at / 64] >> at % 64 & 1;
            sides.least[side] = std::min(sides.least[side], column.value(row));
            sides.most[side] = std::max(sides.most[side], column.value(row));
        }
        const bool swapped = sides.most[1] < sides.least[0];
        sound_.push_back(swapped || sides.most[0] < sides.least[1] ? 1 : 0);
        sign_.push_back(static_cast<std::int8_t>(swapped ? -sign : sign));
        known_of_.push_back(cover_of[c]);
        const auto at = std::find(outputs_.begin(), outputs_.end(), of_class);
        output_of_.push_back(static_cast<std::size_t>(at - outputs_.begin()));
    }
}

Range Order::of_leaf(const double* sums) const {
    Range range{std::vector<Value>(outputs_.size()), std::vector<Value>(outputs_.size())};
    const bool regression = table_.table->loss.regression();
    double weight = 0.0;
    const std::size_t width = regression ? 1 : table_.table->loss.width();
    for (std::size_t k = 0; k < width; ++k) weight += sums[k];
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
        const double sum = regression ? sums[1] : sums[static_cast<std::size_t>(outputs_[o])];
        const double value = weight > 0.0 ? sum / weight : 0.0;
        range.low[o] = range.high[o] = static_cast<Value>(std::llround(value * scale_));
    }
    return range;
}

Range Order::of_rows(const Word* cover) const {
    std::vector<double> sums(table_.table->loss.width());
    table_.table->sums(cover, sums.data());
    return of_leaf(sums.data());
}

std::size_t Order::output_of_class(std::int32_t of_class) const {
    const auto at = std::find(outputs_.begin(), outputs_.end(), of_class);
    if (at == outputs_.end()) throw std::invalid_argument("the order of this class is not asked");
    return static_cast<std::size_t>(at - outputs_.begin());
}

int Order::sign(std::size_t question, const Word* left, const Word* right) const {
    const int sign = sign_[question];
    const std::int32_t known = known_of_[question];
    if (sign == 0 || known < 0) return sign;
    const Cover& cover = known_[static_cast<std::size_t>(known)];
    return meet(left, cover) && meet(right, cover) ? sign : 0;
}

}  // namespace ramify::optimal::monotone
