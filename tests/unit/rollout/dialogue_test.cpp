// From a recorded dialogue to a policy that has it again: demonstrations, supervised learning, the dialogue loop.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <torch/types.h>

#include "compiler/plan/interpreter.h"
#include "tests/support/spec_plan.h"
#include "trainer/learn/sft.h"
#include "trainer/rollout/demonstration.h"
#include "trainer/rollout/dialogue_loop.h"
#include "trainer/tokenizer/train.h"

namespace wend::rollout {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

constexpr std::string_view kRecord = R"({"id": "alarm-1", "scenario": "task_modification",
  "messages": [
    {"role": "user", "content": "Set an alarm for 7am."},
    {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function",
      "function": {"name": "alarm", "arguments": "{\"time\": \"07:00\"}"}}]},
    {"role": "tool", "tool_call_id": "call_1", "content": "{\"alarm_id\": \"AL-1\"}"},
    {"role": "assistant", "content": "Done: AL-1."},
    {"role": "user", "content": "Actually, make it 6:30."},
    {"role": "assistant", "content": null, "tool_calls": [{"id": "call_2", "type": "function",
      "function": {"name": "alarm", "arguments": "{\"time\": \"06:30\"}"}}]},
    {"role": "tool", "tool_call_id": "call_2", "content": "{\"alarm_id\": \"AL-2\"}"},
    {"role": "assistant", "content": "Changed: AL-2."}],
  "tools": [{"type": "function", "function": {"name": "alarm", "description": "Sets an alarm.",
    "parameters": {"type": "object", "properties": {"time": {"type": "string"}}, "required": ["time"]}}}]})";

Task task() { return *parse_task(Json::parse(kRecord), "record"); }

std::shared_ptr<const Program> program() {
  static const std::shared_ptr<const Program> made =
      plan::InterpretedProgram::make(plan_of("specs/iacm/contexts.wend"));
  return made;
}

std::shared_ptr<const tokenizer::Tokenizer> tokens_for(const std::vector<std::string>& texts, int32_t size) {
  tokenizer::TrainOptions options;
  options.size = size;
  options.special = tokenizer::control_tokens(tokenizer::ChatFormat::chatml);
  options.added = tokenizer::added_tokens(tokenizer::ChatFormat::chatml);
  return std::make_shared<const tokenizer::Tokenizer>(*tokenizer::train(texts, options));
}

Setting setting(const std::string& context, std::shared_ptr<const tokenizer::Tokenizer> tokens) {
  Setting out;
  out.program = program();
  out.context = context;
  out.tokenizer = std::move(tokens);
  return *Setting::complete(std::move(out));
}

// With a vocabulary of the dialogue's own, blocks and prompts included, so that little is to be learnt.
Setting setting(const std::string& context) {
  static const auto tokens = [] {
    const Setting bytes = setting("self_generated", tokens_for({std::string(kRecord)}, 300));
    std::vector<std::string> texts;
    const std::vector<Demonstration> all = *demonstrate(bytes, task());
    for (const Demonstration& one : all) {
      texts.push_back(bytes.tokenizer->decode(one.prompt, true) + bytes.tokenizer->decode(one.written, true));
    }
    return tokens_for(texts, 900);
  }();
  return setting(context, tokens);
}

std::string text_of(const Setting& setting, const std::vector<int32_t>& tokens) {
  return setting.tokenizer->decode(tokens);
}

TEST(Demonstrations, AreTheRepliesWhereThereIsNoContext) {
  const Setting plain = setting("none");
  const std::vector<Demonstration> all = *demonstrate(plain, task());
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(text_of(plain, all[0].written),
            "<tool_call>\n{\"name\": \"alarm\", \"arguments\": {\"time\": \"07:00\"}}\n</tool_call><|im_end|>");
  EXPECT_EQ(text_of(plain, all[3].written), "Changed: AL-2.<|im_end|>");
  EXPECT_THAT(text_of(plain, all[0].prompt), HasSubstr("<tools>\n{\"type\": \"function\""));
  // What was written stands in later prompts with the same tokens.
  const std::vector<int32_t>& later = all[1].prompt;
  EXPECT_NE(std::search(later.begin(), later.end(), all[0].written.begin(), all[0].written.end()), later.end());
}

TEST(Demonstrations, DraftWhatTheBeliefStateHolds) {
  const Setting drafting = setting("self_generated");
  const std::vector<Demonstration> all = *demonstrate(drafting, task());
  ASSERT_EQ(all.size(), 8u) << "a block before each reply";
  EXPECT_EQ(all[4].kind, Prompt::Kind::draft);
  EXPECT_TRUE(text_of(drafting, all[4].prompt).ends_with("<|im_start|>assistant\n<Context_Manager>\n"));
  const std::string block = text_of(drafting, all[4].written);
  EXPECT_THAT(block, HasSubstr("\"modify_previous_task\""));
  EXPECT_TRUE(block.ends_with("</Context_Manager><|im_end|>"));
  EXPECT_THAT(text_of(drafting, all[5].prompt), HasSubstr("\"modify_previous_task\""))
      << "it is put into the next prompt";
}

TEST(Settings, SayWhatTheyLack) {
  Setting unknown = setting("none");
  unknown.context = "self_generatd";
  EXPECT_THAT(Setting::complete(unknown).error().message, HasSubstr("self_generated"));
  unknown.context = "llmlingua";
  EXPECT_THAT(Setting::complete(unknown).error().message, HasSubstr("asks `scorer` to write"));
  unknown.context = "none";
  unknown.format = tokenizer::ChatFormat::llama3;
  EXPECT_THAT(Setting::complete(unknown).error().message, HasSubstr("no control token `<|begin_of_text|>`"));
}

