// Operations of an OpenAPI 3 document as tools.
#ifndef WEND_RUNTIME_TOOLS_OPENAPI_H_
#define WEND_RUNTIME_TOOLS_OPENAPI_H_

#include "runtime/tools/import.h"

namespace wend::tools {

// A tool for each operation. Parameters are those of path and query and the members of a JSON body; headers and cookies
// are the transport's. What it returns is the JSON of its first 2xx response. `$ref` is followed inside the document; a
// schema inside itself may be anything.
void import_openapi(const Json& document, ImportedTools& out);

}  // namespace wend::tools

#endif  // WEND_RUNTIME_TOOLS_OPENAPI_H_
