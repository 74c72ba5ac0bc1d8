#include "compiler/codegen/llvm/analysis.h"

#include <algorithm>

namespace wend::codegen {

using plan::kNoNode;
using plan::Node;
using plan::NodeId;
using plan::Op;

uint32_t element_size(uint32_t column) {
  static constexpr uint32_t kSizes[] = {
#define WEND_COLUMN(table, name, ctype) sizeof(ctype),
#include <wend/columns.def>
  };
  return kSizes[column];
}

Analysis::Analysis(const plan::Plan& plan) : plan_(plan), reports_(plan.nodes.size()) {
  for (NodeId id = 0; id < plan.nodes.size(); ++id) {
    const Node& node = plan.nodes[id];
    bool own = is_fold(node.op) && node.table != WEND_N_TABLES && node.index_type == plan::Type::row;
    reports_[id] = own || std::any_of(node.children.begin(), node.children.end(),
                                      [&](NodeId child) { return child != kNoNode && reports_[child]; });
  }
}

bool Analysis::depends_on(NodeId id, int64_t variable) const {
  std::vector<NodeId> open{id};
  std::vector<bool> seen(id + 1);
  while (!open.empty()) {
    NodeId at = open.back();
    open.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    const Node& node = plan_.nodes[at];
    if (node.op == Op::variable && node.integer == variable) return true;
    bool binds = is_fold(node.op) && node.integer == variable;
    for (size_t i = 0; i < node.children.size(); ++i) {
      // A fold's range is outside of its variable, its condition and body are inside.
      if (node.children[i] != kNoNode && !(binds && i >= 2)) open.push_back(node.children[i]);
    }
  }
  return false;
}

const std::vector<NodeId>& Analysis::dependents(int64_t variable) {
  auto [entry, isnew] = dependents_.try_emplace(variable);
  if (!isnew) return entry->second;
  std::vector<bool> depends(plan_.nodes.size());
  for (NodeId id = 0; id < plan_.nodes.size(); ++id) {
    const Node& node = plan_.nodes[id];
    depends[id] = (node.op == Op::variable && node.integer == variable) ||
                  std::any_of(node.children.begin(), node.children.end(),
                              [&](NodeId child) { return child != kNoNode && depends[child]; });
    if (depends[id]) entry->second.push_back(id);
  }
  return entry->second;
}

void Analysis::reach(NodeId id, std::vector<bool>& nodes, std::vector<bool>& columns) const {
  std::vector<NodeId> open{id};
  while (!open.empty()) {
    NodeId at = open.back();
    open.pop_back();
    if (at == kNoNode || nodes[at]) continue;
    nodes[at] = true;
    const Node& node = plan_.nodes[at];
    open.insert(open.end(), node.children.begin(), node.children.end());
    if (node.op != Op::memo) continue;
    columns[static_cast<size_t>(node.integer)] = true;
    open.push_back(plan_.columns[static_cast<size_t>(node.integer)].body);
  }
}

bool Analysis::reads(NodeId id, const std::vector<uint32_t>& which) const {
  std::vector<bool> nodes(plan_.nodes.size()), columns(plan_.columns.size());
  reach(id, nodes, columns);
  return std::any_of(which.begin(), which.end(), [&](uint32_t c) { return columns[c]; });
}

Analysis::Needs Analysis::needs(const std::vector<NodeId>& roots) const {
  std::vector<bool> nodes(plan_.nodes.size()), columns(plan_.columns.size());
  for (NodeId root : roots) reach(root, nodes, columns);
  Needs needs;
  for (auto k = static_cast<uint32_t>(plan_.passes.size()); k-- > 0;) {
    const plan::Pass& pass = plan_.passes[k];
    if (std::none_of(pass.columns.begin(), pass.columns.end(), [&](uint32_t c) { return columns[c]; })) continue;
    (pass.late ? needs.late : needs.early).push_back(k);
    // The other columns of a pass run with it, so what they read has to be there as well.
    for (uint32_t c : pass.columns) reach(plan_.columns[c].body, nodes, columns);
  }
  std::reverse(needs.early.begin(), needs.early.end());
  std::reverse(needs.late.begin(), needs.late.end());
  return needs;
}

std::vector<NodeId> Analysis::always_evaluated(NodeId id) const {
  constexpr size_t kLimit = 256;
  std::vector<NodeId> open{id}, found;
  while (!open.empty() && found.size() < kLimit) {
    NodeId at = open.back();
    open.pop_back();
    const Node& node = plan_.nodes[at];
    if (node.children.empty()) continue;
    if (std::find(found.begin(), found.end(), at) != found.end()) continue;
    found.push_back(at);
    size_t n = node.children.size();
    switch (node.op) {
      case Op::logical_and:
      case Op::logical_or:
      case Op::choose:
      case Op::judged:
        n = 1;
        break;
      default:
        if (is_fold(node.op)) n = 2;
    }
    open.insert(open.end(), node.children.begin(), node.children.begin() + static_cast<std::ptrdiff_t>(n));
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace wend::codegen
