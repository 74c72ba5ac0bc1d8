#include "compiler/driver/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "compiler/source/visible.h"

namespace wend::driver {
namespace {

constexpr std::chrono::milliseconds kBeforeFirst{1000};
constexpr std::chrono::milliseconds kBetween{100};
constexpr int kWidth = 30;

bool color_on(int descriptor) {
  const char* unwanted = std::getenv("NO_COLOR");
  return isatty(descriptor) != 0 && (unwanted == nullptr || *unwanted == '\0');
}

// After what has been said on stdout, for those who see both.
void write_error(std::string_view text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void write_out(std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), stdout); }

void show(std::string_view text) { write_out(visible(text)); }

bool flush_out() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

Exit complain(Exit code, std::string_view text) {
  write_error(fmt::format("wend: error: {}\n", visible(text)));
  return code;
}

void warn(std::string_view text) { write_error(fmt::format("wend: warning: {}\n", visible(text))); }

void note(std::string_view text) { write_error(fmt::format("wend: {}\n", visible(text))); }

bool color_on_stdout() { return color_on(STDOUT_FILENO); }
bool color_on_stderr() { return color_on(STDERR_FILENO); }

Progress::Progress(std::string label, uint64_t total, bool quiet)
    : label_(std::move(label)),
      total_(total),
      active_(!quiet && total > 0 && isatty(STDERR_FILENO) != 0),
      started_(Clock::now()),
      last_(started_) {}

Progress::~Progress() {
  if (drawn_) write_error("\r\x1b[K");
}

void Progress::update(uint64_t done) {
  if (!active_) return;
  const Clock::time_point now = Clock::now();
  if (now - started_ < kBeforeFirst || now - last_ < kBetween) return;
  last_ = now;
  drawn_ = true;
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
  const int filled = static_cast<int>(share * kWidth);
  const double seconds = std::chrono::duration<double>(now - started_).count();
  write_error(fmt::format("\r{} {:3.0f}% [{}{}] {:.1f} s", label_, share * 100, std::string(filled, '='),
                          std::string(kWidth - filled, ' '), seconds));
}

}  // namespace wend::driver
