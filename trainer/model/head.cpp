#include "trainer/model/head.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "trainer/model/ops.h"

namespace wend::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

at::ScalarType wide(at::ScalarType type) { return type == at::kDouble ? at::kDouble : at::kFloat; }

// Calls body(first row, rows) until all N rows are done.
template <class Body>
void in_chunks(int64_t rows, int64_t vocabulary, int64_t logits_bytes, const Body& body) {
  const int64_t most = std::max<int64_t>(1, logits_bytes / (4 * vocabulary));
  for (int64_t first = 0; first < rows; first += most) body(first, std::min(most, rows - first));
}

at::Tensor chunk_logits(const at::Tensor& hidden, const at::Tensor& head, int64_t first, int64_t rows,
                        double temperature) {
  at::Tensor out = logits(hidden.narrow(0, first, rows), head);
  return temperature == 1 ? out : out.div_(temperature);
}

// What a chunk's gradient of the logits does to the hidden states and the head.
void spread(const at::Tensor& grad_logits, const at::Tensor& hidden, const at::Tensor& head, int64_t first,
            at::Tensor& grad_hidden, at::Tensor& grad_head) {
  const int64_t rows = grad_logits.size(0);
  const at::Tensor grad = grad_logits.to(hidden.scalar_type());
  if (grad_hidden.defined()) grad_hidden.narrow(0, first, rows).copy_(at::mm(grad, head.to(hidden.scalar_type())));
  if (grad_head.defined()) grad_head.add_(at::mm(grad.t(), hidden.narrow(0, first, rows)));
}

struct HeadGradients {
  at::Tensor hidden, head;

  HeadGradients(const at::Tensor& of_hidden, const at::Tensor& of_head, bool want_hidden, bool want_head) {
    if (want_hidden) hidden = at::empty_like(of_hidden);
    if (want_head) head = at::zeros_like(of_head, of_head.options().dtype(wide(of_head.scalar_type())));
  }
};

class Scores : public torch::autograd::Function<Scores> {
 public:
  static variable_list forward(AutogradContext* context, const Variable& hidden, const Variable& head,
                               const Variable& targets, double temperature, int64_t logits_bytes) {
    const auto type = hidden.options().dtype(wide(hidden.scalar_type()));
    const int64_t n = hidden.size(0);
    at::Tensor log_probs = at::empty({n}, type), entropy = at::empty({n}, type), total = at::empty({n}, type);
    in_chunks(n, head.size(0), logits_bytes, [&](int64_t first, int64_t rows) {
      const at::Tensor z = chunk_logits(hidden, head, first, rows, temperature);
      const at::Tensor lse = z.logsumexp(-1);
      total.narrow(0, first, rows).copy_(lse);
      log_probs.narrow(0, first, rows).copy_(z.gather(1, targets.narrow(0, first, rows).unsqueeze(1)).squeeze(1) - lse);
      const at::Tensor p = (z - lse.unsqueeze(1)).exp_();
      entropy.narrow(0, first, rows).copy_(lse - (p.mul_(z)).sum(-1));
    });
    context->save_for_backward({hidden, head, targets, total, entropy});
    context->saved_data["temperature"] = temperature;
    context->saved_data["logits_bytes"] = logits_bytes;
    return {log_probs, entropy};
  }

  // d log p(t) / dz = [t] - p;  dH / dz = -p (log p + H).
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &hidden = saved[0], &head = saved[1], &targets = saved[2], &total = saved[3], &entropy = saved[4];
    const double temperature = context->saved_data["temperature"].toDouble();
    HeadGradients out(hidden, head, context->needs_input_grad(0), context->needs_input_grad(1));
    in_chunks(hidden.size(0), head.size(0), context->saved_data["logits_bytes"].toInt(),
              [&](int64_t first, int64_t rows) {
                const auto of = [&](const at::Tensor& x) { return x.narrow(0, first, rows).unsqueeze(1); };
                const at::Tensor log_p = chunk_logits(hidden, head, first, rows, temperature).sub_(of(total));
                const at::Tensor p = log_p.exp();
                at::Tensor grad = at::zeros_like(p);
                if (gradients[1].defined()) grad = (log_p + of(entropy)).mul_(p).mul_(of(gradients[1])).neg_();
                if (gradients[0].defined()) {
                  const at::Tensor chosen = of(gradients[0]).contiguous();
                  grad.sub_(p * chosen);
                  grad.scatter_add_(1, of(targets), chosen);
                }
                spread(temperature == 1 ? grad : grad.div_(temperature), hidden, head, first, out.hidden, out.head);
              });
    return {out.hidden, out.head.defined() ? out.head.to(head.scalar_type()) : out.head, Variable(), Variable(),
            Variable()};
  }
};

// The student's gradient is p_student - p_teacher.
class Divergence : public torch::autograd::Function<Divergence> {
 public:
  static Variable forward(AutogradContext* context, const Variable& teacher, const Variable& student,
                          const Variable& head, double temperature, int64_t logits_bytes) {
    at::Tensor out = at::empty({student.size(0)}, student.options().dtype(wide(student.scalar_type())));
    in_chunks(student.size(0), head.size(0), logits_bytes, [&](int64_t first, int64_t rows) {
      const at::Tensor log_t = chunk_logits(teacher, head, first, rows, temperature).log_softmax(-1);
      const at::Tensor log_s = chunk_logits(student, head, first, rows, temperature).log_softmax(-1);
      out.narrow(0, first, rows).copy_((log_t - log_s).mul_(log_t.exp()).sum(-1));
    });
    context->save_for_backward({teacher, student, head});
    context->saved_data["temperature"] = temperature;
    context->saved_data["logits_bytes"] = logits_bytes;
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &teacher = saved[0], &student = saved[1], &head = saved[2];
    const double temperature = context->saved_data["temperature"].toDouble();
    HeadGradients out(student, head, context->needs_input_grad(1), context->needs_input_grad(2));
    in_chunks(student.size(0), head.size(0), context->saved_data["logits_bytes"].toInt(),
              [&](int64_t first, int64_t rows) {
                at::Tensor grad = chunk_logits(student, head, first, rows, temperature).softmax(-1);
                grad.sub_(chunk_logits(teacher, head, first, rows, temperature).softmax(-1));
                grad.mul_(gradients[0].narrow(0, first, rows).unsqueeze(1));
                spread(temperature == 1 ? grad : grad.div_(temperature), student, head, first, out.hidden, out.head);
              });
    return {Variable(), out.hidden, out.head.defined() ? out.head.to(head.scalar_type()) : out.head, Variable(),
            Variable()};
  }
};

}  // namespace

at::Tensor logits(const at::Tensor& hidden, const at::Tensor& head) {
  return project(hidden, head.to(hidden.scalar_type())).to(wide(hidden.scalar_type()));
}

TokenScores token_scores(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                         const HeadOptions& options) {
  const variable_list out = Scores::apply(hidden, head, targets, options.temperature, options.logits_bytes);
  return {out[0], out[1]};
}

at::Tensor distillation_kl(const at::Tensor& teacher_hidden, const at::Tensor& student_hidden, const at::Tensor& head,
                           const HeadOptions& options) {
  return Divergence::apply(teacher_hidden.detach(), student_hidden, head, options.temperature, options.logits_bytes);
}

}  // namespace wend::model
