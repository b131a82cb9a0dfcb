// The best split of one attribute at one node: the column's segment in, a Candidate out. Invariant:
// it reads the node and writes only the scratch and the candidate, so that columns can be evaluated
// in parallel.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "grow/open_node.hpp"
#include "grow/problem.hpp"
#include "grow/rows_of_node.hpp"
#include "grow/scratch.hpp"
#include "splits/nominal/means.hpp"
#include "splits/numeric.hpp"
#include "splits/walks/criterion.hpp"
#include "splits/walks/entropy.hpp"
#include "splits/walks/gini.hpp"
#include "splits/walks/gini_cells.hpp"
#include "splits/walks/squared_error.hpp"
#include "splits/walks/weighted_gini.hpp"
#include "table/codes.hpp"

namespace ramify {

struct WeightedRow {
    std::uint32_t source;  // of the table
    std::uint32_t label;
    double weight, support;
};

// What the evaluator needs to know of a node, prepared before its columns are evaluated.
template <typename Word>
struct NodeView {
    const OpenNode<Word>* node = nullptr;
    // absolute error only: the node's targets in ascending order; ranks are kept per sample
    std::vector<double> sorted_targets;
    double loss = 0.0;
    // With weights: the rows of the node in the form that counting reads, and the cells of its
    // coded columns. The node itself holds the cells if it keeps them.
    std::vector<WeightedRow> rows;
    std::vector<const std::uint16_t*> counted_codes;  // of the columns that are counted
    std::vector<double*> counted_cells;
    std::vector<double> passing;
    double* cells = nullptr;
    // Splits that gain no more than this need not be found.
    double floor = 0.0;

    void start(const OpenNode<Word>* of) {
        node = of;
        floor = -std::numeric_limits<double>::infinity();
    }
};

template <typename P>
class Evaluator {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;
    using Cell = typename P::Cell;

    Evaluator(const Problem& problem, const Samples& samples, const std::vector<bool>& hidden,
              const std::vector<CodedColumn>& coded, std::size_t rows_column, Interrupt& interrupt)
        : problem_(problem),
          samples_(samples),
          hidden_(hidden),
          coded_(coded),
          rows_column_(rows_column),
          interrupt_(interrupt) {
        if constexpr (P::classification && !P::weighted) {
            if (problem.criterion->of_thresholds().walk_kind() == WalkKind::entropy)
                logs_.emplace(problem.table.rows());
        }
        for (std::size_t c = 0; c < coded.size(); ++c) {
            first_cell_.push_back(cells_);
            if (hidden[c] || coded[c].values() == 0) continue;
            cells_ += coded[c].size() * stride();
            ++coded_columns_;
        }
    }

    // Finds the best split of a column. It also records that a column is constant at the node.
    // `counts` are the cells of the column, if they are known already.
    void evaluate(const NodeView<Word>& view, Range& range, std::size_t c, Scratch<Word>& s,
                  Candidate& out, const Cell* counts = nullptr) const;
    // Finds the best split of a column that so far has only been tested.
    void search(const NodeView<Word>& view, Range& range, std::size_t c, Scratch<Word>& s,
                Candidate& out) const;

    // Whether columns are tested before they are searched, so that some may be skipped.
    bool screens() const {
        const GrowParameters& p = problem_.parameters;
        return by_inference() || p.significance < 1.0 || p.min_second_value > 0.0;
    }
    bool by_inference() const {
        return problem_.parameters.selection == Selection::conditional_inference;
    }
    // Whether the split itself is tested, once it is known.
    bool tests_splits() const { return problem_.parameters.selection == Selection::chaid; }
    bool by_p_value() const { return by_inference() || tests_splits(); }
    // Whether splits of a column divide its levels; otherwise they are thresholds.
    bool by_levels(std::size_t c) const {
        const Kind kind = problem_.table[c].kind;
        return kind == Kind::nominal || (kind == Kind::ordinal && problem_.parameters.merges());
    }

