#include "runtime/belief/engine.h"

#include <fmt/format.h>

#include "runtime/suggestion.h"

namespace wend::belief {
namespace {

uint32_t first_of(const BeliefInfo& belief, FieldKind kind) {
  for (uint32_t i = 0; i < belief.fields.size(); ++i) {
    if (belief.fields[i].kind == kind) return i;
  }
  return WEND_NONE;
}

}  // namespace

Engine::Engine() = default;
Engine::~Engine() = default;

Result<std::shared_ptr<const Engine>> Engine::make(std::shared_ptr<const Program> program, std::string_view belief) {
  const ProgramInfo& info = program->info();
  if (info.beliefs.empty()) return Error{fmt::format("{} declares no belief", info.name)};
  uint32_t index = 0;
  if (!belief.empty()) {
    std::vector<std::string_view> names;
    for (const BeliefInfo& known : info.beliefs) names.push_back(known.name);
    while (index < names.size() && names[index] != belief) ++index;
    if (index == names.size())
      return Error{fmt::format("no belief is called `{}`{}", belief, suggestion(belief, names))};
  }
  std::shared_ptr<Engine> engine(new Engine);
  auto impl = std::make_unique<Impl>();
  impl->cues = recognise::Cues::compile(info.cues);
  impl->slots = first_of(info.beliefs[index], FieldKind::slots);
  impl->last = first_of(info.beliefs[index], FieldKind::last);
  for (uint32_t i = 0; i < info.renders.size(); ++i) {
    if (info.renders[i].belief == index) engine->renders_.push_back(i);
  }
  engine->belief_ = index;
  engine->impl_ = std::move(impl);
  engine->program_ = std::move(program);
  return std::shared_ptr<const Engine>(std::move(engine));
}

Result<uint32_t> Engine::find_render(std::string_view name) const {
  std::vector<std::string_view> names;
  for (uint32_t render : renders_) {
    names.push_back(program_->info().renders[render].name);
    if (names.back() == name) return render;
  }
  return Error{fmt::format("no render of {} is called `{}`{}", info().name, name, suggestion(name, names))};
}

Result<UpdatePolicy> update_policy(std::string_view name) {
  if (name == "accumulate") return UpdatePolicy::accumulate;
  if (name == "last_only") return UpdatePolicy::last_only;
  if (name == "first_only") return UpdatePolicy::first_only;
  return Error{fmt::format("no update policy is called `{}`{}", name,
                           suggestion(name, {"accumulate", "last_only", "first_only"}))};
}

}  // namespace wend::belief
