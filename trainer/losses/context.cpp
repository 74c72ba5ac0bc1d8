#include "trainer/losses/context.h"

#include <algorithm>

namespace wend::losses {

std::vector<double> cal_coefficients(std::span<const Answer> answers, int64_t tokens) {
  std::vector<double> out(static_cast<size_t>(tokens));
  const auto count = std::count_if(answers.begin(), answers.end(), [](const Answer& a) { return a.end > a.begin; });
  for (const Answer& answer : answers) {
    for (int64_t t = answer.begin; t < answer.end; ++t) {
      out[static_cast<size_t>(t)] =
          (answer.right ? 1.0 : -1.0) / static_cast<double>((answer.end - answer.begin) * count);
    }
  }
  return out;
}

std::vector<double> ext_coefficients(const std::vector<Trajectory>& trajectories, const std::vector<bool>& context,
                                     std::span<const double> advantages) {
  std::vector<double> out(context.size());
  std::vector<int64_t> of_context;
  for (const Trajectory& trajectory : trajectories) {
    of_context.push_back(std::count(context.begin() + trajectory.begin, context.begin() + trajectory.end, true));
  }
  const auto counted =
      static_cast<double>(std::count_if(of_context.begin(), of_context.end(), [](int64_t count) { return count > 0; }));
  for (size_t i = 0; i < trajectories.size(); ++i) {
    for (int64_t t = trajectories[i].begin; t < trajectories[i].end; ++t) {
      if (!context[static_cast<size_t>(t)]) continue;
      out[static_cast<size_t>(t)] = advantages[i] / (static_cast<double>(of_context[i]) * counted);
    }
  }
  return out;
}

}  // namespace wend::losses
