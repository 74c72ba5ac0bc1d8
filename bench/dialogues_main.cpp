// Writes made-up dialogues: make_dialogues BYTES FILE [SEED]
#include <cstdio>
#include <cstdlib>

#include "bench/dialogues.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: make_dialogues BYTES FILE [SEED]\n");
    return 2;
  }
  std::FILE* file = std::fopen(argv[2], "wb");
  if (!file) {
    std::perror(argv[2]);
    return 1;
  }
  wend::bench::DialogueMaker maker(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
  const unsigned long long bytes = std::strtoull(argv[1], nullptr, 10);
  bool written = true;
  for (unsigned long long done = 0; done < bytes && written;) {
    const std::string line = maker.next();
    written = std::fwrite(line.data(), 1, line.size(), file) == line.size();
    done += line.size();
  }
  return std::fclose(file) == 0 && written ? 0 : 1;
}
