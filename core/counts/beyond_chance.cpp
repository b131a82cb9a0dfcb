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

// log Gamma(a), with an error of up to 1e-9: many are needed.
double quick_log_gamma(double a) {
    double product = 1.0;
    while (a < 5.0) product *= a++;
    const double s = 1.0 / (a * a);
    const double rest = (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s / 1680))) / a;
    constexpr double half_log_two_pi = 0.91893853320467274178;
    return (a - 0.5) * std::log(a) - a + half_log_two_pi + rest - std::log(product);
}

// Two classes and numbers have one degree of freedom.
bool is_one(double df) {
    return std::abs(df - 1.0) < 1e-9;
}

// Upper tail and density of a chi-square variable, as logarithms.
struct ChiSquare {
    ChiSquare(double x, double df) {
        const double a = 0.5 * df;
        const double w = 0.5 * x;
        // w^a e^-w / Gamma(a)
        const double log_factor = a * std::log(w) - w - quick_log_gamma(a);
        log_density = log_factor - std::log(x);
        if (is_one(df) && x < 1000.0) {
            const double root = std::sqrt(w);
            log_tail = root < 0.5 ? std::log1p(-std::erf(root)) : std::log(std::erfc(root));
        } else if (std::abs(df - 2.0) < 1e-9) {
            log_tail = -w;
        } else if (w > a + 1.0) {
            log_tail = log_factor + std::log(fraction(a, w));
        } else {
            log_tail = std::log1p(-std::min(1.0, std::exp(log_factor) * series(a, w)));
        }
    }
    double log_tail, log_density;

  private:
    static constexpr double enough = 1e-10;
    // The lower part over the factor: 1/a + w/(a(a+1)) + ...
    static double series(double a, double w) {
        double term = 1.0 / a;
        double sum = term;
        for (double k = 1.0; term > sum * enough; ++k) {
            term *= w / (a + k);
            sum += term;
        }
        return sum;
    }
    // The upper part over the factor: 1/(w+1-a- 1(1-a)/(w+3-a- ...)), by the ratio of convergents.
    static double fraction(double a, double w) {
        double b = w + 1.0 - a;
        double before = 0.0, now = 1.0;        // numerators
        double under_before = 1.0, under = b;  // denominators
        double value = 1.0 / b;
        for (double k = 1.0; k < 1000.0; ++k) {
            b += 2.0;
            const double factor = k * (a - k);
            const double next = b * now + factor * before;
            const double under_next = b * under + factor * under_before;
            // Scaled by the denominator, so that nothing overflows.
            const double inverse = 1.0 / under_next;
            const double found = next * inverse;
            if (std::abs(found - value) <= enough * found) return found;
            value = found;
            before = now * inverse;
            now = found;
            under_before = under * inverse;
            under = 1.0;
        }
        return value;
    }
};

double log_tail(double x, double df) {
    return ChiSquare(x, df).log_tail;
}

// The statistic of one cut, as a chi-square variable with `df` degrees of freedom: a sum of
// weighted ones, matched by three moments (Imhof 1961).
struct CutStatistic {
    CutStatistic(const ChanceTarget& target, double share) : raw(share * (target.rows - 1.0)) {
        df = target.second * target.second * target.second / (target.third * target.third);
        scale = std::sqrt(df / target.second);
        value = std::max(1e-9, (raw - 1.0) * scale + df);
    }
    double raw, df, scale, value;
};

// a log(a / b), with its limit at a = 0.
double entropy_term(double a, double b) {
    return a > 0.0 ? a * std::log(a / b) : 0.0;
}

