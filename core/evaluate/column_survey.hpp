// What is asked of all values of a numeric column, added up value by value where these are not
// kept: how many distinct ones there are, at how many of them it can be cut, and the sums of their
// scores. Invariant: every value is added once, and those of a part are added in ascending order;
// the test is that of the values themselves.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "counts/independence.hpp"
#include "node/parameters.hpp"

namespace ramify {

// Where the rows without a value are while a column is cut: none takes part, or all are on one
// side.
enum class HolesOfCut : std::uint8_t { out, left, right };

// Which cuts leave enough rows on both sides.
struct CutRoom {
    double known = 0.0, missing = 0.0;  // the support of the rows with a value, and without
    double least = 0.0;                 // of a side

    // `up_to`: the support of the values that are not above the cut.
    bool allows(double up_to, HolesOfCut holes) const {
        const double left = up_to + (holes == HolesOfCut::left ? missing : 0.0);
        const double right = known - up_to + (holes == HolesOfCut::right ? missing : 0.0);
        return enough_rows(left, least) && enough_rows(right, least) && up_to < known - row_slack;
    }
};

class ColumnSurvey {
  public:
    ColumnSurvey() = default;
    // The values lie from `low` to `high`, or not far off. `classes`: 0 for numbers, whose sums are
    // the moments of the target.
    ColumnSurvey(double low, double high, std::size_t classes, const CutRoom& room)
        : room_(room),
          classes_(classes),
          middle_(low / 2 + high / 2),
          half_range_(high / 2 - low / 2) {
        if (!(half_range_ > 0.0)) half_range_ = std::max(1.0, std::abs(middle_));
        const std::size_t width = classes > 0 ? classes : 3;
        below_.assign(width, 0.0);
        above_.assign(width, 0.0);
        products_.assign(width, 0.0);
    }

    // `sums`: class weights or moments of the rows that have the value. `up_to`: the support of all
    // values that are not above it.
    void add(double value, const double* sums, double up_to) {
        ++values_;
        for (std::size_t holes = 0; holes < cuts_.size(); ++holes)
            cuts_[holes] += room_.allows(up_to, static_cast<HolesOfCut>(holes)) ? 1u : 0u;
        if (std::isinf(value)) {
            std::vector<double>& to = value > 0.0 ? above_ : below_;
            for (std::size_t j = 0; j < to.size(); ++j) to[j] += sums[j];
            return;
        }
        // Edges may lie far from all values, so that the first finite one is the middle, and the
        // second one tells the range. Otherwise sums would lose their digits.
        if (low_ > high_) middle_ = value;
        const double off = value / 2 - middle_ / 2;
        if (off != 0.0 && !(low_ < high_)) half_range_ = std::abs(off);
        if (std::abs(off) > most_off * half_range_) widen(std::abs(off));
        const double x = off / half_range_;
        low_ = std::min(low_, x);
        high_ = std::max(high_, x);
        put(x, sums, products_, squares_);
    }

    // Distinct ones.
    std::size_t values() const { return values_; }
    // Cuts that leave enough rows on both sides.
    std::size_t cuts(HolesOfCut holes) const { return cuts_[static_cast<std::size_t>(holes)]; }

    // The test, given the sums of all rows that have a value.
    IndependenceTest test(const double* known, double mean) const {
        if (values_ < 2) return {};
        std::vector<double> products = products_;
        double squares = squares_;
        // Infinities lie beyond the finite values, at a distance of their range.
        const bool finite = low_ <= high_;
        const double range = finite && high_ > low_ ? high_ - low_ : 1.0;
        put(finite ? high_ + range : 1.0, above_.data(), products, squares);
        put(finite ? low_ - range : -1.0, below_.data(), products, squares);
        if (classes_ > 0) return test_numeric(known, products.data(), squares, classes_);
        const double weight = known[0];
        const double y = known[1] - mean * weight;
        const double yy = known[2] - mean * (2.0 * known[1] - mean * weight);
        // Rounding leaves a little of a target that does not vary.
        if (!(yy * weight - y * y > 1e-13 * std::abs(known[2]) * weight)) return {};
        return test_correlation(
            {weight, products[0], y, squares, products[1] - mean * products[0], yy});
    }

  private:
    // How far beyond the range that was expected a value may lie, in parts of that range.
    static constexpr double most_off = 1e6;

    // Scales all scores to a wider range. The test does not depend on it, but squares would
    // overflow.
    void widen(double half_range) {
        const double ratio = half_range_ / half_range;
        half_range_ = half_range;
        for (double& product : products_) product *= ratio;
        squares_ *= ratio * ratio;
        if (low_ > high_) return;  // no finite value yet
        low_ *= ratio;
        high_ *= ratio;
    }
    void put(double x, const double* sums, std::vector<double>& products, double& squares) const {
        for (std::size_t j = 0; j < products.size(); ++j) {
            products[j] += x * sums[j];
            if (classes_ > 0 || j == 0) squares += x * x * sums[j];
        }
    }

    CutRoom room_;
    std::array<std::size_t, 3> cuts_{};
    std::size_t classes_ = 0, values_ = 0;
    double middle_ = 0.0, half_range_ = 1.0;
    double low_ = std::numeric_limits<double>::infinity();  // of the scores of finite values
    double high_ = -std::numeric_limits<double>::infinity();
    std::vector<double> below_, above_;  // the sums of both infinities
    std::vector<double> products_;       // of scores and sums
    double squares_ = 0.0;               // of scores
};

}  // namespace ramify
