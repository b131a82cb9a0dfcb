// Where the rows of a node go: the branch of every sample, and the sums of the branches. A row
// whose value is missing may be divided: then it becomes one sample per branch. Invariant: every
// sample of the node is in exactly one branch afterwards, and the parts of a divided row add up to
// it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "evaluate/context.hpp"
#include "grow/finish.hpp"
#include "support/parallel.hpp"

namespace ramify {

// The branches of a node that is being split.
struct Branches {
    std::vector<NodeStats> stats;
    std::vector<double> known_weight;  // of the rows that have a value
    bool spread = false;               // some rows are divided among all of them
    bool refused = false;  // as they came out, they break a constraint: the node stays a leaf
    // The samples of the branches whose sums are not exact enough; empty for the others.
    std::vector<std::vector<std::uint32_t>> members;

    void start(std::size_t count, std::size_t width) {
        if (stats.size() < count) stats.resize(count);
        for (std::size_t b = 0; b < count; ++b) stats[b].clear(width);
        known_weight.assign(count, 0.0);
        spread = refused = false;
    }
};

template <Target P>
class Router {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;
    using Node = OpenNode<Word>;
    static constexpr std::uint32_t unknown = 0xffffffffu;

    Router(const Context<P>& context, Samples& samples, std::vector<std::uint32_t>& ranks)
        : context_(context), samples_(samples), ranks_(ranks) {}

    // `renumbers`: see renumbers(). `moves`: samples will be copied to a grower of divided rows.
    void start(bool renumbers, bool moves) {
        const std::size_t rows = context_.problem.table.rows();
        side_.assign(rows, 0);
        if (context_.by_ranks()) ranks_.assign(rows, 0);
        if (moves) place_.resize(rows);
        renumbers_ = renumbers;
        if (!renumbers) return;
        samples_.source.resize(rows);
        std::iota(samples_.source.begin(), samples_.source.end(), 0u);
        renumbered_.target.resize(rows);
        renumbered_.source.resize(rows);
        place_.resize(rows);
    }
    // Makes room for all samples.
    void make_room() {
        const std::size_t samples = samples_.weight.size();
        side_.resize(samples);
        child_.resize(samples);
        twin_.resize(samples);
        if (context_.by_ranks()) ranks_.resize(samples);
    }

    // Regression reads the target of every entry of every column. The samples of a large node are
    // renumbered when it is split, so that its targets lie together in the cache.
    bool renumbers(const Node& node) const { return renumbers_ && node.stats.rows > 16384; }
    // Whether some rows of the node lack the attribute it is split by.
    bool lacks_values(const Node& node) const {
        if (node.best.counted) return node.best.partial;
        return context_.ordered(node, column_of(node)).has_holes();
    }

    // Writes the branch of every sample of the node, and adds up the branches.
    void route(const Node& node, Branches& to, int threads) {
        to.start(node.best.branches, samples_.width());
        if (renumbers(node)) {
            renumber(node, to, threads);
        } else if (marks_sides(node)) {
            mark(node, side_.data(), std::uint8_t{255}, to);
        } else {
            const std::size_t samples =
                P::weighted ? samples_.weight.size() : context_.problem.table.rows();
            if (child_.size() < samples) child_.resize(samples);
            mark(node, child_.data(), unknown, to);
            if (to.spread) spread(node, to);
        }
        collect_members(node, to);
    }

