#include "runtime/belief/tools.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_set>

#include "runtime/data/pool.h"

namespace wend::belief {
namespace {

template <class T>
T element(const wend_batch& batch, uint32_t column, uint32_t row) {
  return static_cast<const T*>(batch.columns[column])[row];
}

// Copies rows of a batch into tables of their own.
class Copier {
 public:
  Copier(const wend_batch& batch, Tables& to) : batch_(batch), to_(to), c_(to.columns) {}

  // Of two tools with one name the first counts.
  void tool(uint32_t from) {
    if (!names_.insert(text(get(WEND_COLUMN_tool_name, from))).second) return;
    const uint32_t tool = c_.add<WEND_TABLE_tool>();
    c_.tool_name[tool] = to_.texts.intern_name(text(get(WEND_COLUMN_tool_name, from)));
    const uint32_t description = get(WEND_COLUMN_tool_description, from);
    c_.tool_description[tool] = description == WEND_NONE ? WEND_NONE : to_.texts.intern(text(description));
    const auto params = element<wend_span>(batch_, WEND_COLUMN_tool_params, from);
    const uint32_t begin = c_.rows[WEND_TABLE_param];
    for (uint32_t p = params.begin; p < params.end; ++p) param(tool, p);
    c_.tool_params[tool] = {begin, c_.rows[WEND_TABLE_param]};
  }

 private:
  void param(uint32_t tool, uint32_t from) {
    const uint32_t param = c_.add<WEND_TABLE_param>();
    c_.param_tool[param] = tool;
    c_.param_name[param] = to_.texts.intern_name(text(get(WEND_COLUMN_param_name, from)));
    c_.param_type[param] = element<uint8_t>(batch_, WEND_COLUMN_param_type, from);
    c_.param_required[param] = element<uint8_t>(batch_, WEND_COLUMN_param_required, from);
    const uint32_t given = get(WEND_COLUMN_param_default_value, from);
    c_.param_default_value[param] = given == WEND_NONE ? WEND_NONE : value(given);
    const auto choices = element<wend_span>(batch_, WEND_COLUMN_param_choices, from);
    const uint32_t begin = c_.rows[WEND_TABLE_choice];
    for (uint32_t i = choices.begin; i < choices.end; ++i) {
      const uint32_t choice = value(get(WEND_COLUMN_choice_value, i));
      c_.choice_value[c_.add<WEND_TABLE_choice>()] = choice;
    }
    c_.param_choices[param] = {begin, c_.rows[WEND_TABLE_choice]};
  }
  uint32_t get(uint32_t column, uint32_t row) const { return element<uint32_t>(batch_, column, row); }
  std::string_view text(uint32_t row) const {
    const auto bytes = element<wend_bytes>(batch_, WEND_COLUMN_text_data, row);
    return {bytes.data, bytes.size};
  }
  uint32_t value(uint32_t from) {
    const std::string_view own = text(get(WEND_COLUMN_value_text, from));
    const bool string = element<uint8_t>(batch_, WEND_COLUMN_value_type, from) == WEND_JSON_TEXT;
    return string ? to_.values.string(own) : to_.values.ReadText(own);
  }

  const wend_batch& batch_;
  Tables& to_;
  Columns& c_;
  std::unordered_set<std::string_view> names_;
};

std::shared_ptr<const Tools> finished(std::unique_ptr<Tools::Impl> impl) {
  Columns& c = impl->tables.columns;
  impl->tables.refresh();
  impl->toolset = recognise::Toolset::compile(impl->tables.batch(), {0, c.rows[WEND_TABLE_tool]});
  impl->tool_of_name.assign(c.rows[WEND_TABLE_text], WEND_NONE);
  for (uint32_t tool = c.rows[WEND_TABLE_tool]; tool-- > 0;) impl->tool_of_name[c.tool_name[tool]] = tool;
  return std::make_shared<Tools>(std::move(impl));
}

}  // namespace

Tools::Tools(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Tools::~Tools() = default;

const recognise::Toolset& Tools::toolset() const { return impl_->toolset; }

std::shared_ptr<const Tools> Tools::make(const wend_batch& batch, wend_span pool) {
  auto impl = std::make_unique<Impl>();
  Copier copier(batch, impl->tables);
  for (uint32_t tool = pool.begin; tool < pool.end; ++tool) copier.tool(tool);
  return finished(std::move(impl));
}

Result<std::shared_ptr<const Tools>> Tools::parse(std::string_view json) {
  if (json.empty()) return finished(std::make_unique<Impl>());
  Tables tables;
  PoolTable pools(tables.columns, tables.texts, tables.values);
  PaddedBuffer buffer;
  JsonIndex index;
  if (const char* cause = index.build(buffer.copy(json))) return Error{fmt::format("tools: {}", cause)};
  Cursor cursor = index.all();
  pools.read(cursor);
  if (cursor.ok()) cursor.end();
  if (!cursor.ok()) {
    return Error{fmt::format("{}: {} (at byte {})", pools.failed_key("tools"), cursor.error(), cursor.offset())};
  }
  tables.refresh();
  return make(tables.batch(), {0, tables.columns.rows[WEND_TABLE_tool]});
}

}  // namespace wend::belief
