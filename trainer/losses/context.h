// Coefficients of the context losses over the list of chosen tokens (reference.md section 8; paper, Eq. 9 and 10).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trainer/losses/actions.h"

namespace wend::losses {

// One answer of the policy: its tokens, and whether its calls are those that were right at this turn.
struct Answer {
  int64_t begin = 0, end = 0;
  bool right = false;
};

// L_cal = -E over answers of (2 acc - 1) x mean log pi of its tokens: [N], for weighted_nll().
std::vector<double> cal_coefficients(std::span<const Answer> answers, int64_t tokens);

// L_ext = -E over trajectories of sum(m log pi A) / sum(m): m is true for the tokens of the Context Manager block, the
// advantage is the trajectory's. Trajectories without such tokens do not count.
std::vector<double> ext_coefficients(const std::vector<Trajectory>& trajectories, const std::vector<bool>& context,
                                     std::span<const double> advantages);

}  // namespace wend::losses
