#include "optimal/near/measures.hpp"

#include <bit>

namespace ramify::optimal::near {
namespace {

template <typename Visit>
void for_each_row(const NearGraph& graph, const Word* cover, Visit&& visit) {
    const binary::BinaryTable& table = *graph.table().table;
    for (std::size_t w = 0; w < table.words(); ++w) {
        for (Word rest = cover[w]; rest; rest &= rest - 1) {
            const std::size_t place = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
            visit(static_cast<std::size_t>(table.row_at[place]));
        }
    }
}

}  // namespace

double Importance::of_split(std::int32_t node, const Option& option) const {
    const auto& nodes = graph_.subproblems();
    if (graph_.column(option) != column_) return 0.0;
    const double all = nodes[NearGraph::root].leaf.impurity;
    const auto impurity = [&](std::int32_t at) {
        return nodes[static_cast<std::size_t>(at)].leaf.impurity;
    };
    if (all <= 0.0) return 0.0;
    return std::max(0.0, impurity(node) - impurity(option.left) - impurity(option.right)) / all;
}

Distance::Distance(const NearView& view, const NearGraph& graph,
                   std::span<const std::int32_t> labels, std::span<const double> numbers)
    : of_node_(graph.subproblems().size(), 0.0) {
    const LeafLoss& loss = graph.table().table->loss;
    view.with_covers([&](std::int32_t node, const Word* cover) {
        graph.monitor().poll();
        const LeafFacts& leaf = graph.subproblems()[static_cast<std::size_t>(node)].leaf;
        double sum = 0.0;
        for_each_row(graph, cover, [&](std::size_t row) {
            if (numbers.empty()) {
                sum += labels[row] != leaf.label ? loss.weight(row) : 0.0;
            } else {
                const double off = numbers[row] - graph.table().answer(leaf);
                sum += loss.weight(row) * off * off;
            }
        });
        of_node_[static_cast<std::size_t>(node)] = sum;
    });
}

std::vector<double> answers(const NearView& view, const NearGraph& graph) {
    const LeafLoss& loss = graph.table().table->loss;
    const std::size_t width = loss.regression() ? 2 : loss.width();
    const std::vector<double> counts = view.leaf_counts();
    const double all = static_cast<double>(view.count());
    std::vector<double> out(graph.table().problem.rows * width, 0.0);
    view.with_covers([&](std::int32_t node, const Word* cover) {
        const double share = counts[static_cast<std::size_t>(node)] / all;
        if (share <= 0.0) return;
        const LeafFacts& leaf = graph.subproblems()[static_cast<std::size_t>(node)].leaf;
        for_each_row(graph, cover, [&](std::size_t row) {
            double* to = out.data() + row * width;
            if (loss.regression()) {
                const double answer = graph.table().answer(leaf);
                to[0] += share * answer;
                to[1] += share * answer * answer;
            } else {
                to[static_cast<std::size_t>(leaf.label)] += share;
            }
        });
    });
    return out;
}

}  // namespace ramify::optimal::near
