#include "prune/held_out.hpp"

#include <algorithm>

#include "prune/sequence.hpp"
#include "tree/walker.hpp"

namespace ramify {
namespace {

// A part of a row at a node that is a leaf in trees begin .. end - 1.
struct Part {
    Spread spread;
    std::uint32_t begin;
    std::uint32_t end;
};

class Walk {
  public:
    Walk(const Tree& tree, const std::vector<double>& keys, std::span<const double> thresholds,
         const Judge& judge, const HeldOut& held_out)
        : tree_(tree),
          walker_{tree, held_out.columns, held_out.unseen},
          loss_(tree, judge),
          retires_(retires_at(tree, keys, thresholds)),
          trees_(static_cast<std::uint32_t>(thresholds.size())),
          sum_(thresholds.size() + 1, 0.0),
          square_(thresholds.size() + 1, 0.0) {}

    void row(std::size_t row, double weight) {
        if (collect(row)) {
            mixed(row, weight);
            return;
        }
        // The parts follow each other from the last tree to the first. Only changes of the loss are
        // written.
        double above = 0.0;
        for (const Part& part : parts_) {
            const double loss = loss_.at(row, static_cast<std::size_t>(part.spread.node));
            if (loss != above) step(part.end, above, loss, weight);
            above = loss;
        }
        if (above != 0.0) step(0, above, 0.0, weight);
    }

    void finish(Losses& losses) const {
        double sum = 0.0;
        double square = 0.0;
        for (std::uint32_t i = 0; i < trees_; ++i) {
            losses.sum[i] += sum += sum_[i];
            losses.square[i] += square += square_[i];
        }
    }

  private:
    void add(std::uint32_t begin, std::uint32_t end, double loss, double weight) {
        step(begin, loss, 0.0, weight);
        step(end, 0.0, loss, weight);
    }
    // From tree `at` on, the loss changes from `before` to `loss`.
    void step(std::uint32_t at, double loss, double before, double weight) {
        sum_[at] += weight * (loss - before);
        square_[at] += weight * (loss * loss - before * before);
    }

    // Collects the parts of a row, in the order of prediction. True if the row is ever in several
    // nodes at once.
    bool collect(std::size_t row) {
        const TreeArrays& a = tree_.arrays();
        parts_.clear();
        Part at{{0, 1.0}, retires_[0], trees_};
        // Down one path, as long as there is only one.
        while (true) {
            if (at.begin < at.end) parts_.push_back(at);
            if (at.begin == 0) return false;
            const auto node = static_cast<std::size_t>(at.spread.node);
            const std::int32_t taken = walker_.branch(node, row);
            if (taken < 0) break;
            at = below(at, a.first_child[node] + taken, at.spread.share);
        }
        stack_.clear();
        spread(at);
        while (!stack_.empty()) {
            at = stack_.back();
            stack_.pop_back();
            if (at.begin < at.end) parts_.push_back(at);
            if (at.begin == 0) continue;
            const auto node = static_cast<std::size_t>(at.spread.node);
            const std::int32_t taken = walker_.branch(node, row);
            if (taken >= 0) {
                stack_.push_back(below(at, a.first_child[node] + taken, at.spread.share));
            } else {
                spread(at);
            }
        }
        return true;
    }
    Part below(const Part& at, std::int32_t child, double share) const {
        return {{child, share}, retires_[static_cast<std::size_t>(child)], at.begin};
    }
    // Sends a part of a row down all branches.
    void spread(const Part& at) {
        const TreeArrays& a = tree_.arrays();
        const auto node = static_cast<std::size_t>(at.spread.node);
        for (std::int32_t b = a.n_children[node] - 1; b >= 0; --b) {
            const std::int32_t child = a.first_child[node] + b;
            const double share = at.spread.share * a.proportion[static_cast<std::size_t>(child)];
            if (share > 0.0) stack_.push_back(below(at, child, share));
        }
    }

    // Between two changes of its leaves, the prediction of a spread row stays the same.
    void mixed(std::size_t row, double weight) {
        events_.clear();
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            events_.push_back({parts_[i].begin, i, 1.0});
            events_.push_back({parts_[i].end, i, -1.0});
        }
        std::sort(events_.begin(), events_.end(),
                  [](const Event& a, const Event& b) { return a.at < b.at; });
        loss_.clear();
        for (std::size_t i = 0; i < events_.size();) {
            const std::uint32_t from = events_[i].at;
            if (from == trees_) break;
            for (; events_[i].at == from; ++i) {
                const Spread& part = parts_[events_[i].part].spread;
                loss_.add({part.node, events_[i].sign * part.share});
            }
            const double loss = loss_.of_mixture(row, [&](auto&& visit) {
                for (const Part& part : parts_) {
                    if (part.begin <= from && from < part.end) visit(part.spread);
                }
            });
            add(from, events_[i].at, loss, weight);
        }
    }

    struct Event {
        std::uint32_t at;
        std::size_t part;
        double sign;
    };

    const Tree& tree_;
    Walker walker_;
    Loss loss_;
    std::vector<std::uint32_t> retires_;
    std::uint32_t trees_;
    std::vector<double> sum_, square_;  // differences from tree to tree
    std::vector<Part> parts_, stack_;
    std::vector<Event> events_;
};

}  // namespace

std::vector<PredictColumn> predict_columns(const Table& table) {
    std::vector<PredictColumn> columns(table.size());
    for (std::size_t c = 0; c < table.size(); ++c) {
        const Column& column = table[c];
        if (column.kind == Kind::numeric) {
            columns[c].values = column.values.doubles;
            columns[c].floats = column.values.floats;
            columns[c].stride = column.values.stride;
        } else {
            columns[c].codes = column.codes.data();
        }
    }
    return columns;
}

Losses held_out_losses(const Tree& tree, const std::vector<double>& keys,
                       std::span<const double> thresholds, const Judge& judge,
                       const HeldOut& held_out, Interrupt& interrupt) {
    Losses losses(thresholds.size());
    Walk walk(tree, keys, thresholds, judge, held_out);
    for (std::size_t i = 0; i < held_out.rows.size(); ++i) {
        if (i % 1024 == 0) interrupt.poll();
        const std::size_t row = held_out.rows[i];
        const double weight = held_out.weights.empty() ? 1.0 : held_out.weights[row];
        walk.row(row, weight);
        losses.weight += weight;
        losses.weight_square += weight * weight;
    }
    walk.finish(losses);
    const auto& kind = tree.arrays().kind;
    losses.expansions =
        std::count_if(kind.begin(), kind.end(), [](std::uint8_t k) { return k != 0; });
    return losses;
}

}  // namespace ramify
