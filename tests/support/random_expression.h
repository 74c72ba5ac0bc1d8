// Random expressions: well typed, with every optional value tested for presence before it is used.
#ifndef WEND_TESTS_SUPPORT_RANDOM_EXPRESSION_H_
#define WEND_TESTS_SUPPORT_RANDOM_EXPRESSION_H_

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "tests/support/plan_maker.h"
#include "tests/support/random_fields.h"

namespace wend::plan {

// A row that is present, and what is known of it.
struct Row {
  NodeId node;
  uint32_t table;
  Origin origin;
};

// What an expression may use.
struct Scope {
  std::vector<Row> rows;
  std::vector<NodeId> values, texts, integers;  // present, typed
  int64_t next_variable = 0;
  int folds = 0;            // how many it is inside of
  bool late = true;         // number params and late columns may be used
  bool memo = true;         // columns may be used
  uint32_t columns = 0;     // of the first so many
  uint32_t pass_begin = 0;  // columns from this one on are of the same pass: only at `subject`
  NodeId subject = kNoNode;
};

class ExpressionGenerator {
 public:
  explicit ExpressionGenerator(uint64_t seed) : random_(seed) {}

  uint32_t below(uint32_t n) { return n == 0 ? 0 : static_cast<uint32_t>(random_() % n); }
  bool one_in(uint32_t n) { return below(n) == 0; }

  // Expressions whose value is present.
  NodeId boolean(Scope scope, int depth);
  NodeId integer(Scope scope, int depth);
  NodeId real(Scope scope, int depth);
  NodeId number(const Scope& scope, int depth, Type type) {
    return type == kInt ? integer(scope, depth) : real(scope, depth);
  }
  // An integer, held small: what columns keep, so that sums of sums of them do not overflow.
  NodeId small(NodeId integer) {
    NodeId low = make_.op(Op::maximum, kInt, {integer, make_.integer(-1000)});
    return make_.op(Op::minimum, kInt, {low, make_.integer(1000)});
  }
  // A value of any type but row and boolean that may be absent.
  NodeId optional_of(const Scope& scope, Type type, int depth);

  void set_budget(int nodes) { budget_ = nodes; }

 protected:
  PlanMaker make_;
  std::vector<NodeId> number_params_, integer_params_, bool_params_;
  std::vector<NodeId> texts_, values_;  // literals: may be absent

 private:
  struct Optional {
    NodeId node;
    Type type;
    uint32_t table = kNoTable;
    Origin origin = Origin::agent;
  };

  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(static_cast<uint32_t>(from.size()))];
  }

  std::optional<NodeId> text(const Scope& scope);
  std::optional<NodeId> value(const Scope& scope);
  Row row(const Scope& scope);
  std::optional<Row> row_of(const Scope& scope, uint32_t table);
  Row follow(const Field& field, const Row& from);
  std::optional<NodeId> column_at(const Scope& scope, Type type);
  NodeId leaf(const Scope& scope, Type type);

  Optional optional(const Scope& scope, int depth);
  std::optional<Optional> optional_fold(const Scope& scope, int depth);
  void grant(Scope& scope, const Optional& present);
  // Something that uses an optional where it is present, and something else where not.
  NodeId guarded(const Scope& scope, Type type, int depth);

  NodeId comparison(const Scope& scope, int depth);
  NodeId searched(const Scope& scope, int depth);
  std::optional<NodeId> searched_messages(const Scope& scope);
  std::optional<Range> range(const Scope& scope, Origin& origin);
  Range integers(const Scope& scope);
  NodeId fold(Op op, Type type, Scope scope, int depth);

  std::mt19937_64 random_;
  int budget_ = 0;  // nodes left for the expression in hand
};

}  // namespace wend::plan

#endif  // WEND_TESTS_SUPPORT_RANDOM_EXPRESSION_H_