    // Whether counting pays: it costs a step per row and one per cell of the contingency table.
    bool counts(std::size_t c, std::size_t rows) const {
        return coded_[c].size() * samples_.width() <= 2 * rows;
    }
    // Whether the counts of a node are worth their memory. If the node keeps them, the larger child
    // gets its counts as a difference and its rows are never counted. Sums of parts of rows are
    // exact and may be kept as well. Sums of given weights are not: rounding would spoil the
    // difference.
    bool keeps_counts(std::size_t rows) const {
        return P::classification && (!P::weighted || samples_.equal_weights) && cells_ > 0 &&
               cells_ <= rows * coded_columns_;
    }
    // Cells per code.
    std::size_t stride() const {
        return P::weighted ? samples_.width() + 1 : std::max<std::size_t>(1, samples_.classes);
    }
    std::size_t cells() const { return cells_; }  // of all columns
    std::size_t cells(std::size_t c) const { return coded_[c].size() * stride(); }
    std::size_t first_cell(std::size_t c) const { return first_cell_[c]; }
    // Counts the rows of each class for every code; with weights, adds up the weights and then the
    // support.
    void count(const OpenNode<Word>& node, std::size_t c, Cell* counts) const;
    // With weights: counts all coded columns of a node at once. The weight of a row is looked up
    // once, and additions to different columns do not wait for each other. Only columns for which
    // counting pays at `rows` rows are counted.
    void count_coded(NodeView<Word>& view, std::size_t rows) const;
    const Cell* coded_cells(const NodeView<Word>& view, std::size_t c) const {
        if constexpr (P::weighted && P::classification) {
            if (has_cells(view, c, view.node->ranges[c].size)) return view.cells + first_cell_[c];
        }
        return nullptr;
    }
    // Chooses the memory for the cells of a node: the node itself, if it keeps them.
    void place_cells(NodeView<Word>& view, OpenNode<Word>& node) const {
        if constexpr (P::weighted && P::classification) {
            const bool kept = keeps_counts(static_cast<std::size_t>(node.stats.rows));
            if (kept) {
                node.parts.resize(cells_);
            } else {
                node.parts.clear();
                view.passing.resize(cells_);
            }
            view.cells = kept ? node.parts.data() : view.passing.data();
        }
    }
    // The cells of a column that a node has kept, or null.
    const Cell* kept_cells(const OpenNode<Word>& node, std::size_t c) const {
        if constexpr (P::weighted) {
            return node.parts.empty() ? nullptr : node.parts.data() + first_cell_[c];
        } else {
            return node.counts.empty() ? nullptr : node.counts.data() + first_cell_[c];
        }
    }
    // Turns the cells of a node, which its larger child has taken, into the cells of that child.
    void take_off_coded(NodeView<Word>& larger, const NodeView<Word>& smaller) const {
        if constexpr (P::weighted && P::classification) {
            for (std::size_t c = 0; c < coded_.size(); ++c) {
                if (coded_cells(larger, c) == nullptr) continue;
                take_off(c, larger.cells + first_cell_[c], smaller.cells + first_cell_[c]);
            }
        }
    }
    // Turns the counts of a node into those of one child by subtracting those of the other.
    void take_off(std::size_t c, Cell* counts, const Cell* other) const {
        for (std::size_t i = 0; i < cells(c); ++i) counts[i] -= other[i];
    }

    double impurity(const double* sums) const {
        if constexpr (P::classification)
            return problem_.criterion->impurity(sums, samples_.classes);
        return std::max(0.0, sums[2] / sums[0] - (sums[1] / sums[0]) * (sums[1] / sums[0]));
    }
    void prepare_absolute(NodeView<Word>& view, std::vector<std::uint32_t>& ranks) const;

    // Codes and branches of the levels present at the node, for the tree.
    std::vector<std::pair<std::int32_t, std::int32_t>> levels(const OpenNode<Word>& node,
                                                              std::size_t c,
                                                              const Candidate& candidate) const;
    double threshold(const OpenNode<Word>& node, std::size_t c, const Candidate& candidate) const;
    // The rows in the smallest branch of a split. Divided rows are included if pieces count as
    // rows.
    double smallest_branch(const OpenNode<Word>& node, std::size_t c,
                           const Candidate& candidate) const;

