// What can be asked of the code generator.
#ifndef WEND_COMPILER_CODEGEN_OPTIONS_H_
#define WEND_COMPILER_CODEGEN_OPTIONS_H_

#include <cstdint>

namespace wend::codegen {

enum class Level : uint8_t {
  O0,  // fastest to compile
  O2,
};

// The oldest processor that the code must run on.
enum class Cpu : uint8_t {
  host,       // this one, all its features
  x86_64_v2,  // from about 2009 on
  x86_64_v3,  // AVX2: from about 2013 on
};

enum class Artifact : uint8_t {
  ir,        // LLVM's text form, after the passes of the level
  assembly,  // text
  object,    // position-independent ELF
};

struct LowerOptions {
  Level level = Level::O2;
  Cpu cpu = Cpu::host;
  bool debug = true;    // line tables of the spec, for debuggers and profilers
  bool tables = false;  // export wend_program_get and nothing else, rather than the functions of a wend_program
};

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_OPTIONS_H_