// How much more often the statistic is reached at a cut than the normal limit says. The one knows
// how peaked the sums of small sides are, the other how skewed, if there is a class of half of the
// rows or more. The larger of both is taken.
class CutCorrection {
  public:
    CutCorrection(const ChanceTarget& target, const CutStatistic& statistic)
        : rows_(target.rows), largest_(target.largest) {
        // Far out, where chance is out of question, all columns shall be judged alike: there the
        // correction is that of a statistic with a p-value of about 1e-7.
        const double far = (std::sqrt(statistic.df) + 4.5) * (std::sqrt(statistic.df) + 4.5);
        statistic_ = std::min(statistic.value, far);
        raw_ = std::min(statistic.raw, 1.0 + (far - statistic.df) / statistic.scale);
        log_raw_ = std::log(raw_);
        // The variance is linear in the inverse sizes of the two sides. In units of the mean.
        const double unit = (rows_ - 1.0) * (rows_ - 1.0);
        fixed_ = unit * moments_by_chance(target, {2.0, 0.0}).variance;
        slope_ = unit * moments_by_chance(target, {2.0, 1.0}).variance - fixed_;
        log_limit_ = log_density(0.5 / target.second);
    }
    double operator()(double left) const {
        const double by_variance = of_variance(left);
        return largest_ > 0.0 ? std::max(by_variance, of_deviations(left)) : by_variance;
    }

  private:
    // The density of a gamma variable with the exact variance at this cut, over that of the limit.
    double of_variance(double left) const {
        const double variance = fixed_ + slope_ * (rows_ / (left * (rows_ - left)));
        if (!(variance > 1e-6)) return 0.0;
        return std::exp(log_density(1.0 / variance) - log_limit_);
    }
    // One class against the rest. Far out, probabilities fall like exp(-G^2 / 2), not like
    // exp(-chi^2 / 2).
    double of_deviations(double left) const {
        const double p = largest_;
        const double right = rows_ - left;
        const double middle = left * p;
        const double deviation = std::sqrt(statistic_ * middle * (1.0 - p) * (right / rows_));
        const double reach = std::max(0.0, deviation - continuity);
        double sum = 0.0;
        for (const double ours : {middle + reach, middle - reach}) {
            const double others = left - ours;
            const double ours_right = rows_ * p - ours;
            const double others_right = right - ours_right;
            if (ours < 0.0 || others < 0.0 || ours_right < 0.0 || others_right < 0.0) continue;
            const double half =
                entropy_term(ours, middle) + entropy_term(others, left * (1.0 - p)) +
                entropy_term(ours_right, right * p) + entropy_term(others_right, right * (1.0 - p));
            sum += 0.5 * std::exp(0.5 * statistic_ - half);
        }
        return sum;
    }
    // Of shape a and mean 1, at raw_; without the terms that all shapes share.
    double log_density(double a) const {
        return a * (std::log(a) + log_raw_ - raw_) - quick_log_gamma(a);
    }

    double rows_, largest_, statistic_, raw_, log_raw_, fixed_, slope_, log_limit_;
};

// How long the path is, in the time below: `seen` counts a step less if the path is seen only at
// its ends, `close` counts only the part of it that is as if the path were seen all the time.
struct PathLength {
    double seen = 0.0, close = 0.0;

    void add(double length, double overshoot) {
        seen += length * overshoot;
        close += length * overshoot * overshoot;
    }
    PathLength operator*(double factor) const { return {seen * factor, close * factor}; }
    PathLength operator+(const PathLength& other) const {
        return {seen + other.seen, close + other.close};
    }
};

// The integral of overshoot and correction over the cuts, in the time in which the standardised
// sums are an Ornstein-Uhlenbeck process: half the log odds of the share of rows to the left.
class CutIntegral {
  public:
    CutIntegral(const ChanceTarget& target, const ChanceCuts& cuts, const CutStatistic& statistic)
        : rows_(target.rows),
          cuts_(cuts),
          correction_(target, statistic),
          twice_(2.0 * statistic.value) {}

