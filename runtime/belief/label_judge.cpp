#include "runtime/belief/label_judge.h"

namespace wend::belief {

LabelJudge::LabelJudge(HttpJudge judge, std::vector<ClassifierInfo> classifiers)
    : classifiers_(std::move(classifiers)), warnings_(judge.warnings()), judge_(std::move(judge)) {}

std::optional<Label> LabelJudge::ask(uint32_t classifier, std::string_view system, std::string_view prompt) {
  if (prompt.empty()) return std::nullopt;
  const ClassifierInfo& info = classifiers_[classifier];
  Question question{classifier, {info.name, std::string(prompt), std::string(system), "", info.labels}, {}};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&question);
  while (!question.reply) {
    if (asking_)
      answered_.wait(lock);
    else
      ask_waiting(lock);
  }
  ++counts_[{classifier, question.reply->status}];
  if (!question.reply->ok()) return std::nullopt;
  return Label{question.reply->label, question.reply->score};
}

void LabelJudge::ask_waiting(std::unique_lock<std::mutex>& lock) {
  asking_ = true;
  const std::vector<Question*> questions = std::exchange(waiting_, {});
  lock.unlock();
  std::vector<JudgeRequest> requests;
  for (Question* question : questions) requests.push_back(std::move(question->request));
  std::vector<JudgeReply> replies = judge_.ask(requests);
  lock.lock();
  for (std::size_t i = 0; i < questions.size(); ++i) questions[i]->reply = std::move(replies[i]);
  warnings_ = judge_.warnings();
  asking_ = false;
  answered_.notify_all();
}

LabelJudge::Counts LabelJudge::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::vector<std::string> LabelJudge::warnings() const {
  const std::lock_guard lock(mutex_);
  return warnings_;
}

}  // namespace wend::belief
