// The lowest part of a large tree: the whole subtree of a node with few rows is grown in a buffer
// that stays in the first-level cache, with rows numbered from zero. Most nodes are grown here.
// Invariant: column c of a node lies at buffer[c][begin .. begin + size), the same range in every
// column, in value order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "columns/partition.hpp"
#include "grow/builder.hpp"
#include "grow/choice.hpp"
#include "grow/finish.hpp"
#include "splits/short_scan.hpp"

namespace ramify {

template <Target P>
class SmallSubtree {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;
    static constexpr std::size_t most_rows = 256;

    SmallSubtree(const Context<P>& context, const SplitChoice<P>& choice)
        : context_(context), choice_(choice), finisher_(context) {
        local_.classes = context.problem.classes;
        short_gini_ = short_gini();
        short_scan_ = short_scan();
        buffer_.resize(context.problem.table.size() * most_rows);
    }

    // Whether subtrees of a problem can be grown here: by the criterion alone, of thresholds alone,
    // and of whole rows. Columns that a plan rules out are constant by then.
    static bool fits(const Context<P>& context, const Evaluator<P>& evaluator) {
        const Table& table = context.problem.table;
        bool fits = !P::weighted && !context.by_ranks() && !has_missing(table) &&
                    table.size() < 65536 && !evaluator.screens() && !evaluator.by_p_value() &&
                    !context.criterion.by_information();
        for (std::size_t c = 0; c < table.size(); ++c) fits = fits && !context.by_levels(c);
        return fits;
    }

    // Grows everything below an open node. `map` has a byte per row of the table; the bytes of the
    // node's rows are overwritten.
    void grow(OpenNode<Word>& node, std::uint8_t* map, Builder& builder, WalkBuffers& buffers) {
        load(node, map);
        while (top_ > 0) expand(builder, buffers);
    }

  private:
    struct Item {
        NodeStats stats;
        std::vector<double> bounds;
        std::int32_t id = 0;
        std::int32_t depth = 0;
        std::size_t begin = 0;
        std::size_t size = 0;
        std::size_t active_begin = 0;  // its columns that are not constant, in active_
        std::size_t active_count = 0;
        std::size_t column = 0;    // of its best split
        std::size_t position = 0;  // entries on the left
        double gain = 0.0;
        double log_p = std::numeric_limits<double>::quiet_NaN();
        bool judged = false;  // its columns, by what they gain beyond chance
    };
    struct Best {
        std::size_t column = 0;
        std::size_t position = 0;
        double gain = 0.0;
        double log_p = std::numeric_limits<double>::quiet_NaN();
        bool found = false;
        bool settled = false;
        Contest contest{};
    };

    Word* column(std::size_t c) { return buffer_.data() + c * most_rows; }

    void load(OpenNode<Word>& node, std::uint8_t* map);
    void expand(Builder& builder, WalkBuffers& buffers);

    void order_by_code(const CodedColumn& coded, const Word* members, const std::uint8_t* map,
                       Word* to);
    void push(Item& item, const Best& best, const std::vector<std::uint16_t>& active) {
        item.column = best.column;
        item.position = best.position;
        item.gain = best.gain - context_.baseline(item.stats);
        item.log_p = best.log_p;
        item.active_begin = active_.size();
        item.active_count = active.size();
        active_.insert(active_.end(), active.begin(), active.end());
        ++top_;
    }
    // Whether the best split is given up because it leaves too few rows on a side.
    bool abandons(const Item& item, const Best& best) const {
        const auto smaller = std::min(best.position, item.size - best.position);
        return context_.parameters.abandon_small &&
               static_cast<double>(smaller) < context_.parameters.min_samples_leaf;
    }
    void mark(const Item& item);
    Best choose_beyond_chance(const Item& child, std::vector<Best>& cuts);
    double share_of(const Item& child, const Best& cut);
    void look(std::size_t c, const Item& child, WalkBuffers& buffers, Best& best,
              ShortScan<most_rows>& scan, ShortGini<most_rows>& gini,
              ShortDeviance<most_rows>& deviance, std::vector<std::uint16_t>& active,
              std::vector<Best>& cuts);
    template <typename Deviance>
    std::optional<std::pair<std::size_t, double>> cut_by_deviance(
        const Word* entries, const NodeStats& stats, const Best& best,
        ShortDeviance<most_rows>& scan) const {
        const double mean = stats.sums[1] / stats.weight;
        return scan.template best<Deviance, Layout>(
            entries, mean, tie_tolerance * stats.impurity, best.found ? best.gain : -1.0,
            [&](Word entry) { return local_.target[Layout::row(entry)] - mean; });
    }