    // Calls function(first entry, last entry, is_mode) for every value present, in order of value.
    template <typename Function>
    void for_each_value(const Word* entries, const Range& range, bool mode_present,
                        Function&& function) const {
        const auto pass = [&](std::size_t begin, std::size_t end) {
            while (begin < end) {
                std::size_t next = begin + 1;
                while (next < end && !Layout::fresh(entries[next])) ++next;
                function(begin, next, false);
                begin = next;
            }
        };
        if (!mode_present) {
            pass(0, range.size);
            return;
        }
        pass(0, range.below);
        function(std::size_t{0}, std::size_t{0}, true);
        pass(range.below, range.size);
    }

    std::size_t rows_column() const { return rows_column_; }
    const CodedColumn& coded(std::size_t c) const { return coded_[c]; }
    WalkTotal total(const double* sums, double weight, double support, double scale,
                    double floor = -std::numeric_limits<double>::infinity()) const {
        return {sums, weight, support, scale, problem_.parameters.min_candidate_leaf(), floor};
    }
    // Gains closer than this tie. A criterion written in Python has no impurity, so its scale is
    // one.
    static double tie(const NodeStats& stats) {
        return tie_tolerance * (std::isfinite(stats.scale) ? stats.scale : 1.0);
    }
    static double threshold_of(const Column& column, double lower, double upper) {
        return column.kind == Kind::ordinal ? lower : threshold_between(lower, upper);
    }
    // The score of leaving the node as it is. The gain of a split is what it scores beyond that.
    double baseline(const NodeStats& stats) const {
        if constexpr (P::classification)
            return problem_.criterion->baseline(stats.sums.data(), samples_.classes);
        return 0.0;
    }
    // The scale of scores.
    double scale_of(const double* sums, double impurity_of_sums) const {
        if constexpr (P::classification) {
            if (!problem_.criterion->drop_of_impurity())
                return problem_.criterion->scale(sums, samples_.classes);
        }
        return impurity_of_sums;
    }
    // Whether the sums of a node are not exact enough for its impurity and prediction. They are
    // taken about the mean of all targets. If the targets of a node lie close together, or their
    // mean lies close to one of them, too many digits are lost.
    bool needs_rows(const NodeStats& stats) const {
        if constexpr (P::classification) return false;
        if (absolute()) return true;
        if (only_target(stats)) return false;
        // Everything is multiplied by the weight, or its square, because a division takes longer
        // than all the rest.
        const double weight = stats.sums[0];
        const double sum = stats.sums[1];
        const double size = std::abs(centre) + std::max(std::abs(stats.low), std::abs(stats.high));
        const double inside = std::min(sum - stats.low * weight, stats.high * weight - sum);
        return !(inside > 1e-6 * size * weight && stats.sums[2] * weight > 1.001 * sum * sum);
    }
    // The target that all rows of a node share, if the sums tell it.
    std::optional<double> only_target(const NodeStats& stats) const {
        if (stats.low < stats.high) return std::nullopt;
        return restored(stats.low, centre);
    }
    // Sets impurity and prediction, except for absolute error. `rows()` gives the rows of a node,
    // if they are needed.
    template <typename Rows>
    void finish_stats(NodeStats& stats, Rows&& rows) const {
        stats.template finish<P>();
        if (stats.weight <= 0.0) return;
        stats.impurity = stats.pure(P::classification) ? 0.0 : impurity(stats.sums.data());
        if constexpr (!P::classification) {
            if (const auto only = only_target(stats)) {
                stats.prediction = *only;
            } else {
                stats.prediction = stats.sums[1] / stats.sums[0] + centre;
                if (needs_rows(stats)) {
                    const auto [mean, variance] = mean_and_variance(rows());
                    // Squares of huge targets are infinite; then the sums serve as well.
                    if (std::isfinite(mean)) stats.prediction = mean;
                    if (std::isfinite(variance)) stats.impurity = variance;
                }
            }
        }
        stats.scale = scale_of(stats.sums.data(), stats.impurity);
    }
    // Whether no later column can win, because both sides of the split are pure.
    bool unbeatable(const NodeStats& stats, double gain) const {
        if (P::weighted) return false;
        if constexpr (P::classification) {
            // With so few rows, the gain of a split that leaves a child impure is smaller by more
            // than rounding.
            return stats.rows <= 4096 && problem_.criterion->strictly_concave() &&
                   problem_.criterion->drop_of_impurity() && gain >= stats.impurity * (1.0 - 1e-12);
        }
        return stats.rows == 2;
    }
    // Calls drive(walk) with the walk that fits the criterion and the rows. Gives what it found and
    // the gain.
    template <typename Drive>
    auto with_walk(const WalkTotal& total, const Samples& samples, Scratch<Word>& s,
                   Drive&& drive) const;

