// Cached generation against the full forward pass, and what requests may not know of each other.
#include "trainer/rollout/generator.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <torch/types.h>

#include "trainer/model/decoder.h"
#include "trainer/model/head.h"

namespace wend::rollout {
namespace {

using ::testing::ElementsAre;

model::Config small_config() {
  model::Config c;
  c.vocabulary = 101;
  c.hidden = 48;
  c.intermediate = 80;
  c.layers = 2;
  c.heads = 4;
  c.kv_heads = 2;
  c.head_size = 20;  // no multiple of a vector
  c.positions = 256;
  c.qk_norm = true;
  c.tied_embeddings = true;
  c.init_deviation = 0.3;
  return c;
}

class Generating : public ::testing::Test {
 protected:
  Completion one(Generator& generator, GenerationRequest request) {
    const uint64_t session = request.session;
    generator.submit(std::move(request));
    return collect(generator)[session];
  }
  std::map<uint64_t, Completion> collect(Generator& generator) {
    std::map<uint64_t, Completion> out;
    while (!generator.idle()) {
      for (Completion& done : generator.step()) out[done.session] = std::move(done);
    }
    return out;
  }
  GenerationRequest request(uint64_t session, std::vector<int32_t> prompt, double temperature = 1, int64_t most = 24) {
    return {session, std::move(prompt), {temperature, 1, session}, {}, most};
  }
  // Log-probs of `tokens` behind `prompt` by one pass over all of it.
  at::Tensor scored(const std::vector<int32_t>& prompt, const std::vector<int32_t>& tokens, double temperature = 1) {
    const at::NoGradGuard no_grad;
    std::vector<int64_t> all(prompt.begin(), prompt.end());
    all.insert(all.end(), tokens.begin(), tokens.end());
    const auto hidden = model::hidden_states(config_, parameters_, model::Packed::of({all}));
    const auto n = static_cast<int64_t>(tokens.size()), from = static_cast<int64_t>(prompt.size());
    model::HeadOptions options;
    options.temperature = temperature;
    return model::token_scores(hidden.narrow(0, from - 1, n), parameters_.head(),
                               at::tensor(std::vector<int64_t>(tokens.begin(), tokens.end())), options)
        .log_probs;
  }

