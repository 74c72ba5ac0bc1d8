// Columns that are computed only where they are asked for.
//
// A detector's rule asks for most of its parts behind conditions: `not hit(a.call) and overwritten(a)`. A part that is
// a column of its own would be computed for every row; where all that ask for it stand behind conditions at the same
// row, its rule is put there instead, and the column goes.
#include <algorithm>
#include <array>
#include <functional>

#include "compiler/plan/builder.h"

namespace wend::plan {
namespace {

// More readers than this and the value is computed once for them all.
constexpr size_t kMostReaders = 2;
// The most nodes that copies of one rule may come to, so that chains of rules cannot grow without bound.
constexpr uint64_t kMostNodes = 2000;

uint64_t saturated(uint64_t x) { return std::min<uint64_t>(x, uint64_t{1} << 30); }

// One of the expressions that a plan is made of, and the row that it is computed for.
struct Reader {
  NodeId root = kNoNode;
  bool has_row = false;  // else it is about a trace, or about all of them
  uint32_t table = 0;
  bool gold = false, late = false;
  int64_t subject = 0;
  bool seldom = false;  // as if it stood behind a condition

  bool shares_row(const Column& c) const {
    return has_row && table == c.table && gold == c.gold && late == c.late && subject == c.subject;
  }
};

struct Use {
  uint32_t reader;
  uint64_t times;  // how often it stands in the reader's tree
  bool guarded;    // behind a condition
  bool own;        // for the reader's row, outside folds
};

void for_roots(Procedure& procedure, const std::function<void(NodeId&)>& visit) {
  for (Instruction& i : procedure) {
    for (NodeId& id : i.args) visit(id);
    for_roots(i.body, visit);
    for_roots(i.otherwise, visit);
  }
}

// Calls `visit` with every node id that the plan's definitions hold.
void for_roots(Plan& plan, const std::function<void(NodeId&)>& visit) {
  for (Column& c : plan.columns) visit(c.body);
  for (Signal& s : plan.signals) visit(s.value);
  for (Metric& m : plan.metrics) visit(m.value), visit(m.defined);
  for (Reward& r : plan.rewards) {
    for (Layer& l : r.layers) visit(l.weight);
    for (auto* terms : {&r.stops, &r.terms})
      for (Term& t : *terms)
        for (NodeId* id : {&t.raw, &t.weighted, &t.evidence, &t.condition}) visit(*id);
    visit(r.clamp_low), visit(r.clamp_high);
  }
  for (Judge& j : plan.judges) {
    visit(j.asked);
    for (NodeId& hole : j.holes) visit(hole);
  }
  for (Belief& b : plan.beliefs) {
    for_roots(b.begin, visit);
    for (Procedure& handler : b.handlers) for_roots(handler, visit);
  }
  for (Render& r : plan.renders) for_roots(r.body, visit);
  for (Context& c : plan.contexts) for_roots(c.body, visit);
}

class Laziness {
 public:
  explicit Laziness(Plan& plan) : plan_(plan), uses_(plan.columns.size()), copies_(plan.columns.size(), 0) {}

  // Which columns are to go, for columns in dependency order.
  std::vector<bool> choose() {
    find_readers();
    for (uint32_t r = 0; r < readers_.size(); ++r) find_uses(r);
    const size_t n = plan_.columns.size();
    std::vector<bool> gone(n, false);
    std::vector<std::set<uint32_t>> hosts(n);  // where a column that goes ends up
    for (auto c = static_cast<uint32_t>(n); c-- > 0;) {
      std::set<uint32_t> at;
      uint64_t copies = 0;
      // A judge's rule stays a column: it answers the questions that a model is not asked.
      bool lazy = !uses_[c].empty() && plan_.node(plan_.columns[c].body).op != Op::judged;
      for (const Use& use : uses_[c]) {
        const bool passed_on = use.reader < n && gone[use.reader];
        lazy = lazy && use.own && use.reader != c && (use.guarded || passed_on);
        if (passed_on) {
          at.insert(hosts[use.reader].begin(), hosts[use.reader].end());
        } else {
          at.insert(use.reader);
        }
        copies = saturated(copies + use.times * (passed_on ? copies_[use.reader] : 1));
      }
      gone[c] = lazy && at.size() <= kMostReaders && copies * tree_size(plan_.columns[c].body) <= kMostNodes;
      if (!gone[c]) continue;
      hosts[c] = std::move(at);
      copies_[c] = copies;
    }
    return gone;
  }

