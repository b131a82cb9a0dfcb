#include "splits/maxcut/squared_gini_cut.hpp"

#include <algorithm>

namespace ramify {

SquaredGiniCut::SquaredGiniCut(const double* counts, std::size_t levels, std::size_t classes,
                               const std::vector<double>& costs)
    : counts_(counts),
      classes_(classes),
      mixed_(levels * classes, 0.0),
      own_(levels),
      largest_(levels, 0.0),
      weight_(levels, 0.0),
      sides_(levels, unplaced),
      sums_(2 * classes, 0.0) {
    std::vector<double> sum(classes, 0.0);
    std::vector<double> mixed_sum(classes, 0.0);
    for (std::size_t i = 0; i < levels; ++i) {
        const double* row = this->counts(i);
        double* mixed = mixed_.data() + i * classes;
        for (std::size_t x = 0; x < classes; ++x) weight_[i] += row[x];
        for (std::size_t x = 0; x < classes; ++x) {
            if (costs.empty()) {
                mixed[x] = weight_[i] - row[x];
            } else {
                for (std::size_t y = 0; y < classes; ++y) {
                    if (x == y) continue;
                    mixed[x] += (costs[x * classes + y] + costs[y * classes + x]) / 2.0 * row[y];
                }
            }
            largest_[i] = std::max(largest_[i], mixed[x]);
            sum[x] += row[x];
            mixed_sum[x] += mixed[x];
        }
        own_[i] = dot(mixed, row);
        total_ -= own_[i];
    }
    total_ = std::max(0.0, total_ + dot(mixed_sum.data(), sum.data())) / 2.0;
    for (std::size_t i = 0; i < levels; ++i)
        rounding_ = std::max(rounding_, 1e-13 * dot(mixed_.data() + i * classes, sum.data()));
}

// Four sums side by side, always in the same order.
double SquaredGiniCut::dot(const double* a, const double* b) const {
    double lanes[4] = {};
    std::size_t x = 0;
    for (; x + 4 <= classes_; x += 4) {
        for (std::size_t lane = 0; lane < 4; ++lane) lanes[lane] += a[x + lane] * b[x + lane];
    }
    for (; x < classes_; ++x) lanes[0] += a[x] * b[x];
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

SquaredGiniCut::Field::Field(const SquaredGiniCut& cut, const std::vector<double>& vectors,
                             std::size_t rank)
    : cut_(cut), vectors_(vectors.data()), rank_(rank), sums_(cut.classes_ * rank, 0.0) {
    for (std::size_t i = 0; i < cut.size(); ++i) moved(i, vectors_ + i * rank);
}

void SquaredGiniCut::Field::at(std::size_t i, double* out) const {
    const double* vector = vectors_ + i * rank_;
    for (std::size_t r = 0; r < rank_; ++r) out[r] = -cut_.own_[i] * vector[r];
    for (std::size_t x = 0; x < cut_.classes_; ++x) {
        const double factor = cut_.mixed(i)[x];
        const double* sum = sums_.data() + x * rank_;
        for (std::size_t r = 0; r < rank_; ++r) out[r] += factor * sum[r];
    }
}

void SquaredGiniCut::Field::moved(std::size_t i, const double* change) {
    for (std::size_t x = 0; x < cut_.classes_; ++x) {
        const double count = cut_.counts(i)[x];
        if (count == 0.0) continue;
        double* sum = sums_.data() + x * rank_;
        for (std::size_t r = 0; r < rank_; ++r) sum[r] += count * change[r];
    }
}

}  // namespace ramify
