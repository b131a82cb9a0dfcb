#include "optimal/binary/binary_table.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "optimal/binary/cache.hpp"

namespace ramify::optimal::binary {
namespace {

constexpr std::size_t bits_of_word = 64;

bool counts_errors(const OptimalProblem& problem, const LeafLoss& loss) {
    if (problem.task == Task::regression) return false;
    for (const double weight : problem.weights) {
        if (weight != 1.0) return false;
    }
    const std::size_t k = loss.width();
    for (std::size_t i = 0; i < k * k; ++i) {
        if (loss.costs()[i] != (i / k == i % k ? 0.0 : 1.0)) return false;
    }
    return true;
}

template <typename Function>
void for_each_place(const Word* cover, std::size_t words, Function&& function) {
    for (std::size_t w = 0; w < words; ++w) {
        for (Word rest = cover[w]; rest; rest &= rest - 1) {
            function(w * bits_of_word + static_cast<std::size_t>(std::countr_zero(rest)));
        }
    }
}

}  // namespace

BinaryTable::BinaryTable(const OptimalProblem& problem, bool find_equivalent_rows, Monitor& monitor)
    : loss(problem), counting(counts_errors(problem, loss)) {
    place_rows(problem);
    pack(problem, monitor);
    with_unavoidable_.assign(words(), 0);
    unavoidable_at_.assign(row_at.size(), 0.0);
    if (find_equivalent_rows) find_equivalent(monitor);
    if (problem.task == Task::regression && problem.rows > 0) {
        stake_of_row = loss.stake(0) / loss.weight(0);
        for (std::size_t row = 1; loss.numbers() && row < problem.rows; ++row)
            stake_of_row = std::max(stake_of_row, loss.stake(row) / loss.weight(row));
    }
}

void BinaryTable::place_rows(const OptimalProblem& problem) {
    const std::size_t classes = problem.task == Task::regression ? 1 : problem.classes;
    std::vector<std::vector<std::int32_t>> of_class(classes);
    for (std::size_t row = 0; row < problem.rows; ++row) {
        const auto c = problem.task == Task::regression
                           ? std::size_t{0}
                           : static_cast<std::size_t>(problem.labels[row]);
        of_class[c].push_back(static_cast<std::int32_t>(row));
    }
    segment.push_back(0);
    for (const auto& rows : of_class) {
        const std::size_t words = (rows.size() + bits_of_word - 1) / bits_of_word;
        row_at.insert(row_at.end(), rows.begin(), rows.end());
        segment.push_back(segment.back() + words);
        row_at.resize(segment.back() * bits_of_word, -1);
    }
    all.assign(words(), 0);
    for (std::size_t place = 0; place < row_at.size(); ++place) {
        if (row_at[place] >= 0) all[place / bits_of_word] |= Word{1} << place % bits_of_word;
    }
}

void BinaryTable::pack(const OptimalProblem& problem, Monitor& monitor) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;  // splits, by fingerprint
    for (std::size_t c = 0; c < problem.columns.size(); ++c) {
        monitor.poll();
        Cover packed(words(), 0);
        const SearchColumn codes = problem.columns[c];
        for (std::size_t place = 0; place < row_at.size(); ++place) {
            if (row_at[place] >= 0 && codes[static_cast<std::size_t>(row_at[place])] > 0) {
                packed[place / bits_of_word] |= Word{1} << place % bits_of_word;
            }
        }
        if (packed == all || std::all_of(packed.begin(), packed.end(), [](Word w) { return !w; })) {
            continue;
        }
        // A feature and its opposite make the same split. To compare them, the first row is made 0.
        Cover normal = packed;
        const std::size_t first = static_cast<std::size_t>(
            std::find_if(row_at.begin(), row_at.end(), [](auto row) { return row >= 0; }) -
            row_at.begin());
        if (packed[first / bits_of_word] >> first % bits_of_word & 1) {
            for (std::size_t w = 0; w < words(); ++w) normal[w] = all[w] & ~packed[w];
        }
        const Fingerprint key = fingerprint(normal.data(), words(), 0);
        if (!seen.emplace(key.low, key.high).second) continue;
        column.push_back(static_cast<std::int32_t>(c));
        bits.insert(bits.end(), packed.begin(), packed.end());
    }
}

void BinaryTable::find_equivalent(Monitor& monitor) {
    // Sorts the rows by a fingerprint of their features.
    std::vector<std::pair<Fingerprint, std::size_t>> places;
    Cover of_row((features() + bits_of_word - 1) / bits_of_word);
    for (std::size_t place = 0; place < row_at.size(); ++place) {
        if (row_at[place] < 0) continue;
        if (place % 64 == 0) monitor.poll();
        std::fill(of_row.begin(), of_row.end(), 0);
        for (std::size_t f = 0; f < features(); ++f) {
            const Word bit = feature(f)[place / bits_of_word] >> place % bits_of_word & 1;
            of_row[f / bits_of_word] |= bit << f % bits_of_word;
        }
        places.emplace_back(fingerprint(of_row.data(), of_row.size(), 1), place);
    }
    std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
        return std::tie(a.first.low, a.first.high, a.second) <
               std::tie(b.first.low, b.first.high, b.second);
    });
    std::vector<double> sums(loss.width());
    for (std::size_t from = 0; from < places.size();) {
        std::fill(sums.begin(), sums.end(), 0.0);
        std::size_t to = from;
        for (; to < places.size() && places[to].first == places[from].first; ++to) {
            loss.add(static_cast<std::size_t>(row_at[places[to].second]), sums.data());
        }
        const double least = loss(sums.data());
        if (to - from > 1 && least > 0.0) {
            const std::size_t place = places[from].second;
            unavoidable_at_[place] = least;
            with_unavoidable_[place / bits_of_word] |= Word{1} << place % bits_of_word;
        }
        from = to;
    }
}

void BinaryTable::sums(const Word* cover, double* out) const {
    std::fill(out, out + loss.width(), 0.0);
    if (counting) {
        for (std::size_t c = 0; c + 1 < segment.size(); ++c) {
            std::int64_t count = 0;
            for (std::size_t w = segment[c]; w < segment[c + 1]; ++w)
                count += std::popcount(cover[w]);
            out[c] = static_cast<double>(count);
        }
        return;
    }
    for_each_place(cover, words(), [&](std::size_t place) {
        loss.add(static_cast<std::size_t>(row_at[place]), out);
    });
}

std::int64_t BinaryTable::rows(const Word* cover) const {
    std::int64_t count = 0;
    for (std::size_t w = 0; w < words(); ++w) count += std::popcount(cover[w]);
    return count;
}

double BinaryTable::unavoidable(const Word* cover) const {
    double sum = 0.0;
    for (std::size_t w = 0; w < words(); ++w) {
        for (Word rest = cover[w] & with_unavoidable_[w]; rest; rest &= rest - 1) {
            sum += unavoidable_at_[w * bits_of_word +
                                   static_cast<std::size_t>(std::countr_zero(rest))];
        }
    }
    return sum;
}

}  // namespace ramify::optimal::binary
