// A model behind a server that live dialogues ask for labels, each from its own thread.
//
//   Result<HttpJudge> judge = HttpJudge::open(options);
//   LabelJudge labels(std::move(*judge), program->info().classifiers);   // must outlive the dialogues
//   Options options;
//   options.ask = std::bind_front(&LabelJudge::ask, &labels);
//
// A handler waits for its answer, so one dialogue has one question at a time. Questions of several threads that wait
// at the same moment go out together: one of these threads asks for all of them, and the others wait. So the limits of
// the HttpJudge (requests in flight, their rate, giving up) and its cache hold for all threads together.
#ifndef WEND_RUNTIME_BELIEF_LABEL_JUDGE_H_
#define WEND_RUNTIME_BELIEF_LABEL_JUDGE_H_

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/belief/dialogue.h"
#include "runtime/judge/http_judge.h"
#include "runtime/program.h"

namespace wend::belief {

// All of it is for any number of threads at once.
class LabelJudge {
 public:
  // Answers by classifier (index into ProgramInfo::classifiers) and status.
  using Counts = std::map<std::pair<uint32_t, JudgeStatus>, uint64_t>;

  LabelJudge(HttpJudge judge, std::vector<ClassifierInfo> classifiers);

  // What the model calls the prompt; nothing if it failed, which is counted by its status: what the rules say stays.
  // An empty prompt is no question.
  std::optional<Label> ask(uint32_t classifier, std::string_view system, std::string_view prompt);

  Counts counts() const;
  std::vector<std::string> warnings() const;  // HttpJudge::warnings

 private:
  struct Question {
    uint32_t classifier = 0;
    JudgeRequest request;
    std::optional<JudgeReply> reply;
  };

  // Asks everything that waits. The lock is given up meanwhile, and held again on return.
  void ask_waiting(std::unique_lock<std::mutex>& lock);

  const std::vector<ClassifierInfo> classifiers_;
  mutable std::mutex mutex_;  // of what follows; judge_ is used by the thread that set asking_
  std::condition_variable answered_;
  bool asking_ = false;
  std::vector<Question*> waiting_;  // each lives in the call that made it
  Counts counts_;
  std::vector<std::string> warnings_;
  HttpJudge judge_;
};

}  // namespace wend::belief

#endif  // WEND_RUNTIME_BELIEF_LABEL_JUDGE_H_
