#include "edit/curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace ramify {
namespace {

// Sums of rows between two thresholds.
class Buckets {
  public:
    Buckets(const Problem& problem, std::size_t count)
        : problem_(problem),
          width_(problem.classes > 0 ? problem.classes : 3),
          sums_((count + 1) * width_, 0.0),
          rest_(width_, 0.0) {}

    std::size_t width() const { return width_; }
    double* bucket(std::size_t b) { return sums_.data() + b * width_; }
    double* rest() { return rest_.data(); }
    double weight_of(const double* sums) const {
        return problem_.classes > 0 ? ramify::weight_of(sums, width_) : sums[0];
    }
    void add(std::uint32_t row, double part, double centre, double* to) const {
        const double weight = (problem_.weights.empty() ? 1.0 : problem_.weights[row]) * part;
        if (problem_.classes > 0) {
            to[problem_.labels[row]] += weight;
            return;
        }
        const double y = problem_.target[row] - centre;
        to[0] += weight;
        to[1] += weight * y;
        to[2] += weight * y * y;
    }

  private:
    const Problem& problem_;
    std::size_t width_;
    std::vector<double> sums_, rest_;
};

void add_to(std::vector<double>& to, const double* from, double by = 1.0) {
    for (std::size_t j = 0; j < to.size(); ++j) to[j] += by * from[j];
}

// The mean of the targets, where the criterion lets it be subtracted.
double centre_of(const Problem& problem, const KeptRows& rows) {
    if (problem.classes > 0 || !problem.criterion->centred()) return 0.0;
    double sum = 0.0, weight = 0.0;
    const auto add = [&](std::uint32_t row, double part) {
        const double w = (problem.weights.empty() ? 1.0 : problem.weights[row]) * part;
        sum += w * problem.target[row];
        weight += w;
    };
    for (const std::uint32_t row : rows.whole) add(row, 1.0);
    for (std::size_t i = 0; i < rows.divided.size(); ++i) add(rows.divided[i], rows.part[i]);
    return weight > 0.0 ? sum / weight : 0.0;
}

}  // namespace

std::vector<double> threshold_gains(const Problem& problem, const KeptRows& rows,
                                    std::size_t column, std::span<const double> thresholds,
                                    Interrupt& interrupt) {
    const Criterion& criterion = problem.criterion->of_thresholds();
    if (criterion.walk_kind() == WalkKind::ranks)
        throw std::invalid_argument("criterion: ranks do not add up over rows");
    const Column& values = problem.table[column];
    Buckets buckets(problem, thresholds.size());
    const double centre = centre_of(problem, rows);
    std::size_t seen = 0;
    const auto put = [&](std::uint32_t row, double part) {
        if (++seen % 65536 == 0) interrupt.poll();
        if (values.missing(row)) return buckets.add(row, part, centre, buckets.rest());
        const auto at = std::lower_bound(thresholds.begin(), thresholds.end(), values.value(row));
        buckets.add(row, part, centre,
                    buckets.bucket(static_cast<std::size_t>(at - thresholds.begin())));
    };
    for (const std::uint32_t row : rows.whole) put(row, 1.0);
    for (std::size_t i = 0; i < rows.divided.size(); ++i) put(rows.divided[i], rows.part[i]);

    const std::size_t width = buckets.width();
    std::vector<double> known(width, 0.0);
    for (std::size_t b = 0; b <= thresholds.size(); ++b) add_to(known, buckets.bucket(b));
    std::vector<double> all = known;
    add_to(all, buckets.rest());
    const double known_weight = buckets.weight_of(known.data());
    const double missing_weight = buckets.weight_of(buckets.rest());
    const bool missing = missing_weight > 0.0;
    const bool fractional = problem.parameters.missing == Missing::fractional;
    const bool divided = missing && problem.parameters.divides_first();
    const double share = known_weight / (known_weight + missing_weight);

    std::vector<double> gains;
    std::vector<double> sides(2 * width, 0.0);
    std::vector<double> left(width, 0.0);
    const auto score = [&](const std::vector<double>& node) {
        return criterion.score({node.data(), sides.data(), 2, width}) -
               criterion.baseline(node.data(), width);
    };
    for (std::size_t t = 0; t < thresholds.size(); ++t) {
        add_to(left, buckets.bucket(t));
        const double on_left = buckets.weight_of(left.data());
        const double on_right = known_weight - on_left;
        if (!(on_left > 0.0) || !(on_right > 1e-12 * known_weight)) {
            gains.push_back(0.0);
            continue;
        }
        const auto fill = [&](double to_left, double to_right) {
            for (std::size_t j = 0; j < width; ++j) {
                sides[j] = left[j] + to_left * buckets.rest()[j];
                sides[width + j] = known[j] - left[j] + to_right * buckets.rest()[j];
            }
        };
        double gain = 0.0;
        if (!missing) {
            fill(0.0, 0.0);
            gain = score(all);
        } else if (divided && !criterion.quadratic()) {
            fill(on_left / known_weight, on_right / known_weight);
            gain = score(all);
        } else if (fractional) {
            fill(0.0, 0.0);
            gain = score(known);
            if (divided) {
                gain *= share * share;
            } else if (criterion.discounts_missing()) {
                gain *= share;
            }
        } else {
            fill(1.0, 0.0);
            gain = score(all);
            fill(0.0, 1.0);
            gain = std::max(gain, score(all));
        }
        gains.push_back(gain > 0.0 && std::isfinite(gain) ? gain : 0.0);
    }
    return gains;
}

}  // namespace ramify