    std::uint32_t source_row(std::uint32_t sample) const {
        return samples_.source.empty() ? sample : samples_.source[sample];
    }

    // The code of a sample in a coded column.
    std::uint16_t code_of(const CodedColumn& coded, Word entry) const {
        if constexpr (P::weighted) return coded.codes[samples_.source[Layout::row(entry)]];
        return coded.codes[Layout::row(entry)];
    }

    double centre = 0.0;  // what was subtracted from the targets
    const std::vector<std::uint32_t>* ranks =
        nullptr;  // absolute error: rank of a sample in its node

  private:
    bool has_cells(const NodeView<Word>& view, std::size_t c, std::size_t rows) const {
        const Range& range = view.node->ranges[c];
        return range.coded && !range.constant && counts(c, rows);
    }

    struct KnownRows {
        Segment<Word> segment;
        const double* sums = nullptr;  // of the rows whose value is known
        double weight = 0.0;
        double support = 0.0;
        bool missing = false;
        double least = 0.0;  // the support of these rows that a branch must have
    };

    // Adds the rows [begin, end) of one value, or those of the mode, to their side of a cut.
    void add_to_side(const KnownRows& known, const Boundary& cut, std::size_t begin,
                     std::size_t end, bool mode, std::vector<double>& sides) const {
        const std::size_t width = samples_.width();
        if (mode) {
            double* side = sides.data() + (cut.mode_left ? 0 : width);
            for (std::size_t j = 0; j < width; ++j) side[j] += known.segment.mode_sums[j];
            return;
        }
        double* side = sides.data() + (begin < cut.position ? 0 : width);
        for (std::size_t i = begin; i < end; ++i) P::add(samples_, known.segment.entries[i], side);
    }
    // The rows of one code, or their support.
    Cell rows_of(const Cell* of_code) const {
        if constexpr (P::weighted) return of_code[samples_.width()];
        return std::accumulate(of_code, of_code + stride(), Cell{0});
    }
    // The given cells of a column; without any, the column is counted.
    const Cell* counted(const NodeView<Word>& view, std::size_t c, Scratch<Word>& s,
                        const Cell* counts) const;
    double weight_of(const double* sums) const {
        if constexpr (P::classification) return std::accumulate(sums, sums + samples_.classes, 0.0);
        return sums[0];
    }
    // Score of a partition into children whose sums lie one after the other.
    double score(const double* node, const double* children, std::size_t count) const;
    double threshold_score(const double* node, const double* children) const;
    KnownRows known_part(const NodeView<Word>& view, const Range& range, std::size_t c,
                         Scratch<Word>& s) const;
    std::pair<std::optional<Boundary>, double> walk(const Segment<Word>& segment,
                                                    const WalkTotal& total, const double* preload,
                                                    double preload_support, Scratch<Word>& s) const;
    // Counts the codes of the node's rows and tries the cuts between them. The rows need not be in
    // order.
    void numeric_from_counts(const NodeView<Word>& view, Range& range, std::size_t c,
                             Scratch<Word>& s, Candidate& out, const Cell* counts) const;
    // Puts the node's rows in the order of a coded column, for all its descendants: they are too
    // small to count.
    void put_in_order(const NodeView<Word>& view, Range& range, std::size_t c,
                      Scratch<Word>& s) const;
    // CHAID only, see evaluate_merged_impl.hpp.
    void merge(const NodeView<Word>& view, const KnownRows& known, bool missing_level,
               std::size_t c, Scratch<Word>& s, Candidate& out) const;
    void test_threshold(const Range& range, const KnownRows& known, Scratch<Word>& s,
                        Candidate& out) const;
    void test_threshold_counts(const NodeView<Word>& view, std::size_t c, const Cell* counts,
                               Scratch<Word>& s, Candidate& out) const;
    void test_halves(double ways, Scratch<Word>& s, Candidate& out) const;
    GroupTest group_test() const {
        return P::classification ? problem_.parameters.merge->test : GroupTest::f;
    }
    // Gain ratio only, see evaluate_ratio_impl.hpp.
    void weigh_information(const double* node, double weight, double spread, std::size_t cuts,
                           Scratch<Word>& s, Candidate& out) const;
    void weigh_candidate(const NodeView<Word>& view, const Range& range, const KnownRows& known,
                         Scratch<Word>& s, Candidate& out) const;
    void weigh_counts(const NodeView<Word>& view, const Cell* counts, std::size_t values,
                      Scratch<Word>& s, Candidate& out) const;
    bool by_information() const {
        if constexpr (P::classification) return problem_.criterion->by_information();
        return false;
    }
    // Tests the column. False: a filter skips it.
    bool screen(const NodeView<Word>& view, const Range& range, const KnownRows& known,
                std::size_t c, Scratch<Word>& s, Candidate& out) const;
    bool significant(IndependenceTest& test, std::size_t c) const;
    void search_known(const NodeView<Word>& view, Range& range, const KnownRows& known,
                      std::size_t c, Scratch<Word>& s, Candidate& out, bool summed) const;
    IndependenceTest test_counts(const NodeView<Word>& view, const Range& range, std::size_t c,
                                 Scratch<Word>& s, const Cell* counts) const;
    IndependenceTest test_entries(const NodeView<Word>& view, const KnownRows& known, std::size_t c,
                                  Scratch<Word>& s) const;
    IndependenceTest test_level_sums(const NodeView<Word>& view, const KnownRows& known,
                                     Scratch<Word>& s) const;
    bool target_varies(const KnownRows& known) const;
    void sum_levels(const Range& range, const KnownRows& known, Scratch<Word>& s) const;
    void numeric(const NodeView<Word>& view, const KnownRows& known, Scratch<Word>& s,
                 Candidate& out) const;
    // From the sums of the levels.
    void nominal(const NodeView<Word>& view, const KnownRows& known, std::size_t c,
                 Scratch<Word>& s, Candidate& out) const;
    void nominal_counted(const NodeView<Word>& view, const Range& range, const KnownRows& known,
                         std::size_t c, Scratch<Word>& s, Candidate& out) const;
    KnownRows sum_counts(const NodeView<Word>& view, std::size_t c, Scratch<Word>& s,
                         const Cell* counts) const;
    void discount(const NodeView<Word>& view, const KnownRows& known, Candidate& out) const;
    // A column without missing cells.
    KnownRows whole(const NodeView<Word>& view) const {
        const NodeStats& stats = view.node->stats;
        return {{},           stats.sums.data(),
                stats.weight, stats.support,
                false,        problem_.parameters.min_candidate_leaf()};
    }
    bool tests() const { return by_inference() || problem_.parameters.significance < 1.0; }
    bool screen_levels(const NodeView<Word>& view, const KnownRows& known, std::size_t c,
                       Scratch<Word>& s, Candidate& out) const;
    // `sums` are those of the rows that are scored.
    void binary(const NodeView<Word>& view, const KnownRows& known, const double* sums,
                bool missing_level, Scratch<Word>& s, Candidate& out) const;
    void multiway(const NodeView<Word>& view, const KnownRows& known, const double* sums,
                  bool missing_level, std::size_t c, Scratch<Word>& s, Candidate& out) const;
    bool out_of_reach(const NodeView<Word>& view, const KnownRows& known, const double* sums,
                      Scratch<Word>& s) const;
    void place_missing(const NodeView<Word>& view, std::size_t levels, Scratch<Word>& s,
                       Candidate& out) const;
    // All levels in one branch, the rows without a value in the other.
    static void keep_apart(std::size_t levels, Candidate& out) {
        out.kind = ConditionKind::subset;
        out.branches = 2;
        out.branch_of_level.assign(levels, 0);
        out.missing_to = 1;
    }
    void set_missing_apart(const NodeView<Word>& view, const KnownRows& known, std::size_t levels,
                           Scratch<Word>& s, Candidate& out) const;

