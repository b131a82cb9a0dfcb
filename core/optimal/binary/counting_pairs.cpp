#include "optimal/binary/counting_pairs.hpp"

#include <algorithm>

namespace ramify::optimal::binary {
namespace {

// The errors of a leaf, from its rows of each class.
template <typename Count>
double errors(std::size_t classes, Count&& count) {
    std::int64_t sum = 0, most = 0;
    for (std::size_t c = 0; c < classes; ++c) {
        const auto here = static_cast<std::int64_t>(count(c));
        sum += here;
        most = std::max(most, here);
    }
    return static_cast<double>(sum - most);
}

template <typename T>
double finite(T loss) {
    return loss == static_cast<T>(~T{0}) ? infinite : static_cast<double>(loss);
}

// The losses of both leaves, for every split of a set.
template <typename T>
void leaf_losses(const PairSet<T>& set, SplitLosses& losses) {
    losses.resize(set.features);
    for (std::size_t f = 0; f < set.features; ++f) {
        const auto with = [&](std::size_t c) { return set.single[c * set.stride + f]; };
        losses.with[f] = errors(set.classes, with);
        losses.without[f] =
            errors(set.classes, [&](std::size_t c) { return set.total[c] - with(c); });
        std::int64_t rows = 0, rows_with = 0;
        for (std::size_t c = 0; c < set.classes; ++c) {
            rows += set.total[c];
            rows_with += with(c);
        }
        if (std::min(rows_with, rows - rows_with) < std::int64_t{set.min_leaf}) {
            losses.with[f] = losses.without[f] = infinite;
        }
    }
}

}  // namespace

template <typename T>
PairBest<T> CountingPairs<T>::Best::room(std::size_t stride) {
    with.resize(stride);
    without.resize(stride);
    return {with.data(), without.data()};
}

// Calls a kernel on few enough pairs at a time that the search can be stopped in between.
template <typename T>
template <typename Kernel>
void CountingPairs<T>::in_steps(PairSet<T> set, Kernel&& kernel) {
    constexpr std::size_t most = std::size_t{1} << 22;  // operations on vectors: a millisecond
    const std::size_t of_one =
        set.stride * sizeof(T) / 64 * (3 * set.segment[set.classes] + 24 * set.classes) + 1;
    const std::size_t step = std::max<std::size_t>(1, most / of_one);
    const std::size_t features = set.features;
    set.from = 0;
    do {
        set.to = std::min(features, set.from + step);
        kernel(set);
        set.from = set.to;
        if (set.to < features) monitor_.poll();
    } while (set.to < features);
}

template <typename T>
void CountingPairs<T>::load(const Word* cover) {
    node_.fill({table_.bits.data(), table_.features(), table_.words(), table_.segment}, cover,
               limits_.min_samples_leaf, false);
    const PairSet<T> set = node_.set(limits_.min_samples_leaf);
    rows = node_.rows;
    features = node_.ids;
    leaf = errors(set.classes, [&](std::size_t c) { return set.total[c]; });
    leaf_losses(set, losses);
    rows_with.assign(set.features, 0);
    for (std::size_t c = 0; c < set.classes; ++c) {
        for (std::size_t f = 0; f < set.features; ++f) {
            rows_with[f] += set.single[c * set.stride + f];
        }
    }
    stake = static_cast<double>(rows);
    stake_with.assign(rows_with.begin(), rows_with.end());
}

template <typename T>
void CountingPairs<T>::look_ahead() {
    const PairSet<T> set = node_.set(limits_.min_samples_leaf);
    const auto room = best_.room(set.stride);
    keeps_pairs_ = set.classes * set.features * set.stride * sizeof(T) <= limits_.memory / 16;
    if (keeps_pairs_) {
        pairs_.resize(set.classes * set.features * set.stride);
        in_steps(set, [&](const PairSet<T>& step) { kernels_.count(step, pairs_.data(), room); });
    } else {
        in_steps(set, [&](const PairSet<T>& step) { kernels_.evaluate(step, room); });
    }
    for (std::size_t f = 0; f < set.features; ++f) {
        losses.best_with[f] = finite(best_.with[f]);
        losses.best_without[f] = finite(best_.without[f]);
    }
}

template <typename T>
TwoLevels CountingPairs<T>::conclude(const PairSet<T>& set, const std::vector<std::int32_t>& ids,
                                     const Best& best) {
    leaf_losses(set, scratch_);
    for (std::size_t f = 0; f < set.features; ++f) {
        scratch_.best_with[f] = finite(best.with[f]);
        scratch_.best_without[f] = finite(best.without[f]);
    }
    const double leaf = errors(set.classes, [&](std::size_t c) { return set.total[c]; });
    return scratch_.two_levels(leaf, limits_.sparsity, [&](std::size_t f) {
        return features[static_cast<std::size_t>(ids[f])];
    });
}

template <typename T>
TwoLevels CountingPairs<T>::solve(const RowSet<T>& set, Best& best) {
    const PairSet<T> pairs = set.set(limits_.min_samples_leaf);
    const auto room = best.room(pairs.stride);
    in_steps(pairs, [&](const PairSet<T>& step) { kernels_.evaluate(step, room); });
    return conclude(pairs, set.ids, best);
}

template <typename T>
void CountingPairs<T>::both(const RowSet<T>& part, TwoLevels& of_part, TwoLevels& of_rest) {
    PairSet<T> set = part.set(limits_.min_samples_leaf);
    rest_single_.resize(node_.single.size());
    for (std::size_t i = 0; i < rest_single_.size(); ++i) {
        rest_single_[i] = static_cast<T>(node_.single[i] - part.single[i]);
    }
    rest_total_.resize(node_.total.size());
    for (std::size_t c = 0; c < rest_total_.size(); ++c) {
        rest_total_[c] = static_cast<T>(node_.total[c] - part.total[c]);
    }
    PairSet<T> rest = set;
    rest.single = rest_single_.data();
    rest.total = rest_total_.data();
    const auto room = best_.room(set.stride);
    const auto room_rest = best_rest_.room(set.stride);
    in_steps(set, [&](const PairSet<T>& step) {
        kernels_.evaluate_both(step, rest, pairs_.data(), room, room_rest);
    });
    of_part = conclude(set, part.ids, best_);
    of_rest = conclude(rest, part.ids, best_rest_);
}

template <typename T>
void CountingPairs<T>::gather(const std::vector<Word>& mask, RowSet<T>& to, bool keep_all) {
    to.fill(node_.source(), mask.data(), limits_.min_samples_leaf, keep_all);
}

template <typename T>
void CountingPairs<T>::children(std::size_t at, TwoLevels* with, TwoLevels* without) {
    const std::vector<Word>& every = node_.every_row();
    mask_.assign(node_.packed(at), node_.packed(at) + every.size());
    rest_mask_.resize(every.size());
    for (std::size_t w = 0; w < every.size(); ++w) rest_mask_[w] = every[w] & ~mask_[w];
    TwoLevels* part = with;
    TwoLevels* rest = without;
    if (2 * rows_with[at] > rows) {
        std::swap(mask_, rest_mask_);
        std::swap(part, rest);
    }
    if (!rest || !part) {
        gather(part ? mask_ : rest_mask_, part_, false);
        *(part ? part : rest) = solve(part_, best_);
        return;
    }
    // Both branches use the features of the node, or each uses those that split it.
    const auto [in_part, in_rest] = splitting(at, part == with);
    const auto price = [](std::size_t features, std::size_t words, double evaluations) {
        const auto size = static_cast<double>(features);
        return size *
               (30.0 + size / 64.0 * (3.0 * static_cast<double>(words) + 24.0 * evaluations));
    };
    const std::size_t words = node_.words();
    const auto share = [&](std::int64_t part_rows) {
        return 1 + words * static_cast<std::size_t>(part_rows) / static_cast<std::size_t>(rows);
    };
    const std::int64_t fewer = std::min(rows_with[at], rows - rows_with[at]);
    if (!keeps_pairs_ || price(in_part, share(fewer), 1) + price(in_rest, share(rows - fewer), 1) <
                             price(node_.ids.size(), share(fewer), 2)) {
        gather(mask_, part_, false);
        *part = solve(part_, best_);
        gather(rest_mask_, part_, false);
        *rest = solve(part_, best_);
    } else {
        gather(mask_, part_, true);
        both(part_, *part, *rest);
    }
}

// The number of features that split the smaller branch of a split, and the larger one.
template <typename T>
std::pair<std::size_t, std::size_t> CountingPairs<T>::splitting(std::size_t at, bool with_is_part) {
    const PairSet<T> set = node_.set(1);
    overlap_.resize(set.classes * set.stride);
    kernels_.row(set, at, overlap_.data());
    std::size_t with = 0, without = 0;
    const std::int64_t least = limits_.min_samples_leaf;
    const std::int64_t rows_without = rows - rows_with[at];
    for (std::size_t f = 0; f < set.features; ++f) {
        std::int64_t both = 0;
        for (std::size_t c = 0; c < set.classes; ++c) both += overlap_[c * set.stride + f];
        const std::int64_t other = rows_with[f] - both;
        with += both >= least && rows_with[at] - both >= least;
        without += other >= least && rows_without - other >= least;
    }
    return with_is_part ? std::pair{with, without} : std::pair{without, with};
}

template <typename T>
void CountingPairs<T>::overlap(std::size_t at, std::vector<double>& stake,
                               std::vector<std::int64_t>& rows) {
    const PairSet<T> set = node_.set(1);
    overlap_.resize(set.classes * set.stride);
    kernels_.row(set, at, overlap_.data());
    rows.assign(set.features, 0);
    for (std::size_t c = 0; c < set.classes; ++c) {
        for (std::size_t f = 0; f < set.features; ++f) rows[f] += overlap_[c * set.stride + f];
    }
    stake.assign(rows.begin(), rows.end());
}

template class CountingPairs<std::uint16_t>;
template class CountingPairs<std::uint32_t>;

}  // namespace ramify::optimal::binary
