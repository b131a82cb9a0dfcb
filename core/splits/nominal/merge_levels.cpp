#include "splits/nominal/merge_levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

#include "splits/nominal/pooled_levels.hpp"
#include "splits/work_limit.hpp"

namespace ramify {
namespace {

// Logarithms of p-values that differ by rounding alone tie.
bool larger(double log_p, double than) {
    return log_p > than + 1e-10 * std::abs(than) + 1e-14;
}

// The groups while they are being merged. A group lies in the place of its lowest level.
class Merger {
  public:
    Merger(const LevelsToMerge& table, const MergeOptions& options)
        : table_(table),
          options_(options),
          members_(table.levels),
          sums_(table.levels),
          support_(table.support, table.support + table.levels),
          closest_(table.levels) {
        for (std::size_t l = 0; l < table.levels; ++l) {
            members_[l] = {l};
            sums_[l].assign(table.sums + l * table.width, table.sums + (l + 1) * table.width);
        }
        count_ = table.levels;
        find_all_closest();
    }

    MergedLevels run() {
        if (options_.exhaustive) {
            merge_to_two();
        } else {
            merge_alike();
        }
        merge_small();
        return result();
    }

  private:
    // A pair of groups and the p-value of their difference. Without a pair, the second place is
    // past the end.
    struct Closest {
        std::size_t other = 0;
        double log_p = -std::numeric_limits<double>::infinity();
    };

    bool active(std::size_t place) const { return !members_[place].empty(); }
    // Whether a group is just the level that has no place in the order.
    bool floating(std::size_t place) const {
        return table_.ordered && table_.floats && place + 1 == table_.levels;
    }

    // Calls visit(place) for the later groups that a group may be merged with.
    template <typename Visit>
    void for_each_later(std::size_t place, Visit&& visit) const {
        bool neighbour = true;
        for (std::size_t other = place + 1; other < table_.levels; ++other) {
            if (!active(other)) continue;
            if (!table_.ordered) {
                visit(other);
            } else if (floating(other)) {
                visit(other);
            } else if (neighbour) {
                visit(other);
                neighbour = false;
                if (!table_.floats || !active(table_.levels - 1)) return;
                other = table_.levels - 2;
            }
        }
    }

    double log_p(std::size_t one, std::size_t other) const {
        const double* pair[] = {sums_[one].data(), sums_[other].data()};
        return log_p_of_groups(pair, table_.width, options_.test);
    }

    void find_closest(std::size_t place) {
        if (table_.interrupt != nullptr) table_.interrupt->poll();
        Closest best{table_.levels, -std::numeric_limits<double>::infinity()};
        for_each_later(place, [&](std::size_t other) {
            const double p = log_p(place, other);
            if (best.other == table_.levels || larger(p, best.log_p)) best = {other, p};
        });
        closest_[place] = best;
    }
    void find_all_closest() {
        for (std::size_t place = 0; place < table_.levels; ++place) {
            if (active(place)) find_closest(place);
        }
    }

    // The place of the pair that differs least, if there are two groups.
    std::optional<std::size_t> least_different() const {
        std::optional<std::size_t> best;
        for (std::size_t place = 0; place < table_.levels; ++place) {
            if (!active(place) || closest_[place].other == table_.levels) continue;
            if (!best || larger(closest_[place].log_p, closest_[*best].log_p)) best = place;
        }
        return best;
    }

    void join(std::size_t into, std::size_t from) {
        auto& members = members_[into];
        members.insert(members.end(), members_[from].begin(), members_[from].end());
        std::sort(members.begin(), members.end());
        members_[from].clear();
        for (std::size_t j = 0; j < table_.width; ++j) sums_[into][j] += sums_[from][j];
        support_[into] += support_[from];
        --count_;
    }

    // Renews the pairs after the group at `place` has changed and that at `gone` has vanished.
    void renew(std::size_t place, std::size_t gone) {
        for (std::size_t i = 0; i < table_.levels; ++i) {
            if (!active(i)) continue;
            const std::size_t other = closest_[i].other;
            if (i == place || other == place || other == gone || table_.ordered) {
                find_closest(i);
            } else if (i < place) {
                const double p = log_p(i, place);
                const bool lower = !larger(closest_[i].log_p, p) && place < other;
                if (larger(p, closest_[i].log_p) || lower) closest_[i] = {place, p};
            }
        }
    }

