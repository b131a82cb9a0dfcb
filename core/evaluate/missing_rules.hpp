// How rows that lack an attribute count in a split by it: one function for each question.
// Invariant: the answers follow from the parameters, the criterion and the weights of the rows,
// never from the form of the column.
#pragma once

#include <algorithm>

#include "evaluate/context.hpp"

namespace ramify {

template <Target P>
class MissingRules {
  public:
    using Word = typename P::Word;

    explicit MissingRules(const Context<P>& context)
        : context_(context),
          fractional_(context.parameters.missing == Missing::fractional),
          divides_first_(context.parameters.divides_first()),
          quadratic_(context.criterion.quadratic()) {}

    bool fractional() const { return fractional_; }
    bool separate() const { return context_.parameters.missing == Missing::separate; }
    bool direction() const { return context_.parameters.missing == Missing::direction; }

    // Whether the rows without a value may be a branch against all others.
    bool sets_apart(const KnownRows<Word>& known) const { return known.missing && !fractional_; }
    // Whether a split is scored on the known rows alone.
    bool scores_known(const KnownRows<Word>& known) const {
        return known.missing && fractional_ && !divides_first_;
    }
    // Whether a split is scored on all rows, with those without a value divided among the branches.
    // For a quadratic criterion a factor does the same.
    bool combines(const KnownRows<Word>& known) const {
        return known.missing && divides_first_ && !quadratic_;
    }
    // The factor for a gain that was found on the known rows, or on all rows where the two are
    // combined.
    double counting_share(const NodeStats& stats, const KnownRows<Word>& known) const {
        if (!known.missing || !fractional_) return 1.0;
        const double share = known.weight / stats.weight;
        if (divides_first_) return quadratic_ ? share * share : 1.0;
        return context_.criterion.discounts_missing() ? share : 1.0;
    }
    void discount(const NodeStats& stats, const KnownRows<Word>& known, Candidate& out) const {
        const double share = counting_share(stats, known);
        out.gain *= share;
        out.information *= share;
    }
    // Divides the rows without a value among parts of the known rows, in proportion to these.
    void divide_rest(double* sums, std::size_t count, const KnownRows<Word>& known) const {
        const std::size_t width = context_.samples.width();
        for (std::size_t b = 0; b < count; ++b) {
            double* to = sums + b * width;
            const double share = context_.weight_of(to) / known.weight;
            for (std::size_t j = 0; j < width; ++j) to[j] += share * known.rest[j];
        }
    }

    // The rows of the node that a split by the column would divide, if such rows count in every
    // branch; otherwise 0.
    double divided_rows(const OpenNode<Word>& node, std::size_t c, double missing_support) const {
        if (missing_support <= 0.0) return 0.0;  // without holes there may be no list of the rows
        if (context_.divided_rows != nullptr) return (*context_.divided_rows)[c];
        if constexpr (P::weighted) {
            // A part that is too light to be divided takes one branch.
            for (const Word entry : context_.cells.rows(node)) {
                const std::uint32_t sample = P::Layout::row(entry);
                if (context_.samples.part(sample) < context_.parameters.least_fraction() &&
                    context_.problem.table[c].missing(context_.samples.source_row(sample)))
                    missing_support -= 1.0;
            }
        }
        return missing_support;
    }
    // The support that a branch must have of the known rows.
    double least_known(const OpenNode<Word>& node, std::size_t c, double known_support) const {
        const GrowParameters& parameters = context_.parameters;
        if (parameters.min_candidate_leaf() <= 0.0 || !parameters.counts_pieces())
            return parameters.min_candidate_leaf();
        return parameters.min_known_leaf(divided_rows(node, c, node.stats.support - known_support));
    }

    // All rows of the node are known.
    void all_known(const OpenNode<Word>& node, KnownRows<Word>& known) const {
        known.sums = node.stats.sums.data();
        known.weight = node.stats.weight;
        known.support = node.stats.support;
        known.missing = false;
        known.least = context_.min_leaf();
    }
    // Those in `known.own` are known, and the others are in `known.rest`.
    void some_known(const OpenNode<Word>& node, std::size_t c, double support,
                    KnownRows<Word>& known) const {
        known.missing = true;
        known.sums = known.own.data();
        known.weight = context_.weight_of(known.sums);
        known.support = support;
        known.least = least_known(node, c, support);
    }
    void find_known(const OpenNode<Word>& node, std::size_t c, KnownRows<Word>& known) const {
        const OrderedForm<P> form = context_.ordered(node, c);
        all_known(node, known);
        const double support = form.sum_known(known);
        if (form.has_holes()) some_known(node, c, support, known);
    }

  private:
    const Context<P>& context_;
    bool fractional_, divides_first_, quadratic_;
};

}  // namespace ramify
