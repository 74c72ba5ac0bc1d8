# wend_antlr_parser(TARGET): an object library of the lexer and parser generated from grammar/WendLexer.g4 and
# grammar/WendParser.g4 (namespace wend::grammar, no listener, no visitor: the AST builder walks the contexts itself).
# Generated code is not ours to style: it gets no warning flags, and some optimisation even in a debug build, because the
# parser is unusably slow without. The runtime's headers predate char8_t.
function(wend_antlr_parser target)
  set(grammars "${PROJECT_SOURCE_DIR}/grammar/WendLexer.g4" "${PROJECT_SOURCE_DIR}/grammar/WendParser.g4")
  set(out "${CMAKE_CURRENT_BINARY_DIR}/generated")
  set(outputs "${out}/WendLexer.cpp" "${out}/WendLexer.h" "${out}/WendParser.cpp" "${out}/WendParser.h")
  file(MAKE_DIRECTORY "${out}")
  add_custom_command(OUTPUT ${outputs}
    COMMAND "${WEND_ANTLR4_TOOL}" -Dlanguage=Cpp -Werror -no-listener -no-visitor -package wend::grammar -Xexact-output-dir
            -o "${out}" ${grammars}
    DEPENDS ${grammars}
    COMMENT "Generating the parser"
    VERBATIM)
  add_library(${target} OBJECT ${outputs})
  target_include_directories(${target} SYSTEM PUBLIC "${out}")
  target_link_libraries(${target} PUBLIC wend::antlr4)
  target_compile_options(${target} PUBLIC -fno-char8_t PRIVATE -w)
  if(CMAKE_BUILD_TYPE STREQUAL Debug)
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()