    void merge_alike() {
        const double most = std::log(options_.alpha);
        std::set<std::vector<std::int32_t>> divided;
        while (count_ > 1) {
            const auto place = least_different();
            if (!place || !(closest_[*place].log_p > most)) return;
            const std::size_t gone = closest_[*place].other;
            join(*place, gone);
            if (!divide_again(*place, divided)) renew(*place, gone);
        }
    }

    void merge_to_two() {
        std::set<std::vector<std::int32_t>> divided;
        MergedLevels best = result();
        while (count_ > 2) {
            const auto place = least_different();
            if (!place) break;
            const std::size_t gone = closest_[*place].other;
            join(*place, gone);
            if (!divide_again(*place, divided)) renew(*place, gone);
            const MergedLevels now = result();
            if (larger(best.log_p, now.log_p)) best = now;
        }
        restore(best.group_of_level);
    }

    // Divides a merged group again into the two parts that differ most, if they differ enough and
    // this division is new.
    bool divide_again(std::size_t place, std::set<std::vector<std::int32_t>>& divided) {
        if (options_.resplit <= 0.0 || members_[place].size() < 3) return false;
        std::vector<std::uint8_t> best;
        double least = std::numeric_limits<double>::infinity();
        for_each_division(members_[place], [&](const std::vector<std::uint8_t>& right) {
            if (divisions_left_ == 0) return;
            divisions_left_ -=
                std::min<std::uint64_t>(divisions_left_, right.size() * table_.width);
            if (table_.interrupt != nullptr) table_.interrupt->poll();
            std::vector<double> left_sums(table_.width, 0.0);
            std::vector<double> right_sums(table_.width, 0.0);
            for (std::size_t i = 0; i < right.size(); ++i) {
                const double* sums = table_.sums + members_[place][i] * table_.width;
                auto& to = right[i] != 0 ? right_sums : left_sums;
                for (std::size_t j = 0; j < table_.width; ++j) to[j] += sums[j];
            }
            const double* pair[] = {left_sums.data(), right_sums.data()};
            const double p = log_p_of_groups(pair, table_.width, options_.test);
            if (best.empty() || larger(least, p)) {
                least = p;
                best = right;
            }
        });
        if (best.empty() || !(least <= std::log(options_.resplit))) return false;
        std::vector<std::int32_t> groups = group_of_level();
        for (std::size_t i = 0; i < best.size(); ++i) {
            // The part without the lowest level gets a number that no other group has.
            if (best[i] != best[0])
                groups[members_[place][i]] = static_cast<std::int32_t>(table_.levels);
        }
        groups = numbered(groups);
        if (!divided.insert(groups).second) return false;
        restore(groups);
        return true;
    }

