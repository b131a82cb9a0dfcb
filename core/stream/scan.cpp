#include "stream/scan.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "criteria/deviance.hpp"
#include "support/parallel.hpp"
#include "table/order.hpp"

namespace ramify {

Scan::Scan(Routes routes, ScanColumns columns, std::vector<ScanSlot> slots,
           const ScanOptions& options)
    : routes_(std::move(routes)),
      shared_(std::move(columns)),
      slots_(std::move(slots)),
      options_(options),
      deviance_(options.deviance_size),
      totals_(slots_.size()),
      cells_(slots_.size() * columns_.size()),
      small_cells_(slots_.size() * columns_.size()),
      values_(slots_.size() * columns_.size()),
      runs_(slots_.size() * columns_.size()),
      used_(columns_.size(), false) {
    const std::size_t channels = options_.channels.count();
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        totals_[s].channels.assign(channels, 0);
        any_opened_ = any_opened_ || !slots_[s].opened.empty();
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const std::size_t at = s * columns_.size() + c;
            const std::size_t cells = cells_of(s, c);
            const std::size_t size = (cells + 1) * boxes(c) * channels;
            if (counts(slots_[s], c) && small()) small_cells_[at].assign(size, 0);
            if (counts(slots_[s], c) && !small()) cells_[at].assign(size, 0);
            any_cells_ = any_cells_ || counts(slots_[s], c);
            used_[c] = used_[c] || counts(slots_[s], c) || slots_[s].opens(c);
            const std::size_t marks = boxes(c) > 1 ? (cells + 1) * boxes(c) : cells;
            if (slots_[s].opens(c) && slots_[s].opened[c].size() != marks)
                throw std::invalid_argument("opened: wrong number of cells");
            if (slots_[s].has_within(c) &&
                (!slots_[s].opened.empty() || slots_[s].within[c].size() != cells))
                throw std::invalid_argument("within: wrong number of cells, or beside opened ones");
            if (slots_[s].has_edges(c) &&
                (columns_[c].levels > 0 || columns_[c].edges.edge_cells()))
                throw std::invalid_argument("edges: this column has cells of its own");
            runs_[at] = runs_of(s, c);
        }
    }
    for (std::size_t node = 0; node < routes_.size(); ++node) {
        if (routes_[node].slot >= static_cast<std::int32_t>(slots_.size()))
            throw std::invalid_argument("routes: no such slot");
        if (routes_[node].attribute >= static_cast<std::int32_t>(columns_.size()))
            throw std::invalid_argument("routes: no such column");
        if (routes_[node].attribute >= 0)
            used_[static_cast<std::size_t>(routes_[node].attribute)] = true;
    }
}

std::vector<Scan::Picked> Scan::add(std::span<const StreamColumn> columns, std::size_t rows,
                                    const ScanTarget& target, int threads, Interrupt& interrupt) {
    find_visits(columns, rows, target, interrupt);
    add_totals(target);
    if (options_.ranks) place_targets(target);
    if (any_cells_ || any_opened_) {
        const auto work = [&](std::size_t c) {
            interrupt.poll();
            if (any_cells_) count_column(c, columns[c]);
            if (!any_opened_) return;
            if (boxes(c) > 1) {
                open_boxes(c, columns[c]);
            } else {
                open_column(c, columns[c]);
            }
        };
        for_each_index(columns_.size(), threads, work, Team::passing);
    }
    std::vector<Picked> picked(slots_.size());
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        if (!slots_[s].rows) continue;
        const auto from = static_cast<std::ptrdiff_t>(first_[s]);
        const auto to = static_cast<std::ptrdiff_t>(first_[s + 1]);
        picked[s].rows.assign(row_.begin() + from, row_.begin() + to);
        picked[s].parts.assign(part_.begin() + from, part_.begin() + to);
    }
    return picked;
}

