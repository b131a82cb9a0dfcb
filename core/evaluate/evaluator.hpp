// The best split of one attribute at one node: the rows with a value -> a test that may skip the
// column -> the search of its best split -> a candidate. Invariant: it reads the node and writes
// only the workspace and the candidate, so that columns can be evaluated in parallel.
#pragma once

#include "evaluate/chance.hpp"
#include "evaluate/description.hpp"
#include "evaluate/forced_split.hpp"
#include "evaluate/information.hpp"
#include "evaluate/level_search.hpp"
#include "evaluate/rank_search.hpp"
#include "evaluate/screen.hpp"
#include "evaluate/threshold_search.hpp"

namespace ramify {

template <Target P>
class Evaluator {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;
    using Cell = typename P::Cell;

    explicit Evaluator(const Context<P>& context)
        : context_(context),
          missing_(context),
          chance_(context, missing_),
          screen_(context),
          tests_(context),
          information_(context, missing_),
          thresholds_(context, missing_),
          levels_(context, missing_, tests_),
          ranks_(context, missing_),
          forced_(context, missing_, ranks_),
          description_(context, missing_) {}

    bool screens() const { return screen_.asked(); }
    bool by_p_value() const { return screen_.by_inference() || tests_.asked(); }
    const ChanceJudge<P>& chance() const { return chance_; }
    const Description<P>& describe() const { return description_; }
    const RankSearch<P>& ranks() const { return ranks_; }

    // Finds the best split of a column. It also records that a column is constant at the node.
    // `cells` are those of the column, if they are known already.
    void evaluate(const NodeView<Word>& view, Range& range, std::size_t c, Workspace<Word>& s,
                  Candidate& out, const Cell* cells = nullptr) const {
        out.reset();
        if (range.constant || view.node->plan.forced()) return;
        if (!view.node->plan.allows(c)) {
            range.constant = true;  // no split below may use it either
            return;
        }
        if (range.size > 4096) context_.interrupt.poll();
        if (range.coded && !context_.cells.pay(c, range.size))
            put_in_order(*view.node, range, c, s);
        if (range.coded) {
            const CodedForm<P> form = coded(view, c, s, cells);
            if (look_at_levels(view, form, range, c, s) && pass(view, form, c, s, out))
                find(view, form, range, c, s, out);
        } else {
            const OrderedForm<P> form = context_.ordered(*view.node, c);
            missing_.find_known(*view.node, c, s.known);
            if (pass(view, form, c, s, out)) find(view, form, range, c, s, out, screens());
        }
    }
    // Makes the split that a skeleton demands. Gives the branches of its condition that have rows;
    // if there are fewer than two, there is no split.
    std::vector<std::int32_t> force(const NodeView<Word>& view, Range& range,
                                    const SkeletonNode& asked, Workspace<Word>& s,
                                    Candidate& out) const {
        const auto c = static_cast<std::size_t>(asked.attribute);
        out.reset();
        if (range.coded && !context_.cells.pay(c, range.size))
            put_in_order(*view.node, range, c, s);
        if (range.coded) return forced_.make(view, coded(view, c, s, nullptr), asked, s, out);
        return forced_.make(view, context_.ordered(*view.node, c), asked, s, out);
    }
    // Whether a column that is in order passes the tests of columns.
    bool passes(const NodeView<Word>& view, std::size_t c, Workspace<Word>& s,
                Candidate& out) const {
        out.reset();
        missing_.find_known(*view.node, c, s.known);
        return pass(view, context_.ordered(*view.node, c), c, s, out);
    }
    // Finds the best split of a column that so far has only been tested.
    void search(const NodeView<Word>& view, Range& range, std::size_t c, Workspace<Word>& s,
                Candidate& out) const {
        out.pending = false;
        if (range.coded) {
            const CodedForm<P> form = coded(view, c, s, nullptr);
            if (look_at_levels(view, form, range, c, s)) find_split(view, form, range, c, s, out);
        } else {
            missing_.find_known(*view.node, c, s.known);
            find_split(view, context_.ordered(*view.node, c), range, c, s, out, false);
        }
    }

