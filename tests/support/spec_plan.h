// Specs made into plans, in tests. Tests run in the root of the repository.
#ifndef WEND_TESTS_SUPPORT_SPEC_PLAN_H_
#define WEND_TESTS_SUPPORT_SPEC_PLAN_H_

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include "compiler/plan/build.h"
#include "compiler/sema/check.h"
#include "compiler/source/diagnostic.h"

namespace wend {

// The plan of a spec. Throws what `wend check` would print.
inline std::shared_ptr<const plan::Plan> plan_of(const std::string& file) {
  SourceSet sources;
  Diagnostics diagnostics;
  const sema::Checked checked = sema::check_files(sources, {file}, sema::SearchPath{{"stdlib", "specs"}}, diagnostics);
  if (diagnostics.has_errors()) throw std::runtime_error(render_text(diagnostics, sources, false));
  return std::make_shared<const plan::Plan>(plan::build(checked.program, sources));
}

// The same of declarations, in a module of their own.
inline std::shared_ptr<const plan::Plan> plan_of_text(const std::string& declarations) {
  static std::atomic<int> number = 0;
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("spec_" + std::to_string(getpid()) + "_" + std::to_string(number++) + ".wend");
  std::ofstream(file) << "edition 1\nmodule test.spec\n" << declarations;
  auto plan = plan_of(file.string());
  std::filesystem::remove(file);
  return plan;
}

}  // namespace wend

#endif  // WEND_TESTS_SUPPORT_SPEC_PLAN_H_
