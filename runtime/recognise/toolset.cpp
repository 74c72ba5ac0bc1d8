#include "runtime/recognise/toolset.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

#include "runtime/data/json_cursor.h"
#include "runtime/data/text.h"
#include "runtime/recognise/lexicon.h"
#include "runtime/recognise/names.h"

namespace wend::recognise {
namespace {

using State = Toolset::State;

WordHints& hints_at(State& state, std::string_view stem) {
  const uint32_t number = state.stems.add(word_key(stem));
  if (state.hints.size() < state.stems.size()) state.hints.resize(state.stems.size());
  return state.hints[number];
}

void add_hint(State& state, std::string_view stem, uint32_t param, Hint::Kind kind) {
  std::vector<Hint>& hints = hints_at(state, stem).params;
  for (const Hint& hint : hints) {
    if (hint.param == param && hint.kind <= kind) return;
  }
  hints.push_back({param, kind});
}

// Groups of words that mean the same, as lists of stems.
void add_group_hints(State& state, std::string_view stem, uint32_t param) {
  const uint8_t group = group_of(stem);
  if (group == 0) return;
  for (const std::string& other : stems_of_group(group)) {
    if (other != stem) add_hint(state, other, param, Hint::group);
  }
}

// A JSON string's own text; other JSON as it is.
std::string plain(const std::string& json) {
  if (json.size() < 2 || json.front() != '"') return json;
  std::string out(json.size() + kKernelSlack, '\0');
  const std::string padded = json + std::string(kKernelSlack, '\0');
  const Unescaped text = unescape_json(std::string_view(padded).substr(1, json.size() - 2), out.data());
  out.resize(text.error ? 0 : text.size);
  return out;
}

bool weak_choice(const Tokens& tokens, const std::vector<uint32_t>& words) {
  if (words.size() != 1) return false;
  const Token& token = tokens[words[0]];
  return token.digits || token.fold_size <= 2 || common(tokens.folded(words[0]));
}

void add_choice_words(State& state, uint32_t param, uint32_t index, const std::string& json, std::string_view text) {
  Tokens tokens;
  tokens.read(text);
  std::vector<uint32_t> words;
  for (uint32_t i = 0; i < tokens.size(); ++i) {
    if (!tokens.sign(i, '-')) words.push_back(i);
  }
  uint32_t node = Trie::kRoot;
  for (uint32_t i : words) node = state.choice_words.add(node, tokens[i].key, tokens.folded(i), 0);
  if (node == Trie::kRoot) return;
  if (state.choice_ends.size() < state.choice_words.nodes()) state.choice_ends.resize(state.choice_words.nodes());
  ChoiceSet& set = state.choice_ends[node];
  set.weak |= weak_choice(tokens, words) || (json.front() != '"' && json != "true" && json != "false");
  for (const Choice& choice : set.choices) {
    if (choice.param == param) return;  // the first of choices that read the same
  }
  set.choices.push_back({param, index});
}

// A choice as it is, and with its underscores as spaces.
void add_choice(State& state, uint32_t param, uint32_t index, const std::string& json) {
  std::string text = plain(json);
  add_choice_words(state, param, index, json, text);
  if (text.find('_') == std::string::npos) return;
  std::replace(text.begin(), text.end(), '_', ' ');
  add_choice_words(state, param, index, json, text);
}

// Finds the choices that say yes and no, if these are the choices.
bool find_truths(Param& param) {
  if (param.choices.size() != 2) return false;
  std::string said[2] = {plain(param.choices[0]), plain(param.choices[1])};
  for (std::string& text : said) {
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  for (const auto& [yes, no] : {std::pair<std::string_view, std::string_view>{"true", "false"}, {"yes", "no"}}) {
    for (uint32_t first : {0u, 1u}) {
      if (said[first] != yes || said[1 - first] != no) continue;
      param.yes = first;
      param.no = 1 - first;
      return true;
    }
  }
  return false;
}

void find_numbers(Param& param) {
  bool any = false;
  for (const std::string& choice : param.choices) {
    const std::string text = plain(choice);
    double number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = !text.empty() && end.ec == std::errc() && end.ptr == text.data() + text.size();
    param.numbers.push_back(whole ? number : std::numeric_limits<double>::quiet_NaN());
    any |= whole;
  }
  if (!any) param.numbers.clear();
}

void add_param(State& state, uint32_t tool, const ParamSchema& schema) {
  const auto index = static_cast<uint32_t>(state.params.size());
  Param param;
  param.name = schema.name;
  param.tool = tool;
  param.type = schema.type;
  param.list = schema.type == WEND_JSON_LIST;
  param.namesake = index;
  for (uint32_t other = 0; other < index && param.namesake == index; ++other) {
    if (state.params[other].name == schema.name) param.namesake = other;
  }
  param.kind = kind_of(schema.name, schema.type, !schema.choices.empty());
  param.choices = schema.choices;
  if (param.kind == ParamKind::choice && find_truths(param)) param.kind = ParamKind::flag;
  param.stems = name_stems(schema.name);
  param.name_keys = name_keys(schema.name);
  std::string first_flag_stem;
  for (const std::string& word : name_words(schema.name)) {
    const Word known = lookup(word_key(word), word);
    const std::string stem = stem_of(word);
    param.roles |= roles_of(stem);
    if (!has(known, kFlagFiller) && first_flag_stem.empty()) first_flag_stem = stem;
    if (!has(known, kFlagFiller)) param.flag_keys.push_back(word_key(stem));
    if (!has(known, kCommon)) {
      param.asked_keys.push_back(word_key(stem));
      param.asked_with.push_back(asked_with(stem));
    }
    if (!has(known, kCommon)) add_hint(state, stem, index, Hint::name);
  }
  for (const std::string& stem : param.stems) add_group_hints(state, stem, index);
  if (param.kind == ParamKind::flag && !first_flag_stem.empty()) {
    hints_at(state, first_flag_stem).flags.push_back(index);
  }
  if (param.kind == ParamKind::choice) {
    find_numbers(param);
    if (!param.numbers.empty()) state.numeric_choices.push_back(index);
    for (uint32_t i = 0; i < param.choices.size(); ++i) add_choice(state, index, i, param.choices[i]);
  }
  state.by_kind[static_cast<size_t>(param.kind)].push_back(index);
  state.params.push_back(std::move(param));
}

void add_tool_words(State& state) {
  for (uint32_t tool = 0; tool < state.tools.size(); ++tool) {
    std::set<std::string> stems;
    for (const std::string& word : name_words(state.tools[tool].name)) {
      if (!common(word)) stems.insert(stem_of(word));
    }
    for (const std::string& stem : stems) hints_at(state, stem).tools.push_back(tool);
  }
  if (state.tools.size() < 2) return;
  for (WordHints& hints : state.hints) {
    if (2 * hints.tools.size() > state.tools.size()) hints.tools.clear();
  }
}

std::string_view view(const wend_batch& batch, uint32_t text) {
  if (text == WEND_NONE) return {};
  const wend_bytes& bytes = static_cast<const wend_bytes*>(batch.columns[WEND_COLUMN_text_data])[text];
  return {bytes.data, bytes.size};
}

template <class T>
const T* column(const wend_batch& batch, wend_column which) {
  return static_cast<const T*>(batch.columns[which]);
}

ParamSchema schema_of(const wend_batch& batch, uint32_t param) {
  ParamSchema schema;
  schema.name = view(batch, column<uint32_t>(batch, WEND_COLUMN_param_name)[param]);
  schema.type = column<uint8_t>(batch, WEND_COLUMN_param_type)[param];
  const wend_span choices = column<wend_span>(batch, WEND_COLUMN_param_choices)[param];
  for (uint32_t i = choices.begin; i < choices.end; ++i) {
    const uint32_t value = column<uint32_t>(batch, WEND_COLUMN_choice_value)[i];
    const std::string_view text = view(batch, column<uint32_t>(batch, WEND_COLUMN_value_text)[value]);
    std::string json;
    if (column<uint8_t>(batch, WEND_COLUMN_value_type)[value] == WEND_JSON_TEXT) {
      append_json_string(text, json);
    } else {
      json = text;
    }
    schema.choices.push_back(std::move(json));
  }
  return schema;
}

}  // namespace

Toolset::Toolset() : state_(std::make_unique<State>()) {}
Toolset::~Toolset() = default;
Toolset::Toolset(Toolset&&) noexcept = default;
Toolset& Toolset::operator=(Toolset&&) noexcept = default;

Toolset Toolset::compile(std::span<const ToolSchema> tools) {
  Toolset set;
  State& state = *set.state_;
  state.choice_ends.resize(1);
  for (const ToolSchema& tool : tools) {
    const auto index = static_cast<uint32_t>(state.tools.size());
    const auto first = static_cast<uint32_t>(state.params.size());
    for (const ParamSchema& param : tool.params) add_param(state, index, param);
    state.tools.push_back({tool.name, first, static_cast<uint32_t>(state.params.size())});
  }
  add_tool_words(state);
  return set;
}

Toolset Toolset::compile(const wend_batch& batch, wend_span pool) {
  std::vector<ToolSchema> tools;
  for (uint32_t tool = pool.begin; tool < pool.end; ++tool) {
    ToolSchema schema;
    schema.name = view(batch, column<uint32_t>(batch, WEND_COLUMN_tool_name)[tool]);
    const wend_span params = column<wend_span>(batch, WEND_COLUMN_tool_params)[tool];
    for (uint32_t param = params.begin; param < params.end; ++param) schema.params.push_back(schema_of(batch, param));
    tools.push_back(std::move(schema));
  }
  return compile(tools);
}

uint32_t Toolset::n_tools() const { return static_cast<uint32_t>(state_->tools.size()); }
uint32_t Toolset::n_params() const { return static_cast<uint32_t>(state_->params.size()); }
std::string_view Toolset::tool_name(uint32_t tool) const { return state_->tools[tool].name; }
std::string_view Toolset::param_name(uint32_t param) const { return state_->params[param].name; }
uint32_t Toolset::tool_of(uint32_t param) const { return state_->params[param].tool; }

uint32_t Toolset::find_tool(std::string_view name) const {
  for (uint32_t i = 0; i < n_tools(); ++i) {
    if (state_->tools[i].name == name) return i;
  }
  return kNone;
}

uint32_t Toolset::find_param(uint32_t tool, std::string_view name) const {
  if (tool >= n_tools()) return kNone;
  for (uint32_t i = state_->tools[tool].first_param; i < state_->tools[tool].last_param; ++i) {
    if (state_->params[i].name == name) return i;
  }
  return kNone;
}

}  // namespace wend::recognise