  private:
    // The column with its cells, which are counted unless they are given.
    CodedForm<P> coded(const NodeView<Word>& view, std::size_t c, Workspace<Word>& s,
                       const Cell* cells) const {
        if (cells == nullptr) {
            auto& counted = s.template cells<Cell>();
            counted.resize(context_.cells.size(c));
            context_.cells.count(*view.node, c, counted.data());
            cells = counted.data();
        }
        return context_.coded(*view.node, c, cells);
    }

    // The known part of a coded column, and its levels. False: it cannot split the node.
    bool look_at_levels(const NodeView<Word>& view, const CodedForm<P>& form, Range& range,
                        std::size_t c, Workspace<Word>& s) const {
        if (!context_.by_levels(c)) return true;
        missing_.all_known(*view.node, s.known);
        const double support = form.sum_levels(s.known, s.levels);
        if (form.has_holes()) missing_.some_known(*view.node, c, support, s.known);
        range.constant = s.levels.size() < (missing_.sets_apart(s.known) ? 1 : 2);
        return !range.constant;
    }

    // Tests a column. False: it is skipped, or only the chosen attribute needs a split.
    template <typename Form>
    bool pass(const NodeView<Word>& view, const Form& form, std::size_t c, Workspace<Word>& s,
              Candidate& out) const {
        if (!screen_.asked()) return true;
        constexpr bool ordered = std::is_same_v<Form, OrderedForm<P>>;
        bool passes;
        if (context_.problem.table[c].kind == Kind::nominal) {
            bool varies = true;
            if constexpr (ordered) {
                form.sum_levels(s.known, s.levels);
                varies = screen_.target_varies(form, s.known);
            }
            passes = screen_.pass_levels(view, c, varies, s, out);
        } else if constexpr (ordered) {
            passes = screen_.pass_ordered(view, form, c, s, out);
        } else {
            passes = screen_.pass_coded(view, form, c, s, out);
        }
        // Unless all splits are remembered, that of the chosen attribute is searched later.
        out.pending = passes && screen_.by_inference() &&
                      view.node->depth >= context_.parameters.competitor_depth;
        return passes && !out.pending;
    }

    void find(const NodeView<Word>& view, const CodedForm<P>& form, Range& range, std::size_t c,
              Workspace<Word>& s, Candidate& out) const {
        if (!chance_.asked()) {
            find_split(view, form, range, c, s, out);
        } else if (!context_.by_levels(c)) {
            find_split(view, form, range, c, s, out);
            if (out.valid()) chance_.enter_threshold(view, form, s, out);
        } else {
            if constexpr (!P::classification) {
                s.reordered.clear();
                for (const Word entry : form.rows()) {
                    if (form.code_of(entry) < form.codes().values()) s.reordered.push_back(entry);
                }
            }
            chance_.enter_levels(view, s.known, s.reordered, s.levels, out);
            if (!put_off(view, out)) find_split(view, form, range, c, s, out);
        }
    }
    void find(const NodeView<Word>& view, const OrderedForm<P>& form, Range& range, std::size_t c,
              Workspace<Word>& s, Candidate& out, bool screened) const {
        if (!chance_.asked()) {
            find_split(view, form, range, c, s, out, screened);
        } else if (!context_.by_levels(c)) {
            find_split(view, form, range, c, s, out, screened);
            if (out.valid()) chance_.enter_threshold(view, form, s, out);
        } else if (!form_varies(form, range, s)) {
            range.constant = true;
        } else {
            form.sum_levels(s.known, s.levels);
            chance_.enter_levels(view, s.known, form.entries(), s.levels, out);
            if (!put_off(view, out)) find_split(view, form, range, c, s, out, false);
        }
    }
    // Beyond chance: the levels are judged all at once. Unless all splits are remembered, that of
    // the chosen attribute is searched later; identifiers are never searched.
    bool put_off(const NodeView<Word>& view, Candidate& out) const {
        out.pending =
            out.chance.entered && view.node->depth >= context_.parameters.competitor_depth;
        return out.pending || !out.chance.entered;
    }
    bool form_varies(const OrderedForm<P>& form, const Range& range,
                     const Workspace<Word>& s) const {
        return range.size > 0 && (form.varies() || missing_.sets_apart(s.known));
    }

