// A cut of a graph given by its matrix of weights. Invariant: the pull of both sides on every
// vertex is kept up to date, so that judging a move takes O(1) and making it O(n).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "splits/maxcut/cut.hpp"

namespace ramify {

class PairCut {
  public:
    // Row by row, symmetric; the diagonal is taken as zero.
    PairCut(std::vector<double> weights, std::size_t size) : weights_(std::move(weights)) {
        for (std::size_t i = 0; i < size; ++i) {
            weights_[i * size + i] = 0.0;
            for (std::size_t j = 0; j < i; ++j) total_ += weights_[i * size + j];
        }
        sides_.assign(size, unplaced);
        pull_.assign(2 * size, 0.0);
    }

    std::size_t size() const { return sides_.size(); }
    double total() const { return total_; }
    std::size_t steps() const { return 1; }
    double rounding() const { return 0.0; }  // none that matters beside the total
    double weight(std::size_t i, std::size_t j) const { return row(i)[j]; }
    double at_most(std::size_t i, std::size_t j) const { return row(i)[j]; }
    double pull(std::size_t i, CutSide side) const { return pull_[side * size() + i]; }
    CutSide side(std::size_t i) const { return sides_[i]; }

    void place(std::size_t i, CutSide side) {
        sides_[i] = side;
        double* to = pull_.data() + side * size();
        for (std::size_t j = 0; j < size(); ++j) to[j] += row(i)[j];
    }
    void flip(std::size_t i) {
        double* from = pull_.data() + sides_[i] * size();
        for (std::size_t j = 0; j < size(); ++j) from[j] -= row(i)[j];
        place(i, sides_[i] ^ 1);
    }
    void clear() {
        sides_.assign(size(), unplaced);
        pull_.assign(2 * size(), 0.0);
    }

    // sum_j w_ij v_j for the vectors v_j of the relaxation.
    class Field {
      public:
        Field(const PairCut& cut, const std::vector<double>& vectors, std::size_t rank)
            : cut_(cut), vectors_(vectors.data()), rank_(rank) {}
        void at(std::size_t i, double* out) const {
            for (std::size_t r = 0; r < rank_; ++r) out[r] = 0.0;
            for (std::size_t j = 0; j < cut_.size(); ++j) {
                const double weight = cut_.row(i)[j];
                const double* vector = vectors_ + j * rank_;
                for (std::size_t r = 0; r < rank_; ++r) out[r] += weight * vector[r];
            }
        }
        void moved(std::size_t, const double*) {}

      private:
        const PairCut& cut_;
        const double* vectors_;
        std::size_t rank_;
    };

  private:
    const double* row(std::size_t i) const { return weights_.data() + i * size(); }
    std::vector<double> weights_;
    std::vector<CutSide> sides_;
    std::vector<double> pull_;  // of side 0, then of side 1
    double total_ = 0.0;
};

static_assert(Cut<PairCut>);

}  // namespace ramify