    PathLength value() const {
        if (!cuts_.places.empty() || cuts_.count <= few_cuts) return sum();
        const double begin = time(cuts_.first);
        const double end = time(cuts_.last);
        // Both ends look alike, so if cuts reach equally far, one half is enough.
        if (std::abs(begin + end) < 1e-9 * (end - begin)) return integral(begin, 0.0) * 2.0;
        const double middle = std::clamp(0.0, begin, end);
        return integral(begin, middle) + integral(middle, end);
    }

  private:
    double time(double left) const { return 0.5 * std::log(left / (rows_ - left)); }

    PathLength sum() const {
        const auto count = static_cast<std::size_t>(cuts_.count);
        const double gap = (cuts_.last - cuts_.first) / static_cast<double>(count - 1);
        PathLength result;
        double last_time = 0.0;
        double last_correction = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            const double left =
                cuts_.places.empty() ? cuts_.first + gap * static_cast<double>(i) : cuts_.places[i];
            const double now = time(left);
            const double correction = correction_(left);
            if (i > 0) {
                const double step = now - last_time;
                result.add(0.5 * (correction + last_correction) * step,
                           overshoot(std::sqrt(twice_ * step)));
            }
            last_time = now;
            last_correction = correction;
        }
        return result;
    }

    PathLength integral(double begin, double end) const {
        if (!(end > begin)) return {};
        if (cuts_.count <= some_cuts) return integral(begin, end, four_nodes);
        return integral(begin, end, eight_nodes);
    }

    PathLength integral(double begin, double end, std::span<const GaussNode> nodes) const {
        const double gap = (cuts_.last - cuts_.first) / (cuts_.count - 1.0);
        const double middle = 0.5 * (begin + end);
        const double half = 0.5 * (end - begin);
        PathLength result;
        for (const GaussNode& node : nodes) {
            for (const double sign : {-1.0, 1.0}) {
                const double at = middle + sign * half * node.at;
                const double left = rows_ / (1.0 + std::exp(-2.0 * at));
                const double step = 0.5 * rows_ * gap / (left * (rows_ - left));
                result.add(node.weight * correction_(left), overshoot(std::sqrt(twice_ * step)));
            }
        }
        return result * half;
    }

    double rows_;
    const ChanceCuts& cuts_;
    CutCorrection correction_;
    double twice_;  // the statistic
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
    double rarest = 1.0;
    double of_rarest = 0.0;  // the share of all classes as rare
    double largest = 0.0;
    const double inverse = 1.0 / weight;
    for (const double w : class_weights) {
        if (!(w > 0.0)) continue;
        const double p = w * inverse;
        const double square = p * p;
        squares += square;
        cubes += square * p;
        fourths += square * square;
        largest = std::max(largest, p);
        if (p < rarest * (1.0 - 1e-9)) {
            rarest = p;
            of_rarest = 0.0;
        }
        if (p <= rarest * (1.0 + 1e-9)) of_rarest += p;
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
    // |y|^2 of a class is 1 - 2 p + squares.
    const double most = 1.0 + squares;
    target.fourth = (most * most - 4.0 * squares * most + 4.0 * cubes) / (trace * trace);
    target.lone_statistic = (most - 2.0 * rarest) / trace;
    target.lone_share = of_rarest;
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

// The rate at which a path that is seen all the time reaches x, given the density of chi-square
// there; both over exp(log_unit). It is twice the least root of Kummer's function
// 1F1(-root; df/2; x/2). Far out it is 2 (x - df) f(x) (of one degree of freedom Miller and
// Siegmund 1982), and at x = df it is 2. The second term joins both, with an error of up to a
// tenth.
double rate_of_close_path(double x, double df, double density, double log_unit) {
    if (x < df) return 2.0 * df / x;
    const double t = (x - df) / std::sqrt(2.0 * df);
    const double slope = 1.37 + 0.18 / std::sqrt(df) + 0.35 * (1.0 - 1.0 / df) * t;
    return 2.0 * ((x - df) * density + std::exp(-slope * t - log_unit));
}

// -log P(the path does not reach x), over p1, that of a single cut, if that is tiny. The path does
// not reach x at its first cut, nor later. Steps so long that both ends are independent do not
// reach it with 1 - p1 each. Short ones add up to a path that is seen all the time, which also
// reaches x early if it begins close to it. Steps between are a mixture.
class PathTails {
  public:
    explicit PathTails(const CutStatistic& statistic) : x_(statistic.value) {
        const double df = statistic.df;
        if (is_one(df) && x_ < 60.0) {
            const double one = std::erfc(std::sqrt(0.5 * x_));
            one_ = -std::log1p(-one);
            close_ = rate_of_close_path(
                x_, df, std::exp(-0.5 * x_) / std::sqrt(2.0 * std::numbers::pi * x_), 0.0);
            return;
        }
        const ChiSquare at(x_, df);
        log_one_ = at.log_tail;
        far_ = log_one_ < -30.0;
        one_ =
            -(log_one_ < -1.0 ? std::log1p(-std::exp(log_one_)) : std::log(-std::expm1(log_one_)));
        if (far_) one_ = 1.0;
        const double log_unit = far_ ? log_one_ : 0.0;
        close_ = rate_of_close_path(x_, df, std::exp(at.log_density - log_unit), log_unit);
    }
    double log_p(const PathLength& length) const { return of(exponent(length)); }
    // A lower bound, if only `seen` is known of the length.
    double least_log_p(double seen) const {
        return of(std::min(exponent({seen, seen}), exponent({seen, 0.0})));
    }

  private:
    double exponent(const PathLength& length) const {
        const double steps = 1.0 + length.close / length.seen + x_ * (length.seen - length.close);
        return steps * one_ + length.close * close_;
    }
    double of(double exponent) const {
        return far_ ? log_one_ + std::log(exponent) : std::log(-std::expm1(-exponent));
    }

    double x_, one_, close_;
    double log_one_ = 0.0;  // if far
    bool far_ = false;
};

}  // namespace

