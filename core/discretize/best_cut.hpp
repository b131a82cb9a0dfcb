// The best cut of an interval of blocks, in one pass over its entries. Invariant: gains are whole
// multiples of 2^-56 of the scale of the weights and depend on the class masses alone. Gains that
// agree to `tie_bits` are equal, and of equal ones the lowest threshold wins.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "discretize/blocks.hpp"

namespace ramify {

inline constexpr int gain_bits = 56;  // leaves room for the entropy of 2^6 bits
inline constexpr int tie_bits = 40;   // 1e-12 of all the weight

inline std::int64_t to_fixed(double value) {
    static_assert(gain_bits == 56);
    return std::llround(value * 0x1p56);
}

// Terms of the entropy. Shares are of the scale 2^exponent, which is at least the weight of all
// rows and less than twice it.
class EntropyTerms {
  public:
    explicit EntropyTerms(const Masses& masses) : exponent_(masses.exponent()) {
        if (masses.weighted()) return;
        table_.resize(static_cast<std::size_t>(masses.most()) + 1);
        for (std::size_t i = 0; i < table_.size(); ++i)
            table_[i] = compute(static_cast<std::int64_t>(i));
    }

    // p log2 p of the share p. Weight times entropy is term(all) minus the terms of the classes.
    std::int64_t operator()(std::int64_t mass) const {
        return table_.empty() ? compute(mass) : table_[static_cast<std::size_t>(mass)];
    }

  private:
    std::int64_t compute(std::int64_t mass) const {
        if (mass <= 0) return 0;
        const double share = std::ldexp(static_cast<double>(mass), -exponent_);
        return to_fixed(share * std::log2(share));
    }
    int exponent_;
    std::vector<std::int64_t> table_;  // of whole counts, where rows have no weights
};

// Weight times entropy of the two sides of a cut that moves upwards. `gains` tells whether the cut
// gains `enough`, and how much.
class EntropySides {
  public:
    EntropySides(const EntropyTerms& terms, std::size_t classes)
        : terms_(&terms), sides_(classes) {}

    void start(std::span<const BlockEntry> all) {
        mass_left_ = mass_right_ = sum_ = 0;
        for (const BlockEntry& entry : all) {
            sides_[entry.label].right += entry.mass;
            mass_right_ += entry.mass;
        }
        for (const BlockEntry& entry : all) {
            Side& side = sides_[entry.label];
            if (side.counted) continue;
            side.term_right = (*terms_)(side.right);
            side.counted = true;
            sum_ += side.term_right;
        }
        whole_ = (*terms_)(mass_right_)-sum_;
    }
    void move(std::span<const BlockEntry> block) {
        for (const BlockEntry& entry : block) {
            Side& side = sides_[entry.label];
            side.left += entry.mass;
            side.right -= entry.mass;
            mass_left_ += entry.mass;
            mass_right_ -= entry.mass;
            sum_ -= side.term_left + side.term_right;
            side.term_left = (*terms_)(side.left);
            side.term_right = (*terms_)(side.right);
            sum_ += side.term_left + side.term_right;
        }
    }
    bool gains(std::int64_t enough, std::int64_t& gain) const {
        gain = whole_ - ((*terms_)(mass_left_) + (*terms_)(mass_right_)-sum_);
        return gain >= enough;
    }
    void finish(std::span<const BlockEntry> all) {
        for (const BlockEntry& entry : all) sides_[entry.label] = {};
    }

  private:
    struct Side {
        std::int64_t left = 0, right = 0, term_left = 0, term_right = 0;
        bool counted = false;
    };
    const EntropyTerms* terms_;
    std::vector<Side> sides_;  // by class
    std::int64_t mass_left_ = 0, mass_right_ = 0, sum_ = 0, whole_ = 0;
};

// Weight times Gini index, likewise.
class GiniSides {
  public:
    GiniSides(const Masses& masses, std::size_t classes)
        : scale_(std::ldexp(1.0, -masses.exponent())), sides_(classes) {}

    void start(std::span<const BlockEntry> all) {
        left_ = right_ = squares_left_ = squares_right_ = 0.0;
        for (const BlockEntry& entry : all) {
            const double share = static_cast<double>(entry.mass) * scale_;
            Side& side = sides_[entry.label];
            squares_right_ += share * (2.0 * side.right + share);
            side.right += share;
            right_ += share;
        }
        whole_ = impurity(right_, squares_right_);
    }
    void move(std::span<const BlockEntry> block) {
        for (const BlockEntry& entry : block) {
            const double share = static_cast<double>(entry.mass) * scale_;
            Side& side = sides_[entry.label];
            squares_left_ += share * (2.0 * side.left + share);
            squares_right_ -= share * (2.0 * side.right - share);
            side.left += share;
            side.right -= share;
            left_ += share;
            right_ -= share;
        }
    }
    bool gains(std::int64_t enough, std::int64_t& gain) const {
        const double drop =
            whole_ - impurity(left_, squares_left_) - impurity(right_, squares_right_);
        // Rounding is slow, and few cuts come near the best.
        if (drop * 0x1p56 < static_cast<double>(enough) - 1.0) return false;
        gain = to_fixed(drop);
        return gain >= enough;
    }
    void finish(std::span<const BlockEntry> all) {
        for (const BlockEntry& entry : all) sides_[entry.label] = {};
    }

  private:
    struct Side {
        double left = 0.0, right = 0.0;
    };
    static double impurity(double weight, double squares) {
        return weight > 0.0 ? weight - squares / weight : 0.0;
    }
    double scale_;
    std::vector<Side> sides_;  // by class
    double left_ = 0.0, right_ = 0.0, squares_left_ = 0.0, squares_right_ = 0.0, whole_ = 0.0;
};

struct BlockCut {
    std::int64_t key = 0;                    // gains are compared by it
    std::int64_t gain = 0;                   // in fixed point
    std::size_t begin = 0, at = 0, end = 0;  // blocks [begin, at) and [at, end)
};

// The interval has at least two blocks.
template <typename Entry, typename Sides>
BlockCut best_cut(const BlocksOf<Entry>& blocks, std::size_t begin, std::size_t end, Sides& sides) {
    constexpr int shift = gain_bits - tie_bits;
    const auto all = blocks(begin, end);
    BlockCut best{0, 0, begin, begin, end};
    std::int64_t enough = std::numeric_limits<std::int64_t>::min();
    sides.start(all);
    for (std::size_t at = begin + 1; at < end; ++at) {
        sides.move(blocks(at - 1, at));
        std::int64_t gain = 0;
        if (!sides.gains(enough, gain)) continue;
        best.gain = gain;
        best.key = (gain + (std::int64_t{1} << (shift - 1))) >> shift;
        best.at = at;
        enough = ((best.key + 1) << shift) - (std::int64_t{1} << (shift - 1));
    }
    sides.finish(all);
    return best;
}

}  // namespace ramify