    // What routing has written, for the columns of the node.
    std::uint8_t* sides() { return side_.data(); }
    // The same, one bit per sample, after pack_sides().
    const std::uint8_t* side_bits() const { return bits_.data(); }
    // Packs the sides of all samples if that pays: every column of the node reads them out of
    // order, and more than a few million bytes do not stay in the cache. No other thread may route
    // rows meanwhile.
    bool pack_sides(const Node& node) {
        const std::size_t samples = side_.size();
        const auto reads = static_cast<std::size_t>(node.stats.rows) * node.ranges.size();
        if (samples <= most_sides || reads < samples / 2 || renumbers(node)) return false;
        bits_.resize(samples / 8 + 1);
        std::size_t i = 0;
        if constexpr (std::endian::native == std::endian::little) {
            // Eight bytes at once: the product moves the lowest bit of byte j to bit j of the
            // highest byte.
            for (; i + 8 <= samples; i += 8) {
                std::uint64_t bytes;
                std::memcpy(&bytes, side_.data() + i, sizeof bytes);
                bits_[i / 8] = static_cast<std::uint8_t>(
                    ((bytes & 0x0101010101010101u) * 0x0102040810204080u) >> 56);
            }
        }
        for (; i < samples; i += 8) {
            unsigned packed = 0;
            const std::size_t end = std::min<std::size_t>(8, samples - i);
            for (std::size_t j = 0; j < end; ++j) packed |= (side_[i + j] & 1u) << j;
            bits_[i / 8] = static_cast<std::uint8_t>(packed);
        }
        return true;
    }
    const std::uint32_t* places() const { return place_.data(); }
    std::uint32_t* places() { return place_.data(); }
    const std::uint32_t* children() const { return child_.data(); }
    // The sample of a divided row in a branch.
    std::uint32_t part(std::uint32_t sample, std::size_t branch) const {
        return branch == 0 ? sample : twin_[sample] + static_cast<std::uint32_t>(branch) - 1;
    }

  private:
    static constexpr std::size_t most_sides = std::size_t{1} << 21;  // read byte by byte

    static std::size_t column_of(const Node& node) { return static_cast<std::size_t>(node.column); }

    // Whether the branches of the samples of a node are in `side_`. Otherwise they are in `child_`.
    bool marks_sides(const Node& node) const {
        return node.best.branches == 2 && !context_.by_ranks() &&
               !(context_.parameters.missing == Missing::fractional && node.best.missing_to < 0 &&
                 lacks_values(node));
    }

    template <typename Child>
    void mark(const Node& node, Child* child, Child none, Branches& to) {
        const std::size_t c = column_of(node);
        const Candidate& best = node.best;
        const OrderedForm<P> form = context_.ordered(node, c);
        const bool partial = best.counted ? best.partial : form.lacks_rows();
        std::span<const Word> rows;
        if (partial) {
            rows = context_.cells.rows(node);
            for (const Word entry : rows) child[Layout::row(entry)] = none;
        }
        const auto put = [&](Word entry, std::size_t branch) {
            child[Layout::row(entry)] = static_cast<Child>(branch);
            to.stats[branch].template add<P>(samples_, entry);
        };
        const auto put_others = [&](std::size_t branch) {
            for (const Word entry : rows) {
                if (child[Layout::row(entry)] == none) put(entry, branch);
            }
        };
        if (best.counted) {
            mark_codes(node, child, to);
        } else {
            const std::size_t of_mode = form.send(best, put);
            if (form.has_mode()) put_others(of_mode);
        }
        for (std::size_t b = 0; b < best.branches; ++b)
            to.known_weight[b] = context_.weight_of(to.stats[b].sums.data());
        if (!partial || context_.sparse[c]) return;
        if (best.missing_to < 0) {
            to.spread = true;
        } else {
            put_others(static_cast<std::size_t>(best.missing_to));
        }
    }