void Scan::find_visits(std::span<const StreamColumn> columns, std::size_t rows,
                       const ScanTarget& target, Interrupt& interrupt) {
    visits_.clear();
    first_.assign(slots_.size() + 1, 0);
    for (std::size_t row = 0; row < rows; ++row) {
        if (row % 65536 == 0) interrupt.poll();
        if (!target.weights.empty() && !(target.weights[row] > 0.0)) continue;
        routes_.route(columns, row, [&](std::int32_t slot, double part) {
            visits_.push_back({static_cast<std::uint32_t>(row), slot, part});
            ++first_[static_cast<std::size_t>(slot) + 1];
        });
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    // Slot by slot, so that the tables of one are in the cache at a time.
    row_.resize(visits_.size());
    part_.resize(visits_.size());
    std::vector<std::size_t> next(first_.begin(), first_.end());
    for (const Visit& visit : visits_) {
        const std::size_t at = next[static_cast<std::size_t>(visit.slot)]++;
        row_[at] = visit.row;
        part_[at] = visit.part;
    }
}

void Scan::add_totals(const ScanTarget& target) {
    const Channels& channels = options_.channels;
    const std::size_t count = channels.count();
    const bool plain = channels.plain();
    const bool classes = channels.classes() > 0;
    label_.resize(classes ? row_.size() : 0);
    added_.resize(row_.size() * (plain ? 1 : count));
    std::size_t slot = 0;
    for (std::size_t i = 0; i < row_.size(); ++i) {
        while (i == first_[slot + 1]) ++slot;
        const std::size_t row = row_[i];
        SlotTotals& totals = totals_[slot];
        ++totals.rows;
        StreamRow given{part_[i]};
        if (classes) {
            given.label = label_[i] = static_cast<std::uint32_t>(target.labels[row]);
        } else {
            given.target = target.numbers[row] - options_.centre;
            totals.low = std::min(totals.low, given.target);
            totals.high = std::max(totals.high, given.target);
        }
        if (!target.weights.empty()) given.weight = target.weights[row];
        if (plain) {
            added_[i] = channels.units(given.part);
            totals.channels[given.label] += added_[i];
            continue;
        }
        std::int64_t* added = added_.data() + i * count;
        channels.write(given, added);
        for (std::size_t j = 0; j < count; ++j) totals.channels[j] += added[j];
        if (options_.deviance != DevianceKind::none) {
            const double y = target.numbers[row];
            const double off = options_.deviance == DevianceKind::poisson
                                   ? PoissonDeviance::of(y, options_.mean)
                                   : GammaDeviance::of(y, options_.mean);
            std::int64_t limbs[Fixed::limbs];
            deviance_.split(given.weight * given.part * off, limbs);
            for (std::size_t j = 0; j < Fixed::limbs; ++j) totals.deviance[j] += limbs[j];
        }
    }
}

void Scan::place_targets(const ScanTarget& target) {
    target_.resize(row_.size());
    box_.resize(row_.size());
    for (std::size_t i = 0; i < row_.size(); ++i) target_[i] = target.numbers[row_[i]] + 0.0;
    columns_.back().edges.places(std::span<const double>(target_), 0, box_.data());
}

namespace {

constexpr std::size_t chunk = 512;  // values whose places are found together

// Calls function(first, values) for some rows of a column at a time.
template <typename T, typename Function>
void in_chunks(const T* column, std::span<const std::uint32_t> rows, Function&& function) {
    std::array<T, chunk> values;
    for (std::size_t begin = 0; begin < rows.size(); begin += chunk) {
        const std::size_t count = std::min(chunk, rows.size() - begin);
        for (std::size_t k = 0; k < count; ++k) values[k] = column[rows[begin + k]];
        function(begin, std::span<const T>(values.data(), count));
    }
}

template <typename Function>
void in_chunks(const StreamColumn& column, std::span<const std::uint32_t> rows,
               Function&& function) {
    if (column.doubles != nullptr) {
        in_chunks(column.doubles, rows, function);
    } else {
        in_chunks(column.floats, rows, function);
    }
}

}  // namespace

template <typename Function>
void Scan::for_each_place(std::size_t slot, std::size_t c, const StreamColumn& column,
                          Function&& function) const {
    const std::size_t first = first_[slot];
    const std::span rows(row_.data() + first, first_[slot + 1] - first);
    if (column.codes != nullptr) {
        const std::size_t holes = cells_of(slot, c);
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const std::int32_t code = column.codes[rows[k]];
            const std::size_t place = code < 0 ? holes : static_cast<std::size_t>(code);
            if (place > holes) throw std::invalid_argument("a code lies beyond the levels");
            function(first + k, place);
        }
        return;
    }
    if (slots_[slot].has_within(c)) return for_each_within(slot, c, column, function);
    const Edges& edges = edges_of(slot, c);
    const unsigned shift = shift_of(slot, c);
    std::array<std::uint32_t, chunk> places;
    in_chunks(column, rows, [&](std::size_t begin, auto values) {
        edges.places(values, shift, places.data());
        for (std::size_t k = 0; k < values.size(); ++k) function(first + begin + k, places[k]);
    });
}

