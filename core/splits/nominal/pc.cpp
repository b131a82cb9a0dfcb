#include "splits/nominal/pc.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "splits/nominal/lanczos.hpp"
#include "splits/nominal/leading_eigenvector.hpp"
#include "splits/nominal/scan.hpp"
#include "splits/work_limit.hpp"

namespace ramify {
namespace {

// Steps of the exact component: of the smaller product of the table with itself, and of its
// reduction.
double component_steps(const Contingency& table) {
    const auto n = static_cast<double>(table.levels);
    const auto k = static_cast<double>(table.classes);
    const double size = std::min(n, k);
    return n * k * size + 2.0 * size * size * size;
}

// Scores times the roots of the weights.
std::vector<double> exact_principal_scores(const Contingency& table) {
    const std::size_t n = table.levels;
    const std::size_t k = table.classes;
    const double total = std::accumulate(table.total, table.total + k, 0.0);
    // The rows are sqrt(N_i) (p_i - p). Their k x k product is the weighted covariance, and their n
    // x n product has the same leading eigenvalue. The smaller of the two is decomposed.
    std::vector<double> centred(n * k);
    for (std::size_t i = 0; i < n; ++i) {
        const double* row = table.counts + i * k;
        const double weight = table.weight[i];
        const double root_weight = std::sqrt(weight);
        for (std::size_t j = 0; j < k; ++j) {
            centred[i * k + j] = root_weight * (row[j] / weight - table.total[j] / total);
        }
    }
    std::vector<double> scores(n, 0.0);
    if (k <= n) {
        std::vector<double> covariance(k * k, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            const double* row = centred.data() + i * k;
            for (std::size_t a = 0; a < k; ++a) {
                for (std::size_t b = 0; b <= a; ++b) covariance[a * k + b] += row[a] * row[b];
            }
        }
        for (std::size_t a = 0; a < k; ++a) {
            for (std::size_t b = 0; b < a; ++b) covariance[b * k + a] = covariance[a * k + b];
        }
        const auto component = leading_eigenvector(std::move(covariance), k);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < k; ++j) scores[i] += centred[i * k + j] * component[j];
        }
    } else {
        std::vector<double> gram(n * n, 0.0);
        for (std::size_t a = 0; a < n; ++a) {
            for (std::size_t b = 0; b < n; ++b) {
                for (std::size_t j = 0; j < k; ++j)
                    gram[a * n + b] += centred[a * k + j] * centred[b * k + j];
            }
        }
        scores = leading_eigenvector(std::move(gram), n);
    }
    return scores;
}

}  // namespace

std::vector<double> principal_scores(const Contingency& table) {
    std::vector<double> scores = component_steps(table) <= most_component_steps
                                     ? exact_principal_scores(table)
                                     : approximate_principal_scores(table);
    for (std::size_t i = 0; i < table.levels; ++i) scores[i] /= std::sqrt(table.weight[i]);
    // An eigenvector has no sign of its own.
    double largest = 0.0;
    for (const double score : scores) largest = std::max(largest, std::abs(score));
    const auto first = std::find_if(scores.begin(), scores.end(),
                                    [&](double score) { return std::abs(score) > 1e-9 * largest; });
    if (first != scores.end() && *first > 0.0) {
        for (double& score : scores) score = -score;
    }
    return scores;
}

std::vector<std::size_t> principal_order(const Contingency& table) {
    const std::vector<double> scores = principal_scores(table);
    double largest = 0.0;
    for (const double score : scores) largest = std::max(largest, std::abs(score));
    return order_by_key(scores, 0.0, largest);
}

FoundSplit PrincipalComponent::split(const Contingency& table, const Criterion& criterion) const {
    return on_supervalues(table, criterion, [&](const Contingency& merged) {
        BestPartition best(merged, criterion);
        Side side(merged, criterion, merged.levels);
        scan_order(principal_order(merged), side, best);
        return best.result(false);
    });
}

}  // namespace ramify
