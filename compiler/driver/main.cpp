#include "compiler/driver/commands.h"

int main(int argc, char** argv) { return static_cast<int>(wend::driver::run(argc, argv)); }
