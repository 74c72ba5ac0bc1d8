// The bar of work that takes long: on a terminal, after a second, and gone at the end.
#include <gmock/gmock.h>
#include <pty.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <thread>

#include "compiler/driver/console.h"

namespace wend::driver {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::IsEmpty;

// Standard error is another file while it lives.
class InPlaceOfStderr {
 public:
  explicit InPlaceOfStderr(int descriptor) : before_(dup(STDERR_FILENO)) { dup2(descriptor, STDERR_FILENO); }
  ~InPlaceOfStderr() {
    std::fflush(stderr);
    dup2(before_, STDERR_FILENO);
    close(before_);
  }
  InPlaceOfStderr(const InPlaceOfStderr&) = delete;
  InPlaceOfStderr& operator=(const InPlaceOfStderr&) = delete;

 private:
  int before_;
};

// What work says that is half done after `time`: to a terminal, or to a pipe.
std::string said(bool terminal, milliseconds time, bool quiet = false) {
  int ends[2] = {-1, -1};
  if ((terminal ? openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr) : pipe(ends)) != 0) return "no such pair";
  {
    const InPlaceOfStderr replaced(ends[1]);
    Progress progress("scoring", 200, quiet);
    progress.update(50);
    std::this_thread::sleep_for(time);
    progress.update(100);
  }
  // A terminal may hand over what was written in pieces: all of it is read up to a mark.
  constexpr char kEnd = '\x01';
  if (write(ends[1], &kEnd, 1) != 1) return "nothing can be written";
  std::string text;
  while (!text.ends_with(kEnd)) {
    char bytes[1000];
    const ssize_t count = read(ends[0], bytes, sizeof bytes);
    if (count <= 0) return "nothing can be read";
    text.append(bytes, static_cast<size_t>(count));
  }
  close(ends[0]);
  close(ends[1]);
  text.pop_back();
  return text;
}

TEST(Progress, IsShownOnATerminalAfterASecond) {
  EXPECT_THAT(said(true, milliseconds(1100)), HasSubstr("scoring  50% [===============               ] 1."));
  EXPECT_THAT(said(true, milliseconds(10)), IsEmpty());
}

TEST(Progress, IsTakenAwayAtTheEnd) { EXPECT_TRUE(said(true, milliseconds(1100)).ends_with("\r\x1b[K")); }

TEST(Progress, IsNotShownElsewhere) {
  EXPECT_THAT(said(false, milliseconds(1100)), IsEmpty());
  EXPECT_THAT(said(true, milliseconds(1100), true), IsEmpty());
}

}  // namespace
}  // namespace wend::driver
