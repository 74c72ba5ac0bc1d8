// JSON Schemas of tools: brought into one form, and made from examples.
#ifndef WEND_RUNTIME_TOOLS_SCHEMA_H_
#define WEND_RUNTIME_TOOLS_SCHEMA_H_

#include "runtime/tools/tool.h"

namespace wend::tools {

inline constexpr int kMaxSchemaDepth = 64;  // what is nested deeper may be anything

// The schema with types named as JSON Schema names them (`dict` is object, `float` number, `tuple` array, `STRING`
// string, `any` none...), in everything inside it. Other members stay as they are.
Json normal_schema(const Json& schema);

// The schema of an object of parameters: always {"type": "object", "properties", "required"}; `required` names
// properties only. A schema that is null or empty has no parameters.
Json parameters_schema(const Json& schema);

// The schema that the values allow: types, members, members that all objects have as `required`, one of items.
// Texts and numbers stay open: no `enum` is guessed.
Json schema_of(const Json& value);
// The schema of what either describes; both made by schema_of.
Json merged_schema(const Json& a, const Json& b);

// The schema of a ToolBench shape: an object or list with names of types in place of values.
Json schema_of_shape(const Json& shape);

}  // namespace wend::tools

#endif  // WEND_RUNTIME_TOOLS_SCHEMA_H_