    void find_allowed(std::size_t c, const Item& child, WalkBuffers& buffers, const Best& best,
                      ShortScan<most_rows>& scan, ShortGini<most_rows>& gini,
                      std::optional<std::size_t>& position, double& gain, double& balance);

    bool short_gini() const {
        if constexpr (!P::classification) return false;
        return local_.classes > 2 && !context_.balances_ties &&
               context_.criterion.of_thresholds().walk_kind() == WalkKind::gini;
    }
    bool short_scan() const {
        if constexpr (!P::classification)
            return context_.criterion.walk_kind() == WalkKind::squared_error;
        return local_.classes == 2 && !context_.balances_ties &&
               context_.criterion.of_thresholds().walk_kind() == WalkKind::gini;
    }

    const Context<P>& context_;
    const SplitChoice<P>& choice_;
    Finisher<P> finisher_;
    // Every column of every node asks these.
    bool short_gini_ = false, short_scan_ = false;
    Samples local_;
    std::vector<std::uint32_t> rows_;  // of the table
    NodeRows looked_at_;
    std::vector<Word> buffer_;
    std::vector<Item> items_;
    std::size_t top_ = 0;
    std::vector<std::uint16_t> active_;
    std::uint8_t side_[most_rows] = {};
    Word spare_[most_rows] = {};
    NodeStats child_stats_[2];
    std::vector<std::uint16_t> child_active_[2];
    std::vector<Best> child_cuts_[2];  // beyond chance: of every column
    std::vector<ChanceClaim> claims_;
    std::vector<double> sides_;
    ShortScan<most_rows> scans_[2];
    ShortGini<most_rows> ginis_[2];
    ShortDeviance<most_rows> deviances_[2];
};

// Sorts the rows by code: by counting if there are few codes, by comparing otherwise.
template <Target P>
void SmallSubtree<P>::order_by_code(const CodedColumn& coded, const Word* members,
                                    const std::uint8_t* map, Word* to) {
    const std::size_t size = rows_.size();
    const auto put = [&](std::size_t at, std::size_t member) {
        const Word entry = members[member] & static_cast<Word>(~Layout::fresh_bit);
        to[at] = Layout::with_row(entry, map[Layout::row(entry)]);
    };
    if (coded.values() <= 4 * most_rows) {
        std::uint16_t start[4 * most_rows + 1] = {};
        for (const std::uint32_t row : rows_) ++start[coded.codes[row] + 1];
        for (std::size_t code = 0; code < coded.values(); ++code) start[code + 1] += start[code];
        for (std::size_t i = 0; i < size; ++i) put(start[coded.codes[rows_[i]]]++, i);
    } else {
        std::uint32_t keys[most_rows];
        for (std::size_t i = 0; i < size; ++i) {
            keys[i] = (std::uint32_t{coded.codes[rows_[i]]} << 8) | static_cast<std::uint32_t>(i);
        }
        std::sort(keys, keys + size);
        for (std::size_t i = 0; i < size; ++i) put(i, keys[i] & 255u);
    }
    for (std::size_t i = 0; i < size; ++i) {
        const auto code = [&](std::size_t at) { return coded.codes[rows_[Layout::row(to[at])]]; };
        if (i == 0 || code(i) != code(i - 1)) to[i] |= Layout::fresh_bit;
    }
}

template <Target P>
void SmallSubtree<P>::load(OpenNode<Word>& node, std::uint8_t* map) {
    const Samples& samples = context_.samples;
    const auto size = static_cast<std::size_t>(node.stats.rows);
    const std::size_t rows_column = context_.rows_column;
    const bool listed = rows_column < node.ranges.size();
    const std::size_t source = listed ? rows_column : static_cast<std::size_t>(node.column);
    const Word* members = node.block->columns[source].data() + node.ranges[source].begin;
    rows_.resize(size);
    if constexpr (!P::classification) local_.target.resize(size);
    if (samples.deviance) {
        local_.deviance = samples.deviance;
        local_.source.resize(size);
    }
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t sample = Layout::row(members[i]);
        rows_[i] = samples.source_row(sample);
        if (samples.deviance) local_.source[i] = rows_[i];
        map[sample] = static_cast<std::uint8_t>(i);
        if constexpr (!P::classification) local_.target[i] = samples.target[sample];
    }
    const auto local = [&](Word entry) { return Layout::with_row(entry, map[Layout::row(entry)]); };
    active_.clear();
    for (std::size_t c = 0; c < context_.problem.table.size(); ++c) {
        const Range& range = node.ranges[c];
        if (range.constant) continue;
        active_.push_back(static_cast<std::uint16_t>(c));
        Word* to = column(c);
        if (range.coded) {
            order_by_code(context_.cells.codes(c), members, map, to);
            continue;
        }
        const Word* from = node.block->columns[c].data() + range.begin;
        if (range.size == size) {
            for (std::size_t i = 0; i < size; ++i) to[i] = local(from[i]);
            continue;
        }
        // The rows of a hidden mode are those without an entry.
        bool present[most_rows] = {};
        for (std::size_t i = 0; i < range.size; ++i) present[map[Layout::row(from[i])]] = true;
        std::size_t at = 0;
        for (std::size_t i = 0; i < range.below; ++i) to[at++] = local(from[i]);
        bool fresh = true;
        for (std::size_t i = 0; i < size; ++i) {
            if (present[i]) continue;
            const Word entry = local(members[i]) & static_cast<Word>(~Layout::fresh_bit);
            to[at++] = fresh ? entry | Layout::fresh_bit : entry;
            fresh = false;
        }
        for (std::size_t i = range.below; i < range.size; ++i) to[at++] = local(from[i]);
    }
    if (items_.empty()) items_.resize(1);
    top_ = 1;
    Item& item = items_[0];
    std::swap(item.stats, node.stats);
    item.bounds = node.bounds;
    item.id = node.id;
    item.depth = node.depth;
    item.begin = 0;
    item.size = size;
    item.active_begin = 0;
    item.active_count = active_.size();
    item.column = static_cast<std::size_t>(node.column);
    item.gain = node.best.gain;
    item.log_p = node.log_p;
    item.position = node.best.boundary.position;
    if (node.best.counted) {
        const auto& codes = context_.cells.codes(item.column).codes;
        item.position = 0;
        for (std::size_t i = 0; i < size; ++i)
            item.position += codes[rows_[i]] <= node.best.lower_code;
    } else if (node.best.boundary.mode_left && node.ranges[item.column].size < size) {
        item.position += size - node.ranges[item.column].size;
    }
}

