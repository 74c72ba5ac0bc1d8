#include "tests/support/random_expression.h"

namespace wend::plan {

Row ExpressionGenerator::follow(const Field& field, const Row& from) {
  Row to = {make_.load(field.column, from.node, kRow), field.target, field.origin};
  if (to.origin == Origin::unknown) to.origin = from.origin;
  return to;
}

// A row in scope, perhaps followed along columns that are always present.
Row ExpressionGenerator::row(const Scope& scope) {
  Row at = pick(scope.rows);
  while (one_in(3)) {
    std::vector<const Field*> next;
    for (const Field& field : kFields) {
      if (field.table == at.table && field.type == kRow && !field.span && !field.optional && field.target != kNoTable) {
        next.push_back(&field);
      }
    }
    if (next.empty()) break;
    at = follow(*pick(next), at);
  }
  return at;
}

std::optional<Row> ExpressionGenerator::row_of(const Scope& scope, uint32_t table) {
  for (int tries = 0; tries < 8; ++tries) {
    Row at = row(scope);
    if (at.table == table) return at;
  }
  return {};
}

std::optional<NodeId> ExpressionGenerator::text(const Scope& scope) {
  for (int tries = 0; tries < 4; ++tries) {
    if (!scope.texts.empty() && one_in(2)) return pick(scope.texts);
    const Row at = row(scope);
    for (const Field& field : kFields) {
      if (field.table == at.table && field.type == kText && !field.optional && one_in(2)) {
        return make_.load(field.column, at.node, kText);
      }
    }
    if (auto json = value(scope)) {
      return make_.load(one_in(2) ? WEND_COLUMN_value_text : WEND_COLUMN_value_needle, *json, kText);
    }
  }
  return {};
}

std::optional<NodeId> ExpressionGenerator::value(const Scope& scope) {
  if (!scope.values.empty() && one_in(2)) return pick(scope.values);
  const Row at = row(scope);
  for (const Field& field : kFields) {
    if (field.table == at.table && field.type == kValue && !field.optional) {
      NodeId loaded = make_.load(field.column, at.node, kValue);
      return one_in(3) ? make_.load(WEND_COLUMN_value_folded, loaded, kValue) : loaded;
    }
  }
  return {};
}

// A column of the given type at some row that it is kept for.
std::optional<NodeId> ExpressionGenerator::column_at(const Scope& scope, Type type) {
  if (!scope.memo) return {};
  std::vector<NodeId> found;
  for (uint32_t index = 0; index < scope.columns; ++index) {
    const Column& column = make_.plan.columns[index];
    if (column.type != type || (column.late && !scope.late)) continue;
    for (const Row& at : scope.rows) {
      const bool kept = at.table == column.table && (at.origin == Origin::gold) == column.gold &&
                        at.origin != Origin::unknown && (index < scope.pass_begin || at.node == scope.subject);
      if (kept) found.push_back(make_.memo(index, at.node));
    }
  }
  if (found.empty()) return {};
  return pick(found);
}

NodeId ExpressionGenerator::leaf(const Scope& scope, Type type) {
  if (one_in(3)) {
    if (auto column = column_at(scope, type); column && type != kReal && type != kInt) return *column;
  }
  switch (type) {
    case Type::boolean: {
      if (!bool_params_.empty() && one_in(4)) return pick(bool_params_);
      if (auto trace = row_of(scope, WEND_TABLE_trace); trace && one_in(2)) {
        return make_.has_bits(trace->node, 1u << below(6));
      }
      return make_.boolean(one_in(2));
    }
    case Type::integer: {
      if (scope.late && !integer_params_.empty() && one_in(6)) return pick(integer_params_);
      if (!scope.integers.empty() && one_in(2)) return pick(scope.integers);
      const Row at = row(scope);
      for (const Field& field : kFields) {
        if (field.table != at.table || one_in(2)) continue;
        if (field.type == kInt) return make_.load(field.column, at.node, kInt);
        if (field.type == kRow && field.target == kNoTable) {
          return make_.op(Op::to_integer, kInt, {make_.load(field.column, at.node, kRow)});
        }
      }
      return make_.integer(static_cast<int>(below(9)) - 3);
    }
    default: {
      if (scope.late && !number_params_.empty() && one_in(3)) return pick(number_params_);
      if (auto json = value(scope); json && one_in(2)) return make_.load(WEND_COLUMN_value_number, *json, kReal);
      static const double kConstants[] = {0.0, -0.0, 1, -1, 0.5, 2.5, -0.3, 1.0 / 3, 1e10};
      return make_.real(kConstants[below(9)]);
    }
  }
}

void ExpressionGenerator::grant(Scope& scope, const Optional& present) {
  switch (present.type) {
    case Type::row:
      scope.rows.push_back({present.node, present.table, present.origin});
      break;
    case Type::symbol:
      scope.texts.push_back(present.node);
      break;
    case Type::value:
      scope.values.push_back(present.node);
      break;
    case Type::integer:
      scope.integers.push_back(present.node);
      break;
    default:
      break;
  }
}

NodeId ExpressionGenerator::optional_of(const Scope& scope, Type type, int depth) {
  NodeId then = type == kText    ? text(scope).value_or(make_.absent(kText))
                : type == kValue ? value(scope).value_or(make_.absent(kValue))
                                 : number(scope, depth - 1, type);
  return make_.op(Op::choose, type, {boolean(scope, depth - 1), then, make_.absent(type)});
}

std::optional<ExpressionGenerator::Optional> ExpressionGenerator::optional_fold(const Scope& scope, int depth) {
  static const Op kOps[] = {Op::fold_first, Op::fold_last, Op::fold_min, Op::fold_max};
  if (one_in(2)) {
    const Type type = one_in(2) ? kInt : kReal;
    return Optional{fold(kOps[below(4)], type, scope, depth), type};
  }
  // The first or last row that fits.
  Origin origin = Origin::agent;
  auto over = range(scope, origin);
  if (!over) return {};
  Scope inner = scope;
  const int64_t variable = inner.next_variable++;
  const NodeId index = make_.variable(variable, kRow);
  inner.rows.push_back({index, over->table, origin});
  ++inner.folds;
  NodeId condition = boolean(inner, depth - 1);
  return Optional{make_.fold(kOps[below(2)], kRow, variable, *over, condition, index), kRow, over->table, origin};
}

ExpressionGenerator::Optional ExpressionGenerator::optional(const Scope& scope, int depth) {
  if (depth > 1 && scope.folds < 2 && one_in(3)) {
    if (auto found = optional_fold(scope, depth)) return *found;
  }
  if (one_in(4)) {
    static const Type kTypes[] = {kText, kValue, kInt, kReal};
    const Type type = kTypes[below(4)];
    return {optional_of(scope, type, depth), type};
  }
  if (one_in(5)) {
    return one_in(2) ? Optional{pick(texts_), kText} : Optional{pick(values_), kValue};
  }
  for (int tries = 0; tries < 8; ++tries) {
    const Row at = row(scope);
    std::vector<const Field*> fields;
    for (const Field& field : kFields) {
      if (field.table == at.table && field.optional) fields.push_back(&field);
    }
    if (fields.empty()) continue;
    const Field& field = *pick(fields);
    if (field.type == kRow) {
      const Row to = follow(field, at);
      return {to.node, kRow, to.table, to.origin};
    }
    return {make_.load(field.column, at.node, field.type), field.type};
  }
  return {pick(texts_), kText};
}

NodeId ExpressionGenerator::guarded(const Scope& scope, Type type, int depth) {
  const Optional maybe = optional(scope, depth - 1);
  Scope granted = scope;
  grant(granted, maybe);
  NodeId present = make_.op(Op::exists, Type::boolean, {maybe.node});
  if (type == Type::boolean) {
    NodeId then = boolean(granted, depth - 1);
    if (one_in(2)) return make_.op(Op::logical_and, type, {present, then});
    return make_.op(Op::logical_or, type, {make_.op(Op::logical_not, type, {present}), then});
  }
  NodeId then = maybe.type == type ? maybe.node : number(granted, depth - 1, type);
  return make_.op(Op::choose, type, {present, then, number(scope, depth - 1, type)});
}

// A span of a row in scope, rows up to one in scope, or a few integers.
std::optional<Range> ExpressionGenerator::range(const Scope& scope, Origin& origin) {
  for (int tries = 0; tries < 6; ++tries) {
    const Row at = row(scope);
    std::vector<const Field*> spans;
    for (const Field& field : kFields) {
      if (field.table == at.table && field.span) spans.push_back(&field);
    }
    if (spans.empty()) continue;
    const Field& field = *pick(spans);
    Range range = make_.span(field.column, at.node, field.target);
    origin = field.origin == Origin::unknown ? at.origin : field.origin;
    if (auto stop = row_of(scope, field.target); stop && one_in(3)) {
      // Rows from the span's begin up to another row of the dialogue: may be empty, may go past the span.
      range.end = stop->node;
      if (stop->origin != origin) origin = Origin::unknown;
    }
    return range;
  }
  return {};
}

Range ExpressionGenerator::integers(const Scope& scope) {
  Range range = make_.integers(static_cast<int>(below(4)) - 1, below(6));
  if (one_in(3)) range.end = make_.op(Op::minimum, kInt, {integer(scope, 1), make_.integer(7)});
  if (one_in(3)) range.begin = make_.op(Op::maximum, kInt, {integer(scope, 1), make_.integer(-4)});
  return range;
}

NodeId ExpressionGenerator::fold(Op op, Type type, Scope scope, int depth) {
  Origin origin = Origin::agent;
  std::optional<Range> over;
  if (!one_in(6)) over = range(scope, origin);
  if (!over) over = integers(scope);
  Scope inner = scope;
  const int64_t variable = inner.next_variable++;
  const NodeId index = make_.variable(variable, over->index);
  ++inner.folds;
  if (over->index == kInt) {
    inner.integers.push_back(index);
  } else {
    inner.rows.push_back({index, over->table, origin});
    if (one_in(8)) over->table = kNoTable;  // reports nothing
  }
  NodeId condition = one_in(2) ? kNoNode : boolean(inner, depth - 1);
  if (op == Op::fold_count) return make_.fold(op, kInt, variable, *over, condition);
  NodeId body;
  if (type == Type::boolean) {
    body = boolean(inner, depth - 1);
  } else if (op == Op::fold_sum || one_in(2)) {
    body = number(inner, depth - 1, type);
  } else {
    body = optional_of(inner, type, depth - 1);
  }
  return make_.fold(op, type, variable, *over, condition, body);
}

NodeId ExpressionGenerator::comparison(const Scope& scope, int depth) {
  static const Op kOps[] = {Op::equal, Op::not_equal, Op::less, Op::less_equal, Op::greater, Op::greater_equal};
  if (one_in(3)) {
    // Identity of rows, texts or values, absent or not.
    const Optional a = optional(scope, depth - 1);
    NodeId other = kNoNode;
    if (a.type == kRow) {
      if (auto at = row_of(scope, a.table)) other = at->node;
    } else if (a.type == kText) {
      other = text(scope).value_or(pick(texts_));
    } else if (a.type == kValue) {
      other = value(scope).value_or(pick(values_));
    }
    if (other != kNoNode) return make_.op(kOps[below(2)], Type::boolean, {a.node, other});
  }
  const Type type = one_in(2) ? kInt : kReal;
  return make_.op(kOps[below(6)], Type::boolean, {number(scope, depth - 1, type), number(scope, depth - 1, type)});
}

// Does a message of the dialogue hold the needle? Literals, which may be absent, are often there.
std::optional<NodeId> ExpressionGenerator::searched_messages(const Scope& scope) {
  const auto trace = row_of(scope, WEND_TABLE_trace);
  if (!trace) return {};
  const auto near = one_in(2) ? text(scope) : std::nullopt;
  const NodeId needle = near.value_or(pick(texts_));
  const NodeId message = make_.variable(scope.next_variable, kRow);
  const NodeId words = make_.load(WEND_COLUMN_message_text, message, kText);
  const NodeId present = make_.op(Op::exists, Type::boolean, {words});
  const NodeId found = make_.op(one_in(2) ? Op::text_mentions : Op::text_names, Type::boolean, {words, needle});
  const Range messages = make_.span(WEND_COLUMN_trace_messages, trace->node, WEND_TABLE_message);
  NodeId result;
  if (one_in(2)) {
    NodeId both = make_.op(Op::logical_and, Type::boolean, {present, found});
    NodeId count = make_.count(scope.next_variable, messages, both);
    result = make_.op(Op::greater, Type::boolean, {count, make_.integer(below(2))});
  } else {
    result = make_.fold(Op::fold_any, Type::boolean, scope.next_variable, messages, present, found);
  }
  if (near) return result;
  return make_.op(Op::logical_and, Type::boolean, {make_.op(Op::exists, Type::boolean, {needle}), result});
}

NodeId ExpressionGenerator::searched(const Scope& scope, int depth) {
  if (one_in(2)) {
    if (auto found = searched_messages(scope)) return *found;
  }
  const auto haystack = text(scope), needle = text(scope);
  if (!haystack) return leaf(scope, Type::boolean);
  if (one_in(3)) {
    make_.plan.strings = {"alarm", "a", "", "paris?", "start", "mañana", "京"};
    return make_.op(Op::text_contains, Type::boolean, {*haystack}, below(7));
  }
  if (!needle) return boolean(scope, depth - 1);
  static const Op kOps[] = {Op::text_equal, Op::text_mentions, Op::text_names};
  return make_.op(kOps[below(3)], Type::boolean, {*haystack, *needle});
}

NodeId ExpressionGenerator::boolean(Scope scope, int depth) {
  if (depth <= 0 || --budget_ < 0) return leaf(scope, Type::boolean);
  auto part = [&] { return boolean(scope, depth - 1); };
  switch (below(10)) {
    case 0:
      return make_.op(Op::logical_and, Type::boolean, {part(), part()});
    case 1:
      return make_.op(Op::logical_or, Type::boolean, {part(), part()});
    case 2:
      return make_.op(Op::logical_not, Type::boolean, {part()});
    case 3:
      return make_.op(Op::choose, Type::boolean, {part(), part(), part()});
    case 4:
      return guarded(scope, Type::boolean, depth);
    case 5:
      return searched(scope, depth);
    case 6:
      return make_.op(Op::exists, Type::boolean, {optional(scope, depth - 1).node});
    case 7:
      if (scope.folds >= 3) return comparison(scope, depth);
      return fold(one_in(2) ? Op::fold_any : Op::fold_all, Type::boolean, scope, depth);
    default:
      return comparison(scope, depth);
  }
}

NodeId ExpressionGenerator::integer(Scope scope, int depth) {
  if (depth <= 0 || --budget_ < 0) return leaf(scope, kInt);
  auto part = [&] { return integer(scope, depth - 1); };
  switch (below(10)) {
    case 0:
      return make_.op(Op::add, kInt, {part(), part()});
    case 1:
      return make_.op(Op::subtract, kInt, {part(), part()});
    // Only by constants, and counted numbers are small: far from overflow.
    case 2:
      return make_.op(Op::multiply, kInt, {part(), make_.integer(static_cast<int>(below(7)) - 3)});
    case 3:
      return make_.op(one_in(2) ? Op::minimum : Op::maximum, kInt, {part(), part()});
    case 4:
      return one_in(3) ? make_.op(Op::negate, kInt, {part()})
                       : make_.op(Op::to_integer, kInt, {boolean(scope, depth - 1)});
    case 5:
      return make_.op(Op::choose, kInt, {boolean(scope, depth - 1), part(), part()});
    case 6:
      return guarded(scope, kInt, depth);
    case 7:
      if (auto found = text(scope)) return make_.op(Op::text_length, kInt, {*found});
      return part();
    case 8:
      if (auto column = column_at(scope, kInt)) {
        return make_.op(Op::choose, kInt, {make_.op(Op::exists, Type::boolean, {*column}), *column, make_.integer(0)});
      }
      [[fallthrough]];
    default:
      return scope.folds >= 3 ? part() : fold(one_in(2) ? Op::fold_sum : Op::fold_count, kInt, scope, depth);
  }
}

NodeId ExpressionGenerator::real(Scope scope, int depth) {
  if (depth <= 0 || --budget_ < 0) return leaf(scope, kReal);
  auto part = [&] { return real(scope, depth - 1); };
  switch (below(12)) {
    case 0:
      return make_.op(Op::add, kReal, {part(), part()});
    case 1:
      return make_.op(Op::subtract, kReal, {part(), part()});
    case 2:
      return make_.op(Op::multiply, kReal, {part(), make_.real(static_cast<int>(below(9)) * 0.3 - 1)});
    case 3:
      return make_.op(one_in(2) ? Op::minimum : Op::maximum, kReal, {part(), part()});
    case 4:
      return make_.op(Op::negate, kReal, {part()});
    case 5: {
      NodeId divisor = make_.to_real(integer(scope, depth - 1));
      NodeId safe = make_.op(Op::not_equal, Type::boolean, {divisor, make_.real(0)});
      return make_.op(Op::choose, kReal, {safe, make_.op(Op::divide, kReal, {part(), divisor}), part()});
    }
    case 6:
      return make_.op(Op::choose, kReal, {boolean(scope, depth - 1), part(), part()});
    case 7:
      return guarded(scope, kReal, depth);
    case 8:
      if (auto turn = row_of(scope, WEND_TABLE_turn); turn && !make_.plan.judges.empty()) {
        return make_.op(Op::judged, kReal, {turn->node, part()},
                        below(static_cast<uint32_t>(make_.plan.judges.size())));
      }
      return make_.to_real(integer(scope, depth - 1));
    case 9:
      if (auto column = column_at(scope, kReal)) {
        return make_.op(Op::choose, kReal, {make_.op(Op::exists, Type::boolean, {*column}), *column, make_.real(0)});
      }
      [[fallthrough]];
    case 10:
      return scope.folds >= 3 ? part() : fold(Op::fold_sum, kReal, scope, depth);
    default:
      return make_.to_real(integer(scope, depth - 1));
  }
}

}  // namespace wend::plan
