# Third-party libraries, each as one imported target whatever way its package describes itself.

find_package(Threads REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(CURL REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)

# wend_import_library(TARGET HEADER LIBRARY): a library whose package has no (working) CMake description.
function(wend_import_library target header library)
  string(MAKE_C_IDENTIFIER "${target}" id)
  find_path(WEND_${id}_INCLUDE ${header} PATH_SUFFIXES antlr4-runtime REQUIRED)
  find_library(WEND_${id}_LIBRARY ${library} REQUIRED)
  mark_as_advanced(WEND_${id}_INCLUDE WEND_${id}_LIBRARY)
  add_library(${target} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${WEND_${id}_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${WEND_${id}_INCLUDE}")
endfunction()

wend_import_library(wend::re2 re2/re2.h re2)
wend_import_library(wend::utf8proc utf8proc.h utf8proc)
wend_import_library(wend::antlr4 antlr4-runtime.h antlr4-runtime)
find_program(WEND_ANTLR4_TOOL antlr4 REQUIRED)

# LLVM: one shared library. Its includes and definitions reach wend_codegen only.
if(NOT LLVM_DIR)
  set(LLVM_DIR /usr/lib/llvm-19/lib/cmake/llvm CACHE PATH "Folder of LLVMConfig.cmake")
endif()
find_package(LLVM 19.1 REQUIRED CONFIG)
add_library(wend_llvm INTERFACE)
target_include_directories(wend_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(wend_llvm INTERFACE ${llvm_definitions})
target_link_libraries(wend_llvm INTERFACE LLVM)
find_program(WEND_BITCODE_CXX NAMES clang++-19 clang++ HINTS "${LLVM_TOOLS_BINARY_DIR}" REQUIRED)
find_program(WEND_LLVM_LINK NAMES llvm-link-19 llvm-link HINTS "${LLVM_TOOLS_BINARY_DIR}" REQUIRED)

find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(WEND_TESTS)
  find_package(GTest REQUIRED)
endif()
if(WEND_BENCH)
  find_package(benchmark REQUIRED)
endif()
