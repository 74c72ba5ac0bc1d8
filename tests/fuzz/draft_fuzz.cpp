// Any bytes as a drafted block: no crash, a draft that holds together, the same again on a second reading, JSON exactly
// where simdjson sees it, and what was repaired needs no repair. Compared with the well-formed block that it was
// repaired to, it is right in everything. The first byte says whether the block is open already.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/draft/compare.h"
#include "runtime/draft/reader.h"
#include "tests/unit/draft/check.h"
#include "tests/unit/draft/sample.h"

namespace {

using namespace wend;

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

// Short names, and those that are compared.
const DraftShape& draft_shape() {
  static const DraftShape shape("X", {"A", "B", "Current_User", "Overall_User_Task", "History_Relation",
                                      "Task_Graph_For_Current_Turn", "Tool_Decision_Guide"});
  return shape;
}

// Strict reading accepts what simdjson accepts (which goes deeper).
void scan(std::string_view text) {
  const size_t bracket = text.find_first_of("{[");
  if (bracket == std::string_view::npos || valid_utf8_prefix(text) != text.size()) return;
  std::vector<DraftField> fields;
  uint32_t end = 0;
  const auto from = static_cast<uint32_t>(bracket);
  const bool read = scan_json(text, from, end, fields);
  if (read) require(testing::is_json(text.substr(from, end - from)), "strict reading accepts what is no JSON");
  int depth = 0;
  for (const char c : text) depth += c == '[' || c == '{';
  if (!read && depth < 500)
    require(testing::simdjson_of(text.substr(from)) != simdjson::SUCCESS, "strict reading refuses JSON");
}

// Counts hold together, and do not depend on what was compared before.
void compare(const Draft& draft, const Draft& oracle, bool same) {
  static DraftComparer comparer(draft_shape());
  const auto seen = [&](const Draft& a, const Draft& b) {
    const DraftComparison& found = comparer.compare(a, b);
    std::string all;
    for (const DraftCounts& c : {found.slots, found.stale}) {
      require(c.right <= c.drafted && c.right <= c.expected, "more slots are right than there are");
      all += std::to_string(c.drafted) + ' ' + std::to_string(c.expected) + ' ' + std::to_string(c.right) + ' ';
    }
    for (const SubBlockMatch& match : found.sub_blocks) {
      require(b.sub_block(match.sub_block).readable(), "compared with what cannot be read");
      require(match.loose || !match.exact, "exactly the same, but not loosely");
      require(match.readable || !match.loose, "the same, but not readable");
      all += match.exact ? 'e' : match.loose ? 'l' : '-';
    }
    return all + (found.goal ? 'g' : '-') + (found.intent ? 'i' : '-') + (found.relation ? 'r' : '-');
  };
  const std::string first = seen(draft, oracle), turned = seen(oracle, draft);
  require(seen(draft, oracle) == first, "compared differently the second time");
  if (same) require(first == turned, "a draft differs from what it was repaired to");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const bool continues = data[0] & 1;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const DraftShape& shape = draft_shape();
  DraftReader reader(shape), other(shape);
  const Draft& draft = reader.read(text, continues);
  const std::string wrong = testing::check_draft(draft);
  require(wrong.empty(), wrong);
  std::string seen = draft.repaired;
  for (const DraftSubBlock& s : draft.sub_blocks) seen += std::to_string(s.faults.bits());
  std::string repaired = "<X>";
  for (uint32_t i = 0; i < shape.size(); ++i) {
    if (!draft.sub_block(i).readable()) continue;
    const std::string& name = shape.sub_block(i);
    repaired += "<" + name + ">" + std::string(draft.json(draft.sub_block(i))) + "</" + name + ">";
  }
  repaired += "</X>";
  const Draft& again = other.read(repaired);
  require(again.faults.empty(), "the repaired block is no block");
  for (uint32_t i = 0; i < shape.size(); ++i) {
    const DraftSubBlock& s = draft.sub_block(i);
    if (!s.readable()) continue;
    require(again.sub_block(i).state == DraftState::valid, "what was repaired needs repair");
    require(again.json(again.sub_block(i)) == draft.json(s), "what was repaired is read differently");
    require(again.sub_block(i).fields.end - again.sub_block(i).fields.begin == s.fields.end - s.fields.begin,
            "what was repaired has other members");
  }
  compare(draft, again, true);
  static const std::string rendered = testing::sample();
  static DraftReader samples(shape);
  compare(draft, samples.read(rendered), false);
  std::string second = reader.read(text, continues).repaired;
  for (const DraftSubBlock& s : draft.sub_blocks) second += std::to_string(s.faults.bits());
  require(second == seen, "read differently the second time");
  scan(text);
  return 0;
}
