#include "compiler/driver/belief_print.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compiler/driver/evidence.h"
#include "compiler/driver/exact_json.h"
#include "compiler/source/visible.h"

namespace wend::driver {

extern const unsigned char belief_page[];
extern const size_t belief_page_size;

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kShownText = 160;  // characters

std::string shown(std::string_view text) { return visible(shortened(text, kShownText)); }

// One line that cannot move the cursor: control characters as JSON has them, but quotes as they are.
std::string line_of(const Json& json) {
  const std::string written = exact_text(json);
  if (!written.starts_with('"')) return shown(written);
  std::string line;
  for (size_t i = 1; i + 1 < written.size(); ++i) {
    if (written[i] == '\\' && written[++i] != '"') line += '\\';
    line += written[i];
  }
  return shown(line);
}

// One step as text.
class StepText {
 public:
  StepText(const BeliefInfo& belief, bool color) : belief_(belief), color_(color) {}

  std::string of(const BeliefStep& step) {
    this->step(step);
    return std::move(out_);
  }

 private:
  void line(std::string_view text) { out_ += fmt::format("{}\n", text); }

  std::string styled(const char* style, const std::string& text) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", style, text) : text;
  }
  // Where there is no strike through, tildes as in Markdown.
  std::string struck(const std::string& text) const { return color_ ? styled("9;31", text) : "~~" + text + "~~"; }

  void step(const BeliefStep& step) {
    const Json& m = step.message;
    const std::string head = fmt::format("message {}, turn {}, {}", m["number"].get<int>(), m["turn"].get<int>(),
                                         m["role"].get<std::string>());
    line("");
    line(styled("1", head) + (m.contains("text") ? ": " + line_of(m["text"]) : ""));
    if (m.contains("calls")) {
      for (const Json& call : m["calls"]) line("  " + call_text(call["name"], call["arguments"]));
    }
    changed_.clear();
    for (const Json& change : step.changes) {
      changed_.insert(change["field"].get<std::string>() + "\n" + change.value("key", ""));
    }
    for (const BeliefFieldInfo& field : belief_.fields) this->field(field, step.state[field.name]);
  }

  bool changed(const std::string& field, const std::string& key = "") const {
    return changed_.contains(field + "\n" + key);
  }

  void row(bool changed, const std::string& name, const std::string& text) {
    const std::string mark = changed ? styled("32", "*") : " ";
    line(text.empty() ? fmt::format("  {} {}", mark, name) : fmt::format("  {} {:<14} {}", mark, name, text));
  }
  // Items below their field's name.
  void item(bool changed, const std::string& text) {
    line(fmt::format("    {} {}", changed ? styled("32", "*") : " ", text));
  }

  static std::string call_text(const Json& name, const Json& args) {
    std::string text = line_of(name) + "(";
    for (auto arg = args.begin(); arg != args.end(); ++arg) {
      text += fmt::format("{}{}: {}", arg == args.begin() ? "" : ", ", arg.key(), exact_text(*arg));
    }
    return shown(text + ")");
  }

  std::string slot_text(const Json& slot) const {
    std::string text = fmt::format("{}.{} = {}", line_of(slot["tool"]), line_of(slot["param"]),
                                   slot["value"].is_null() ? "none" : shown(exact_text(slot["value"])));
    if (slot["confirmed"].get<bool>()) text += "  confirmed";
    for (const Json& value : slot["replaced"]) text += "  " + struck(shown(exact_text(value)));
    return text + fmt::format("  (turn {})", slot["turn"].get<int>());
  }

  static std::string item_text(FieldKind kind, const Json& item) {
    switch (kind) {
      case FieldKind::stack:
        return fmt::format("{}  (turn {})", line_of(item["text"]), item["turn"].get<int>());
      case FieldKind::queue:
        return line_of(item["text"]) + (item["suspended"].get<bool>() ? "  suspended" : "");
      case FieldKind::objects:
        return fmt::format("{}: {}, {}", line_of(item["id"]), line_of(item["type"]), line_of(item["status"]));
      case FieldKind::references:
        return fmt::format("\"{}\" = {}", line_of(item["phrase"]), shown(exact_text(item["value"])));
      default:
        return line_of(item);
    }
  }

  static std::string item_key(FieldKind kind, const Json& item) {
    const char* name = kind == FieldKind::objects ? "id" : kind == FieldKind::references ? "phrase" : "text";
    if (!item.is_object() || !item.contains(name)) return item.is_string() ? item.get<std::string>() : item.dump();
    return item[name].is_string() ? item[name].get<std::string>() : item[name].dump();
  }

  void list(const BeliefFieldInfo& field, const Json& items) {
    // What has gone leaves nothing to mark but its field.
    bool gone = false;
    std::set<std::string> present;
    for (const Json& item : items) present.insert(key(field.kind, item));
    for (const std::string& change : changed_) {
      const size_t end = change.find('\n');
      gone = gone || (change.substr(0, end) == field.name && !present.contains(change.substr(end + 1)));
    }
    row(gone, field.name, items.empty() ? "none" : "");
    for (const Json& item : items) {
      const bool marked = changed(field.name, key(field.kind, item));
      this->item(marked, field.kind == FieldKind::slots ? slot_text(item) : item_text(field.kind, item));
    }
  }

