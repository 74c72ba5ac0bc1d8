// include/wend/mock.h over MockTools.
#include <algorithm>
#include <cstring>
#include <memory>

#include "runtime/include/wend/mock.h"
#include "runtime/mock/mock_tools.h"
#include "runtime/tools/import.h"

using wend::Error;
using wend::Result;
using wend::mock::MockTools;
using wend::tools::Json;
using wend::tools::Pool;

struct wend_pool {
  std::shared_ptr<const Pool> pool;
};
struct wend_mock {
  std::shared_ptr<const Pool> pool;
  MockTools tools;
  std::string text;
};

namespace {

std::string_view view(wend_bytes bytes) { return {bytes.data, bytes.size}; }

// One document, or a list of the lines.
Json parsed(std::string_view text) {
  Json document = Json::parse(text, nullptr, false);
  if (!document.is_discarded()) return document;
  Json lines = Json::array();
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Json one = Json::parse(line, nullptr, false);
    if (one.is_discarded()) return one;
    lines.push_back(std::move(one));
  }
  return lines;
}

Result<std::shared_ptr<const Pool>> parse_pool(std::string_view tools, std::string_view values) {
  const Json document = parsed(tools);
  if (document.is_discarded()) return Error{"the tools are no JSON"};
  const auto format = wend::tools::recognise_tools(document);
  if (!format) return Error{"these are no tools of a known format"};
  wend::tools::ImportedTools imported = wend::tools::import_tools(document, *format);
  if (imported.tools.empty()) return Error{"there are no tools"};
  wend::tools::Values kinds;
  if (!values.empty()) {
    const Json given = Json::parse(values, nullptr, false);
    if (given.is_discarded()) return Error{"the kinds of values are no JSON"};
    const Result<void> added = kinds.add(given);
    if (!added) return added.error();
  }
  return std::make_shared<const Pool>(imported.tools, std::move(kinds));
}

}  // namespace

wend_pool* wend_pool_parse(const char* tools, size_t tools_size, const char* values, size_t values_size, char* error,
                           size_t error_size) {
  const Result<std::shared_ptr<const Pool>> pool =
      parse_pool(tools ? std::string_view(tools, tools_size) : "", values ? std::string_view(values, values_size) : "");
  if (pool) return std::make_unique<wend_pool>(wend_pool{*pool}).release();
  if (error && error_size > 0) {
    const size_t n = std::min(pool.error().message.size(), error_size - 1);
    std::memcpy(error, pool.error().message.data(), n);
    error[n] = '\0';
  }
  return nullptr;
}

void wend_pool_close(wend_pool* pool) { const std::unique_ptr<wend_pool> owner(pool); }

wend_mock* wend_mock_open(const wend_pool* pool, int strict, uint64_t seed) {
  const auto how = strict ? wend::mock::Strictness::strict : wend::mock::Strictness::forgiving;
  return std::make_unique<wend_mock>(wend_mock{pool->pool, MockTools(*pool->pool, how, seed), {}}).release();
}

void wend_mock_close(wend_mock* mock) { const std::unique_ptr<wend_mock> owner(mock); }

void wend_mock_expect(wend_mock* mock, wend_bytes tool, wend_bytes arguments, wend_bytes result) {
  mock->tools.expect(view(tool), view(arguments), view(result));
}

void wend_mock_hear(wend_mock* mock, wend_bytes text) { mock->tools.hear(view(text)); }

void wend_mock_call(wend_mock* mock, wend_bytes tool, wend_bytes arguments, wend_mock_reply* reply) {
  wend::mock::Reply made = mock->tools.call(view(tool), view(arguments));
  mock->text = std::move(made.text);
  *reply = {{mock->text.data(), mock->text.size()},
            made.error ? 1 : 0,
            made.expected ? 1 : 0,
            static_cast<uint32_t>(made.would_refuse)};
}

void wend_mock_counts(const wend_mock* mock, uint64_t* counts) {
  const auto& all = mock->tools.counts();
  std::copy(all.begin(), all.end(), counts);
}
