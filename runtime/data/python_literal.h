// Python literals and call expressions, as JSON.
//
// Agents and benchmarks write arguments the way Python prints them: {'a': True, 'b': (1, 2), 'c': None}. These
// functions turn such text into JSON text, so that everything after them reads JSON only. They never evaluate anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wend {

// Appends the JSON of the literal that `text` is; false if it is none (names other than True, False, None and their
// JSON spellings; expressions; anything after the literal).
bool python_literal_to_json(std::string_view text, std::string& json);

// An argument of a call expression: `name` is empty if it is positional.
struct PythonArgument {
  std::string name;
  std::string json;
};
struct PythonCall {
  std::string name;  // may have dots
  std::vector<PythonArgument> arguments;
};

// Reads "name(a, key=b)". False if `text` is no call of literals.
bool read_python_call(std::string_view text, PythonCall& call);

}  // namespace wend
