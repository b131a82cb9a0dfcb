#include "splits/nominal/hyperplanes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace ramify {
namespace {

constexpr double nothing = 1e-9;  // less of a unit vector is rounding

// Reflects the points so that `axis` (a unit vector) becomes the last coordinate, and drops it.
void drop(std::vector<double>& points, std::size_t dimension, const std::vector<double>& axis) {
    const std::size_t last = dimension - 1;
    std::vector<double> reflector = axis;
    const double sign = std::copysign(1.0, axis[last]);
    reflector[last] += sign;
    const double factor = 1.0 / (1.0 + std::abs(axis[last]));
    const std::size_t count = points.size() / dimension;
    for (std::size_t i = 0; i < count; ++i) {
        const double* from = points.data() + i * dimension;
        double along = 0.0;
        for (std::size_t j = 0; j < dimension; ++j) along += reflector[j] * from[j];
        along *= factor;
        double* to = points.data() + i * last;
        for (std::size_t j = 0; j < last; ++j) to[j] = from[j] - along * reflector[j];
    }
    points.resize(count * last);
}

double norm_of(const double* point, std::size_t dimension) {
    double square = 0.0;
    for (std::size_t j = 0; j < dimension; ++j) square += point[j] * point[j];
    return std::sqrt(square);
}

}  // namespace

// Finds coordinates in the space that the rows span. Each axis follows the row that is farthest
// from the axes before it.
Hyperplanes::Hyperplanes(const Contingency& table, double limit) : table_(table) {
    const std::size_t n = table.levels;
    const std::size_t k = table.classes;
    std::vector<double> rest(table.counts, table.counts + n * k);
    for (std::size_t i = 0; i < n; ++i) {
        const double norm = norm_of(rest.data() + i * k, k);
        for (std::size_t j = 0; j < k; ++j) rest[i * k + j] /= norm;
    }
    const std::vector<double> unit = rest;
    std::vector<std::vector<double>> axes;
    while (axes.size() < std::min(n, k)) {
        std::size_t farthest = 0;
        double distance = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            const double norm = norm_of(rest.data() + i * k, k);
            if (norm > distance) {
                distance = norm;
                farthest = i;
            }
        }
        if (distance < nothing) break;
        const double* row = rest.data() + farthest * k;
        std::vector<double> axis(row, row + k);
        for (double& x : axis) x /= distance;
        for (std::size_t i = 0; i < n; ++i) {
            double along = 0.0;
            for (std::size_t j = 0; j < k; ++j) along += rest[i * k + j] * axis[j];
            for (std::size_t j = 0; j < k; ++j) rest[i * k + j] -= along * axis[j];
        }
        axes.push_back(std::move(axis));
        rank_ = axes.size();
        if (work() > limit) return;  // no need to know how much more
    }
    Level first;
    first.points.assign(n * rank_, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        first.rows.push_back(i);
        for (std::size_t a = 0; a < rank_; ++a) {
            for (std::size_t j = 0; j < k; ++j) {
                first.points[i * rank_ + a] += unit[i * k + j] * axes[a][j];
            }
        }
    }
    levels_.resize(rank_ < 2 ? 1 : rank_ - 1);
    levels_[0] = std::move(first);
}

double Hyperplanes::work() const {
    const auto n = static_cast<double>(table_.levels);
    if (rank_ < 2) return n;
    double sets = 1.0;  // of pivots, each with 2^pivots sides
    for (std::size_t p = 0; p < rank_ - 2; ++p) {
        sets *= 2.0 * (n - static_cast<double>(p)) / static_cast<double>(p + 1);
    }
    return sets * (n - static_cast<double>(rank_ - 2) + 1.0);
}

void Hyperplanes::search(Side& side, BestPartition& best) {
    side_ = &side;
    best_ = &best;
    start_.assign(table_.levels, 1);
    if (rank_ < 2) {  // all rows alike
        side.all_right();
        for (std::size_t i = 0; i + 1 < table_.levels; ++i) {
            side.flip(i);
            if (side.offer(best)) best.keep(side.right());
        }
        return;
    }
    pivot(0, 0);
}

// Pivots are taken in ascending order. That suffices: among the facets of a cell of the arrangement
// the lowest comes first, and every facet of the lowest lies in another facet of the cell.
void Hyperplanes::pivot(std::size_t depth, std::size_t after) {
    const std::size_t dimension = rank_ - depth;
    if (dimension == 2) {
        roll(levels_[depth], depth);
        return;
    }
    for (std::size_t at = 0; at < levels_[depth].rows.size(); ++at) {
        if (levels_[depth].rows[at] < after) continue;
        if (table_.interrupt != nullptr) table_.interrupt->poll();
        project(depth, at);
        pivot(depth + 1, levels_[depth].rows[at] + 1);
    }
}

// Narrows the space to hyperplanes that hold the chosen row. Rows parallel to it are held too.
void Hyperplanes::project(std::size_t depth, std::size_t chosen) {
    const std::size_t dimension = rank_ - depth;
    Level& from = levels_[depth];
    Level& to = levels_[depth + 1];
    const double* row = from.points.data() + chosen * dimension;
    std::vector<double> axis(row, row + dimension);
    for (double& x : axis) x *= 1.0 / norm_of(row, dimension);
    to.points = from.points;
    drop(to.points, dimension, axis);
    to.rows.clear();
    from.on.clear();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < from.rows.size(); ++i) {
        const double* point = to.points.data() + i * (dimension - 1);
        if (norm_of(point, dimension - 1) < nothing) {
            double along = 0.0;
            for (std::size_t j = 0; j < dimension; ++j) {
                along += from.points[i * dimension + j] * axis[j];
            }
            from.on.push_back(from.rows[i]);
            start_[from.rows[i]] = along < 0.0;
            continue;
        }
        std::copy(point, point + (dimension - 1), to.points.data() + kept * (dimension - 1));
        to.rows.push_back(from.rows[i]);
        ++kept;
    }
    to.points.resize(kept * (dimension - 1));
}

// Half a turn in the plane that remains. A row (x, y) is left of the direction (cos t, sin t) if x
// cos t + y sin t > 0. This changes at cot t = - y / x, so rows change sides in ascending order of
// y / x.
void Hyperplanes::roll(const Level& level, std::size_t pivots) {
    turn_.clear();
    for (std::size_t i = 0; i < level.rows.size(); ++i) {
        const double x = level.points[2 * i];
        const double y = level.points[2 * i + 1];
        start_[level.rows[i]] = x < 0.0 || (x == 0.0 && y < 0.0);
        if (x != 0.0) turn_.emplace_back(y / x, level.rows[i]);
    }
    std::sort(turn_.begin(), turn_.end());
    side_->assign(start_);
    offer_sides_of_pivots(pivots);
    for (const auto& [angle, row] : turn_) {
        side_->flip(row);
        offer_sides_of_pivots(pivots);
    }
}

// The pivots lie on the hyperplane, so each may go to either side. A Gray code tries all ways.
void Hyperplanes::offer_sides_of_pivots(std::size_t pivots) {
    if (side_->offer(*best_)) best_->keep(side_->right());
    for (std::uint64_t step = 1; step < std::uint64_t{1} << pivots; ++step) {
        for (const std::size_t row : levels_[static_cast<std::size_t>(std::countr_zero(step))].on) {
            side_->flip(row);
        }
        if (side_->offer(*best_)) best_->keep(side_->right());
    }
}

}  // namespace ramify
