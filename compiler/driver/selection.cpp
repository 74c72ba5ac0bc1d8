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

Selected Selection::select(const Batch& batch, const Print& print) const {
  Selected found;
  const Output out = at_once_ ? Output(write_out) : [&](std::string_view text) { found.text += text; };
  for (uint32_t trace = 0; trace < batch.traces(); ++trace) {
    const std::string id(batch.trace_id(trace));
    found.ids.push_back(id);
    if (!all_ && !id_.empty() && id != id_) continue;
    ++found.dialogues;
    found.failed = print(trace, out);
    if (!all_ || found.failed) break;
  }
  return found;
}

bool Selection::accept(Selected&& found) {
  write_out(found.text);
  printed_ += found.dialogues;
  ids_.insert(ids_.end(), found.ids.begin(), found.ids.end());
  failed_ = found.failed;
  return !failed_ && (all_ || printed_ == 0);
}

Exit Selection::finish() const {
  if (failed_) return complain(failed_->code, failed_->message);
  if (printed_ > 0) return Exit::fine;
  return complain(Exit::input, id_.empty() ? "the data hold no dialogue" : not_found(id_, ids_));
}

}  // namespace wend::driver
