#include "stream/scan.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "criteria/deviance.hpp"
#include "support/parallel.hpp"
#include "table/order.hpp"

namespace ramify {

Scan::Scan(Routes routes, std::vector<ScanColumn> columns, std::vector<ScanSlot> slots,
           const ScanOptions& options)
    : routes_(std::move(routes)),
      columns_(std::move(columns)),
      slots_(std::move(slots)),
      options_(options),
      deviance_(options.deviance_size),
      totals_(slots_.size()),
      cells_(slots_.size() * columns_.size()),
      small_cells_(slots_.size() * columns_.size()),
      values_(slots_.size() * columns_.size()),
      runs_(slots_.size() * columns_.size()) {
    const std::size_t channels = options_.channels.count();
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        totals_[s].channels.assign(channels, 0);
        any_cells_ = any_cells_ || slots_[s].cells;
        any_opened_ = any_opened_ || !slots_[s].opened.empty();
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const std::size_t at = s * columns_.size() + c;
            const std::size_t cells = cells_of(s, c);
            if (slots_[s].counts(c) && small()) small_cells_[at].assign((cells + 1) * channels, 0);
            if (slots_[s].counts(c) && !small()) cells_[at].assign((cells + 1) * channels, 0);
            if (!slots_[s].opened.empty() && !slots_[s].opened[c].empty() &&
                slots_[s].opened[c].size() != cells)
                throw std::invalid_argument("opened: wrong number of cells");
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
    }
}

std::vector<Scan::Picked> Scan::add(std::span<const StreamColumn> columns, std::size_t rows,
                                    const ScanTarget& target, int threads, Interrupt& interrupt) {
    find_visits(columns, rows, target, interrupt);
    add_totals(target);
    if (any_cells_ || any_opened_) {
        const auto work = [&](std::size_t c) {
            interrupt.poll();
            if (any_cells_) count_column(c, columns[c]);
            if (any_opened_) open_column(c, columns[c]);
        };
        for_each_index(columns_.size(), threads, work, Team::passing);
    }
    std::vector<Picked> picked(slots_.size());
    for (std::size_t i = 0; i < row_.size(); ++i) {
        const auto s = static_cast<std::size_t>(slot_[i]);
        if (!slots_[s].rows) continue;
        picked[s].rows.push_back(row_[i]);
        picked[s].parts.push_back(part_[i]);
    }
    return picked;
}

void Scan::find_visits(std::span<const StreamColumn> columns, std::size_t rows,
                       const ScanTarget& target, Interrupt& interrupt) {
    row_.clear();
    slot_.clear();
    part_.clear();
    for (std::size_t row = 0; row < rows; ++row) {
        if (row % 65536 == 0) interrupt.poll();
        if (!target.weights.empty() && !(target.weights[row] > 0.0)) continue;
        routes_.route(columns, row, [&](std::int32_t slot, double part) {
            row_.push_back(static_cast<std::uint32_t>(row));
            slot_.push_back(slot);
            part_.push_back(part);
        });
    }
}

