#include "compiler/driver/labelling.h"

#include <fmt/format.h>

#include "compiler/driver/console.h"
#include "compiler/driver/judging.h"

namespace wend::driver {

Made<std::unique_ptr<belief::LabelJudge>> open_labelling(const JudgeOptions& options, const ProgramInfo& info) {
  if (options.judge == "rule") return std::unique_ptr<belief::LabelJudge>();
  Result<HttpJudge> http = open_http_judge(options);
  if (!http) return Failure{complain(Exit::usage, http.error().message)};
  return std::make_unique<belief::LabelJudge>(std::move(*http), info.classifiers);
}

void report_labelling(const belief::LabelJudge& judge, const ProgramInfo& info, bool quiet) {
  for (const auto& [key, n] : judge.counts()) {
    const auto& [classifier, status] = key;
    const std::string line = fmt::format("judge {}: {} {}", info.classifiers[classifier].name, n, to_string(status));
    if (status != JudgeStatus::ok) {
      warn(line + "; the rule stands");
    } else if (!quiet) {
      note(line);
    }
  }
  for (const std::string& warning : judge.warnings()) warn(warning);
}

}  // namespace wend::driver