    // The divisions of some levels in two that are tried. Ordered: all ranges, with a floating
    // level on either side or alone. Otherwise all subsets of few levels; of many levels, the cuts
    // in the order of the share of each class, or of the mean.
    template <typename Visit>
    void for_each_division(const std::vector<std::size_t>& levels, Visit&& visit) const {
        const std::size_t size = levels.size();
        std::vector<std::uint8_t> right(size, 0);
        if (table_.ordered) {
            const bool floats = floating(levels.back());
            const std::size_t known = floats ? size - 1 : size;
            for (std::size_t cut = 1; cut < known; ++cut) {
                std::fill(right.begin(), right.end(), std::uint8_t{0});
                std::fill(right.begin() + static_cast<std::ptrdiff_t>(cut), right.end(),
                          std::uint8_t{1});
                visit(right);
                if (!floats) continue;
                right.back() = 0;
                visit(right);
            }
            if (!floats) return;
            std::fill(right.begin(), right.end(), std::uint8_t{0});
            right.back() = 1;
            visit(right);
            return;
        }
        constexpr std::size_t few = 12;
        if (options_.test != GroupTest::f && size <= few) {
            for (std::size_t set = 1; set < std::size_t{1} << (size - 1); ++set) {
                for (std::size_t i = 1; i < size; ++i)
                    right[i] = static_cast<std::uint8_t>(set >> (i - 1) & 1);
                visit(right);
            }
            return;
        }
        const std::size_t orders = options_.test == GroupTest::f ? 1 : table_.width;
        for (std::size_t j = 0; j < orders; ++j) {
            const auto share = [&](std::size_t i) {
                const double* sums = table_.sums + levels[i] * table_.width;
                if (options_.test == GroupTest::f) return sums[1] / sums[0];
                double weight = 0.0;
                for (std::size_t k = 0; k < table_.width; ++k) weight += sums[k];
                return sums[j] / weight;
            };
            std::vector<std::size_t> order(size);
            for (std::size_t i = 0; i < size; ++i) order[i] = i;
            std::stable_sort(order.begin(), order.end(),
                             [&](std::size_t a, std::size_t b) { return share(a) < share(b); });
            std::fill(right.begin(), right.end(), std::uint8_t{1});
            for (std::size_t cut = 0; cut + 1 < size; ++cut) {
                right[order[cut]] = 0;
                visit(right);
            }
        }
    }

    void merge_small() {
        while (count_ > 1) {
            std::size_t small = table_.levels;
            for (std::size_t place = 0; place < table_.levels; ++place) {
                if (!active(place) || support_[place] >= table_.min_rows - 1e-9) continue;
                if (small == table_.levels || support_[place] < support_[small]) small = place;
            }
            if (small == table_.levels) return;
            std::size_t partner = table_.levels;
            double best = 0.0;
            const auto offer = [&](std::size_t other) {
                const double p = log_p(small, other);
                if (partner != table_.levels && !larger(p, best)) return;
                partner = other;
                best = p;
            };
            for (std::size_t place = 0; place < small; ++place) {
                if (!active(place)) continue;
                bool allowed = false;
                for_each_later(place, [&](std::size_t other) { allowed |= other == small; });
                if (allowed) offer(place);
            }
            for_each_later(small, offer);
            join(std::min(small, partner), std::max(small, partner));
        }
    }

    static std::vector<std::int32_t> numbered(const std::vector<std::int32_t>& groups) {
        std::vector<std::int32_t> number(groups.size() + 1, -1);
        std::vector<std::int32_t> result;
        std::int32_t next = 0;
        for (const std::int32_t group : groups) {
            std::int32_t& at = number[static_cast<std::size_t>(group)];
            if (at < 0) at = next++;
            result.push_back(at);
        }
        return result;
    }

    std::vector<std::int32_t> group_of_level() const {
        std::vector<std::int32_t> groups(table_.levels, 0);
        std::int32_t number = 0;
        for (const auto& members : members_) {
            for (const std::size_t level : members) groups[level] = number;
            if (!members.empty()) ++number;
        }
        return groups;
    }

    void restore(const std::vector<std::int32_t>& groups) {
        std::vector<std::size_t> place(table_.levels, table_.levels);
        for (auto& members : members_) members.clear();
        count_ = 0;
        for (std::size_t level = 0; level < table_.levels; ++level) {
            std::size_t& at = place[static_cast<std::size_t>(groups[level])];
            const double* sums = table_.sums + level * table_.width;
            if (at == table_.levels) {
                at = level;
                sums_[at].assign(sums, sums + table_.width);
                support_[at] = table_.support[level];
                ++count_;
            } else {
                for (std::size_t j = 0; j < table_.width; ++j) sums_[at][j] += sums[j];
                support_[at] += table_.support[level];
            }
            members_[at].push_back(level);
        }
        find_all_closest();
    }

    MergedLevels result() const {
        MergedLevels merged;
        merged.group_of_level = group_of_level();
        merged.groups = count_;
        std::vector<const double*> groups;
        for (std::size_t place = 0; place < table_.levels; ++place) {
            if (active(place)) groups.push_back(sums_[place].data());
        }
        merged.log_p = log_p_of_groups(groups, table_.width, options_.test);
        merged.log_ways =
            options_.exhaustive
                ? log_pairs_compared(table_.levels, table_.ordered, table_.floats)
                : log_ways_to_merge(table_.levels, count_, table_.ordered, table_.floats);
        return merged;
    }

