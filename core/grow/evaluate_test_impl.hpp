// Tests of columns: whether an attribute has anything to do with the target, before its best split
// is searched. Invariant: that of evaluator.hpp. Included where a policy is instantiated.
#pragma once

#include <cmath>

#include "counts/tails.hpp"
#include "grow/evaluator.hpp"

namespace ramify {

// The numbers of a column, shifted so that rounding matters least and scaled to a range of one. The
// tests do not depend on shift or scale. Infinities are placed beyond the finite values, at a
// distance of their range.
class TestScores {
  public:
    TestScores(double low, double high, double middle) : low_(low), high_(high), middle_(middle) {}

    double operator()(double x) const {
        if (std::isinf(x)) return x > 0 ? finite(high_) + 1.0 : finite(low_) - 1.0;
        return finite(x);
    }
    // From the values at places 0 .. count - 1, which ascend.
    template <typename Value>
    static TestScores of(std::size_t count, double middle, Value&& value) {
        std::size_t first = 0;
        std::size_t last = count;
        while (first < count && std::isinf(value(first))) ++first;
        while (last > first && std::isinf(value(last - 1))) --last;
        if (first == last) return {0.0, 0.0, 0.0};
        const double low = value(first);
        return {low, value(last - 1), std::isinf(middle) ? low : middle};
    }