    // Like mark, but from the codes of a column. Samples that lack a value are skipped.
    template <typename Child>
    void mark_codes(const Node& node, Child* child, Branches& to) {
        const std::size_t c = column_of(node);
        const CodedForm<P> form = context_.coded(node, c);
        const Candidate& best = node.best;
        const auto send = [&](auto&& add) {
            form.send(best, [&](Word entry, std::uint32_t branch) {
                child[Layout::row(entry)] = static_cast<Child>(branch);
                add(entry, branch);
            });
        };
        if constexpr (!P::classification) {
            send([&](Word entry, std::uint32_t branch) {
                to.stats[branch].template add<P>(samples_, entry);
            });
        } else {
            // Branches alternate from row to row, so their sums are kept in one array.
            const std::size_t width = samples_.width();
            const bool weights_differ = P::weighted && !samples_.equal_weights;  // from the support
            std::vector<double> sums(best.branches * width, 0.0);
            std::vector<double> support(best.branches, 0.0);
            std::vector<std::int64_t> rows(best.branches, 0);
            if (const auto* cells = context_.cells.kept_cells(node, c); cells != nullptr) {
                add_cells(form.branches_of(best), form.codes().values(), cells, sums);
                std::int64_t all = 0;
                std::int64_t second = 0;
                const bool two = best.branches == 2;
                send([&](Word, std::uint32_t branch) {
                    ++all;
                    second += branch;
                    if (!two) ++rows[branch];
                });
                if (two) rows = {all - second, second};
            } else {
                send([&](Word entry, std::uint32_t branch) {
                    P::add(samples_, entry, sums.data() + branch * width);
                    if (weights_differ) support[branch] += P::support(samples_, entry);
                    ++rows[branch];
                });
            }
            for (std::size_t b = 0; b < best.branches; ++b) {
                NodeStats& stats = to.stats[b];
                stats.sums.assign(sums.data() + b * width, sums.data() + (b + 1) * width);
                stats.rows = rows[b];
                stats.support = weights_differ
                                    ? support[b]
                                    : std::accumulate(stats.sums.begin(), stats.sums.end(), 0.0);
            }
        }
    }
    // Where the rows have been counted by code already.
    void add_cells(const std::vector<std::uint32_t>& branches, std::size_t codes,
                   const typename P::Cell* cells, std::vector<double>& sums) const {
        const std::size_t width = samples_.width();
        for (std::size_t code = 0; code < codes; ++code) {
            double* to = sums.data() + branches[code] * width;
            const auto* from = cells + code * context_.cells.stride();
            for (std::size_t j = 0; j < width; ++j) to[j] += static_cast<double>(from[j]);
        }
    }

    // Renumbers the samples of the node in the order of the cut column, so that those of the left
    // child come first. Adds up the branches on the way.
    void renumber(const Node& node, Branches& to, int threads) {
        if constexpr (!P::classification) {
            const Range& range = node.ranges[column_of(node)];
            const Word* entries = node.block->columns[column_of(node)].data() + range.begin;
            const std::size_t cut = node.best.boundary.position;
            for_each_index(2, range.size > 16384 ? threads : 1, [&](std::size_t b) {
                NodeStats& stats = to.stats[b];
                const std::size_t end = b == 0 ? cut : range.size;
                for (std::size_t i = b == 0 ? 0 : cut; i < end; ++i) {
                    const std::uint32_t sample = Layout::row(entries[i]);
                    const auto place = node.first + static_cast<std::uint32_t>(i);
                    place_[sample] = place;
                    renumbered_.target[place] = samples_.target[sample];
                    renumbered_.source[place] = samples_.source[sample];
                    stats.template add<P>(samples_, entries[i]);
                }
                to.known_weight[b] = stats.sums[0];
            });
            const std::size_t begin = node.first;
            const std::size_t end = begin + range.size;
            std::copy(renumbered_.target.begin() + begin, renumbered_.target.begin() + end,
                      samples_.target.begin() + begin);
            std::copy(renumbered_.source.begin() + begin, renumbered_.source.begin() + end,
                      samples_.source.begin() + begin);
        }
    }

    // A row whose value is missing becomes one sample per branch. child_ keeps `unknown` for it.
    // The sample itself goes to the first branch, its twins to the others.
    void spread(const Node& node, Branches& to) {
        if constexpr (P::weighted) {
            const auto& weights = to.known_weight;
            const auto heaviest = static_cast<std::size_t>(
                std::max_element(weights.begin(), weights.end()) - weights.begin());
            for (const Word entry : context_.cells.rows(node)) {
                const std::uint32_t sample = Layout::row(entry);
                if (child_[sample] != unknown) continue;
                if (samples_.part(sample) < context_.parameters.least_fraction()) {
                    child_[sample] = static_cast<std::uint32_t>(heaviest);
                    to.stats[heaviest].template add<P>(samples_, entry);
                } else {
                    divide(entry, to);
                }
            }
            make_room();
        }
    }