  model::Config config_ = small_config();
  model::Parameters parameters_ = model::Parameters::random(config_, 7);
};

TEST_F(Generating, CachedDecodingEqualsTheFullForwardPass) {
  Generator generator(config_, parameters_, {3, 64});
  for (const double temperature : {1.0, 0.7}) {
    const std::vector<int32_t> prompt = {5, 9, 2, 77, 13};
    const Completion done = one(generator, request(1, prompt, temperature));
    ASSERT_EQ(done.tokens.size(), 24u);
    const at::Tensor expected = scored(prompt, done.tokens, temperature);
    for (int64_t i = 0; i < 24; ++i) {
      EXPECT_NEAR(done.log_probs[static_cast<size_t>(i)], expected[i].item<float>(), 1e-4);
    }
  }
}

TEST_F(Generating, GreedyTakesTheLikeliest) {
  Generator generator(config_, parameters_, {1, 64});
  const std::vector<int32_t> prompt = {1, 2, 3};
  const Completion done = one(generator, request(1, prompt, 0, 10));
  std::vector<int64_t> all = {1, 2, 3};
  const at::NoGradGuard no_grad;
  for (const int32_t token : done.tokens) {
    const auto hidden = model::hidden_states(config_, parameters_, model::Packed::of({all}));
    const auto best =
        model::logits(hidden.narrow(0, hidden.size(0) - 1, 1), parameters_.head()).argmax().item<int64_t>();
    EXPECT_EQ(token, best);
    all.push_back(token);
  }
}

TEST_F(Generating, TokensDoNotDependOnTheBatch) {
  std::map<uint64_t, Completion> alone;
  for (uint64_t session = 1; session <= 9; ++session) {
    Generator generator(config_, parameters_, {1, 64});
    const auto base = static_cast<int32_t>(session);
    alone[session] = one(generator, request(session, {base, 3, base * 2, 40}, 1, 3 + 2 * base));
  }
  for (const int64_t slots : {2, 5, 16}) {
    Generator generator(config_, parameters_, {slots, 64});
    for (uint64_t session = 1; session <= 9; ++session) {
      const auto base = static_cast<int32_t>(session);
      generator.submit(request(session, {base, 3, base * 2, 40}, 1, 3 + 2 * base));
    }
    for (auto& [session, done] : collect(generator)) {
      EXPECT_EQ(done.tokens, alone[session].tokens) << session << " of " << slots;
      EXPECT_EQ(done.log_probs, alone[session].log_probs) << "bit by bit";
    }
  }
}

TEST_F(Generating, ASessionReusesWhatItHasSeen) {
  Generator generator(config_, parameters_, {2, 64});
  std::vector<int32_t> dialogue = {5, 6, 7, 8};
  const Completion first = one(generator, request(1, dialogue, 1, 6));
  EXPECT_EQ(first.reused, 0);
  dialogue.insert(dialogue.end(), first.tokens.begin(), first.tokens.end());
  dialogue.insert(dialogue.end(), {9, 10, 11});
  const Completion second = one(generator, request(1, dialogue, 1, 6));
  EXPECT_EQ(second.reused, 4 + 5) << "the last sampled token has not been read yet";
  const at::Tensor expected = scored(dialogue, second.tokens);
  for (int64_t i = 0; i < 6; ++i)
    EXPECT_NEAR(second.log_probs[static_cast<size_t>(i)], expected[i].item<float>(), 1e-4);

  // The context is rewritten near its beginning: only what is before that can be kept.
  dialogue[2] = 99;
  EXPECT_EQ(one(generator, request(1, dialogue, 1, 6)).reused, 2);
  generator.use(parameters_);
  EXPECT_EQ(one(generator, request(1, dialogue, 1, 6)).reused, 0) << "new weights";
}

TEST_F(Generating, StopsAreReasons) {
  Generator generator(config_, parameters_, {1, 16});
  const Completion free = one(generator, request(1, {1, 2, 3}, 0, 8));
  GenerationRequest stopped = request(2, {1, 2, 3}, 0, 8);
  stopped.stop = {free.tokens[3]};
  const Completion done = one(generator, stopped);
  EXPECT_EQ(done.reason, StopReason::stop);
  EXPECT_EQ(done.tokens.back(), free.tokens[3]);
  EXPECT_EQ(free.reason, StopReason::most);
  const Completion full = one(generator, request(3, {1, 2, 3}, 0, 100));
  EXPECT_EQ(full.reason, StopReason::capacity);
  EXPECT_EQ(full.tokens.size(), 16u - 3 + 1) << "the last one needs no place";
  EXPECT_EQ(one(generator, request(4, std::vector<int32_t>(17, 1))).reason, StopReason::capacity);
  EXPECT_THAT(one(generator, request(5, {})).tokens, ElementsAre());
  EXPECT_EQ(one(generator, request(6, {1}, 0, 0)).reason, StopReason::most);
}

TEST(Sampling, FollowsTheDistribution) {
  const std::vector<float> logits = {0, std::log(2.0f), -INFINITY, std::log(5.0f), NAN};
  const auto shares = [&](Sampling sampling) {
    std::vector<int> counts(logits.size());
    Sampler sampler(sampling);
    for (int i = 0; i < 20000; ++i) ++counts[static_cast<size_t>(sampler.next(logits).token)];
    return counts;
  };
  const std::vector<int> plain = shares({1, 1, 3});
  EXPECT_NEAR(plain[0], 20000 / 8.0, 200);
  EXPECT_NEAR(plain[1], 20000 / 4.0, 250);
  EXPECT_EQ(plain[2] + plain[4], 0);
  const std::vector<int> half = shares({0.5, 1, 3});  // weights 1, 4, 25
  EXPECT_NEAR(half[0], 20000 / 30.0, 120);
  const std::vector<int> nucleus = shares({1, 0.7, 3});  // 5/8 is too little, so the second is in as well
  EXPECT_EQ(nucleus[0], 0);
  EXPECT_NEAR(nucleus[1], 20000 * 2 / 7.0, 260);
  Sampler greedy({0, 1, 3});
  EXPECT_EQ(greedy.next(logits).token, 3);
  EXPECT_NEAR(greedy.next(logits).log_prob, std::log(5 / 8.0), 1e-6);
}

}  // namespace
}  // namespace wend::rollout