 private:
  void find_readers() {
    for (const Column& c : plan_.columns) readers_.push_back({c.body, true, c.table, c.gold, c.late, c.subject});
    std::set<NodeId> of_turns;
    for (const Judge& j : plan_.judges) {
      for (NodeId hole : j.holes)
        if (of_turns.insert(hole).second)
          readers_.push_back({hole, true, WEND_TABLE_turn, false, false, j.subject, true});  // when a judge is asked
    }
    for_roots(plan_, [&](NodeId& id) { elsewhere_.insert(id); });
    for (const Reader& r : readers_) elsewhere_.erase(r.root);
    for (NodeId id : elsewhere_) readers_.push_back({id});
  }

  // What a path from a root has come through.
  enum Path : size_t { kPlain = 0, kGuarded = 1, kInFold = 2, kPaths = 4 };

  void find_uses(uint32_t r) {
    const Reader& reader = readers_[r];
    std::vector<NodeId> nodes = reachable(reader.root);
    std::unordered_map<NodeId, std::array<uint64_t, kPaths>> paths;
    if (!nodes.empty()) paths[reader.root][reader.seldom ? kGuarded : kPlain] = 1;
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {  // parents before children
      const Node& x = plan_.node(*it);
      const std::array<uint64_t, kPaths> here = paths[*it];
      if (x.op == Op::memo) add_uses(r, x, here);
      const bool conditional = x.op == Op::logical_and || x.op == Op::logical_or || x.op == Op::choose;
      for (size_t i = 0; i < x.children.size(); ++i) {
        if (x.children[i] == kNoNode) continue;
        const size_t through =
            (conditional && i > 0 ? kGuarded : kPlain) | (is_fold(x.op) && i >= 2 ? kInFold : kPlain);
        auto& below = paths[x.children[i]];
        for (size_t p = 0; p < kPaths; ++p) below[p | through] = saturated(below[p | through] + here[p]);
      }
    }
  }

  void add_uses(uint32_t r, const Node& memo, const std::array<uint64_t, kPaths>& paths) {
    const auto c = static_cast<size_t>(memo.integer);
    const Node& row = plan_.node(memo.children[0]);
    const bool same_row =
        readers_[r].shares_row(plan_.columns[c]) && row.op == Op::variable && row.integer == readers_[r].subject;
    for (size_t p = 0; p < kPaths; ++p) {
      if (paths[p] == 0) continue;
      uses_[c].push_back({r, paths[p], (p & kGuarded) != 0, same_row && (p & kInFold) == 0});
    }
  }

  // Ascending: children before parents.
  std::vector<NodeId> reachable(NodeId root) const {
    std::set<NodeId> seen;
    std::vector<NodeId> open{root};
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      if (id == kNoNode || !seen.insert(id).second) continue;
      const Node& x = plan_.node(id);
      open.insert(open.end(), x.children.begin(), x.children.end());
    }
    return {seen.begin(), seen.end()};
  }

  uint64_t tree_size(NodeId root) const {
    std::unordered_map<NodeId, uint64_t> sizes;
    for (NodeId id : reachable(root)) {
      uint64_t size = 1;
      for (NodeId child : plan_.node(id).children)
        if (child != kNoNode) size = saturated(size + sizes[child]);
      sizes[id] = size;
    }
    return sizes[root];
  }

  Plan& plan_;
  std::vector<Reader> readers_;  // the columns first, by their index
  std::set<NodeId> elsewhere_;
  std::vector<std::vector<Use>> uses_;  // by column
  std::vector<uint64_t> copies_;
};

}  // namespace