double log_p_of_one_cut(const ChanceTarget& target, double share) {
    if (!target.varies() || !(share > 0.0)) return 0.0;
    const CutStatistic statistic(target, std::min(share, 1.0));
    // The tail of two classes and of numbers takes no time.
    if (is_one(statistic.df) && statistic.value < 1000.0)
        return std::log(std::erfc(std::sqrt(0.5 * statistic.value)));
    return least_log_gamma_tail(0.5 * statistic.df, 0.5 * statistic.value);
}

double log_p_of_crossings(const ChanceTarget& target, double crossings, double share) {
    if (!(crossings > 0.0)) return log_p_of_one_cut(target, share);
    if (!target.varies() || !(share > 0.0)) return 0.0;
    return std::min(0.0,
                    PathTails(CutStatistic(target, std::min(share, 1.0))).least_log_p(crossings));
}

double log_p_of_threshold(const ChanceTarget& target, const ChanceCuts& cuts, double share,
                          double* crossings) {
    if (crossings != nullptr) *crossings = 0.0;
    if (!target.varies() || !(share > 0.0) || cuts.count < 0.5) return 0.0;
    const CutStatistic statistic(target, std::min(share, 1.0));
    const PathLength length =
        cuts.count < 1.5 ? PathLength{} : CutIntegral(target, cuts, statistic).value();
    if (crossings != nullptr) *crossings = length.seen;
    double log_p = length.seen > 0.0 ? PathTails(statistic).log_p(length)
                                     : log_tail(statistic.value, statistic.df);
    // A single row at either end may reach the statistic.
    if (cuts.first < 1.5 && target.lone_share > 0.0 &&
        share * (target.rows - 1.0) <= target.lone_statistic * (1.0 + 1e-9)) {
        const double end = 1.0 - target.lone_share;
        log_p = std::max(log_p, std::log1p(-end * end));
    }
    return std::min(0.0, log_p);
}

}  // namespace ramify