// Few rows are in these cells, and few bounds tell which: only these rows are looked up.
template <typename Function>
void Scan::for_each_within(std::size_t slot, std::size_t c, const StreamColumn& column,
                           Function&& function) const {
    const std::size_t first = first_[slot];
    const std::span rows(row_.data() + first, first_[slot + 1] - first);
    const Edges& runs = runs_[slot * columns_.size() + c];
    const Edges& edges = edges_of(slot, c);
    std::array<std::uint32_t, chunk> places;
    std::array<std::uint32_t, chunk> inside;
    in_chunks(column, rows, [&](std::size_t begin, auto values) {
        std::array<typename decltype(values)::value_type, chunk> kept;
        runs.places(values, 0, places.data());
        const std::size_t holes = runs.cells(0);
        std::size_t count = 0;
        for (std::size_t k = 0; k < values.size(); ++k) {
            inside[count] = static_cast<std::uint32_t>(k);
            kept[count] = values[k];
            count += places[k] % 2 == 1 && places[k] != holes ? 1 : 0;
        }
        using Kept = std::span<typename decltype(values)::element_type>;
        edges.places(Kept(kept.data(), count), 0, places.data());
        for (std::size_t k = 0; k < count; ++k) function(first + begin + inside[k], places[k]);
    });
}

void Scan::count_column(std::size_t c, const StreamColumn& column) {
    const std::size_t count = options_.channels.count();
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        if (!counts(slots_[s], c)) continue;
        if (small()) {
            std::uint32_t* table = small_cells_[s * columns_.size() + c].data();
            for_each_place(s, c, column, [&](std::size_t i, std::size_t place) {
                ++table[place * count + label_[i]];
            });
            continue;
        }
        std::int64_t* table = cells_[s * columns_.size() + c].data();
        if (options_.channels.plain()) {
            for_each_place(s, c, column, [&](std::size_t i, std::size_t place) {
                table[place * count + label_[i]] += added_[i];
            });
            continue;
        }
        const std::size_t boxes = this->boxes(c);
        for_each_place(s, c, column, [&](std::size_t i, std::size_t place) {
            const std::size_t box = boxes > 1 ? place * boxes + box_[i] : place;
            std::int64_t* cell = table + box * count;
            for (std::size_t j = 0; j < count; ++j) cell[j] += added_[i * count + j];
        });
    }
}

template <typename Function>
void Scan::for_each_opened(std::size_t slot, std::size_t c, const StreamColumn& column,
                           Function&& function) const {
    const std::size_t first = first_[slot];
    const std::span rows(row_.data() + first, first_[slot + 1] - first);
    const std::vector<std::uint8_t>& opened = slots_[slot].opened[c];
    const bool by_runs = !columns_[c].edges.edge_cells();
    const Edges& edges = by_runs ? runs_[slot * columns_.size() + c] : edges_of(slot, c);
    const unsigned shift = by_runs ? 0 : shift_of(slot, c);
    std::array<std::uint32_t, chunk> places;
    in_chunks(column, rows, [&](std::size_t begin, auto values) {
        edges.places(values, shift, places.data());
        const std::size_t holes = edges.cells(shift);
        for (std::size_t k = 0; k < values.size(); ++k) {
            // An odd number of bounds is below a value inside a run.
            const bool inside =
                by_runs ? places[k] % 2 == 1 : places[k] < holes && opened[places[k]] != 0;
            if (inside && places[k] != holes)
                function(first + begin + k, static_cast<double>(values[k]));
        }
    });
}

void Scan::open_column(std::size_t c, const StreamColumn& column) {
    if (column.codes != nullptr) return;
    const std::size_t count = options_.channels.count();
    const bool plain = options_.channels.plain();
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        if (!slots_[s].opens(c)) continue;
        OpenedValues& to = values_[s * columns_.size() + c];
        for_each_opened(s, c, column, [&](std::size_t i, double value) {
            to.values.push_back(value + 0.0);  // there is one zero
            if (small()) {
                to.labels.push_back(label_[i]);
                return;
            }
            const std::size_t size = to.channels.size();
            to.channels.resize(size + count, 0);
            if (plain) {
                to.channels[size + label_[i]] = added_[i];
            } else {
                std::copy_n(added_.data() + i * count, count, to.channels.data() + size);
            }
        });
        if (!small() && to.values.size() > 2 * to.settled + 65536) settle(to);
    }
}

