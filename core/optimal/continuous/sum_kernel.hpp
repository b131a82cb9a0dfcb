// What pair_kernel.hpp counts, from sums of contributions: rows with weights, costs of errors, or
// the regret of every answer. A branch loses the least of its sums over the answers. Sixteen
// thresholds of the root column are examined in one walk along the child column, four at a time.
// Invariant: a lane without a valid split answers infinity. This header uses nothing of the
// library: it is compiled once for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ramify::optimal::continuous {

template <class T>
struct SumPass {
    std::size_t size;
    std::size_t width;           // answers
    const T* order;              // rows in the order of the child column
    const std::uint8_t* last;    // the last of its rank there
    const T* root_order;         // rows in the order of the root column
    const std::uint8_t* lane;    // of a row: the first threshold that it is left of
    const std::int32_t* row;     // its place in `contribution`
    const double* contribution;  // rows x width
    const T* counts;             // rows left of each threshold, ascending
    double min_leaf;
    double* scratch;  // 2 * (lanes + 1) * width
    double* left;     // answers
    double* right;
};

template <class T>
using SumKernel = void (*)(const SumPass<T>&);
template <class T>
SumKernel<T> sum_kernel();  // the fastest that this machine has

namespace kernel {

// `Isa` only tells the copies for different instruction sets apart.
template <class Isa, class T>
struct SumWalk {
    static constexpr std::size_t step = 4, lanes = 16;
    typedef double V __attribute__((vector_size(8 * step)));
    typedef std::int64_t Mask __attribute__((vector_size(8 * step)));

    static V load(const double* from) {
        V to;
        __builtin_memcpy(&to, from, sizeof(V));
        return to;
    }
    static void store(double* to, const V& from) { __builtin_memcpy(to, &from, sizeof(V)); }
    static V lower(const V& a, const V& b) { return a < b ? a : b; }

    // The sums left of each threshold, lane by lane, and of all rows.
    static void total(const SumPass<T>& pass, double* in_left, double* all) {
        for (std::size_t p = 0; p < pass.width; ++p) all[p] = 0.0;
        std::size_t lane = 0;
        for (std::size_t i = 0; i < pass.size; ++i) {
            const double* more =
                pass.contribution +
                static_cast<std::size_t>(pass.row[pass.root_order[i]]) * pass.width;
            for (std::size_t p = 0; p < pass.width; ++p) all[p] += more[p];
            for (; lane < lanes && static_cast<std::size_t>(pass.counts[lane]) == i + 1; ++lane) {
                for (std::size_t p = 0; p < pass.width; ++p) {
                    in_left[(lane / step * pass.width + p) * step + lane % step] = all[p];
                }
            }
        }
    }

    static void walk(const SumPass<T>& pass) {
        const std::size_t width = pass.width;
        double* in_left = pass.scratch;
        double* sums = in_left + lanes * width;
        double* all = sums + lanes * width;
        double* below = all + width;  // sums of the rows so far
        total(pass, in_left, all);
        for (std::size_t i = 0; i < lanes * width; ++i) sums[i] = 0.0;
        for (std::size_t p = 0; p < width; ++p) below[p] = 0.0;
        const V zero = {}, infinite = zero + __builtin_inf();
        V best_left[lanes / step], best_right[lanes / step], rows[lanes / step],
            count[lanes / step], inside_of[lanes + 1][lanes / step];
        for (std::size_t c = 0; c < lanes / step; ++c) {
            best_left[c] = best_right[c] = infinite;
            rows[c] = zero;
            for (std::size_t j = 0; j < step; ++j) {
                count[c][j] = static_cast<double>(pass.counts[c * step + j]);
                for (std::size_t k = 0; k <= lanes; ++k) {
                    inside_of[k][c][j] = c * step + j >= k ? 1.0 : 0.0;
                }
            }
        }
        for (std::size_t i = 0; i < pass.size; ++i) {
            const auto local = static_cast<std::size_t>(pass.order[i]);
            const double* more =
                pass.contribution + static_cast<std::size_t>(pass.row[local]) * width;
            const V* inside = inside_of[pass.lane[local]];
            for (std::size_t p = 0; p < width; ++p) below[p] += more[p];
            if (!pass.last[i]) {
                for (std::size_t c = 0; c < lanes / step; ++c) {
                    rows[c] += inside[c];
                    double* mine = sums + c * width * step;
                    for (std::size_t p = 0; p < width; ++p) {
                        store(mine + p * step, load(mine + p * step) + inside[c] * more[p]);
                    }
                }
                continue;
            }
            for (std::size_t c = 0; c < lanes / step; ++c) {
                rows[c] += inside[c];
                double* mine = sums + c * width * step;
                const double* whole = in_left + c * width * step;
                V a = infinite, b = infinite, d = infinite, e = infinite;
                for (std::size_t p = 0; p < width; ++p) {
                    const V sum = load(mine + p * step) + inside[c] * more[p];
                    store(mine + p * step, sum);
                    const V of_left = load(whole + p * step);
                    const V other = below[p] - sum;
                    a = lower(sum, a);
                    b = lower(of_left - sum, b);
                    d = lower(other, d);
                    e = lower(all[p] - of_left - other, e);
                }
                const V left = lower(zero - a, zero) + lower(zero - b, zero);
                const V right = lower(zero - d, zero) + lower(zero - e, zero);
                const V least = zero + pass.min_leaf;
                const V rows_right = zero + static_cast<double>(i + 1) - rows[c];
                const V all_right = zero + static_cast<double>(pass.size) - count[c];
                const Mask good = (rows[c] >= least) & (count[c] - rows[c] >= least);
                const Mask fine = (rows_right >= least) & (all_right - rows_right >= least);
                best_left[c] = lower(good ? zero - left : infinite, best_left[c]);
                best_right[c] = lower(fine ? zero - right : infinite, best_right[c]);
            }
        }
        for (std::size_t c = 0; c < lanes / step; ++c) {
            store(pass.left + c * step, best_left[c]);
            store(pass.right + c * step, best_right[c]);
        }
    }
};

}  // namespace kernel
}  // namespace ramify::optimal::continuous
