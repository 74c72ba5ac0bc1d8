// Diagnostics as data: collected by every stage, printed only by the driver.
//
//   reward.wend:12:26: error: unknown field `call` of `Turn` [unknown-field]
//      12 |   jga = sum(count(u.call) for u in t.turns)
//         |                     ^^^^
//   help: did you mean `calls`?
//
// Each kind is declared once, in kinds.def, with the text that `wend check --explain KIND` prints.
#ifndef WEND_COMPILER_SOURCE_DIAGNOSTIC_H_
#define WEND_COMPILER_SOURCE_DIAGNOSTIC_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/source.h"

namespace wend {

enum class Kind {
#define WEND_KIND(id, name, severity, explanation) id,
#include "compiler/source/kinds.def"
#undef WEND_KIND
};
enum class Severity { error, warning };

struct KindInfo {
  std::string_view name;  // "unknown-field": stable, what users and tests refer to
  Severity severity;
  std::string_view explanation;
};
const KindInfo& info(Kind kind);
std::optional<Kind> kind_named(std::string_view name);
std::vector<Kind> all_kinds();

// A second place that explains the first.
struct Label {
  Span span;
  std::string text;
};
// Text to put in place of `span`; the exact replacement that `help` names.
struct Fix {
  Span span;
  std::string text;
};

struct Diagnostic {
  Kind kind;
  Span span;
  std::string message;  // lower case, no full stop, code in backticks
  std::optional<Label> label;
  std::string help;  // empty: none
  std::optional<Fix> fix;
};

// What stages report into. Keeps the order of reporting; drops exact repeats.
class Diagnostics {
 public:
  Diagnostic& report(Kind kind, Span span, std::string message);
  bool has_errors() const { return errors_ > 0; }
  size_t errors() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
  size_t errors_ = 0;
};

// The nearest of `candidates` to `name` within an edit distance that grows with its length; empty if none is near.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

// Sorted by file and place, as people read them.
std::string render_text(const Diagnostics& diagnostics, const SourceSet& sources, bool color);
// A JSON list of {kind, severity, file, line, column, message, help}.
std::string render_json(const Diagnostics& diagnostics, const SourceSet& sources);

}  // namespace wend

#endif  // WEND_COMPILER_SOURCE_DIAGNOSTIC_H_
