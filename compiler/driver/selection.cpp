#include "compiler/driver/selection.h"

#include <fmt/format.h>

#include "compiler/driver/console.h"
#include "compiler/source/diagnostic.h"

namespace wend::driver {
namespace {

std::string not_found(const std::string& id, const std::vector<std::string>& ids) {
  if (ids.empty()) return fmt::format("no dialogue is called `{}`: the data hold none", id);
  std::string text = fmt::format("no dialogue is called `{}`", id);
  const std::string near = nearest(id, ids);
  if (!near.empty()) return text + fmt::format("; did you mean `{}`?", near);
  text += fmt::format(" among the {}; the first are", ids.size());
  for (size_t i = 0; i < ids.size() && i < 5; ++i) text += fmt::format("{} `{}`", i > 0 ? "," : "", ids[i]);
  return text;
}

}  // namespace

Selected Selection::select(const Batch& batch, const std::function<Result<std::string>(uint32_t trace)>& print) const {
  Selected found;
  for (uint32_t trace = 0; trace < batch.traces(); ++trace) {
    const std::string id(batch.trace_id(trace));
    found.ids.push_back(id);
    if (!all_ && !id_.empty() && id != id_) continue;
    Result<std::string> text = print(trace);
    if (!text) {
      found.bug = text.error();
      break;
    }
    found.texts.push_back(std::move(*text));
    if (!all_) break;
  }
  return found;
}

bool Selection::accept(Selected&& found) {
  for (const std::string& text : found.texts) write_out(text);
  printed_ += found.texts.size();
  ids_.insert(ids_.end(), found.ids.begin(), found.ids.end());
  bug_ = found.bug;
  return !bug_ && (all_ || printed_ == 0);
}

Exit Selection::finish() const {
  if (bug_) return complain(Exit::ours, bug_->message + "; please report this");
  if (printed_ > 0 || all_) return Exit::fine;
  return complain(Exit::input, id_.empty() ? "the data hold no dialogue" : not_found(id_, ids_));
}

}  // namespace wend::driver
