// include/wend/dialogue.h over Dialogue.
#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "runtime/belief/dialogue.h"
#include "runtime/include/wend/dialogue.h"

using wend::Error;
using wend::Result;
using wend::belief::Dialogue;
using wend::belief::Engine;
using wend::belief::Options;
using wend::belief::Tools;

struct wend_belief {
  std::shared_ptr<const Engine> engine;
};
struct wend_tools {
  std::shared_ptr<const Tools> tools;
};
struct wend_dialogue {
  Dialogue dialogue;
  wend::belief::Rendered block;
  std::string json;
};

namespace {

void put(const std::string& text, char* out, size_t size) {
  if (!out || size == 0) return;
  const size_t n = std::min(text.size(), size - 1);
  std::memcpy(out, text.data(), n);
  out[n] = '\0';
}

std::string_view view(wend_bytes bytes) { return {bytes.data, bytes.size}; }
wend_bytes bytes_of(std::string_view text) { return {text.data(), text.size()}; }

Result<wend::recognise::Date> date_of(std::string_view text) {
  wend::recognise::Date date;
  const auto part = [&](size_t at, size_t size, int& number) {
    const char* const begin = text.data() + at;
    const auto read = std::from_chars(begin, begin + size, number);
    return read.ec == std::errc() && read.ptr == begin + size && number > 0;
  };
  const bool fits = text.size() == 10 && text[4] == '-' && text[7] == '-' && part(0, 4, date.year) &&
                    part(5, 2, date.month) && part(8, 2, date.day) && date.month <= 12 && date.day <= 31;
  if (!fits) return Error{fmt::format("`{}` is no date of the form YYYY-MM-DD", text)};
  return date;
}

Result<Options> options_of(const wend_belief* belief, const wend_dialogue_options* given) {
  Options options;
  if (!given) return options;
  if (given->policy) {
    const auto policy = wend::belief::update_policy(given->policy);
    if (!policy) return policy.error();
    options.policy = *policy;
  }
  if (given->today) {
    const auto date = date_of(given->today);
    if (!date) return date.error();
    options.today = *date;
  }
  if (given->max_objects) options.max_objects = given->max_objects;
  if (given->params) {
    const size_t wanted = belief->engine->program().param_defaults().size();
    if (given->n_params != wanted)
      return Error{fmt::format("{} params were given, the program has {}", given->n_params, wanted)};
    options.params.assign(given->params, given->params + given->n_params);
  }
  void* const data = given->user_data;
  if (const auto tokens = given->tokens)
    options.tokens = [=](std::string_view text) { return tokens(data, bytes_of(text)); };
  if (const auto ask = given->ask) {
    options.ask = [=](uint32_t classifier, std::string_view system, std::string_view prompt) {
      wend::belief::Label label;
      const bool answered =
          ask(data, classifier, bytes_of(system), bytes_of(prompt), &label.label, &label.confidence) != 0;
      return answered ? std::optional(label) : std::nullopt;
    };
  }
  return options;
}

}  // namespace

extern "C" {

wend_belief* wend_belief_open(const char* path, const char* name, char* error, size_t error_size) {
  const auto program = wend::open_program(path);
  if (!program) {
    put(program.error().message, error, error_size);
    return nullptr;
  }
  auto engine = Engine::make(*program, name ? name : "");
  if (!engine) {
    put(engine.error().message, error, error_size);
    return nullptr;
  }
  return new wend_belief{std::move(*engine)};
}

void wend_belief_close(wend_belief* belief) { delete belief; }

wend_tools* wend_tools_parse(const char* json, size_t size, char* error, size_t error_size) {
  auto tools = Tools::parse({json, size});
  if (!tools) {
    put(tools.error().message, error, error_size);
    return nullptr;
  }
  return new wend_tools{std::move(*tools)};
}

void wend_tools_close(wend_tools* tools) { delete tools; }

wend_dialogue* wend_dialogue_open(const wend_belief* belief, const wend_tools* tools,
                                  const wend_dialogue_options* options, char* error, size_t error_size) {
  auto how = options_of(belief, options);
  if (!how) {
    put(how.error().message, error, error_size);
    return nullptr;
  }
  return new wend_dialogue{Dialogue::open(belief->engine, tools ? tools->tools : nullptr, std::move(*how)), {}, {}};
}

wend_dialogue* wend_dialogue_restore(const wend_belief* belief, const wend_tools* tools,
                                     const wend_dialogue_options* options, wend_bytes snapshot, char* error,
                                     size_t error_size) {
  auto how = options_of(belief, options);
  if (!how) {
    put(how.error().message, error, error_size);
    return nullptr;
  }
  auto dialogue = Dialogue::restore(belief->engine, tools ? tools->tools : nullptr, std::move(*how), view(snapshot));
  if (!dialogue) {
    put(dialogue.error().message, error, error_size);
    return nullptr;
  }
  return new wend_dialogue{std::move(*dialogue), {}, {}};
}

void wend_dialogue_close(wend_dialogue* dialogue) { delete dialogue; }

void wend_dialogue_user(wend_dialogue* dialogue, wend_bytes text) { dialogue->dialogue.user(view(text)); }
void wend_dialogue_call(wend_dialogue* dialogue, wend_bytes id, wend_bytes tool, wend_bytes arguments) {
  dialogue->dialogue.call(view(id), view(tool), view(arguments));
}
void wend_dialogue_result(wend_dialogue* dialogue, wend_bytes id, wend_bytes text, int error) {
  dialogue->dialogue.result(view(id), view(text), error < 0 ? std::nullopt : std::optional(error != 0));
}
void wend_dialogue_reply(wend_dialogue* dialogue, wend_bytes text) { dialogue->dialogue.reply(view(text)); }

int wend_dialogue_render(wend_dialogue* dialogue, const char* render, wend_bytes* block, char* error,
                         size_t error_size) {
  const Engine& engine = dialogue->dialogue.engine();
  const auto found = render || engine.renders().empty() ? engine.find_render(render ? render : "")
                                                        : Result<uint32_t>(engine.renders()[0]);
  if (!found) {
    put(found.error().message, error, error_size);
    return 0;
  }
  dialogue->dialogue.render(*found, dialogue->block);
  *block = bytes_of(dialogue->block.text);
  return dialogue->block.over_budget ? 2 : 1;
}

wend_bytes wend_dialogue_snapshot(wend_dialogue* dialogue) {
  dialogue->json = dialogue->dialogue.snapshot();
  return bytes_of(dialogue->json);
}

wend_bytes wend_dialogue_state(wend_dialogue* dialogue) {
  dialogue->json = dialogue->dialogue.state_json();
  return bytes_of(dialogue->json);
}

}  // extern "C"