    void find_split(const NodeView<Word>& view, const CodedForm<P>& form, Range& range,
                    std::size_t c, Workspace<Word>& s, Candidate& out) const {
        if (context_.by_levels(c)) {
            levels_.find(view, c, s, out);
            if (!out.valid()) return;
            out.counted = true;
            out.partial = s.known.missing;
            out.level_codes = s.levels.codes;
            if (information_.asked()) information_.weigh_levels(view, s, out);
            if (out.valid()) missing_.discount(view.node->stats, s.known, out);
            return;
        }
        range.constant = thresholds_.from_cells(view, form, c, s, out);
        if (!out.valid()) return;
        if (tests_.asked()) tests_.test_threshold(form, s, out);
        if (information_.asked()) information_.weigh(view, form, s, out);
    }

    // `screened`: the levels of a nominal column have been added up already.
    void find_split(const NodeView<Word>& view, const OrderedForm<P>& form, Range& range,
                    std::size_t c, Workspace<Word>& s, Candidate& out, bool screened) const {
        if (!form_varies(form, range, s)) {
            range.constant = true;
            return;
        }
        if (context_.by_ranks()) {
            if (context_.by_levels(c)) {
                ranks_.find_levels(view, form, s, out);
            } else {
                ranks_.find_threshold(view, s, out);
            }
        } else if (context_.by_levels(c)) {
            if (!screened || context_.problem.table[c].kind != Kind::nominal)
                form.sum_levels(s.known, s.levels);
            levels_.find(view, c, s, out);
            if (out.valid() && information_.asked()) information_.weigh_levels(view, s, out);
        } else {
            thresholds_.in_order(view, c, s, out);
            if (out.valid() && tests_.asked()) tests_.test_threshold(form, s, out);
            if (out.valid() && information_.asked()) information_.weigh(view, form, s, out);
        }
        if (out.valid()) missing_.discount(view.node->stats, s.known, out);
    }

    // Puts the node's rows in the order of a coded column, for all its descendants: they are too
    // small to count.
    void put_in_order(const OpenNode<Word>& node, Range& range, std::size_t c,
                      Workspace<Word>& s) const {
        const CodedForm<P> form = context_.coded(node, c);
        const CodedColumn& codes = form.codes();
        const std::span<const Word> from = form.rows();
        Word* to = node.block->columns[c].data() + range.begin;
        std::vector<std::uint32_t>& next = s.histogram;
        next.assign(codes.size() + 1, 0);
        for (const Word entry : from) ++next[form.code_of(entry) + 1u];
        for (std::size_t code = 0; code < codes.size(); ++code) next[code + 1] += next[code];
        for (const Word entry : from)
            to[next[form.code_of(entry)]++] = entry & static_cast<Word>(~Layout::fresh_bit);
        // Each counter is now at the end of its value, where the next value begins. Missing cells
        // come last and have no entries.
        to[0] |= Layout::fresh_bit;
        for (std::size_t code = 0; code < codes.values(); ++code) {
            if (next[code] < range.size) to[next[code]] |= Layout::fresh_bit;
        }
        if (codes.holes) range.size = next[codes.values() - 1];
        range.coded = false;
    }

    const Context<P>& context_;
    MissingRules<P> missing_;
    ChanceJudge<P> chance_;
    Screen<P> screen_;
    SplitTests<P> tests_;
    Information<P> information_;
    ThresholdSearch<P> thresholds_;
    LevelSearch<P> levels_;
    RankSearch<P> ranks_;
    ForcedSplit<P> forced_;
    Description<P> description_;
};

}  // namespace ramify