// Conditions around a value of the row itself that is computed once: a column as well, so that the value can be lazy.
bool Builder::guards_column(NodeId body) {
  const Op op = node(body).op;
  if (op != Op::logical_and && op != Op::logical_or && op != Op::choose) return false;
  std::set<NodeId> seen;
  std::function<bool(NodeId)> reads = [&](NodeId id) {
    if (id == kNoNode || !seen.insert(id).second) return false;
    const Node& x = node(id);
    const bool own = x.op == Op::memo && node(x.children[0]).op == Op::variable;
    return own || std::any_of(x.children.begin(), x.children.end(), reads);
  };
  return reads(body);
}

// Asks for columns in dependency order, and leaves them in it.
void Builder::inline_guarded_columns() {
  const std::vector<bool> gone = Laziness(plan_).choose();
  std::unordered_map<NodeId, NodeId> done;
  std::function<NodeId(NodeId)> replaced = [&](NodeId id) -> NodeId {
    if (id == kNoNode) return id;
    if (auto it = done.find(id); it != done.end()) return it->second;
    Node copy = node(id);
    const auto written = plan_.written.find(id);
    if (copy.op == Op::memo && gone[static_cast<size_t>(copy.integer)]) {
      const NodeId body = replaced(plan_.columns[static_cast<size_t>(copy.integer)].body);
      // Explanations quote what was asked, as they would for the column.
      if (written != plan_.written.end()) plan_.written.insert_or_assign(body, written->second);
      return done[id] = body;
    }
    bool changed = false;
    for (NodeId& child : copy.children) {
      const NodeId other = replaced(child);
      changed = changed || other != child;
      child = other;
    }
    if (!changed) return done[id] = id;
    current_place_ = copy.source;
    const NodeId changed_id = add(std::move(copy));
    if (written != plan_.written.end()) plan_.written.try_emplace(changed_id, written->second);
    return done[id] = changed_id;
  };
  for_roots(plan_, [&](NodeId& id) { id = replaced(id); });
  drop_columns(gone);
  drop_nodes();
}

void Builder::drop_columns(const std::vector<bool>& gone) {
  std::vector<Column> kept;
  std::vector<int64_t> position(gone.size(), 0);
  for (size_t c = 0; c < gone.size(); ++c) {
    position[c] = static_cast<int64_t>(kept.size());
    if (!gone[c]) kept.push_back(std::move(plan_.columns[c]));
  }
  plan_.columns = std::move(kept);
  for (Node& x : plan_.nodes)
    if (x.op == Op::memo) x.integer = position[static_cast<size_t>(x.integer)];
}

// Nodes that no definition reaches.
void Builder::drop_nodes() {
  std::vector<bool> used(plan_.nodes.size(), false);
  for_roots(plan_, [&](NodeId& id) {
    if (id != kNoNode) used[id] = true;
  });
  for (auto id = static_cast<NodeId>(used.size()); id-- > 0;) {  // parents before children
    if (!used[id]) continue;
    for (NodeId child : plan_.nodes[id].children)
      if (child != kNoNode) used[child] = true;
  }
  std::vector<NodeId> renamed(used.size(), kNoNode);
  std::vector<Node> kept;
  const auto rename = [&](NodeId& id) {
    if (id != kNoNode) id = renamed[id];
  };
  for (NodeId id = 0; id < used.size(); ++id) {
    if (!used[id]) continue;
    renamed[id] = static_cast<NodeId>(kept.size());
    kept.push_back(std::move(plan_.nodes[id]));
    for (NodeId& child : kept.back().children) rename(child);
  }
  plan_.nodes = std::move(kept);
  for_roots(plan_, rename);
  std::map<NodeId, std::string> written;
  for (auto& [id, text] : plan_.written)
    if (used[id]) written.emplace(renamed[id], std::move(text));
  plan_.written = std::move(written);
}

}  // namespace wend::plan
