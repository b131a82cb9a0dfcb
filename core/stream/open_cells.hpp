// Which cells of a numeric column may hold the best threshold. The gain of a concave impurity is
// convex in the sums of the left side. Inside a cell these sums stay in a box, from none to all of
// each class or, for numbers, in a parallelogram, since every target lies between the least and the
// largest. So no cut inside a cell gains more than the best corner. Invariant: the values next to
// every cut that gains most, or ties with it, are in marked cells or are edges.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"
#include "splits/walks/limits.hpp"

namespace ramify {

// A column at a node as sums of its cells.
struct CellSums {
    std::size_t width = 0;
    std::vector<double> sums;     // cells x width
    std::vector<double> support;  // per cell
    bool edge_cells = false;      // odd places hold one value each, an edge
    std::size_t cells() const { return support.size(); }
    const double* of(std::size_t cell) const { return sums.data() + cell * width; }
    bool openable(std::size_t cell) const { return !edge_cells || cell % 2 == 0; }
};

// One way to score the cuts of a column: what both sides add up to, and what is on the left of
// every cut.
struct CutFrame {
    const double* total = nullptr;
    double support = 0.0;
    const double* preload = nullptr;  // or null
    double preload_support = 0.0;
    double min_leaf = 0.0;
    const CutLimits* limits = nullptr;
};

class CellOpener {
  public:
    CellOpener(const Criterion& criterion, bool classification, std::size_t width)
        : criterion_(criterion), classification_(classification), width_(width) {}

    // Whether corners bound the gain.
    bool bounds() const {
        return classification_ ? criterion_.separable(width_)
                               : criterion_.walk_kind() != WalkKind::any &&
                                     criterion_.walk_kind() != WalkKind::ranks;
    }
    // The range of the targets of the node, minus the centre.
    void set_targets(double low, double high) {
        low_ = low;
        high_ = high;
    }

    // The best gain of a cut between two cells.
    double best_between(const CellSums& cells, const CutFrame& frame) const {
        double best = -std::numeric_limits<double>::infinity();
        Walk walk(*this, frame);
        bool any = false;
        for (std::size_t cell = 0; cell < cells.cells(); ++cell) {
            if (!(cells.support[cell] > 0.0)) continue;
            if (any && walk.allowed()) best = std::max(best, walk.score());
            any = true;
            walk.add(cells.of(cell), cells.support[cell]);
        }
        return best;
    }
    // Marks the cells of several values in which a cut may gain at least `floor`.
    void mark(const CellSums& cells, const CutFrame& frame, double floor,
              std::vector<std::uint8_t>& marked) const {
        Walk walk(*this, frame);
        for (std::size_t cell = 0; cell < cells.cells(); ++cell) {
            const double rows = cells.support[cell];
            if (!(rows > 0.0)) continue;
            if (cells.openable(cell) && marked[cell] == 0)
                marked[cell] = walk.may_reach(cells.of(cell), rows, floor) ? 1 : 0;
            walk.add(cells.of(cell), rows);
        }
    }

  private:
    class Walk {
      public:
        Walk(const CellOpener& opener, const CutFrame& frame)
            : opener_(opener), frame_(frame), left_(opener.width_, 0.0) {
            if (frame.preload != nullptr) add(frame.preload, frame.preload_support);
        }
        void add(const double* sums, double support) {
            for (std::size_t j = 0; j < left_.size(); ++j) left_[j] += sums[j];
            support_ += support;
        }
        bool allowed() const {
            if (support_ < frame_.min_leaf - slack ||
                frame_.support - support_ < frame_.min_leaf - slack)
                return false;
            if (frame_.limits == nullptr) return true;
            return frame_.limits->allow(weight(left_),
                                        [&](std::size_t place) { return left_[place]; });
        }
        double score() { return score_of(left_); }

