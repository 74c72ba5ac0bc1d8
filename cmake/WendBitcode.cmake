# wend_embed_bitcode(OUTVAR SYMBOL SOURCE...): compiles the sources to LLVM bitcode with clang, links them to one module
# and generates OUTVAR, a .cpp that holds its bytes:
#   extern const unsigned char SYMBOL[];  extern const std::size_t SYMBOL_size;      (namespace wend::codegen)
# The code is plain: no exceptions, no RTTI, no sanitizer, no fused multiply-add, baseline CPU, so that what the JIT
# inlines computes the same bits as the rest of the runtime.
function(wend_embed_bitcode outvar symbol)
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/bitcode")
  file(MAKE_DIRECTORY "${dir}")
  set(modules)
  foreach(source IN LISTS ARGN)
    get_filename_component(name "${source}" NAME_WE)
    set(module "${dir}/${symbol}.${name}.bc")
    add_custom_command(OUTPUT "${module}"
      COMMAND "${WEND_BITCODE_CXX}" -std=c++20 -O2 -emit-llvm -c -fno-exceptions -fno-rtti -ffp-contract=off
              -fno-stack-protector -fno-char8_t -DNDEBUG -DWEND_BITCODE=1 -I "${PROJECT_SOURCE_DIR}"
              -I "${PROJECT_SOURCE_DIR}/runtime/include" -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -Wall -Wextra
              -MD -MF "${module}.d" -MT "${module}" -o "${module}" "${source}"
      DEPENDS "${source}" DEPFILE "${module}.d" COMMENT "Bitcode of ${name}" VERBATIM)
    list(APPEND modules "${module}")
  endforeach()
  add_custom_command(OUTPUT "${dir}/${symbol}.cpp"
    COMMAND "${WEND_LLVM_LINK}" -o "${dir}/${symbol}.linked.bc" ${modules}
    COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/cmake/embed.py" wend::codegen ${symbol} "${dir}/${symbol}.linked.bc"
            "${dir}/${symbol}.cpp"
    DEPENDS ${modules} "${PROJECT_SOURCE_DIR}/cmake/embed.py" COMMENT "Embedding ${symbol}" VERBATIM)
  set(${outvar} "${dir}/${symbol}.cpp" PARENT_SCOPE)
endfunction()
