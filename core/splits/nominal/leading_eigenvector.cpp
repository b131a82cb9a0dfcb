#include "splits/nominal/leading_eigenvector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ramify {
namespace {

struct Tridiagonal {
    std::vector<double> diagonal;
    std::vector<double> beside;  // beside[i]: entry (i, i + 1)
};

// Reflects the rows and columns after each diagonal entry onto one axis. The reflectors (unit
// vectors, or zero) stay in the columns below the diagonal.
Tridiagonal reduce(std::vector<double>& a, std::size_t n) {
    Tridiagonal t{std::vector<double>(n), std::vector<double>(n, 0.0)};
    std::vector<double> v(n);
    std::vector<double> p(n);
    for (std::size_t c = 0; c + 1 < n; ++c) {
        double square = 0.0;
        for (std::size_t i = c + 1; i < n; ++i) {
            v[i] = a[i * n + c];
            square += v[i] * v[i];
        }
        double rest = square - v[c + 1] * v[c + 1];
        if (c + 2 == n || rest <= 0.0) {
            t.beside[c] = v[c + 1];
            for (std::size_t i = c + 1; i < n; ++i) a[i * n + c] = 0.0;
            continue;
        }
        const double onto = -std::copysign(std::sqrt(square), v[c + 1]);
        t.beside[c] = onto;
        v[c + 1] -= onto;
        const double norm = std::sqrt(rest + v[c + 1] * v[c + 1]);
        for (std::size_t i = c + 1; i < n; ++i) v[i] /= norm;
        // A - 2 v w' - 2 w v' with w = A v - (v' A v) v.
        double middle = 0.0;
        std::fill(p.begin() + static_cast<std::ptrdiff_t>(c) + 1, p.end(), 0.0);
        for (std::size_t i = c + 1; i < n; ++i) {
            const double* row = a.data() + i * n;
            for (std::size_t j = c + 1; j < n; ++j) p[j] += v[i] * row[j];
        }
        for (std::size_t i = c + 1; i < n; ++i) middle += v[i] * p[i];
        for (std::size_t i = c + 1; i < n; ++i) p[i] = 2.0 * (p[i] - middle * v[i]);
        for (std::size_t i = c + 1; i < n; ++i) {
            double* row = a.data() + i * n;
            for (std::size_t j = c + 1; j < n; ++j) row[j] -= v[i] * p[j] + p[i] * v[j];
        }
        for (std::size_t i = c + 1; i < n; ++i) a[i * n + c] = v[i];
    }
    for (std::size_t i = 0; i < n; ++i) t.diagonal[i] = a[i * n + i];
    return t;
}

// Whether some eigenvalue lies above x: some pivot of T - x is not negative.
bool exceeds(const Tridiagonal& t, double x, double tiny) {
    double pivot = 1.0;
    for (std::size_t i = 0; i < t.diagonal.size(); ++i) {
        const double beside = i > 0 ? t.beside[i - 1] : 0.0;
        pivot = t.diagonal[i] - x - beside * beside / pivot;
        if (std::abs(pivot) < tiny) pivot = -tiny;
        if (pivot > 0.0) return true;
    }
    return false;
}

double largest_eigenvalue(const Tridiagonal& t, double tiny) {
    double low = t.diagonal[0];
    double high = low;
    for (std::size_t i = 0; i < t.diagonal.size(); ++i) {  // Gershgorin's circles
        const double before = i > 0 ? std::abs(t.beside[i - 1]) : 0.0;
        const double reach = before + std::abs(t.beside[i]);
        low = std::max(low, t.diagonal[i]);
        high = std::max(high, t.diagonal[i] + reach);
    }
    high += std::numeric_limits<double>::epsilon() * std::abs(high) + tiny;
    for (int step = 0; step < 200; ++step) {
        const double middle = low + (high - low) / 2.0;
        if (middle <= low || middle >= high) break;
        (exceeds(t, middle, tiny) ? low : high) = middle;
    }
    return low + (high - low) / 2.0;
}

// Solves (T - x) y = b in place, by elimination with row exchanges.
void solve(const Tridiagonal& t, double x, double tiny, std::vector<double>& y) {
    const std::size_t n = t.diagonal.size();
    std::vector<double> first(n), second(n, 0.0), third(n, 0.0);
    first[0] = t.diagonal[0] - x;
    second[0] = t.beside[0];
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const double below = t.beside[i];
        double next = t.diagonal[i + 1] - x;
        double after = i + 2 < n ? t.beside[i + 1] : 0.0;
        if (std::abs(below) > std::abs(first[i])) {
            const double factor = first[i] / below;
            const double second_row = second[i];
            first[i] = below;
            second[i] = next;
            third[i] = after;
            next = second_row - factor * next;
            after = -factor * after;
            std::swap(y[i], y[i + 1]);
            y[i + 1] -= factor * y[i];
        } else {
            if (std::abs(first[i]) < tiny) first[i] = tiny;
            const double factor = below / first[i];
            next -= factor * second[i];
            y[i + 1] -= factor * y[i];
        }
        first[i + 1] = next;
        second[i + 1] = after;
    }
    if (std::abs(first[n - 1]) < tiny) first[n - 1] = tiny;
    for (std::size_t i = n; i-- > 0;) {
        if (i + 1 < n) y[i] -= second[i] * y[i + 1];
        if (i + 2 < n) y[i] -= third[i] * y[i + 2];
        y[i] /= first[i];
    }
}

}  // namespace

std::vector<double> leading_eigenvector(std::vector<double> matrix, std::size_t size) {
    double norm = 0.0;
    for (const double entry : matrix) norm = std::max(norm, std::abs(entry));
    std::vector<double> vector(size, 0.0);
    if (size == 1 || norm <= 0.0) {
        vector[0] = 1.0;
        return vector;
    }
    const Tridiagonal t = reduce(matrix, size);
    const double tiny = norm * std::numeric_limits<double>::epsilon() * 1e-3;
    const double value = largest_eigenvalue(t, tiny);
    // A start must not be at right angles to the wanted eigenvector. This one repeats no pattern of
    // a table.
    for (std::size_t i = 0; i < size; ++i) {
        const double multiple = 0.6180339887498949 * static_cast<double>(i + 1);
        vector[i] = 0.5 + (multiple - std::floor(multiple));
    }
    for (int iteration = 0; iteration < 5; ++iteration) {
        solve(t, value, tiny, vector);
        double largest = 0.0;
        for (const double x : vector) largest = std::max(largest, std::abs(x));
        double square = 0.0;
        for (double& x : vector) {
            x /= largest;
            square += x * x;
        }
        for (double& x : vector) x /= std::sqrt(square);
    }
    for (std::size_t c = size - 1; c-- > 0;) {  // back through the reflections
        double along = 0.0;
        for (std::size_t i = c + 1; i < size; ++i) along += matrix[i * size + c] * vector[i];
        for (std::size_t i = c + 1; i < size; ++i) vector[i] -= 2.0 * along * matrix[i * size + c];
    }
    return vector;
}

}  // namespace ramify
