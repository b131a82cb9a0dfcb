#include "counts/tails.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace ramify {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double half_log_two_pi = 0.91893853320467274178;

// log(1 + u) - u without cancellation.
double log1p_less(double u) {
    if (std::abs(u) > 0.4) return std::log1p(u) - u;
    // log(1 + u) = 2 atanh(r), r = u / (2 + u); and 2r - u = -u r.
    const double r = u / (2.0 + u);
    const double square = r * r;
    double power = r * square;
    double sum = 0.0;
    for (double k = 3.0; std::abs(power) > epsilon * std::abs(sum) * 0.1; k += 2.0) {
        sum += power / k;
        power *= square;
    }
    return 2.0 * sum - u * r;
}

// log Gamma(a) - ((a - 1/2) log a - a + log(2 pi) / 2), Stirling's series; a >= 12.
double stirling_rest(double a) {
    const double s = 1.0 / (a * a);
    return (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s / 1188)))) / a;
}

}  // namespace

double log_gamma(double a) {
    double shifted = a;
    double product = 1.0;  // of a (a + 1) ... : Gamma(a) = Gamma(shifted) / product
    while (shifted < 12.0) product *= shifted++;
    return (shifted - 0.5) * std::log(shifted) - shifted + half_log_two_pi +
           stirling_rest(shifted) - std::log(product);
}

namespace {

// log(x^a e^-x / Gamma(a)). For large a, terms of size a log a cancel; they are taken together.
double log_density_factor(double a, double x) {
    if (a >= 12.0) {
        return a * log1p_less((x - a) / a) + 0.5 * std::log(a / (2.0 * std::numbers::pi)) -
               stirling_rest(a);
    }
    return a * std::log(x) - x - log_gamma(a);
}

// Lower part P(a, x) times a / factor: 1 + x/(a+1) + x^2/((a+1)(a+2)) + ...
double series(double a, double x) {
    double term = 1.0;
    double sum = 1.0;
    for (double k = 1.0; term > sum * epsilon * 0.1; ++k) {
        term *= x / (a + k);
        sum += term;
    }
    return sum;
}

// Upper part Q(a, x) / factor: 1/(x+1-a- 1(1-a)/(x+3-a- ...)), by Lentz's method.
double fraction(double a, double x) {
    constexpr double tiny = 1e-300;
    double b = x + 1.0 - a;
    double c = 1.0 / tiny;
    double d = 1.0 / b;
    double value = d;
    for (double k = 1.0; k < 1e7; ++k) {
        const double numerator = -k * (k - a);
        b += 2.0;
        d = numerator * d + b;
        if (std::abs(d) < tiny) d = tiny;
        c = b + numerator / c;
        if (std::abs(c) < tiny) c = tiny;
        d = 1.0 / d;
        value *= d * c;
        if (std::abs(d * c - 1.0) < epsilon) break;
    }
    return value;
}

// log Beta(a, b). For large a, terms of size a log a cancel; they are taken together.
double log_beta(double a, double b) {
    if (a < b) std::swap(a, b);
    if (a < 12.0) return log_gamma(a) + log_gamma(b) - log_gamma(a + b);
    const double rests = stirling_rest(a) - stirling_rest(a + b);
    const double ratio = b - (a - 0.5) * std::log1p(b / a) - b * std::log(a + b) + rests;
    if (b < 12.0) return log_gamma(b) + ratio;
    return (b - 0.5) * std::log(b / (a + b)) - (a - 0.5) * std::log1p(b / a) -
           0.5 * std::log(a + b) + half_log_two_pi + stirling_rest(b) + rests;
}

// I_x(a, b) / (x^a (1 - x)^b / (a Beta(a, b))), by Lentz's method; fast for x < (a + 1) / (a + b +
// 2).
double beta_fraction(double a, double b, double x) {
    constexpr double tiny = 1e-300;
    double c = 1.0;
    double d = 1.0 - (a + b) * x / (a + 1.0);
    if (std::abs(d) < tiny) d = tiny;
    d = 1.0 / d;
    double value = d;
    for (double k = 1.0; k < 1e6; ++k) {
        const double even = k * (b - k) * x / ((a + 2.0 * k - 1.0) * (a + 2.0 * k));
        const double odd = -(a + k) * (a + b + k) * x / ((a + 2.0 * k) * (a + 2.0 * k + 1.0));
        double change = 1.0;
        for (const double numerator : {even, odd}) {
            d = 1.0 + numerator * d;
            if (std::abs(d) < tiny) d = tiny;
            c = 1.0 + numerator / c;
            if (std::abs(c) < tiny) c = tiny;
            d = 1.0 / d;
            change = d * c;
            value *= change;
        }
        if (std::abs(change - 1.0) < epsilon) break;
    }
    return value;
}

}  // namespace

double log_f_tail(double between, double within, double df1, double df2) {
    if (!(between > 0.0)) return 0.0;
    if (!(within > 0.0)) return -std::numeric_limits<double>::infinity();
    // p = I_x(df2 / 2, df1 / 2) at the share x of the squares that is left within the groups.
    const double a = df2 / 2.0;
    const double b = df1 / 2.0;
    const double x = within / (between + within);
    const double y = between / (between + within);
    const double log_x = y < 0.5 ? std::log1p(-y) : std::log(x);
    const double log_y = x < 0.5 ? std::log1p(-x) : std::log(y);
    const double factor = a * log_x + b * log_y - log_beta(a, b);
    if (x < (a + 1.0) / (a + b + 2.0))
        return std::min(0.0, factor + std::log(beta_fraction(a, b, x) / a));
    return std::log1p(-std::min(1.0, std::exp(factor) * beta_fraction(b, a, y) / b));
}

double log_chi_square_tail(double statistic, double df) {
    if (!(statistic > 0.0)) return 0.0;
    if (!std::isfinite(statistic)) return -std::numeric_limits<double>::infinity();
    const double a = df / 2.0;
    const double x = statistic / 2.0;
    const double factor = log_density_factor(a, x);
    if (x < a + 1.0) {
        const double lower = std::exp(factor) * series(a, x) / a;
        return std::log1p(-std::min(lower, 1.0));
    }
    return std::min(0.0, factor + std::log(fraction(a, x)));
}

double log_adjusted(double log_p, double count) {
    if (count <= 1.0) return log_p;
    const double p = std::exp(log_p);
    if (p * count < 1e-17) return log_p + std::log(count);
    return std::log(-std::expm1(count * std::log1p(-p)));
}

}  // namespace ramify
