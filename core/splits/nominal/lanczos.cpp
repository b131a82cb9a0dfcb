#include "splits/nominal/lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "criteria/criterion.hpp"
#include "splits/nominal/leading_eigenvector.hpp"
#include "splits/work_limit.hpp"

namespace ramify {
namespace {

constexpr std::size_t most_passes = 32;

double product(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

void add(std::vector<double>& to, double factor, const std::vector<double>& other) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * other[i];
}

// The rows sqrt(N_i) (p_i - p), where p is the distribution of all classes, as what they do to a
// vector. Only the entries that are not zero are kept.
class CentredRows {
  public:
    explicit CentredRows(const Contingency& table)
        : begins_{0}, share_(table.total, table.total + table.classes) {
        const double total = weight_of(table.total, table.classes);
        for (double& share : share_) share /= total;
        for (std::size_t i = 0; i < table.levels; ++i) {
            const double root = std::sqrt(table.weight[i]);
            const double* row = table.counts + i * table.classes;
            for (std::size_t j = 0; j < table.classes; ++j) {
                if (row[j] == 0.0) continue;
                classes_.push_back(static_cast<std::uint32_t>(j));
                values_.push_back(row[j] / root);
            }
            begins_.push_back(values_.size());
            root_weight_.push_back(root);
        }
    }

    std::size_t entries() const { return values_.size(); }

    std::vector<double> times(const std::vector<double>& x) const {
        const double centre = product(share_, x);
        std::vector<double> result(root_weight_.size());
        for (std::size_t i = 0; i < result.size(); ++i) {
            double sum = -root_weight_[i] * centre;
            for (std::size_t e = begins_[i]; e < begins_[i + 1]; ++e) {
                sum += values_[e] * x[classes_[e]];
            }
            result[i] = sum;
        }
        return result;
    }
    std::vector<double> transposed_times(const std::vector<double>& y) const {
        std::vector<double> result(share_.size(), 0.0);
        for (std::size_t i = 0; i < y.size(); ++i) {
            for (std::size_t e = begins_[i]; e < begins_[i + 1]; ++e) {
                result[classes_[e]] += values_[e] * y[i];
            }
        }
        add(result, -product(root_weight_, y), share_);
        return result;
    }

  private:
    std::vector<std::size_t> begins_;  // of the rows, among the entries
    std::vector<std::uint32_t> classes_;
    std::vector<double> values_;
    std::vector<double> root_weight_, share_;
};

}  // namespace

std::vector<double> approximate_principal_scores(const Contingency& table) {
    const std::size_t k = table.classes;
    const CentredRows rows(table);
    const std::size_t passes = static_cast<std::size_t>(
        std::clamp<std::uint64_t>(times_within(most_steps / 4, rows.entries()), 4, most_passes));
    std::vector<double> vector(k);
    for (std::size_t j = 0; j < k; ++j) {  // repeats no pattern of a table
        const double multiple = 0.6180339887498949 * static_cast<double>(j + 1);
        vector[j] = multiple - std::floor(multiple) - 0.5;
    }
    std::vector<std::vector<double>> basis;
    std::vector<double> diagonal, beside;
    double length = std::sqrt(product(vector, vector));
    double first = 0.0;
    while (basis.size() < passes && basis.size() < k) {
        if (table.interrupt != nullptr) table.interrupt->poll();
        for (double& entry : vector) entry /= length;
        basis.push_back(vector);
        vector = rows.transposed_times(rows.times(vector));
        diagonal.push_back(product(vector, basis.back()));
        for (int twice = 0; twice < 2; ++twice) {  // rounding would bring old directions back
            for (const auto& old : basis) add(vector, -product(vector, old), old);
        }
        length = std::sqrt(product(vector, vector));
        first = std::max(first, std::abs(diagonal.back()) + length);
        if (!(length > 1e-10 * first)) break;  // nothing new
        beside.push_back(length);
    }
    const std::size_t size = basis.size();
    std::vector<double> small(size * size, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
        small[i * size + i] = diagonal[i];
        if (i + 1 < size) small[i * size + i + 1] = small[(i + 1) * size + i] = beside[i];
    }
    const std::vector<double> weights = leading_eigenvector(std::move(small), size);
    std::vector<double> component(k, 0.0);
    for (std::size_t i = 0; i < size; ++i) add(component, weights[i], basis[i]);
    return rows.times(component);
}

}  // namespace ramify
