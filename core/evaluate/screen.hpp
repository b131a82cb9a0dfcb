// Tests of columns: whether an attribute has anything to do with the target, before its best split
// is searched. Invariant: a column that a filter skips does not count as tested.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "counts/tails.hpp"
#include "evaluate/missing_rules.hpp"
#include "evaluate/test_scores.hpp"
#include "evaluate/workspace.hpp"

namespace ramify {

template <Target P>
class Screen {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;

    explicit Screen(const Context<P>& context)
        : context_(context), parameters_(context.parameters) {}

    // Whether columns are tested before they are searched, so that some may be skipped.
    bool asked() const {
        return by_inference() || parameters_.significance < 1.0 ||
               parameters_.min_second_value > 0.0;
    }
    bool by_inference() const { return parameters_.selection == Selection::conditional_inference; }

    // A nominal column, from the sums of its levels. False: a filter skips it.
    bool pass_levels(const NodeView<Word>& view, std::size_t c, bool target_varies,
                     Workspace<Word>& s, Candidate& out) const {
        if (parameters_.min_second_value > 0.0) {
            std::vector<double> rows(s.levels.support);
            std::sort(rows.begin(), rows.end(), std::greater<>());
            const double second = rows.size() > 1 ? rows[1] : 0.0;
            if (!enough_rows(second, parameters_.min_second_value)) return false;
        }
        if (tests() && target_varies) out.test = test_level_sums(view, s);
        return significant(out.test, c);
    }
    // A numeric or ordinal column in order.
    bool pass_ordered(const NodeView<Word>& view, const OrderedForm<P>& form, std::size_t c,
                      Workspace<Word>& s, Candidate& out) const {
        if (tests()) {
            out.test =
                context_.survey != nullptr
                    ? context_.survey->test(s.known.sums, P::classification ? 0.0 : mean_of(view))
                    : test_ordered(view, form, c, s);
        }
        return significant(out.test, c);
    }
    // A numeric or ordinal column of few values, from its cells.
    bool pass_coded(const NodeView<Word>& view, const CodedForm<P>& form, std::size_t c,
                    Workspace<Word>& s, Candidate& out) const {
        if (tests()) out.test = test_coded(view, form, s);
        return significant(out.test, c);
    }
    // Whether the target varies among the rows whose value is known. Among all rows of the node it
    // does, and classes are counted.
    bool target_varies(const OrderedForm<P>& form, const KnownRows<Word>& known) const {
        if (P::classification || !known.missing) return true;
        return form.target_varies();
    }

  private:
    bool tests() const { return by_inference() || parameters_.significance < 1.0; }

    // The filter by p-value.
    bool significant(IndependenceTest& test, std::size_t c) const {
        const double most = parameters_.significance;
        if (most >= 1.0) return true;
        double log_p = test.log_p;
        // For a contingency table the filter takes Pearson's statistic itself (Pereira 2018).
        const bool nominal = context_.problem.table[c].kind == Kind::nominal;
        if (P::classification && nominal && test.weight > 1.0) {
            const double chi_square = test.statistic * test.weight / (test.weight - 1.0);
            log_p = log_chi_square_tail(chi_square, test.df);
        }
        if (test.tested && log_p <= std::log(most)) return true;
        test = {};
        return false;
    }

    IndependenceTest test_level_sums(const NodeView<Word>& view, Workspace<Word>& s) const {
        const std::size_t levels = s.levels.size();
        if (levels < 2) return {};
        if constexpr (P::classification) {
            return test_nominal(s.levels.sums.data(), levels, context_.samples.classes);
        }
        const double mean = mean_of(view);
        s.test_weights.resize(levels);
        s.test_sums.resize(levels);
        double squares = 0.0;
        for (std::size_t l = 0; l < levels; ++l) {
            const double* sums = s.levels.sums.data() + 3 * l;
            s.test_weights[l] = sums[0];
            s.test_sums[l] = sums[1] - mean * sums[0];
            squares += sums[2] - mean * (2.0 * sums[1] - mean * sums[0]);
        }
        return test_levels(s.test_weights.data(), s.test_sums.data(), squares, levels);
    }