    // The rows of the node that a split by the column would divide, if such rows count in every
    // branch; otherwise 0.
    double divided_rows(const OpenNode<Word>& node, std::size_t c, double missing_support) const;
    double least_known(const NodeView<Word>& view, std::size_t c, double known_support) const;
    // Whether dividing the rows with holes first only multiplies the gain of the known rows by the
    // square of their share. This holds where the gain is a quadratic form of class shares or
    // means, and every branch counts.
    bool shrinks_by_square() const {
        if constexpr (P::classification) return problem_.criterion->walk_kind() == WalkKind::gini;
        return !absolute();
    }
    // Whether the splits of a column are scored on all rows, with the rows with holes divided among
    // the branches.
    bool combines(const KnownRows& known) const {
        return known.missing && problem_.parameters.divides_first() && !shrinks_by_square();
    }
    // The factor for a gain that was found on the rows of `known`, or on all rows where the two are
    // combined.
    double counting_share(const NodeView<Word>& view, const KnownRows& known) const;
    // Divides the rows with holes, whose sums are in `rest`, among parts of the known rows, in
    // proportion to these.
    void divide_rest(double* sums, std::size_t count, const KnownRows& known,
                     Scratch<Word>& s) const;
    // Whether the rows without a value may be a branch against all others.
    bool sets_apart(const KnownRows& known) const {
        return known.missing && problem_.parameters.missing != Missing::fractional;
    }
    bool absolute() const {
        return !P::classification && problem_.parameters.loss == TargetLoss::absolute_error;
    }
    void numeric_absolute(const NodeView<Word>& view, const KnownRows& known, std::size_t c,
                          Scratch<Word>& s, Candidate& out) const;
    void nominal_absolute(const NodeView<Word>& view, const Range& range, const KnownRows& known,
                          std::size_t c, Scratch<Word>& s, Candidate& out) const;
    // Absolute error: the rows without a value, all on one side of a cut or divided.
    struct Holes {
        std::vector<Word> entries;
        std::optional<MedianSums> divided;  // then each side has them in proportion to its weight
        double known_weight = 0.0;

