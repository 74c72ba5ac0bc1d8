// Any JSON as tools: a pool is made of them without a crash, what is drawn for a parameter is what its schema allows,
// and a mock takes a call of such values; it takes any bytes as arguments. The input: tools, a zero byte, arguments.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/mock/mock_tools.h"
#include "runtime/tools/graph.h"
#include "runtime/tools/import.h"
#include "runtime/tools/pool.h"

namespace {

using namespace wend::tools;

void require(bool holds, const char* what, std::string_view about = {}) {
  if (holds) return;
  std::fprintf(stderr, "%s %.*s\n", what, static_cast<int>(about.size()), about.data());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t zero = std::min(input.find('\0'), input.size());
  const Json document = Json::parse(input.substr(0, zero), nullptr, false);
  if (document.is_discarded()) return 0;
  const std::string_view arguments = input.substr(std::min(zero + 1, input.size()));
  Values values;
  values.add(Json::parse(R"({"city": ["Oslo", "Rome"], "first": ["Ann"], "person": "{first} ##", "x_id": "X-##"})"))
      .value();
  const Pool pool(import_tools(document, ToolFormat::utal).tools, values);
  const Graph graph(pool, GraphLimits{8});
  for (const Edge& edge : graph.edges()) require(graph.joined(edge.from, edge.to), "an edge that joins nothing");
  wend::Random random(size);
  for (const PoolTool& tool : pool.tools()) {
    wend::mock::MockTools mock(pool, wend::mock::Strictness::strict, 1);
    require(!mock.call(tool.name, arguments).text.empty(), "no reply");
    if (!tool.unusable.empty()) continue;
    std::string call = "{";
    for (const Parameter& parameter : tool.parameters) {
      const Value value = pool.draw(parameter.type, random);
      require(pool.fits(parameter.type, value), "a value does not fit:", value.json);
      call += (call.size() > 1 ? "," : "") + text_value(parameter.name).json + ":" + value.json;
    }
    call += "}";
    mock.hear(call);
    const wend::mock::Reply reply = mock.call(tool.name, call);
    require(!reply.error, "a call of drawn values is refused:", reply.text);
    require(!Json::parse(reply.text, nullptr, false).is_discarded(), "a reply is no JSON:", reply.text);
  }
  return 0;
}