        // Whether a cut next to or inside a cell may gain so much.
        bool may_reach(const double* cell, double rows, double floor) {
            if (support_ + rows < frame_.min_leaf - slack ||
                frame_.support - support_ < frame_.min_leaf - slack)
                return false;  // one side of all these cuts is too small
            return opener_.classification_ ? boxed(cell, floor) : slanted(cell, floor);
        }

      private:
        static constexpr double slack = 1e-9;
        static constexpr std::size_t most_corners = 7;  // classes of a cell whose corners are tried

        double weight(const std::vector<double>& sums) const {
            return opener_.classification_ ? weight_of(sums.data(), sums.size()) : sums[0];
        }
        double score_of(const std::vector<double>& left) {
            const std::size_t width = left.size();
            sides_.resize(2 * width);
            for (std::size_t j = 0; j < width; ++j) {
                sides_[j] = left[j];
                const double rest = frame_.total[j] - left[j];
                const bool rounding = opener_.classification_ && rest <= frame_.total[j] * 1e-13;
                sides_[width + j] = rounding ? 0.0 : rest;
            }
            return opener_.criterion_.score({frame_.total, sides_.data(), 2, width});
        }
        bool boxed(const double* cell, double floor) {
            present_.clear();
            for (std::size_t j = 0; j < left_.size(); ++j) {
                if (cell[j] != 0.0) present_.push_back(j);
            }
            if (present_.size() > most_corners) return set_apart(cell) >= floor;
            corner_ = left_;
            for (std::size_t corner = 0; corner < (std::size_t{1} << present_.size()); ++corner) {
                for (std::size_t k = 0; k < present_.size(); ++k) {
                    const std::size_t j = present_[k];
                    corner_[j] = left_[j] + ((corner >> k & 1) != 0 ? cell[j] : 0.0);
                }
                if (score_of(corner_) >= floor) return true;
            }
            return false;
        }
        // The gain if every class of the cell were a branch of its own: no cut gains more.
        double set_apart(const double* cell) {
            const std::size_t width = left_.size();
            sides_.assign((2 + present_.size()) * width, 0.0);
            for (std::size_t j = 0; j < width; ++j) {
                sides_[j] = left_[j];
                sides_[width + j] = std::max(0.0, frame_.total[j] - left_[j] - cell[j]);
            }
            for (std::size_t k = 0; k < present_.size(); ++k)
                sides_[(2 + k) * width + present_[k]] = cell[present_[k]];
            if (opener_.criterion_.binary_only()) return std::numeric_limits<double>::infinity();
            return opener_.criterion_.score(
                {frame_.total, sides_.data(), 2 + present_.size(), width});
        }
        // The least and the largest sum of some rows of the cell are reached by as many rows as
        // possible of the least or the largest target.
        bool slanted(const double* cell, double floor) {
            const double range = opener_.high_ - opener_.low_;
            corner_ = left_;
            if (score_of(corner_) >= floor) return true;
            for (std::size_t j = 0; j < left_.size(); ++j) corner_[j] = left_[j] + cell[j];
            if (score_of(corner_) >= floor) return true;
            const double largest =
                std::clamp((cell[1] - cell[0] * opener_.low_) / range, 0.0, cell[0]);
            return point(cell, largest, opener_.high_) >= floor ||
                   point(cell, cell[0] - largest, opener_.low_) >= floor;
        }
        double point(const double* cell, double weight, double target) {
            corner_ = left_;
            corner_[0] += weight;
            corner_[1] += weight * target;
            corner_[2] += cell[2] * weight / cell[0];  // the sum of both sides is all that counts
            return score_of(corner_);
        }

        const CellOpener& opener_;
        const CutFrame& frame_;
        std::vector<double> left_, corner_, sides_;
        std::vector<std::size_t> present_;
        double support_ = 0.0;
    };

    const Criterion& criterion_;
    bool classification_;
    std::size_t width_;
    double low_ = 0.0, high_ = 0.0;
};

}  // namespace ramify