// Finds the child of every row, and the statistics of both children.
template <Target P>
void SmallSubtree<P>::mark(const Item& item) {
    const Word* entries = column(item.column) + item.begin;
    for (auto& stats : child_stats_) stats.clear(local_.width());
    for (std::size_t i = 0; i < item.size; ++i) side_[Layout::row(entries[i])] = i >= item.position;
    child_stats_[0].template add_all<P>(local_, entries, item.position);
    child_stats_[1].template add_all<P>(local_, entries + item.position, item.size - item.position);
}

// The best cut of one column at one child.
template <Target P>
void SmallSubtree<P>::look(std::size_t c, const Item& child, WalkBuffers& buffers, Best& best,
                           ShortScan<most_rows>& scan, ShortGini<most_rows>& gini,
                           ShortDeviance<most_rows>& deviance, std::vector<std::uint16_t>& active,
                           std::vector<Best>& cuts) {
    const Word* entries = column(c) + child.begin;
    bool varies = false;
    for (std::size_t i = 1; i < child.size && !varies; ++i) varies = Layout::fresh(entries[i]);
    if (!varies) return;
    active.push_back(static_cast<std::uint16_t>(c));
    const NodeStats& stats = child.stats;
    std::optional<std::size_t> position;
    double gain = -1.0;
    double balance = 0.0;
    if (context_.branch_limits.monotone()) {
        find_allowed(c, child, buffers, best, scan, gini, position, gain, balance);
    } else if (short_gini_) {
        const auto cut = gini.template best<Layout>(entries, tie_tolerance * stats.impurity);
        if (cut) {
            position = cut->first;
            gain = cut->second;
        }
    } else if (short_scan_) {
        const double scale = P::classification ? 2.0 : 1.0;
        const double mean = stats.sums[1] / stats.weight;
        const auto cut = scan.template best<Layout>(
            entries, tie_tolerance * stats.impurity / scale, [&](Word entry) {
                if constexpr (P::classification) {
                    return static_cast<double>(Layout::label(entry)) - mean;
                } else {
                    return local_.target[Layout::row(entry)] - mean;
                }
            });
        if (cut) {
            position = cut->first;
            gain = scale * cut->second;
        }
    } else if (!P::classification && context_.by_deviance()) {
        const auto cut = context_.criterion.walk_kind() == WalkKind::poisson
                             ? cut_by_deviance<PoissonDeviance>(entries, stats, best, deviance)
                             : cut_by_deviance<GammaDeviance>(entries, stats, best, deviance);
        if (cut) {
            position = cut->first;
            gain = cut->second;
        }
    } else {
        const Segment<Word> segment{entries, child.size, 0, false, nullptr, 0.0};
        const auto found = context_.walks.walk(
            context_.total(stats.sums.data(), stats.weight, stats.support, stats.scale), local_,
            buffers, [&](auto& walk) { return best_threshold<Layout>(segment, walk); });
        if (found.found) position = found.found->position;
        gain = found.gain;
        balance = found.balance;
    }
    if (!position) return;
    if (child.judged) {
        cuts.push_back({c, *position, gain, 0.0, true, false});
        return;
    }
    if (!best.contest.offer(gain, tie_of(stats), [&] { return balance; })) return;
    best.column = c;
    best.position = *position;
    best.gain = best.contest.highest();
    best.found = true;
    best.settled = unbeatable(context_, stats, gain);
}