    void divide(Word entry, Branches& to) {
        const std::uint32_t sample = Layout::row(entry);
        const std::size_t branches = to.known_weight.size();
        if (samples_.weight.size() + branches > Layout::max_rows) {
            throw std::length_error(
                "missing='fractional' spreads the rows with missing values over too many "
                "branches; "
                "choose missing='direction' or 'separate', or limit the tree with "
                "min_samples_leaf");
        }
        if (samples_.part_count) samples_.part_count->add(branches - 1);
        if (twin_.size() < samples_.weight.size()) twin_.resize(samples_.weight.size());
        twin_[sample] = static_cast<std::uint32_t>(samples_.weight.size());
        const std::uint32_t row = samples_.source_row(sample);
        const auto& weights = context_.problem.weights;
        double weight = weights.empty() ? 1.0 : weights[row];
        // The weight of a row that came in part is that of its part.
        if (!context_.problem.fractions.empty()) weight /= context_.problem.fractions[row];
        double known = 0.0;
        for (const double of_branch : to.known_weight) known += of_branch;
        const double fraction = samples_.part(sample);
        double rest = fraction;
        for (std::size_t b = 0; b < branches; ++b) {
            const double share = to.known_weight[b] / known;
            const double part = samples_.rounded(fraction * share, rest, branches - 1 - b);
            rest -= part;
            std::uint32_t own = sample;
            if (b > 0) {
                own = static_cast<std::uint32_t>(samples_.weight.size());
                samples_.weight.push_back(0.0);
                samples_.support.push_back(1.0);
                if (!samples_.parts.empty()) samples_.parts.push_back(1.0);
                samples_.source.push_back(row);
                if constexpr (!P::classification)
                    samples_.target.push_back(samples_.target[sample]);
            }
            samples_.weight[own] = weight * part;
            samples_.set_part(own, part);
            to.stats[b].template add<P>(samples_, Layout::with_row(entry, own));
        }
    }

    // Collects the samples of the branches whose sums are not exact enough.
    void collect_members(const Node& node, Branches& to) {
        const std::size_t branches = node.best.branches;
        if (to.members.size() < branches) to.members.resize(branches);
        if constexpr (P::classification) return;  // counts are exact
        const Finisher<P> finisher(context_);
        std::vector<std::uint8_t> wanted(branches, 0);
        bool any = false;
        for (std::size_t b = 0; b < branches; ++b) {
            to.members[b].clear();
            wanted[b] = finisher.needs_rows(to.stats[b]);
            any = any || wanted[b] != 0;
        }
        if (!any) return;
        const std::size_t list =
            context_.rows_column < node.ranges.size() ? context_.rows_column : column_of(node);
        const Range& range = node.ranges[list];
        if (renumbers(node)) {
            const auto cut = static_cast<std::uint32_t>(node.best.boundary.position);
            for (std::uint32_t i = 0; i < range.size; ++i) {
                const std::size_t b = i < cut ? 0 : 1;
                if (wanted[b]) to.members[b].push_back(node.first + i);
            }
            return;
        }
        const bool by_side = marks_sides(node);
        const Word* entries = node.block->columns[list].data() + range.begin;
        for (std::size_t i = 0; i < range.size; ++i) {
            const std::uint32_t sample = Layout::row(entries[i]);
            const std::uint32_t at = by_side ? side_[sample] : child_[sample];
            if (!to.spread || at != unknown) {
                if (wanted[at]) to.members[at].push_back(sample);
                continue;
            }
            for (std::size_t b = 0; b < branches; ++b) {
                if (wanted[b]) to.members[b].push_back(part(sample, b));
            }
        }
    }

    const Context<P>& context_;
    Samples& samples_;
    std::vector<std::uint32_t>& ranks_;  // of the samples in their nodes, for a criterion by ranks
    bool renumbers_ = false;
    LargeVector<std::uint8_t> side_;    // two branches: per sample
    LargeVector<std::uint8_t> bits_;    // the same for a large node, if there are many samples
    std::vector<std::uint32_t> child_;  // more branches, or divided rows
    std::vector<std::uint32_t> twin_;  // of a divided sample: the first of the samples added for it
    // The next number of a sample, in a child or in a divided subtree.
    LargeVector<std::uint32_t> place_;
    Samples renumbered_;
};

}  // namespace ramify
