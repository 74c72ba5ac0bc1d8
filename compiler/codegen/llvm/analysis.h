// Facts about a plan that the emitter asks for again and again. Knows nothing of LLVM.
#ifndef WEND_COMPILER_CODEGEN_LLVM_ANALYSIS_H_
#define WEND_COMPILER_CODEGEN_LLVM_ANALYSIS_H_

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/plan/plan.h"

namespace wend::codegen {

inline bool is_fold(plan::Op op) { return op >= plan::Op::fold_count && op <= plan::Op::fold_last; }
inline bool is_text(plan::Op op) { return op >= plan::Op::text_equal && op <= plan::Op::text_length; }

// Bytes of one element of a column of the batch.
uint32_t element_size(uint32_t column);

class Analysis {
 public:
  explicit Analysis(const plan::Plan& plan);

  // Does evaluating the node with reports on report anything: is there a fold over an entity table in it?
  bool reports(plan::NodeId id) const { return reports_[id]; }

  // Does the value depend on this variable from outside?
  bool depends_on(plan::NodeId id, int64_t variable) const;

  // Passes that must have run for these roots, in order: first those of prepare(), then the late ones.
  struct Needs {
    std::vector<uint32_t> early, late;
  };
  Needs needs(const std::vector<plan::NodeId>& roots) const;

  // Does the value of a node depend on one of these columns?
  bool reads(plan::NodeId id, const std::vector<uint32_t>& columns) const;

  // Nodes that may depend on a variable (also those inside a fold of the same number), ascending.
  const std::vector<plan::NodeId>& dependents(int64_t variable);

  // Nodes, except leaves, that are evaluated whenever `id` is, ascending. Gives up (shorter list) at a limit.
  std::vector<plan::NodeId> always_evaluated(plan::NodeId id) const;

 private:
  void reach(plan::NodeId id, std::vector<bool>& nodes, std::vector<bool>& columns) const;

  const plan::Plan& plan_;
  std::vector<bool> reports_;
  std::map<int64_t, std::vector<plan::NodeId>> dependents_;
};

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_LLVM_ANALYSIS_H_
