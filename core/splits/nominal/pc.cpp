#include "splits/nominal/pc.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ramify {
namespace {

// The eigenvector of the largest eigenvalue of a symmetric matrix, by cyclic Jacobi rotations:
// exact to rounding even where eigenvalues lie close together, which power iteration is not.
std::vector<double> leading_eigenvector(std::vector<double> matrix, std::size_t size) {
    std::vector<double> vectors(size * size, 0.0);
    for (std::size_t i = 0; i < size; ++i) vectors[i * size + i] = 1.0;
    double norm = 0.0;
    for (const double entry : matrix) norm += entry * entry;
    for (int sweep = 0; sweep < 60; ++sweep) {
        double off = 0.0;
        for (std::size_t p = 0; p < size; ++p) {
            for (std::size_t q = p + 1; q < size; ++q)
                off += matrix[p * size + q] * matrix[p * size + q];
        }
        if (off <= 1e-30 * norm) break;
        for (std::size_t p = 0; p < size; ++p) {
            for (std::size_t q = p + 1; q < size; ++q) {
                const double pq = matrix[p * size + q];
                if (pq == 0.0) continue;
                const double theta = (matrix[q * size + q] - matrix[p * size + p]) / (2.0 * pq);
                const double t =
                    std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
                const double c = 1.0 / std::hypot(t, 1.0);
                const double s = t * c;
                for (std::size_t i = 0; i < size; ++i) {
                    const double ip = matrix[i * size + p];
                    const double iq = matrix[i * size + q];
                    matrix[i * size + p] = c * ip - s * iq;
                    matrix[i * size + q] = s * ip + c * iq;
                }
                for (std::size_t i = 0; i < size; ++i) {
                    const double pi = matrix[p * size + i];
                    const double qi = matrix[q * size + i];
                    matrix[p * size + i] = c * pi - s * qi;
                    matrix[q * size + i] = s * pi + c * qi;
                    const double vp = vectors[i * size + p];
                    const double vq = vectors[i * size + q];
                    vectors[i * size + p] = c * vp - s * vq;
                    vectors[i * size + q] = s * vp + c * vq;
                }
            }
        }
    }
    std::size_t largest = 0;
    for (std::size_t i = 1; i < size; ++i) {
        if (matrix[i * size + i] > matrix[largest * size + largest]) largest = i;
    }
    std::vector<double> vector(size);
    for (std::size_t i = 0; i < size; ++i) vector[i] = vectors[i * size + largest];
    return vector;
}

}  // namespace

std::vector<double> principal_scores(const Contingency& table) {
    const std::size_t n = table.levels;
    const std::size_t k = table.classes;
    const double total = std::accumulate(table.total, table.total + k, 0.0);
    // Rows sqrt(N_i) (p_i - p): their k x k product is the weighted covariance, their n x n product
    // has the same leading value; the smaller of the two is decomposed.
    std::vector<double> centred(n * k);
    std::vector<double> root_weight(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double* row = table.counts + i * k;
        const double weight = std::accumulate(row, row + k, 0.0);
        root_weight[i] = std::sqrt(weight);
        for (std::size_t j = 0; j < k; ++j) {
            centred[i * k + j] = root_weight[i] * (row[j] / weight - table.total[j] / total);
        }
    }
    std::vector<double> scores(n, 0.0);
    if (k <= n) {
        std::vector<double> covariance(k * k, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t a = 0; a < k; ++a) {
                for (std::size_t b = 0; b < k; ++b) {
                    covariance[a * k + b] += centred[i * k + a] * centred[i * k + b];
                }
            }
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
    for (std::size_t i = 0; i < n; ++i) scores[i] /= root_weight[i];
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

std::optional<NominalSplit> PrincipalComponent::split(const Contingency& table,
                                                      const Criterion& criterion) const {
    BestPartition best(table, criterion);
    scan_by_key(table, principal_scores(table), best);
    return best.result(false);
}

}  // namespace ramify
