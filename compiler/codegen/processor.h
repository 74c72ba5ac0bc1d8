// What this processor can do, as text: part of the key of what was compiled for it.
#ifndef WEND_COMPILER_CODEGEN_PROCESSOR_H_
#define WEND_COMPILER_CODEGEN_PROCESSOR_H_

#include <string>

namespace wend::codegen {

// Model and feature bits that the system lets programs use. Equal wherever the same code may run and is best.
std::string processor();

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_PROCESSOR_H_