void Scan::open_boxes(std::size_t c, const StreamColumn& column) {
    const std::size_t count = options_.channels.count();
    const std::size_t boxes = this->boxes(c);
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        if (!slots_[s].opens(c)) continue;
        const std::vector<std::uint8_t>& opened = slots_[s].opened[c];
        OpenedValues& to = values_[s * columns_.size() + c];
        for_each_place(s, c, column, [&](std::size_t i, std::size_t place) {
            if (opened[place * boxes + box_[i]] == 0) return;
            double value = 0.0;
            if (column.codes == nullptr) {
                value = column.value(row_[i]) + 0.0;
            } else if (column.codes[row_[i]] < 0) {
                value = std::numeric_limits<double>::quiet_NaN();
            } else {
                value = column.codes[row_[i]];
            }
            to.values.push_back(value);
            to.targets.push_back(target_[i]);
            const std::int64_t* from = added_.data() + i * count;
            to.channels.insert(to.channels.end(), from, from + count);
        });
        if (to.values.size() > 2 * to.settled + 65536) settle_boxes(to);
    }
}

Edges Scan::runs_of(std::size_t slot, std::size_t column) const {
    const Edges& edges = edges_of(slot, column);
    if (slots_[slot].marks(column).empty() || edges.edge_cells() || boxes(column) > 1) return {};
    const std::span<const std::uint8_t> marks = slots_[slot].marks(column);
    const std::size_t step = std::size_t{1} << shift_of(slot, column);
    std::vector<double> bounds;
    for (std::size_t cell = 0; cell <= marks.size(); ++cell) {
        const bool before = cell > 0 && marks[cell - 1] != 0;
        const bool now = cell < marks.size() && marks[cell] != 0;
        if (before == now) continue;
        if (cell == marks.size()) break;  // the last run has no end
        bounds.push_back(cell == 0 ? -std::numeric_limits<double>::infinity()
                                   : edges.values()[cell * step - 1]);
    }
    return Edges(std::move(bounds), false);
}

void Scan::settle(OpenedValues& values) const {
    if (values.settled == values.values.size()) return;
    const std::size_t count = options_.channels.count();
    Summary summary;
    summary.add(values.values.data(), values.values.size());
    OrderWorkspace workspace;
    const Ordered ordered =
        order_of_values(std::span<const double>(values.values), summary, workspace);
    OpenedValues settled;
    const auto distinct = static_cast<std::size_t>(
        std::count_if(ordered.order.begin(), ordered.order.end(),
                      [](std::uint32_t at) { return (at & new_value) != 0; }));
    settled.values.reserve(distinct);
    settled.channels.assign(distinct * count, 0);
    std::int64_t* to = settled.channels.data() - count;
    for (const std::uint32_t at : ordered.order) {
        const std::size_t i = at & row_mask;
        if ((at & new_value) != 0) {
            settled.values.push_back(values.values[i]);
            to += count;
        }
        if (small()) {
            ++to[values.labels[i]];
        } else {
            const std::int64_t* from = values.channels.data() + i * count;
            for (std::size_t j = 0; j < count; ++j) to[j] += from[j];
        }
    }
    settled.settled = settled.values.size();
    values = std::move(settled);
}

void Scan::settle_boxes(OpenedValues& values) const {
    if (values.settled == values.values.size()) return;
    const std::size_t count = options_.channels.count();
    const auto before = [&](std::size_t a, std::size_t b) {
        const double x = values.values[a];
        const double y = values.values[b];
        if (std::isnan(x) != std::isnan(y)) return std::isnan(y);
        if (x < y || y < x) return x < y;
        return values.targets[a] < values.targets[b];
    };
    std::vector<std::uint32_t> order(values.values.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), before);
    OpenedValues settled;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::size_t i = order[k];
        if (k == 0 || before(order[k - 1], i)) {
            settled.values.push_back(values.values[i]);
            settled.targets.push_back(values.targets[i]);
            settled.channels.resize(settled.channels.size() + count, 0);
        }
        std::int64_t* to = settled.channels.data() + settled.channels.size() - count;
        for (std::size_t j = 0; j < count; ++j) to[j] += values.channels[i * count + j];
    }
    settled.settled = settled.values.size();
    values = std::move(settled);
}

OpenedValues Scan::take_values(std::size_t slot, std::size_t column) {
    OpenedValues& found = values_[slot * columns_.size() + column];
    if (boxes(column) > 1) {
        settle_boxes(found);
    } else {
        settle(found);
    }
    return std::exchange(found, {});
}

}  // namespace ramify