  private:
    double finite(double x) const {
        const double half_range = high_ / 2 - low_ / 2;
        return half_range > 0.0 ? (x / 2 - middle_ / 2) / half_range : 0.0;
    }
    double low_, high_, middle_;
};

template <typename P>
bool Evaluator<P>::screen(const NodeView<Word>& view, const Range& range, const KnownRows& known,
                          std::size_t c, Scratch<Word>& s, Candidate& out) const {
    if (problem_.table[c].kind != Kind::nominal) {
        if (tests()) out.test = test_entries(view, known, c, s);
        return significant(out.test, c);
    }
    sum_levels(range, known, s);
    return screen_levels(view, known, c, s, out);
}

// A nominal column, from the sums of its levels.
template <typename P>
bool Evaluator<P>::screen_levels(const NodeView<Word>& view, const KnownRows& known, std::size_t c,
                                 Scratch<Word>& s, Candidate& out) const {
    const GrowParameters& parameters = problem_.parameters;
    if (parameters.min_second_value > 0.0) {
        std::vector<double> rows(s.level_support);
        std::sort(rows.begin(), rows.end(), std::greater<>());
        const double second = rows.size() > 1 ? rows[1] : 0.0;
        if (second < parameters.min_second_value - 1e-9) return false;
    }
    if (tests()) out.test = test_level_sums(view, known, s);
    return significant(out.test, c);
}

// The filter by p-value. A column that it skips does not count as tested.
template <typename P>
bool Evaluator<P>::significant(IndependenceTest& test, std::size_t c) const {
    const double most = problem_.parameters.significance;
    if (most >= 1.0) return true;
    double log_p = test.log_p;
    // For a contingency table the filter takes Pearson's statistic itself (Pereira 2018).
    if (P::classification && problem_.table[c].kind == Kind::nominal && test.weight > 1.0) {
        const double chi_square = test.statistic * test.weight / (test.weight - 1.0);
        log_p = log_chi_square_tail(chi_square, test.df);
    }
    if (test.tested && log_p <= std::log(most)) return true;
    test = {};
    return false;
}

// Whether the target varies among the rows whose value is known. Among all rows of the node it
// does.
template <typename P>
bool Evaluator<P>::target_varies(const KnownRows& known) const {
    if constexpr (P::classification) return true;  // classes are counted
    if (!known.missing) return true;
    const Segment<Word>& segment = known.segment;
    for (std::size_t i = 1; i < segment.size; ++i) {
        if (samples_.target[Layout::row(segment.entries[i])] !=
            samples_.target[Layout::row(segment.entries[0])])
            return true;
    }
    return false;
}

// A nominal column, from the sums of its levels.
template <typename P>
IndependenceTest Evaluator<P>::test_level_sums(const NodeView<Word>& view, const KnownRows& known,
                                               Scratch<Word>& s) const {
    const std::size_t levels = s.level_support.size();
    if (levels < 2 || !target_varies(known)) return {};
    if constexpr (P::classification) {
        return test_nominal(s.level_sums.data(), levels, samples_.classes);
    }
    const double mean = view.node->stats.sums[1] / view.node->stats.sums[0];
    s.test_weights.resize(levels);
    s.test_sums.resize(levels);
    double squares = 0.0;
    for (std::size_t l = 0; l < levels; ++l) {
        const double* sums = s.level_sums.data() + 3 * l;
        s.test_weights[l] = sums[0];
        s.test_sums[l] = sums[1] - mean * sums[0];
        squares += sums[2] - mean * (2.0 * sums[1] - mean * sums[0]);
    }
    return test_levels(s.test_weights.data(), s.test_sums.data(), squares, levels);
}

// A numeric or ordinal column in order.
template <typename P>
IndependenceTest Evaluator<P>::test_entries(const NodeView<Word>& view, const KnownRows& known,
                                            std::size_t c, Scratch<Word>& s) const {
    const Column& column = problem_.table[c];
    const Segment<Word>& segment = known.segment;
    const std::size_t size = segment.size;
    if (size == 0 || !target_varies(known)) return {};
    const auto value = [&](std::size_t i) {
        return column.value(source_row(Layout::row(segment.entries[i])));
    };
    // The mode has its place among the values.
    const double mode = segment.has_mode ? column.value(column.mode_row) : 0.0;
    const bool mostly_mode = segment.has_mode && segment.mode_support >= static_cast<double>(size);
    const TestScores score =
        TestScores::of(size + (segment.has_mode ? 1 : 0), mostly_mode ? mode : value(size / 2),
                       [&](std::size_t i) {
                           if (!segment.has_mode || i < segment.below) return value(i);
                           return i == segment.below ? mode : value(i - 1);
                       });
    const double mode_score = segment.has_mode ? score(mode) : 0.0;
    double x = 0.0;
    bool varies = segment.has_mode;
    const auto next = [&](std::size_t i) {
        if (i > 0 && !Layout::fresh(segment.entries[i])) return;
        x = score(value(i));
        varies = varies || i > 0;
    };
    if constexpr (P::classification) {
        s.test_sums.assign(samples_.classes, 0.0);
        double squares = 0.0;
        for (std::size_t i = 0; i < size; ++i) {
            next(i);
            const double product = P::weight(samples_, segment.entries[i]) * x;
            s.test_sums[Layout::label(segment.entries[i])] += product;
            squares += product * x;
        }
        if (segment.has_mode) {
            for (std::size_t j = 0; j < samples_.classes; ++j) {
                s.test_sums[j] += mode_score * segment.mode_sums[j];
                squares += mode_score * mode_score * segment.mode_sums[j];
            }
        }
        if (!varies) return {};
        return test_numeric(known.sums, s.test_sums.data(), squares, samples_.classes);
    } else {
        const double mean = view.node->stats.sums[1] / view.node->stats.sums[0];
        ProductSums sums;
        const auto add = [&](double w, double score_of, double wy, double wyy) {
            sums.weight += w;
            sums.x += w * score_of;
            sums.xx += w * score_of * score_of;
            sums.y += wy;
            sums.xy += wy * score_of;
            sums.yy += wyy;
        };
        for (std::size_t i = 0; i < size; ++i) {
            next(i);
            const double w = P::weight(samples_, segment.entries[i]);
            const double y = samples_.target[Layout::row(segment.entries[i])] - mean;
            add(w, x, w * y, w * y * y);
        }
        if (segment.has_mode) {
            const double* of_mode = segment.mode_sums;
            add(of_mode[0], mode_score, of_mode[1] - mean * of_mode[0],
                of_mode[2] - mean * (2.0 * of_mode[1] - mean * of_mode[0]));
        }
        return varies ? test_correlation(sums) : IndependenceTest{};
    }
}

// A numeric or ordinal column of few values, from its counts.
template <typename P>
IndependenceTest Evaluator<P>::test_counts(const NodeView<Word>& view, const Range& range,
                                           std::size_t c, Scratch<Word>& s,
                                           const Cell* counts) const {
    const Column& column = problem_.table[c];
    const CodedColumn& coded = coded_[c];
    const NodeStats& stats = view.node->stats;
    const std::size_t classes = std::max<std::size_t>(1, samples_.classes);
    const std::size_t cells = stride();
    std::vector<std::uint32_t>& present = s.present;
    present.clear();
    s.test_weights.assign(coded.values(), 0.0);
    double rows = 0.0;
    std::size_t middle = 0;
    for (std::size_t code = 0; code < coded.values(); ++code) {
        const Cell* of_code = counts + code * cells;
        const Cell rows_of_code = rows_of(of_code);
        if (!(rows_of_code > 0)) continue;
        if (2.0 * rows < stats.support) middle = code;
        present.push_back(static_cast<std::uint32_t>(code));
        if constexpr (P::weighted) {
            s.test_weights[code] = weight_of(of_code);
        } else {
            s.test_weights[code] = rows_of_code;
        }
        rows += static_cast<double>(rows_of_code);
    }
    if (present.size() < 2) return {};
    const auto value = [&](std::size_t code) { return column.value(coded.first_row[code]); };
    const TestScores score = TestScores::of(present.size(), value(middle),
                                            [&](std::size_t i) { return value(present[i]); });
    if constexpr (P::classification) {
        s.test_sums.assign(classes, 0.0);
        double squares = 0.0;
        for (const std::uint32_t code : present) {
            const double x = score(value(code));
            for (std::size_t j = 0; j < classes; ++j) {
                s.test_sums[j] += x * static_cast<double>(counts[code * cells + j]);
            }
            squares += x * x * s.test_weights[code];
        }
        return test_numeric(stats.sums.data(), s.test_sums.data(), squares, classes);
    } else {
        const double mean = stats.sums[1] / stats.sums[0];
        const Word* entries = view.node->block->columns[rows_column_].data() + range.begin;
        s.test_sums.assign(coded.values(), 0.0);
        ProductSums sums;
        for (std::size_t i = 0; i < range.size; ++i) {
            const double y = samples_.target[Layout::row(entries[i])] - mean;
            const double wy = P::weight(samples_, entries[i]) * y;
            s.test_sums[code_of(coded, entries[i])] += wy;
            sums.yy += wy * y;
        }
        for (const std::uint32_t code : present) {
            const double x = score(value(code));
            sums.weight += s.test_weights[code];
            sums.x += x * s.test_weights[code];
            sums.xx += x * x * s.test_weights[code];
            sums.y += s.test_sums[code];
            sums.xy += x * s.test_sums[code];
        }
        return test_correlation(sums);
    }
}

}  // namespace ramify
