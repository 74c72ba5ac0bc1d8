#include "compiler/source/diagnostic.h"

#include <algorithm>
#include <array>

namespace wend {
namespace {

constexpr std::string_view without_leading_newline(std::string_view text) {
  return text.starts_with('\n') ? text.substr(1) : text;
}

constexpr std::array kKinds = {
#define WEND_KIND(id, name, severity, explanation) \
  KindInfo{name, Severity::severity, without_leading_newline(explanation)},
#include "compiler/source/kinds.def"
#undef WEND_KIND
};

// Damerau-Levenshtein (adjacent transposition counts as one edit) with two rows of history, given up beyond `limit`.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  std::vector<size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substitution = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

std::string folded(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

}  // namespace

const KindInfo& info(Kind kind) { return kKinds[static_cast<size_t>(kind)]; }

std::optional<Kind> kind_named(std::string_view name) {
  for (size_t i = 0; i < kKinds.size(); ++i) {
    if (kKinds[i].name == name) return static_cast<Kind>(i);
  }
  return std::nullopt;
}

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds(kKinds.size());
  for (size_t i = 0; i < kinds.size(); ++i) kinds[i] = static_cast<Kind>(i);
  return kinds;
}

Diagnostic& Diagnostics::report(Kind kind, Span span, std::string message) {
  for (Diagnostic& known : all_) {
    if (known.kind == kind && known.span == span && known.message == message) return known;
  }
  if (info(kind).severity == Severity::error) ++errors_;
  all_.push_back({kind, span, std::move(message), {}, {}, {}});
  return all_.back();
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  // One edit for short words, more for long ones; a difference of case alone is always near.
  const std::string wanted = folded(name);
  const size_t limit = name.size() <= 4 ? 1 : name.size() <= 8 ? 2 : 3;
  size_t best = limit + 1;
  const std::string* found = nullptr;
  for (const std::string& candidate : candidates) {
    if (candidate == name || candidate.empty()) continue;
    const size_t distance = edit_distance(wanted, folded(candidate), limit);
    // As many edits as letters would make any word near.
    if (distance >= std::min(name.size(), candidate.size()) && distance > 0) continue;
    if (distance < best) {
      best = distance;
      found = &candidate;
    }
  }
  return found ? *found : std::string();
}

}  // namespace wend
