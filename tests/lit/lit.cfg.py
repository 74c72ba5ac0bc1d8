"""Configuration of the language tests. A test is a .wend or .test file with RUN lines.

%wend      the command of this build          %specs     specs/            %stdlib   stdlib/
%data      tests/data/                        %lit       tests/lit/        %python   the Python that runs lit
%chromium  a browser without a window; a test that uses it says `REQUIRES: chromium`
%shared    the shared transcripts; a test that uses it says `REQUIRES: shared-data`
"""
import os
import shutil
import sys

import lit.formats

source = config.wend_source
config.name = "wend"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".wend", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.join(source, "tests", "lit")
config.test_exec_root = os.path.join(config.wend_build, "tests", "lit")

shared = os.environ.get("WEND_SHARED_DATA") or os.path.join(source, os.pardir, "shared", "data")
if os.path.isdir(shared):
    config.available_features.add("shared-data")
chromium = shutil.which("chromium")
if chromium:
    config.available_features.add("chromium")
if config.sanitizers:
    config.available_features.add("sanitized")

config.substitutions += [
    ("%wend", os.path.join(config.wend_build, "bin", "wend")),
    ("%specs", os.path.join(source, "specs")),
    ("%stdlib", os.path.join(source, "stdlib")),
    ("%data", os.path.join(source, "tests", "data")),
    ("%lit", config.test_source_root),
    ("%shared", os.path.abspath(shared)),
    ("%chromium", f"{chromium} --headless --no-sandbox --disable-gpu --user-data-dir=%t.profile"),
    ("%python", sys.executable),
    ("%FileCheck", os.path.join(config.llvm_tools, "FileCheck")),
]

config.environment["PATH"] = os.pathsep.join([config.llvm_tools, os.environ["PATH"]])
config.environment["LC_ALL"] = "C.UTF-8"
# Tests neither read nor fill the user's object cache.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "WEND_PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# A build folder directly in the tree finds stdlib/ and specs/ by itself; one elsewhere is told.
if os.path.dirname(os.path.abspath(config.wend_build)) != os.path.abspath(source):
    config.environment.setdefault("WEND_PATH", os.pathsep.join([os.path.join(source, d) for d in ("stdlib", "specs")]))