TEST(Tasks, BadRecordsSayWhatIsWrong) {
  const auto error = [](const std::string& text) { return parse_task(Json::parse(text), "x.jsonl:3").error().message; };
  EXPECT_EQ(error("[]"), "x.jsonl:3: is no JSON object");
  EXPECT_EQ(error("{}"), "x.jsonl:3: `messages` is missing or empty");
  EXPECT_EQ(error(R"({"messages": [{"role": "usr"}]})"), "x.jsonl:3: messages[0]: `role` is \"usr\"");
  EXPECT_EQ(error(R"({"messages": [{"role": "user", "content": 7}]})"), "x.jsonl:3: messages[0]: `content` is no text");
  EXPECT_EQ(error(R"({"messages": [{"role": "user", "content": ""}], "tools": 3})"), "x.jsonl:3: `tools` is no list");
  EXPECT_THAT(read_tasks("/nowhere").error().message, HasSubstr("/nowhere"));
}

class Dialogues : public ::testing::TestWithParam<const char*> {
 protected:
  static model::Config config(const Setting& of) {
    model::Config c;
    c.vocabulary = of.tokenizer->size();
    c.hidden = 64;
    c.intermediate = 160;
    c.layers = 2;
    c.heads = 4;
    c.kv_heads = 2;
    c.head_size = 16;
    c.positions = 4096;
    c.qk_norm = true;
    c.tied_embeddings = true;
    c.init_deviation = 0.1;
    return c;
  }
};

// A policy that has learnt one dialogue has it again, word for word: what it is shown while it speaks is what it was
// shown while it learnt.
TEST_P(Dialogues, AreHadAsTheyWereLearnt) {
  const Setting of = setting(GetParam());
  model::Policy policy = model::Policy::random(config(of), 3);
  policy.set_requires_grad(true);
  std::vector<learn::Sequence> sequences;
  const std::vector<Demonstration> demonstrations = *demonstrate(of, task());
  for (const Demonstration& one : demonstrations) {
    learn::Sequence sequence{one.prompt, {}, 0};
    for (const int32_t token : one.written) {
      sequence.chosen.push_back(static_cast<int32_t>(sequence.tokens.size()));
      sequence.tokens.push_back(token);
    }
    sequences.push_back(std::move(sequence));
  }
  learn::AdamOptions adam;
  adam.rate = 3e-3;
  learn::Optimizer optimizer(policy.trainable(), adam);
  double loss = 9;
  for (int i = 0; i < 200 && loss > 0.004; ++i) loss = sft_step(policy, optimizer, sequences, 8192).loss;
  ASSERT_LT(loss, 0.02);

  Generator generator(policy.config, policy.parameters, {2, 4096});
  LoopOptions options;
  options.temperature = 0;
  const std::vector<Task> tasks(3, task());
  const std::vector<Episode> episodes = run_dialogues(of, generator, tasks, options);
  ASSERT_EQ(episodes.size(), 3u);
  for (const Episode& episode : episodes) {
    EXPECT_EQ(episode.end, End::finished) << episode.problem;
    EXPECT_EQ(context::messages_json(episode.messages), context::messages_json(task().messages));
    EXPECT_EQ(episode.malformed, 0u);
    EXPECT_EQ(episode.refusals[0], 2u) << "two calls, none of them refused";
  }
  EXPECT_GT(generator.counts().reused_tokens, 0u);
}

INSTANTIATE_TEST_SUITE_P(Contexts, Dialogues, ::testing::Values("none", "oracle", "self_generated"));

// A policy that knows nothing: whatever it says, the dialogue ends, and what was said is what was sampled.
TEST(Loop, AnyPolicyComesToAnEnd) {
  const Setting of = setting("none");
  model::Config c;
  c.vocabulary = of.tokenizer->size();
  c.hidden = 16;
  c.intermediate = 16;
  c.layers = 1;
  c.heads = 2;
  c.kv_heads = 1;
  c.head_size = 8;
  c.tied_embeddings = true;
  const model::Policy policy = model::Policy::random(c, 1);
  Generator generator(policy.config, policy.parameters, {2, 1024});
  LoopOptions options;
  options.most_response = 20;
  options.seed = 5;
  const std::vector<Task> tasks(4, task());
  const std::vector<Episode> episodes = run_dialogues(of, generator, tasks, options);
  std::set<std::vector<int32_t>> different;
  for (const Episode& episode : episodes) {
    EXPECT_EQ(episode.end, End::finished);
    ASSERT_GE(episode.written.size(), 2u);
    for (const Written& written : episode.written) {
      EXPECT_EQ(written.tokens.size(), written.log_probs.size());
      different.insert(written.tokens);
    }
    const std::vector<int32_t>&first = episode.written[0].tokens, &later = episode.written[1].prompt;
    EXPECT_NE(std::search(later.begin(), later.end(), first.begin(), first.end()), later.end());
  }
  EXPECT_GT(different.size(), 4u) << "each dialogue draws its own";
  Generator alone(policy.config, policy.parameters, {1, 1024});
  EXPECT_EQ(run_dialogues(of, alone, tasks, options)[3].written[0].tokens, episodes[3].written[0].tokens);

  Generator small(policy.config, policy.parameters, {1, 16});
  EXPECT_EQ(run_dialogues(of, small, tasks, options)[0].end, End::capacity);
}

}  // namespace
}  // namespace wend::rollout
