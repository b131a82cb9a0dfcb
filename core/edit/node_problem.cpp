#include "edit/node_problem.hpp"

#include <algorithm>
#include <limits>

#include "columns/forms.hpp"
#include "support/parallel.hpp"

namespace ramify {
namespace {

// Rows and parts in one list.
std::vector<std::uint32_t> all_of(const KeptRows& rows) {
    std::vector<std::uint32_t> all(rows.size());
    std::merge(rows.whole.begin(), rows.whole.end(), rows.divided.begin(), rows.divided.end(),
               all.begin());
    return all;
}

}  // namespace

void lift_limits(GrowParameters& parameters) {
    const GrowParameters defaults;
    parameters.max_depth = defaults.max_depth;
    parameters.max_leaves = defaults.max_leaves;
    parameters.max_expansions = defaults.max_expansions;
    parameters.min_samples_split = defaults.min_samples_split;
    parameters.min_weight_split = defaults.min_weight_split;
    parameters.min_weight_fraction_leaf = defaults.min_weight_fraction_leaf;
    parameters.min_gain = -std::numeric_limits<double>::max();
    parameters.significance = defaults.significance;
    parameters.min_second_value = defaults.min_second_value;
    parameters.abandon_small = false;
    parameters.labels_only = false;
    parameters.alpha = 1.0;
}

NodeProblem::NodeProblem(const Problem& whole, const KeptRows& rows, std::size_t grain_rows)
    : whole_(whole), rows_(all_of(rows)), table_(rows_.size()) {
    const bool parts = !rows.divided.empty();
    if (parts) {
        fractions_.assign(rows_.size(), 1.0);
        for (std::size_t i = 0, d = 0; i < rows_.size() && d < rows.divided.size(); ++i) {
            if (rows_[i] == rows.divided[d]) fractions_[i] = rows.part[d++];
        }
    }
    if (whole.classes > 0) {
        labels_.resize(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) labels_[i] = whole.labels[rows_[i]];
    } else {
        target_.resize(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) target_[i] = whole.target[rows_[i]];
    }
    if (parts || !whole.weights.empty()) {
        weights_.assign(rows_.size(), 1.0);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (!whole.weights.empty()) weights_[i] = whole.weights[rows_[i]];
            if (parts) weights_[i] *= fractions_[i];
        }
    }
    beginning.equal_weights = whole.weights.empty();
    beginning.grain_rows = grain_rows;
    beginning.divides = has_missing(whole.table);
}

void NodeProblem::take_columns(int threads, Interrupt& interrupt) {
    const std::size_t columns = whole_.table.size();
    numbers_.resize(columns);
    std::vector<std::vector<std::int32_t>> codes(columns);
    for_each_index(columns, threads, [&](std::size_t c) {
        interrupt.poll();
        const Column& column = whole_.table[c];
        if (column.kind == Kind::numeric) {
            numbers_[c].resize(rows_.size());
            for (std::size_t i = 0; i < rows_.size(); ++i) numbers_[c][i] = column.values[rows_[i]];
        } else {
            codes[c].resize(rows_.size());
            for (std::size_t i = 0; i < rows_.size(); ++i) codes[c][i] = column.codes[rows_[i]];
        }
    });
    for (std::size_t c = 0; c < columns;) {
        std::vector<StridedNumbers> together;
        std::size_t end = c;
        for (; end < columns && whole_.table[end].kind == Kind::numeric; ++end)
            together.emplace_back(numbers_[end].data(), 1);
        if (!together.empty()) {
            table_.add_numeric(together, threads, interrupt);
            c = end;
            continue;
        }
        table_.add_codes(whole_.table[c].kind, std::move(codes[c]), whole_.table[c].levels);
        ++c;
    }
}

void NodeProblem::take_branches(std::vector<std::int32_t> branches, std::size_t count,
                                bool ordered) {
    table_.add_codes(ordered ? Kind::ordinal : Kind::nominal, std::move(branches), count);
}

Problem NodeProblem::problem() {
    Problem problem{table_};
    problem.labels = labels_;
    problem.classes = whole_.classes;
    problem.target = target_;
    problem.weights = weights_;
    problem.fractions = fractions_;
    problem.criterion = whole_.criterion;
    problem.nominal = whole_.nominal;
    problem.parameters = whole_.parameters;
    problem.beginning = &beginning;
    return problem;
}

}  // namespace ramify