    IndependenceTest test_ordered(const NodeView<Word>& view, const OrderedForm<P>& form,
                                  std::size_t c, Workspace<Word>& s) const {
        const Column& column = context_.problem.table[c];
        const Samples& samples = context_.samples;
        const Segment<Word>& segment = s.known.segment;
        const std::size_t size = segment.size;
        if (size == 0 || !target_varies(form, s.known)) return {};
        const auto value = [&](std::size_t i) { return column.value(form.row(i)); };
        // The mode has its place among the values.
        const double mode = segment.has_mode ? column.value(column.mode_row) : 0.0;
        const bool mostly_mode =
            segment.has_mode && segment.mode_support >= static_cast<double>(size);
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
            s.test_sums.assign(samples.classes, 0.0);
            double squares = 0.0;
            for (std::size_t i = 0; i < size; ++i) {
                next(i);
                const double product = P::weight(samples, segment.entries[i]) * x;
                s.test_sums[Layout::label(segment.entries[i])] += product;
                squares += product * x;
            }
            if (segment.has_mode) {
                for (std::size_t j = 0; j < samples.classes; ++j) {
                    s.test_sums[j] += mode_score * segment.mode_sums[j];
                    squares += mode_score * mode_score * segment.mode_sums[j];
                }
            }
            if (!varies) return {};
            return test_numeric(s.known.sums, s.test_sums.data(), squares, samples.classes);
        } else {
            const double mean = mean_of(view);
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
                const double w = P::weight(samples, segment.entries[i]);
                const double y = samples.target[Layout::row(segment.entries[i])] - mean;
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

    IndependenceTest test_coded(const NodeView<Word>& view, const CodedForm<P>& form,
                                Workspace<Word>& s) const {
        const Samples& samples = context_.samples;
        const NodeStats& stats = view.node->stats;
        const std::size_t values = form.codes().values();
        std::vector<std::uint32_t>& present = s.present;
        present.clear();
        s.test_weights.assign(values, 0.0);
        double rows = 0.0;
        std::size_t middle = 0;
        for (std::size_t code = 0; code < values; ++code) {
            const auto of_code = form.rows_of(code);
            if (!(of_code > 0)) continue;
            if (2.0 * rows < stats.support) middle = code;
            present.push_back(static_cast<std::uint32_t>(code));
            if constexpr (P::weighted) {
                s.test_weights[code] = context_.weight_of(form.cells_of(code));
            } else {
                s.test_weights[code] = of_code;
            }
            rows += static_cast<double>(of_code);
        }
        if (present.size() < 2) return {};
        const TestScores score =
            TestScores::of(present.size(), form.value(middle),
                           [&](std::size_t i) { return form.value(present[i]); });
        if constexpr (P::classification) {
            s.test_sums.assign(samples.classes, 0.0);
            double squares = 0.0;
            for (const std::uint32_t code : present) {
                const double x = score(form.value(code));
                for (std::size_t j = 0; j < samples.classes; ++j)
                    s.test_sums[j] += x * static_cast<double>(form.cells_of(code)[j]);
                squares += x * x * s.test_weights[code];
            }
            return test_numeric(stats.sums.data(), s.test_sums.data(), squares, samples.classes);
        } else {
            const double mean = mean_of(view);
            s.test_sums.assign(values, 0.0);
            ProductSums sums;
            for (const Word entry : form.rows()) {
                const double y = samples.target[Layout::row(entry)] - mean;
                const double wy = P::weight(samples, entry) * y;
                s.test_sums[form.code_of(entry)] += wy;
                sums.yy += wy * y;
            }
            for (const std::uint32_t code : present) {
                const double x = score(form.value(code));
                sums.weight += s.test_weights[code];
                sums.x += x * s.test_weights[code];
                sums.xx += x * x * s.test_weights[code];
                sums.y += s.test_sums[code];
                sums.xy += x * s.test_sums[code];
            }
            return test_correlation(sums);
        }
    }

    static double mean_of(const NodeView<Word>& view) {
        return view.node->stats.sums[1] / view.node->stats.sums[0];
    }

    const Context<P>& context_;
    const GrowParameters& parameters_;
};

}  // namespace ramify
