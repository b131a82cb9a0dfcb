#include "counts/beyond_chance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "counts/tails.hpp"

namespace ramify {
namespace {

// Gauss-Legendre quadrature on [-1, 1]: nodes and weights of the positive half.
struct GaussNode {
    double at, weight;
};
constexpr std::array<GaussNode, 2> four_nodes = {
    {{0.33998104358485626480, 0.65214515486254614263},
     {0.86113631159405257522, 0.34785484513745385737}}};
constexpr std::array<GaussNode, 4> eight_nodes = {
    {{0.18343464249564980494, 0.36268378337836198297},
     {0.52553240991632898582, 0.31370664587788728734},
     {0.79666647741362673959, 0.22238103445337447054},
     {0.96028985649753623168, 0.10122853629037625915}}};
// Counts are whole numbers. A part of a row makes up for that; found by simulation with 50 to 1,000
// rows.
constexpr double continuity = 0.08;
constexpr double few_cuts = 6.0;    // are added up one by one, wherever they are
constexpr double some_cuts = 40.0;  // four nodes are enough for each half

double normal_below(double x) {
    return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

// By how much the maximum over steps is exceeded less often than that of a continuous path
// (Siegmund and Yakir 2007, page 112).
double overshoot(double x) {
    if (x < 1e-4) return 1.0 - 0.583 * x;
    const double half = 0.5 * x;
    const double normal = normal_below(half);
    const double density =
        std::exp(-0.5 * half * half) * 0.5 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
    return 2.0 / x * (normal - 0.5) / (half * normal + density);
}

// a log(a / b), with its limit at a = 0.
double entropy_term(double a, double b) {
    return a > 0.0 ? a * std::log(a / b) : 0.0;
}

// log P(X >= x) of a chi-square variable. Two classes and numbers have one degree of freedom, three
// equal classes have two; for these it is simple.
double log_tail(double x, double df) {
    if (std::abs(df - 1.0) < 1e-9 && x < 1000.0) {
        const double root = std::sqrt(0.5 * x);
        return root < 0.5 ? std::log1p(-std::erf(root)) : std::log(std::erfc(root));
    }
    if (std::abs(df - 2.0) < 1e-9) return -0.5 * x;
    return log_chi_square_tail(x, df);
}

// Everything about the target and the statistic that does not depend on the cut.
class CutTails {
  public:
    CutTails(const ChanceTarget& target, double share) : target_(target) {
        const double raw = share * (target.rows - 1.0);
        // Sum of weighted chi-squares, matched by three moments (Imhof 1961).
        df_ = target.second * target.second * target.second / (target.third * target.third);
        const double scale = std::sqrt(df_ / target.second);
        statistic_ = std::max(1e-9, (raw - 1.0) * scale + df_);
        // Far out, where chance is out of question, all columns shall be judged alike: there the
        // correction is that of a statistic with a p-value of about 1e-7.
        const double far = (std::sqrt(df_) + 4.5) * (std::sqrt(df_) + 4.5);
        corrected_ = std::min(statistic_, far);
        raw_ = std::min(raw, 1.0 + (far - df_) / scale);
        if (!(target.largest > 0.0)) log_limit_ = log_gamma_density(0.5 / target.second);
    }

    double statistic() const { return statistic_; }
    double df() const { return df_; }

    // How much more often the statistic is reached at this cut than the normal limit says.
    double correction(double left) const {
        return target_.largest > 0.0 ? by_deviations(left) : by_variance(left);
    }

  private:
    // One class against the rest. Far out, probabilities fall like exp(-G^2 / 2), not like
    // exp(-chi^2 / 2).
    double by_deviations(double left) const {
        const double rows = target_.rows;
        const double p = target_.largest;
        const double right = rows - left;
        const double middle = left * p;
        const double deviation = std::sqrt(corrected_ * left * p * (1.0 - p) * (right / rows));
        const double reach = std::max(0.0, deviation - continuity);
        double sum = 0.0;
        for (const double ours : {middle + reach, middle - reach}) {
            const double others = left - ours;
            const double ours_right = rows * p - ours;
            const double others_right = right - ours_right;
            if (ours < 0.0 || others < 0.0 || ours_right < 0.0 || others_right < 0.0) continue;
            const double half =
                entropy_term(ours, middle) + entropy_term(others, left * (1.0 - p)) +
                entropy_term(ours_right, right * p) + entropy_term(others_right, right * (1.0 - p));
            sum += 0.5 * std::exp(0.5 * corrected_ - half);
        }
        return sum;
    }

    // The density of a gamma variable with the variance at this cut, over that of the limit.
    double by_variance(double left) const {
        const double n = target_.rows;
        const double inverse = 1.0 / left + 1.0 / (n - left);
        const ChanceMoments at = moments_by_chance(target_, {2.0, inverse});
        if (!(at.variance > 1e-6 * at.mean * at.mean)) return 0.0;
        return std::exp(log_gamma_density(at.mean * at.mean / at.variance) - log_limit_);
    }

    // Of shape a and mean 1, at raw_; without the terms that all shapes share.
    double log_gamma_density(double a) const {
        return a * (std::log(a * raw_) - raw_) - log_gamma(a);
    }

    const ChanceTarget& target_;
    double raw_, corrected_, statistic_, df_, log_limit_ = 0.0;
};

// The integral of overshoot and correction over the cuts, in the time in which the standardised
// sums are an Ornstein-Uhlenbeck process: half the log odds of the share of rows to the left.
class CutIntegral {
  public:
    CutIntegral(const ChanceTarget& target, const ChanceCuts& cuts, const CutTails& tails)
        : rows_(target.rows), cuts_(cuts), tails_(tails) {}

    double value() const {
        if (cuts_.count < 1.5) return 0.0;
        if (!cuts_.places.empty() || cuts_.count <= few_cuts) return sum();
        const double begin = time(cuts_.first);
        const double end = time(cuts_.last);
        // Both ends look alike, so if cuts reach equally far, one half is enough.
        if (std::abs(begin + end) < 1e-9 * (end - begin)) return 2.0 * integral(begin, 0.0);
        const double middle = std::clamp(0.0, begin, end);
        return integral(begin, middle) + integral(middle, end);
    }

  private:
    double time(double left) const { return 0.5 * std::log(left / (rows_ - left)); }

    double sum() const {
        const auto count = static_cast<std::size_t>(cuts_.count);
        const double gap = (cuts_.last - cuts_.first) / static_cast<double>(count - 1);
        double result = 0.0;
        double last_time = 0.0;
        double last_correction = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            const double left =
                cuts_.places.empty() ? cuts_.first + gap * static_cast<double>(i) : cuts_.places[i];
            const double now = time(left);
            const double correction = tails_.correction(left);
            if (i > 0) {
                const double step = now - last_time;
                result += 0.5 * (correction + last_correction) * step *
                          overshoot(std::sqrt(2.0 * tails_.statistic() * step));
            }
            last_time = now;
            last_correction = correction;
        }
        return result;
    }

    double integral(double begin, double end) const {
        if (!(end > begin)) return 0.0;
        if (cuts_.count <= some_cuts) return integral(begin, end, four_nodes);
        return integral(begin, end, eight_nodes);
    }

    double integral(double begin, double end, std::span<const GaussNode> nodes) const {
        const double gap = (cuts_.last - cuts_.first) / (cuts_.count - 1.0);
        const double middle = 0.5 * (begin + end);
        const double half = 0.5 * (end - begin);
        double result = 0.0;
        for (const GaussNode& node : nodes) {
            for (const double sign : {-1.0, 1.0}) {
                const double at = middle + sign * half * node.at;
                const double left = rows_ / (1.0 + std::exp(-2.0 * at));
                const double step = 0.5 * rows_ * gap / (left * (rows_ - left));
                result += node.weight * tails_.correction(left) *
                          overshoot(std::sqrt(2.0 * tails_.statistic() * step));
            }
        }
        return half * result;
    }

    double rows_;
    const ChanceCuts& cuts_;
    const CutTails& tails_;
};

}  // namespace

bool too_few_classes_to_tell(std::span<const double> class_weights, double rows) {
    constexpr double most = 20.0;
    if (rows > most + 0.5) return false;  // two classes at least
    double weight = 0.0;
    for (const double w : class_weights) weight += w;
    double ways = 1.0;
    double placed = 0.0;
    bool whole = true;
    for (const double w : class_weights) {
        if (!(w > 0.0)) continue;
        const double size = w * (rows / weight);
        whole = whole && std::abs(size - std::round(size)) < 1e-9;
        for (double k = 1.0; whole && k < size + 0.5; ++k) ways *= ++placed / k;
    }
    if (whole) return ways < most + 0.5;
    double log_ways = log_gamma(rows + 1.0);
    for (const double w : class_weights) {
        if (w > 0.0) log_ways -= log_gamma(w * (rows / weight) + 1.0);
    }
    return log_ways < std::log(most + 0.5);
}

ChanceTarget chance_of_classes(std::span<const double> class_weights, double rows) {
    double weight = 0.0;
    for (const double w : class_weights) weight += w;
    double squares = 0.0;
    double cubes = 0.0;
    double fourths = 0.0;
    double largest = 0.0;
    const double inverse = 1.0 / weight;
    for (const double w : class_weights) {
        const double p = w * inverse;
        const double square = p * p;
        squares += square;
        cubes += square * p;
        fourths += square * square;
        largest = std::max(largest, p);
    }
    ChanceTarget target;
    target.rows = rows;
    const double trace = 1.0 - squares;  // the Gini index
    if (!(trace > 1e-12)) {
        target.second = 0.0;
        return target;
    }
    // C = diag(p) - p p'.
    target.second = (squares - 2.0 * cubes + squares * squares) / (trace * trace);
    target.third = (cubes - 3.0 * fourths + 3.0 * squares * cubes - squares * squares * squares) /
                   (trace * trace * trace);
    double fourth = 0.0;
    double lone = 0.0;
    for (const double w : class_weights) {
        const double p = w * inverse;
        const double square = 1.0 - 2.0 * p + squares;  // |y|^2 of the class
        fourth += p * square * square;
        if (p > 0.0) lone = std::max(lone, square);
    }
    target.fourth = fourth / (trace * trace);
    target.lone_statistic = lone / trace;
    for (const double w : class_weights) {
        const double p = w * inverse;
        if (p > 0.0 && 1.0 - 2.0 * p + squares >= lone * (1.0 - 1e-9)) target.lone_share += p;
    }
    if (largest >= 0.5) target.largest = largest;
    return target;
}

ChanceTarget chance_of_numbers(double variance, double fourth_moment, double rows) {
    ChanceTarget target;
    target.rows = rows;
    if (variance > 0.0) {
        target.fourth = std::max(1.0, fourth_moment / (variance * variance));
    } else {
        target.second = 0.0;
    }
    return target;
}

// The statistic is the trace of the product of two centred matrices, one of them permuted: the
// products y_r y_s of the targets, and the projection on the levels. Kazi-Aoual et al. (1995) give
// its moments over all permutations.
ChanceMoments moments_by_chance(const ChanceTarget& target, const ChanceLevels& levels) {
    const double n = target.rows;
    const double df = levels.count - 1.0;
    ChanceMoments result;
    result.mean = df / (n - 1.0);
    const double of_levels = levels.inverse_sizes - (2.0 * levels.count - 1.0) / n;
    const double spread = ((n - 1.0) * target.second - 1.0) * (df * (n - 1.0 - df));
    const double tails =
        n * (n + 1.0) * (target.fourth / n) - (n - 1.0) * (1.0 + 2.0 * target.second);
    const double tails_of_levels = n * (n + 1.0) * of_levels - (n - 1.0) * (df * df + 2.0 * df);
    result.variance = 2.0 * spread / ((n - 1.0) * (n - 1.0) * (n + 1.0) * (n - 2.0)) +
                      tails * tails_of_levels / ((n + 1.0) * n * (n - 1.0) * (n - 2.0) * (n - 3.0));
    return result;
}

namespace {

// A lower bound of log P(X >= x) of a gamma variable: the upper incomplete gamma function is at
// least x^(a - 1) e^-x, times x / (x + 1 - a) if a < 1.
double least_log_gamma_tail(double shape, double x) {
    if (x <= shape) return std::log(0.25);  // the median lies below the mean; a >= 0.3
    const double factor = shape < 1.0 ? std::log(x / (x + 1.0 - shape)) : 0.0;
    return (shape - 1.0) * std::log(x) - x - log_gamma(shape) + factor;
}

struct GammaPoint {
    double shape = 0.0, at = 0.0;
};

// Where a share lies in its distribution by chance; a shape of 0 if chance leaves no choice.
GammaPoint point_of_levels(const ChanceTarget& target, const ChanceLevels& levels, double share) {
    if (!target.varies() || levels.count < 1.5) return {};
    const ChanceMoments by_chance = moments_by_chance(target, levels);
    // Rounding apart, singletons leave no variance.
    if (!(by_chance.variance > 1e-9 * by_chance.mean * by_chance.mean / target.rows)) return {};
    // The share of a level of m rows has a variance of about (large + rest / m) mean^2. Of a gamma
    // variable, the third cumulant is twice the square of this. So levels of one row, which may
    // vary little or not at all, shift the distribution but do not make it normal.
    const double large = 2.0 * target.second;
    const double rest = target.fourth - 1.0 - large;
    const double spread = levels.count * large + rest * levels.inverse_sizes;
    const double skew = levels.count * 4.0 * target.third +
                        2.0 * large * rest * levels.inverse_sizes +
                        rest * rest * levels.inverse_squares;
    const double levels_free = (levels.count - 1.0) / levels.count;
    const double shape = std::max(1e-3, levels_free * spread * spread * spread / (skew * skew));
    const double x =
        shape + (std::min(share, 1.0) - by_chance.mean) * std::sqrt(shape / by_chance.variance);
    return {shape, x};
}

}  // namespace

double log_p_of_levels(const ChanceTarget& target, const ChanceLevels& levels, double share) {
    const auto [shape, x] = point_of_levels(target, levels, share);
    return shape > 0.0 ? log_chi_square_tail(2.0 * x, 2.0 * shape) : 0.0;
}

double least_log_p_of_levels(const ChanceTarget& target, const ChanceLevels& levels, double share) {
    const auto [shape, x] = point_of_levels(target, levels, share);
    if (!(shape > 0.0)) return 0.0;
    if (shape < 0.3) return log_chi_square_tail(2.0 * x, 2.0 * shape);
    return least_log_gamma_tail(shape, x);
}

namespace {

// p = 1 - (1 - p1) exp(-rate / (1 - p1)): the first cut does not reach the statistic, with
// probability 1 - p1, and then the path does not cross it.
double log_p_of_path(const CutTails& tails, double crossings) {
    const double x = tails.statistic();
    const double log_one = log_tail(x, tails.df());
    if (!(crossings > 0.0)) return log_one;
    // The rate of crossings per unit of time is 2 x f(x), f the density of chi-square.
    const double half = 0.5 * tails.df();
    const double log_rate =
        std::numbers::ln2 + half * std::log(0.5 * x) - 0.5 * x - log_gamma(half);
    if (log_one < -30.0) return log_one + std::log1p(std::exp(log_rate - log_one) * crossings);
    const double none = -std::expm1(log_one);
    if (!(none > 0.0)) return 0.0;
    return std::log(-std::expm1(std::log(none) - std::exp(log_rate) * crossings / none));
}

}  // namespace

double log_p_of_crossings(const ChanceTarget& target, double crossings, double share) {
    if (!target.varies() || !(share > 0.0)) return 0.0;
    const CutTails tails(target, std::min(share, 1.0));
    // The tail of two classes and of numbers takes no time.
    if (!(crossings > 0.0) && std::abs(tails.df() - 1.0) > 1e-9)
        return least_log_gamma_tail(0.5 * tails.df(), 0.5 * tails.statistic());
    return std::min(0.0, log_p_of_path(tails, crossings));
}

double log_p_of_threshold(const ChanceTarget& target, const ChanceCuts& cuts, double share,
                          double* crossings) {
    if (crossings != nullptr) *crossings = 0.0;
    if (!target.varies() || !(share > 0.0) || cuts.count < 0.5) return 0.0;
    const CutTails tails(target, std::min(share, 1.0));
    const double integral = CutIntegral(target, cuts, tails).value();
    if (crossings != nullptr) *crossings = integral;
    double log_p = log_p_of_path(tails, integral);
    // A single row at either end may reach the statistic.
    if (cuts.first < 1.5 && target.lone_share > 0.0 &&
        share * (target.rows - 1.0) <= target.lone_statistic * (1.0 + 1e-9)) {
        const double end = 1.0 - target.lone_share;
        log_p = std::max(log_p, std::log1p(-end * end));
    }
    return std::min(0.0, log_p);
}

}  // namespace ramify
