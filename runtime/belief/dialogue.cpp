#include "runtime/belief/dialogue.h"

#include "runtime/belief/engine.h"
#include "runtime/belief/state.h"
#include "runtime/belief/update.h"

namespace wend::belief {

Dialogue::Dialogue(std::unique_ptr<State> state) : state_(std::move(state)) {}
Dialogue::Dialogue(Dialogue&&) noexcept = default;
Dialogue& Dialogue::operator=(Dialogue&&) noexcept = default;
Dialogue::~Dialogue() = default;

Dialogue Dialogue::open(std::shared_ptr<const Engine> engine, std::shared_ptr<const Tools> tools, Options options) {
  auto state = std::make_unique<State>(std::move(engine), std::move(tools), std::move(options));
  const Workspaces::Lease work = state->engine->impl().workspaces.take();
  Update(*state, *work).begin();
  state->tables.refresh();
  return Dialogue(std::move(state));
}

void Dialogue::user(std::string_view text) {
  const Workspaces::Lease work = state_->engine->impl().workspaces.take();
  Update(*state_, *work).user(text);
}

void Dialogue::call(std::string_view id, std::string_view tool, std::string_view arguments) {
  const Workspaces::Lease work = state_->engine->impl().workspaces.take();
  Update(*state_, *work).call(id, tool, arguments);
}

void Dialogue::result(std::string_view call_id, std::string_view text, std::optional<bool> error) {
  const Workspaces::Lease work = state_->engine->impl().workspaces.take();
  Update(*state_, *work).result(call_id, text, error);
}

void Dialogue::reply(std::string_view text) {
  const Workspaces::Lease work = state_->engine->impl().workspaces.take();
  Update(*state_, *work).reply(text);
}

uint32_t Dialogue::turn() const { return state_->turn; }
const Engine& Dialogue::engine() const { return *state_->engine; }
const wend_batch& Dialogue::batch() const { return state_->tables.batch(); }

size_t Dialogue::memory() const {
  return sizeof(State) + state_->tables.memory() + 4 * (state_->literals.capacity() + state_->object_texts.capacity()) +
         state_->calls.capacity() * sizeof(OpenCall) + 4 * state_->asked.capacity() + state_->replied.capacity() +
         state_->seen.size() * sizeof(recognise::SeenValues::Entry);
}

}  // namespace wend::belief
