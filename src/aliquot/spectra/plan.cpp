#include "aliquot/spectra/plan.hpp"

#include <algorithm>
#include <iterator>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::spectra {

namespace {

/// A subexpression: components that are simply added, plus products that are added to them.
struct Piece {
    std::vector<std::size_t> summed;
    std::vector<Plan> products;
    std::vector<std::size_t> depths;  // registers that each product needs
};

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

void append(Plan& to, const Plan& from) {
    append(to.program, from.program);
    append(to.groups, from.groups);
}

/// The piece as a program, its deepest product first so that the fewest registers are held; `depth` becomes what it needs.
Plan finish(const Piece& piece, std::size_t& depth) {
    std::vector<std::size_t> order(piece.products.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return piece.depths[a] > piece.depths[b]; });
    Plan plan;
    depth = 0;
    std::size_t held = 0;
    const auto combine = [&] {
        if (held == 1) plan.program.push_back(TileOp::add);
        held = 1;
    };
    for (const std::size_t i : order) {
        append(plan, piece.products[i]);
        depth = std::max(depth, held + piece.depths[i]);
        combine();
    }
    if (!piece.summed.empty()) {
        plan.program.push_back(TileOp::sum);
        plan.groups.push_back(piece.summed);
        depth = std::max(depth, held + 1);
        combine();
    }
    return plan;
}

Piece multiply(const Piece& a, const Piece& b) {
    std::size_t depth_a = 0;
    std::size_t depth_b = 0;
    Plan first = finish(a, depth_a);
    Plan second = finish(b, depth_b);
    if (depth_a < depth_b) {
        std::swap(first, second);
        std::swap(depth_a, depth_b);
    }
    append(first, second);
    first.program.push_back(TileOp::multiply);
    Piece piece;
    piece.products.push_back(std::move(first));
    piece.depths.push_back(std::max(depth_a, depth_b + 1));
    return piece;
}

}  // namespace

Plan make_plan(const Expression& expression) {
    std::vector<Piece> stack;
    for (const ExpressionOp& op : expression) {
        if (op.kind == ExpressionOp::Kind::component) {
            stack.push_back({{op.component}, {}, {}});
            continue;
        }
        Piece right = std::move(stack.back());
        stack.pop_back();
        Piece& left = stack.back();
        if (op.kind == ExpressionOp::Kind::multiply) {
            left = multiply(left, right);
        } else {
            append(left.summed, right.summed);
            append(left.products, right.products);
            append(left.depths, right.depths);
        }
    }
    std::size_t depth = 0;
    Plan plan = finish(stack.front(), depth);
    if (depth > tile_registers)
        throw ConfigError(
            format("the model's products are nested {} deep (at most {} are possible): write the expression flatter", depth,
                   tile_registers));
    return plan;
}

}  // namespace aliquot::spectra