  static std::string key(FieldKind kind, const Json& item) {
    if (kind != FieldKind::slots) return item_key(kind, item);
    return item["tool"].get<std::string>() + "." + item["param"].get<std::string>();
  }

  void field(const BeliefFieldInfo& field, const Json& value) {
    switch (field.kind) {
      case FieldKind::slots:
      case FieldKind::stack:
      case FieldKind::queue:
      case FieldKind::objects:
      case FieldKind::references:
      case FieldKind::texts:
      case FieldKind::values:
        return list(field, value);
      case FieldKind::goal:
        return row(changed(field.name), field.name,
                   value.is_null() || value["text"].is_null()
                       ? "none"
                       : fmt::format("{}  (turn {})", line_of(value["text"]), value["turn"].get<int>()));
      case FieldKind::last: {
        std::string text = "none";
        if (!value.is_null()) {
          text = call_text(value["tool"], value["args"]);
          if (!value["result"].is_null()) text += " -> " + line_of(value["result"]);
          if (value["error"].get<bool>()) text += "  error";
        }
        return row(changed(field.name), field.name, text);
      }
      default:
        return row(changed(field.name), field.name, value.is_null() ? "none" : line_of(value));
    }
  }

  const BeliefInfo& belief_;
  bool color_;
  std::set<std::string> changed_;  // "FIELD\nKEY"
  std::string out_;
};

const char* kind_name(FieldKind kind) {
  switch (kind) {
    case FieldKind::slots:
      return "slots";
    case FieldKind::goal:
      return "goal";
    case FieldKind::stack:
      return "stack";
    case FieldKind::last:
      return "last";
    case FieldKind::queue:
      return "queue";
    case FieldKind::objects:
      return "objects";
    case FieldKind::references:
      return "references";
    case FieldKind::label:
      return "label";
    default:
      return "value";
  }
}

std::string block_text(const BeliefStep& step) {
  if (!step.block) return "";
  std::string text = "\n" + visible(*step.block);
  if (!step.block->ends_with('\n')) text += "\n";
  if (step.over_budget) text += "(over the budget of its render: nothing more may be shortened)\n";
  return text;
}

// The lines of an indented JSON text, one level deeper.
std::string deeper(std::string_view json) {
  std::string text = "  ";
  for (char c : json) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text;
}

std::string page(const Json& data) {
  std::string json;
  // Inside a script element nothing but `<` could end it.
  for (char c : text_for_doubles(data)) json += c == '<' ? std::string("\\u003c") : std::string(1, c);
  std::string page(reinterpret_cast<const char*>(belief_page), belief_page_size);
  constexpr std::string_view kPlace = "@DATA@";
  return page.replace(page.find(kPlace), kPlace.size(), json);
}

}  // namespace

void BeliefPrinter::begin() {
  switch (options_.format) {
    case BeliefFormat::text:
      return out_(line_of(id_) + "\n");
    case BeliefFormat::json:
      return out_("[");
    case BeliefFormat::json_line:
      return out_(fmt::format(R"({{"id":{},"steps":[)", Json(id_).dump()));
    case BeliefFormat::page:
      steps_ = Json::array();
  }
}

void BeliefPrinter::step(const BeliefStep& step) {
  switch (options_.format) {
    case BeliefFormat::text: {
      std::string block = block_text(step);
      out_(StepText(belief_, options_.color).of(step) + (options_.every_block ? block : ""));
      last_block_ = std::move(block);
      break;
    }
    case BeliefFormat::json:
      out_((first_ ? "\n" : ",\n") + deeper(exact_text(step_json(step), 2)));
      break;
    case BeliefFormat::json_line:
      out_((first_ ? "" : ",") + exact_text(step_json(step)));
      break;
    case BeliefFormat::page:
      steps_.push_back(step_json(step));
  }
  first_ = false;
}

void BeliefPrinter::end() {
  switch (options_.format) {
    case BeliefFormat::text:
      if (!options_.every_block) out_(last_block_);
      return;
    case BeliefFormat::json:
      return out_(first_ ? "]\n" : "\n]\n");
    case BeliefFormat::json_line:
      return out_("]}\n");
    case BeliefFormat::page: {
      Json fields = Json::array();
      for (const BeliefFieldInfo& field : belief_.fields) {
        fields.push_back({{"name", field.name}, {"kind", kind_name(field.kind)}});
      }
      out_(page({{"id", id_},
                 {"belief", belief_.name},
                 {"spec", program_.name},
                 {"render", options_.render},
                 {"fields", fields},
                 {"steps", std::move(steps_)}}));
    }
  }
}

}  // namespace wend::driver