    const LevelsToMerge& table_;
    const MergeOptions& options_;
    std::vector<std::vector<std::size_t>> members_;  // by place, empty if no group lies there
    std::vector<std::vector<double>> sums_;
    std::vector<double> support_;
    std::vector<Closest> closest_;  // of the later groups
    std::size_t count_ = 0;
    std::uint64_t divisions_left_ = most_steps / 4;  // steps
};

// How many levels are compared with each other: about four tests for every pair, each of some steps
// beside those for the classes.
std::size_t most_merged(const LevelsToMerge& table) {
    const double pairs = static_cast<double>(times_within(most_steps / 4, table.width + 64));
    return static_cast<std::size_t>(std::sqrt(pairs));
}

// The tests hold as they are, because the pool does not depend on the target.
MergedLevels merge_many(const LevelsToMerge& table, const MergeOptions& options) {
    const PooledLevels pooled(table.sums, table.support, table.levels, table.width,
                              most_merged(table));
    LevelsToMerge fewer = table;
    fewer.levels = pooled.levels();
    fewer.sums = pooled.sums();
    fewer.support = pooled.support();
    MergedLevels merged = Merger(fewer, options).run();
    merged.group_of_level = pooled.expand(merged.group_of_level);
    return merged;
}

constexpr double none = -std::numeric_limits<double>::infinity();

double log_sum(double a, double b) {
    if (a < b) std::swap(a, b);
    return b == none ? a : a + std::log1p(std::exp(b - a));
}

double log_choose(double n, double k) {
    if (k < 0.0 || k > n) return none;
    double sum = 0.0;
    for (double i = 1.0; i <= std::min(k, n - k); ++i)
        sum += std::log((n - std::min(k, n - k) + i) / i);
    return sum;
}

}  // namespace

double log_ways_to_merge(std::size_t levels, std::size_t groups, bool ordered, bool floats) {
    const auto c = static_cast<double>(levels);
    const auto r = static_cast<double>(groups);
    if (groups < 2) return 0.0;
    if (ordered && !floats) return log_choose(c - 1.0, r - 1.0);
    if (ordered)
        return log_sum(log_choose(c - 2.0, r - 2.0), std::log(r) + log_choose(c - 2.0, r - 1.0));
    // Stirling's number of the second kind: S(n, k) = k S(n - 1, k) + S(n - 1, k - 1).
    std::vector<double> ways(groups + 1, none);
    ways[0] = 0.0;
    for (std::size_t n = 1; n <= levels; ++n) {
        for (std::size_t k = std::min(n, groups); k > 0; --k)
            ways[k] = log_sum(std::log(static_cast<double>(k)) + ways[k], ways[k - 1]);
        ways[0] = none;
    }
    return ways[groups];
}

double log_pairs_compared(std::size_t levels, bool ordered, bool floats) {
    const auto c = static_cast<double>(levels);
    if (levels < 3) return 0.0;
    if (!ordered) return std::log(c * (c * c - 1.0) / 6.0);
    return std::log(floats ? (c - 1.0) * (c - 1.0) : c * (c - 1.0) / 2.0);
}

MergedLevels merge_levels(const LevelsToMerge& table, const MergeOptions& options) {
    if (table.support != nullptr) {
        const bool many = !table.ordered && table.levels > most_merged(table);
        return many ? merge_many(table, options) : Merger(table, options).run();
    }
    std::vector<double> weight(table.levels, 0.0);
    for (std::size_t l = 0; l < table.levels; ++l) {
        const double* row = table.sums + l * table.width;
        weight[l] =
            options.test == GroupTest::f ? row[0] : std::accumulate(row, row + table.width, 0.0);
    }
    LevelsToMerge weighed = table;
    weighed.support = weight.data();
    return merge_levels(weighed, options);
}

}  // namespace ramify