// The same among the cuts that the constraints allow, in a function of its own so that it costs
// nothing where there are none.
template <Target P>
void SmallSubtree<P>::find_allowed(std::size_t c, const Item& child, WalkBuffers& buffers,
                                   const Best& best, ShortScan<most_rows>& scan,
                                   ShortGini<most_rows>& gini, std::optional<std::size_t>& position,
                                   double& gain, double& balance) {
    const Word* entries = column(c) + child.begin;
    const NodeStats& stats = child.stats;
    const CutLimits limits = context_.branch_limits.limits(child.bounds, c, context_.centre)
                                 .over(stats.sums.data(), stats.weight);
    if (short_gini_) {
        const double margin = tie_tolerance * stats.impurity;
        const auto allowed = [&](std::size_t size, auto&& count) {
            return limits.allow(static_cast<double>(size), [&](std::uint32_t place) {
                return static_cast<double>(count(place));
            });
        };
        const auto cut = gini.template best_allowed<Layout>(
            entries, margin, best.found ? best.gain : -1.0, limits.outputs, allowed);
        if (cut) {
            position = cut->first;
            gain = cut->second;
        }
    } else if (short_scan_) {
        const double scale = P::classification ? 2.0 : 1.0;
        const double mean = stats.sums[1] / stats.weight;
        const double margin = tie_tolerance * stats.impurity / scale;
        const auto value = [&](Word entry) {
            if constexpr (P::classification) {
                return static_cast<double>(Layout::label(entry)) - mean;
            } else {
                return local_.target[Layout::row(entry)] - mean;
            }
        };
        const ExcessLimits excess(limits, limits.outputs[0] == 0);
        const auto allowed = [&](std::size_t size, double sum) {
            const auto rows = static_cast<double>(size);
            if (excess.usable() && excess.bar(rows, rows, sum, sum)) return false;
            const double left =
                P::classification ? std::round(sum + mean * rows) : sum + mean * rows;
            return limits.allow(rows, [&](std::size_t place) {
                return P::classification && place == 0 ? rows - left : left;
            });
        };
        const double floor = best.found ? best.gain / scale : -1.0;
        const auto cut = scan.template best_allowed<Layout>(entries, margin, floor, value, allowed);
        if (cut) {
            position = cut->first;
            gain = scale * cut->second;
        }
    } else {
        const Segment<Word> segment{entries, child.size, 0, false, nullptr, 0.0};
        WalkTotal total =
            context_.total(stats.sums.data(), stats.weight, stats.support, stats.scale);
        total.limits = &limits;
        const auto found = context_.walks.walk(total, local_, buffers, [&](auto& walk) {
            return best_threshold<Layout>(segment, walk);
        });
        if (found.found) position = found.found->position;
        gain = found.gain;
        balance = found.balance;
    }
}

