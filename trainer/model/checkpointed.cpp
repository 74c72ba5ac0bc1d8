#include "trainer/model/checkpointed.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <utility>

namespace wend::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Kept : torch::CustomClassHolder {
  explicit Kept(Step kept) : step(std::move(kept)) {}
  Step step;
};

class Checkpointed : public torch::autograd::Function<Checkpointed> {
 public:
  static variable_list forward(AutogradContext* context, at::TensorList given, const Step& step) {
    const variable_list inputs = given.vec();
    context->save_for_backward(inputs);
    context->saved_data["step"] = c10::IValue::make_capsule(c10::make_intrusive<Kept>(step));
    return {step(inputs)};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto kept = context->saved_data["step"].toCapsule();
    const variable_list saved = context->get_saved_variables();
    variable_list inputs, wanted;
    std::vector<size_t> places;
    for (size_t i = 0; i < saved.size(); ++i) {
      inputs.push_back(saved[i].detach().set_requires_grad(saved[i].requires_grad()));
      if (!saved[i].requires_grad()) continue;
      wanted.push_back(inputs.back());
      places.push_back(i);
    }
    const at::AutoGradMode grad(true);
    const at::Tensor out = static_cast<Kept&>(*kept).step(inputs);
    const variable_list found = torch::autograd::grad({out}, wanted, {gradients[0]});
    variable_list all(saved.size() + 1);  // the step has no gradient
    for (size_t i = 0; i < places.size(); ++i) all[places[i]] = found[i];
    return all;
  }
};

}  // namespace

at::Tensor checkpointed(Step step, const std::vector<at::Tensor>& inputs) {
  // A vector would not be looked into for tensors that need gradients.
  return Checkpointed::apply(at::TensorList(inputs), step)[0];
}

}  // namespace wend::model