void Scan::add_totals(const ScanTarget& target) {
    const Channels& channels = options_.channels;
    const std::size_t count = channels.count();
    const bool plain = channels.plain();
    const bool classes = channels.classes() > 0;
    label_.resize(classes ? row_.size() : 0);
    added_.resize(row_.size() * (plain ? 1 : count));
    for (std::size_t i = 0; i < row_.size(); ++i) {
        const std::size_t row = row_[i];
        SlotTotals& totals = totals_[static_cast<std::size_t>(slot_[i])];
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

template <typename Column, typename Function>
void Scan::for_each_place(std::size_t c, const Column& column, const std::vector<bool>& wanted,
                          Function&& function) const {
    const bool all = std::all_of(wanted.begin(), wanted.end(), [](bool one) { return one; });
    std::vector<std::size_t> holes(slots_.size());
    std::vector<unsigned> shifts(slots_.size());
    std::vector<const Edges*> edges(slots_.size());
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        shifts[s] = shift_of(s, c);
        holes[s] = cells_of(s, c);
        edges[s] = &edges_of(s, c);
    }
    for (std::size_t i = 0; i < row_.size(); ++i) {
        const auto s = static_cast<std::size_t>(slot_[i]);
        if (!all && !wanted[s]) continue;
        const auto cell = column[row_[i]];
        std::size_t place;
        if constexpr (std::is_same_v<std::remove_cv_t<decltype(cell)>, std::int32_t>) {
            place = cell < 0 ? holes[s] : static_cast<std::size_t>(cell);
            if (place > holes[s]) throw std::invalid_argument("a code lies beyond the levels");
        } else {
            const auto value = static_cast<double>(cell);
            place = std::isnan(value) ? holes[s] : edges[s]->place(value, shifts[s]);
        }
        function(i, s, place);
    }
}

void Scan::count_column(std::size_t c, const StreamColumn& column) {
    const std::size_t count = options_.channels.count();
    std::vector<bool> wanted(slots_.size());
    for (std::size_t s = 0; s < slots_.size(); ++s) wanted[s] = slots_[s].counts(c);
    if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return;
    const auto each = [&](auto&& function) {
        if (column.codes != nullptr) {
            for_each_place(c, column.codes, wanted, function);
        } else if (column.doubles != nullptr) {
            for_each_place(c, column.doubles, wanted, function);
        } else {
            for_each_place(c, column.floats, wanted, function);
        }
    };
    if (small()) {
        std::vector<std::uint32_t*> tables(slots_.size());
        for (std::size_t s = 0; s < slots_.size(); ++s)
            tables[s] = small_cells_[s * columns_.size() + c].data();
        each([&](std::size_t i, std::size_t s, std::size_t place) {
            ++tables[s][place * count + label_[i]];
        });
        return;
    }
    std::vector<std::int64_t*> tables(slots_.size());
    for (std::size_t s = 0; s < slots_.size(); ++s)
        tables[s] = cells_[s * columns_.size() + c].data();
    if (options_.channels.plain()) {
        each([&](std::size_t i, std::size_t s, std::size_t place) {
            tables[s][place * count + label_[i]] += added_[i];
        });
        return;
    }
    each([&](std::size_t i, std::size_t s, std::size_t place) {
        std::int64_t* cell = tables[s] + place * count;
        for (std::size_t j = 0; j < count; ++j) cell[j] += added_[i * count + j];
    });
}

void Scan::open_column(std::size_t c, const StreamColumn& column) {
    if (column.codes != nullptr) return;
    const std::size_t count = options_.channels.count();
    const bool plain = options_.channels.plain();
    std::vector<const std::uint8_t*> opened(slots_.size(), nullptr);
    std::vector<bool> wanted(slots_.size(), false);
    std::vector<std::size_t> cells(slots_.size());
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        if (slots_[s].opened.empty() || slots_[s].opened[c].empty()) continue;
        opened[s] = slots_[s].opened[c].data();
        cells[s] = slots_[s].opened[c].size();
        wanted[s] = true;
    }
    if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return;
    const auto push = [&](std::size_t i, std::size_t s) {
        OpenedValues& to = values_[s * columns_.size() + c];
        to.values.push_back(column.value(row_[i]) + 0.0);  // there is one zero
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
    };
    if (columns_[c].edges.edge_cells()) {
        const auto keep = [&](std::size_t i, std::size_t s, std::size_t place) {
            if (place < cells[s] && opened[s][place] != 0) push(i, s);
        };
        if (column.doubles != nullptr) {
            for_each_place(c, column.doubles, wanted, keep);
        } else {
            for_each_place(c, column.floats, wanted, keep);
        }
    } else {
        for (std::size_t i = 0; i < row_.size(); ++i) {
            const auto s = static_cast<std::size_t>(slot_[i]);
            if (!wanted[s]) continue;
            const double value = column.value(row_[i]);
            // An odd number of bounds is below a value inside a run.
            if (runs_[s * columns_.size() + c].not_above(value) % 2 == 1 && !std::isnan(value))
                push(i, s);
        }
    }
    for (std::size_t s = 0; s < slots_.size() && !small(); ++s) {
        OpenedValues& to = values_[s * columns_.size() + c];
        if (to.values.size() > 2 * to.settled + 65536) settle(to);
    }
}

Edges Scan::runs_of(std::size_t slot, std::size_t column) const {
    const Edges& edges = edges_of(slot, column);
    if (slots_[slot].opened.empty() || slots_[slot].opened[column].empty() || edges.edge_cells())
        return {};
    const std::vector<std::uint8_t>& opened = slots_[slot].opened[column];
    const std::size_t step = std::size_t{1} << shift_of(slot, column);
    std::vector<double> bounds;
    for (std::size_t cell = 0; cell <= opened.size(); ++cell) {
        const bool before = cell > 0 && opened[cell - 1] != 0;
        const bool now = cell < opened.size() && opened[cell] != 0;
        if (before == now) continue;
        if (cell == opened.size()) break;  // the last run has no end
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

OpenedValues Scan::take_values(std::size_t slot, std::size_t column) {
    OpenedValues& found = values_[slot * columns_.size() + column];
    settle(found);
    return std::exchange(found, {});
}

}  // namespace ramify