// The share of the impurity that a cut gains.
template <Target P>
double SmallSubtree<P>::share_of(const Item& child, const Best& cut) {
    if (choice_.judge().tells_share()) return cut.gain / child.stats.impurity;
    const std::size_t width = local_.width();
    sides_.assign(2 * width, 0.0);
    const Word* entries = column(cut.column) + child.begin;
    for (std::size_t i = 0; i < child.size; ++i)
        P::add(local_, entries[i], sides_.data() + (i < cut.position ? 0 : width));
    return choice_.judge().share_of_sides(sides_, child.stats.sums.data());
}

// As SplitChoice does it, for cuts of columns without holes.
template <Target P>
auto SmallSubtree<P>::choose_beyond_chance(const Item& child, std::vector<Best>& cuts) -> Best {
    if (cuts.empty()) return {};
    const NodeStats& stats = child.stats;
    const auto rows = static_cast<double>(child.size);
    const double least = context_.parameters.min_candidate_leaf();
    const auto entries = [&](std::size_t at) {
        return std::span<const Word>(column(cuts[at].column) + child.begin, child.size);
    };
    ChanceTarget target;
    if constexpr (P::classification) {
        target = chance_of_classes(stats.sums, rows);
    } else {
        target = ChanceJudge<P>::of_numbers(local_, entries(0), stats.sums.data(), rows);
    }
    claims_.assign(cuts.size(), {});
    for (std::size_t at = 0; at < cuts.size(); ++at) {
        claims_[at].entered = true;
        claims_[at].statistic = share_of(child, cuts[at]) * (rows - 1.0);
    }
    std::array<double, 8> places;
    const auto distinct = [&](std::size_t at) {
        return context_.problem.table[cuts[at].column].all_distinct;
    };
    const auto count_cuts = [&](std::size_t at) {
        if (distinct(at)) return distinct_cuts(rows, least);
        return cuts_in_order<Layout>(entries(at), 0, child.size, least, places);
    };
    for (std::size_t at = 0; at < cuts.size(); ++at) {
        if (distinct(at)) claims_[at].cuts = count_cuts(at);  // no need to count
    }
    const auto share = [&](std::size_t at) { return claims_[at].statistic / (rows - 1.0); };
    const auto select = [&] {
        return select_by_chance(
            claims_.data(), claims_.size(),
            [&](std::size_t at) {
                ChanceCuts counted = count_cuts(at);
                counted.places = {};
                return counted;
            },
            [&](double statistic) { return log_p_of_one_cut(target, statistic / (rows - 1.0)); },
            [&](std::size_t at, double crossings) {
                return log_p_of_crossings(target, crossings, share(at));
            },
            [&](std::size_t at, double& crossings) {
                ChanceCuts& counted = claims_[at].cuts;
                if (!(counted.count >= 0.0 && counted.need_no_places())) counted = count_cuts(at);
                const double log_p = log_p_of_threshold(target, counted, share(at), &crossings);
                counted.places = {};
                return log_p;
            });
    };
    for (std::int32_t first = select(); first >= 0; first = select()) {
        const double smallest = claims_[static_cast<std::size_t>(first)].log_p;
        Best best;
        for (auto at = static_cast<std::size_t>(first); at < cuts.size(); ++at) {
            ChanceClaim& claim = claims_[at];
            if (!claim.entered || !claim.known || less_by_chance(smallest, claim.log_p)) continue;
            claim.entered = choice_.acceptable(stats, cuts[at].gain);
            if (!claim.entered || (best.found && !(cuts[at].gain > best.gain + tie_of(stats))))
                continue;
            best = cuts[at];
            best.log_p = claim.log_p;
        }
        if (best.found) return best;
    }
    return {};
}

