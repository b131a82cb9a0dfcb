#include "stream/scan.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "criteria/deviance.hpp"
#include "support/parallel.hpp"

namespace ramify {

std::size_t Edges::place(double value) const {
    // The first edge that is not below the value, without jumps.
    const double* base = edges.data();
    std::size_t size = edges.size();
    if (size == 0) return 0;
    while (size > 1) {
        const std::size_t half = size / 2;
        base += base[half - 1] < value ? half : 0;
        size -= half;
    }
    const std::size_t first =
        static_cast<std::size_t>(base - edges.data()) + (*base < value ? 1 : 0);
    return 2 * first + (first < edges.size() && edges[first] == value ? 1 : 0);
}

Scan::Scan(Routes routes, std::vector<ScanColumn> columns, std::vector<ScanSlot> slots,
           const ScanOptions& options)
    : routes_(std::move(routes)),
      columns_(std::move(columns)),
      slots_(std::move(slots)),
      options_(options),
      deviance_(options.deviance_size),
      totals_(slots_.size()),
      cells_(slots_.size() * columns_.size()),
      values_(slots_.size() * columns_.size()) {
    const std::size_t channels = options_.channels.count();
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        totals_[s].channels.assign(channels, 0);
        any_cells_ = any_cells_ || slots_[s].cells;
        any_opened_ = any_opened_ || !slots_[s].opened.empty();
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            if (slots_[s].cells)
                cells_[s * columns_.size() + c].assign((columns_[c].cells() + 1) * channels, 0);
            if (!slots_[s].opened.empty() && !slots_[s].opened[c].empty() &&
                slots_[s].opened[c].size() != columns_[c].cells())
                throw std::invalid_argument("opened: wrong number of cells");
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
        for_each_index(columns_.size(), threads, [&](std::size_t c) {
            interrupt.poll();
            if (any_cells_) count_column(c, columns[c]);
            if (any_opened_) open_column(c, columns[c]);
        });
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

void Scan::count_column(std::size_t c, const StreamColumn& column) {
    const ScanColumn& form = columns_[c];
    const std::size_t holes = form.cells();
    const std::size_t count = options_.channels.count();
    const bool plain = options_.channels.plain();
    std::vector<std::int64_t*> tables(slots_.size(), nullptr);
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        if (slots_[s].cells) tables[s] = cells_[s * columns_.size() + c].data();
    }
    for (std::size_t i = 0; i < row_.size(); ++i) {
        std::int64_t* table = tables[static_cast<std::size_t>(slot_[i])];
        if (table == nullptr) continue;
        const std::size_t row = row_[i];
        std::size_t place;
        if (column.codes != nullptr) {
            const std::int32_t code = column.codes[row];
            place = code < 0 ? holes : static_cast<std::size_t>(code);
            if (place > holes) throw std::invalid_argument("a code lies beyond the levels");
        } else {
            const double value = column.value(row);
            place = std::isnan(value) ? holes : form.edges.place(value);
        }
        if (plain) {
            table[place * count + label_[i]] += added_[i];
        } else {
            std::int64_t* cell = table + place * count;
            for (std::size_t j = 0; j < count; ++j) cell[j] += added_[i * count + j];
        }
    }
}

void Scan::open_column(std::size_t c, const StreamColumn& column) {
    if (column.codes != nullptr) return;
    const ScanColumn& form = columns_[c];
    const std::size_t count = options_.channels.count();
    const bool plain = options_.channels.plain();
    std::vector<const std::uint8_t*> opened(slots_.size(), nullptr);
    bool any = false;
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        if (slots_[s].opened.empty() || slots_[s].opened[c].empty()) continue;
        opened[s] = slots_[s].opened[c].data();
        any = true;
    }
    if (!any) return;
    for (std::size_t i = 0; i < row_.size(); ++i) {
        const auto s = static_cast<std::size_t>(slot_[i]);
        if (opened[s] == nullptr) continue;
        const double value = column.value(row_[i]);
        if (std::isnan(value) || opened[s][form.edges.place(value)] == 0) continue;
        OpenedValues& to = values_[s * columns_.size() + c];
        to.values.push_back(value + 0.0);  // there is one zero
        if (plain) {
            to.channels.resize(to.channels.size() + count, 0);
            to.channels[to.channels.size() - count + label_[i]] = added_[i];
        } else {
            to.channels.insert(to.channels.end(),
                               added_.begin() + static_cast<std::ptrdiff_t>(i * count),
                               added_.begin() + static_cast<std::ptrdiff_t>((i + 1) * count));
        }
    }
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        OpenedValues& to = values_[s * columns_.size() + c];
        if (to.values.size() > 2 * to.settled + 65536) settle(to);
    }
}

void Scan::settle(OpenedValues& values) const {
    if (values.settled == values.values.size()) return;
    const std::size_t count = options_.channels.count();
    std::vector<std::uint32_t> order(values.values.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return values.values[a] < values.values[b];
    });
    OpenedValues settled;
    for (const std::uint32_t i : order) {
        const std::int64_t* from = values.channels.data() + i * count;
        if (!settled.values.empty() && settled.values.back() == values.values[i]) {
            std::int64_t* to = settled.channels.data() + settled.channels.size() - count;
            for (std::size_t j = 0; j < count; ++j) to[j] += from[j];
        } else {
            settled.values.push_back(values.values[i]);
            settled.channels.insert(settled.channels.end(), from, from + count);
        }
    }
    settled.settled = settled.values.size();
    values = std::move(settled);
}

OpenedValues& Scan::values(std::size_t slot, std::size_t column) {
    OpenedValues& found = values_[slot * columns_.size() + column];
    settle(found);
    return found;
}

}  // namespace ramify