        double loss(const MedianSums& known) const {
            if (!divided) return known.loss();
            return known.loss_with(*divided, known.total_weight() / known_weight);
        }
    };
    Holes holes(const NodeView<Word>& view, const KnownRows& known) const;
    std::pair<std::size_t, double> best_absolute_cut(const NodeView<Word>& view,
                                                     const KnownRows& known, const Word* entries,
                                                     std::size_t size, const Holes& holes,
                                                     std::int32_t missing_to,
                                                     Scratch<Word>& s) const;
    std::vector<std::vector<Word>> divide_by_medians(const NodeView<Word>& view,
                                                     const KnownRows& known,
                                                     const std::vector<std::vector<Word>>& groups,
                                                     const Holes& missing, Scratch<Word>& s,
                                                     Candidate& out) const;
    std::vector<Word> missing_entries(const NodeView<Word>& view, const KnownRows& known) const;
    double absolute_loss(const NodeView<Word>& view, const std::vector<Word>& entries,
                         const Holes& with = {}) const;
    std::vector<Word> known_entries(const KnownRows& known) const {
        return {known.segment.entries, known.segment.entries + known.segment.size};
    }
    double absolute_loss_apart(const NodeView<Word>& view, const KnownRows& known,
                               const Holes& missing) const;
    // The gain of a split by absolute error whose children lose `loss` together.
    double absolute_gain(const NodeView<Word>& view, const KnownRows& known, double loss) const;

    const Problem& problem_;
    const Samples& samples_;
    const std::vector<bool>& hidden_;
    const std::vector<CodedColumn>& coded_;
    std::size_t rows_column_;
    Interrupt& interrupt_;
    std::optional<LogTable> logs_;
    std::vector<std::size_t> first_cell_;  // of a column, in the counts of a node
    std::size_t cells_ = 0;
    std::size_t coded_columns_ = 0;
};

}  // namespace ramify