template <Target P>
void SmallSubtree<P>::expand(Builder& builder, WalkBuffers& buffers) {
    // The children take the place of the item and the one above it.
    if (items_.size() < top_ + 2) items_.resize(top_ + 2);
    const std::size_t here = --top_;
    std::swap(items_[here], items_[here + 2]);
    Item& item = items_[here + 2];
    active_.resize(item.active_begin + item.active_count);
    mark(item);
    for (std::size_t b = 0; b < 2; ++b) {
        NodeStats& stats = child_stats_[b];
        const Word* entries = column(item.column) + item.begin;
        const std::size_t end = b == 0 ? item.position : item.size;
        finisher_.finish(stats, [&]() -> const NodeRows& {
            looked_at_.clear();
            for (std::size_t i = b == 0 ? 0 : item.position; i < end; ++i)
                looked_at_.target.push_back(
                    context_.problem.target[rows_[Layout::row(entries[i])]]);
            return looked_at_;
        });
    }
    const BranchLimits& limits = context_.branch_limits;
    double middle = 0.0;
    if (limits.monotone()) {
        // The sums of numbers are rounded otherwise here than in the search.
        if (!limits.hold(item.bounds, item.column, false, child_stats_, false)) return;
        middle = limits.middle(item.column, child_stats_);
    }

    const Column& cut_column = context_.problem.table[item.column];
    const Word* cut = column(item.column) + item.begin + item.position;
    const auto value = [&](Word entry) { return cut_column.value(rows_[Layout::row(entry)]); };
    builder.set_condition(item.id, {ConditionKind::threshold,
                                    static_cast<std::int32_t>(item.column),
                                    -1,
                                    threshold_of(cut_column, value(cut[-1]), value(cut[0])),
                                    item.gain,
                                    {},
                                    item.log_p});
    const double weight = item.stats.weight;

    Item* children[2] = {&items_[here + 1], &items_[here]};
    bool alive[2];
    for (std::size_t b = 0; b < 2; ++b) {
        NodeStats& stats = child_stats_[b];
        const std::int32_t id = builder.add(stats, item.id, item.depth + 1, stats.weight / weight);
        if (b == 0) builder.set_children(item.id, id, 2);
        Item& child = *children[b];
        alive[b] = choice_.may_split(stats, item.depth + 1);
        if (!alive[b]) continue;
        std::swap(child.stats, stats);
        if (limits.monotone())
            limits.pass_on(item.bounds, item.column, false, middle, b, child.bounds);
        child.id = id;
        child.depth = item.depth + 1;
        child.begin = b == 0 ? item.begin : item.begin + item.position;
        child.size = b == 0 ? item.position : item.size - item.position;
        child.judged = choice_.judge().asked() && !choice_.judge().too_few(child.stats);
        child_active_[b].clear();
        child_cuts_[b].clear();
        const double min_leaf = context_.min_leaf();
        if (short_scan_) scans_[b].prepare(child.size, min_leaf);
        if (context_.by_deviance()) deviances_[b].prepare(child.size, min_leaf);
        if (short_gini_) {
            ginis_[b].prepare(child.size, min_leaf, child.stats.sums.data(), local_.classes);
        }
    }
    if (!alive[0] && !alive[1]) return;
    Best best[2];
    // All splits of so few rows are as likely by chance.
    for (Best& of : best) {
        of.contest = Contest(context_.balances_ties);
        if (choice_.judge().asked()) of.log_p = 0.0;
    }
    for (std::size_t a = 0; a < item.active_count; ++a) {
        const std::size_t c = active_[item.active_begin + a];
        const bool left = alive[0] && !best[0].settled;
        const bool right = alive[1] && !best[1].settled;
        if (!left && !right) break;
        if (c != item.column) {
            partition_kept<Layout>(column(c) + item.begin, item.size, 0, BySide<Layout>{side_},
                                   spare_, left, right, context_.problem.table[c].all_distinct);
        }
        if (left)
            look(c, *children[0], buffers, best[0], scans_[0], ginis_[0], deviances_[0],
                 child_active_[0], child_cuts_[0]);
        if (right)
            look(c, *children[1], buffers, best[1], scans_[1], ginis_[1], deviances_[1],
                 child_active_[1], child_cuts_[1]);
    }
    for (std::size_t b = 0; b < 2; ++b) {
        if (alive[b] && children[b]->judged)
            best[b] = choose_beyond_chance(*children[b], child_cuts_[b]);
    }
    const auto splits = [&](std::size_t b) {
        return alive[b] && best[b].found && choice_.acceptable(children[b]->stats, best[b].gain) &&
               !abandons(*children[b], best[b]);
    };
    // The right child lies below the left one on the stack, so that the left one is grown first.
    if (!splits(1)) {
        std::swap(items_[here], items_[here + 1]);
        children[0] = &items_[here];
    } else {
        push(*children[1], best[1], child_active_[1]);
    }
    if (splits(0)) {
        push(*children[0], best[0], child_active_[0]);
    }
}

}  // namespace ramify
