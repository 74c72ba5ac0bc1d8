# Compiler settings that every target of ours shares.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(WEND_CCACHE ccache)
if(WEND_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${WEND_CCACHE}")
endif()
find_program(WEND_MOLD mold)
if(WEND_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# The interpreter, the JIT at every level and this compiler must agree to the last bit, so a*b+c is never contracted.
add_compile_options(-ffp-contract=off)

if(WEND_SANITIZE)
  add_compile_options(-fsanitize=${WEND_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${WEND_SANITIZE})
endif()
if(WEND_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "WEND_FUZZ needs clang (use the preset `fuzz`)")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Warnings of the code that we write; generated code does not link this.
add_library(wend_warnings INTERFACE)
# GCC 12 sees overlaps and uninitialised members in std::string where there are none (PR105329, PR105562).
target_compile_options(wend_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wno-restrict -Wno-maybe-uninitialized)
if(WEND_WERROR)
  target_compile_options(wend_warnings INTERFACE -Werror)
endif()
