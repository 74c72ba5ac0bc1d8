// The language-model head: what is needed of the logits, without ever having all of them.
//
// Logits of a batch are [N, vocabulary]; for 150,000 entries that is 0.6 MB a token. These functions compute a few rows
// at a time and, for the gradient, compute them again.
#pragma once

#include <ATen/core/Tensor.h>

namespace wend::model {

struct HeadOptions {
  double temperature = 1;           // logits are divided by it
  int64_t logits_bytes = 64 << 20;  // of one chunk
};

struct TokenScores {
  at::Tensor log_probs;  // [N] of the targets, in nats
  at::Tensor entropy;    // [N] of the whole distribution
};

// hidden [N, h], head [V, h], targets [N] int64. Both results are fp32 (fp64 of fp64) and differentiable.
TokenScores token_scores(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                         const HeadOptions& options = {});

// KL(teacher || student) over the whole vocabulary, [N]; gradients reach the student alone (reference.md: L_dist).
at::Tensor distillation_kl(const at::Tensor& teacher_hidden, const at::Tensor& student_hidden, const at::Tensor& head,
                           const HeadOptions& options = {});

// The logits themselves, [N, V]: for sampling the last token of each sequence.
at::Tensor logits(const at::Tensor& hidden, const at::Tensor& head);

}  // namespace wend::model
