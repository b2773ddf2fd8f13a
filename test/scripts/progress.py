#!/usr/bin/env python3
"""What the scripts show of long work: on a terminal one line that is rewritten, elsewhere nothing
of it; and that Ctrl-C ends the work and leaves its log.

  test/scripts/progress.py

The scripts are those of this checkout, in a folder of their own with tests, targets and a
clang-tidy that only wait.
"""

import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 60
PRESETS = """{
  "version": 6,
  "configurePresets": [{"name": "test", "generator": "Ninja", "binaryDir": "build/test"}],
  "testPresets": [{"name": "test", "configurePreset": "test"}]
}
"""


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, folder, command, columns=100, environment=None):
        self.shown = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update({"LC_ALL": "C.UTF-8", **(environment or {})})
            os.execvp(command[0], command)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def read(self, until=None):
        """Until the pattern has come, else to the end."""
        end = time.monotonic() + PATIENCE
        while until is None or not re.search(until, self.shown):
            if time.monotonic() > end:
                raise AssertionError(f"{until} did not come: {self.shown!r}")
            if not select.select([self.fd], [], [], 0.2)[0]:
                continue
            try:
                data = os.read(self.fd, 65536)
            except OSError:  # all that had it open are gone
                data = b""
            if not data:
                if until is not None:
                    raise AssertionError(f"{until} did not come: {self.shown!r}")
                return
            self.shown += data.decode(errors="replace")

    def press_ctrl_c(self):
        os.write(self.fd, b"\x03")

    def exit_code(self):
        self.read()
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)

    def progress(self):
        """What the line said, one after the other."""
        return re.findall(r"\r\x1b\[K([a-z_]+ \[[^\r\n]*)", self.shown)

    def left(self):
        """What a reader sees in the end."""
        lines = []
        for line in self.shown.replace("\r\n", "\n").split("\n"):
            lines.append(re.split(r"\r\x1b\[K", line)[-1])
        return "\n".join(lines)


def checkout(folder):
    (folder / "scripts").mkdir(parents=True)
    for script in (ROOT / "scripts").glob("*.sh"):
        shutil.copy2(script, folder / "scripts")
    return folder


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def with_tests(folder, seconds, costs):
    """One test a name, which waits so long; what ctest noted of earlier runs."""
    checkout(folder)
    (folder / "CMakePresets.json").write_text(PRESETS)
    build = folder / "build/test"
    (build / "Testing/Temporary").mkdir(parents=True)
    lines = []
    for name, wait in seconds.items():
        lines.append(f'add_test({name} "sh" "-c" "sleep {wait}; echo {name} waited")\n')
        if name.startswith("e2e/"):
            lines.append(f"set_tests_properties({name} PROPERTIES RESOURCE_LOCK control_plane "
                         "LABELS control_plane)\n")
    (build / "CTestTestfile.cmake").write_text("".join(lines))
    if costs:
        (build / "Testing/Temporary/CTestCostData.txt").write_text(
            "".join(f"{name} 3 {cost}\n" for name, cost in costs.items()) + "---\n")
    return folder


def seconds_of(line):
    """Of a progress line what it says is left; None: nothing."""
    found = re.search(r"  (?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)? left$", line)
    if not found:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds


def check(condition, text):
    if not condition:
        raise AssertionError(text)


def tests_by_their_costs(folder):
    with_tests(folder, {"unit/a": 0.1, "e2e/b": 3, "e2e/c": 0.5},
               {"unit/a": 30000, "e2e/b": 10000, "e2e/c": 20000})
    terminal = Terminal(folder, ["scripts/test.sh", "test"])
    check(terminal.exit_code() == 0, terminal.shown)
    lines = terminal.progress()
    # The longest first, as ctest has it; those of e2e one after the other.
    two = [line for line in lines
           if line.startswith("testing [████████████████        ]  66%  2 of 3 tests")]
    check(two and 9000 < seconds_of(two[0]) <= 10000, lines)
    # The same as where there is no terminal.
    check("[" not in re.sub(r"\[K", "", terminal.left()), terminal.left())
    expected = ["test: build/test", "  e2e/b                e2e/b waited",
                "  e2e/c                e2e/c waited", "  unit/a               unit/a waited",
                "100% tests passed, 0 tests failed out of 3"]
    check(terminal.left().splitlines()[:5] == expected, terminal.left())
    piped = subprocess.run(["scripts/test.sh", "test"], cwd=folder, capture_output=True, text=True,
                           check=True, timeout=PATIENCE)
    check(piped.stderr == "", piped.stderr)
    check(piped.stdout.splitlines()[:5] == expected, piped.stdout)
    check("\x1b" not in piped.stdout and "\r" not in piped.stdout, piped.stdout)


def tests_without_costs(folder):
    # The pattern of ctest's options is passed on; a narrow terminal holds the line.
    with_tests(folder, {"unit/a": 0.1, "unit/b": 2.5, "e2e/c": 9}, {})
    terminal = Terminal(folder, ["scripts/test.sh", "test", "-R", "unit/"], columns=30)
    check(terminal.exit_code() == 0, terminal.shown)
    lines = terminal.progress()
    check(lines and all(len(line) <= 29 for line in lines), lines)
    (folder / "build/test/Testing/Temporary/CTestCostData.txt").unlink()
    terminal = Terminal(folder, ["scripts/test.sh", "test", "-R", "unit/"])
    check(terminal.exit_code() == 0, terminal.shown)
    lines = terminal.progress()
    check(any(line.endswith("1 of 2 tests") for line in lines), lines)
    check(not any("left" in line for line in lines), lines)


def ctrl_c_ends_ctest(folder):
    sleep = 100_000 + os.getpid()  # a name of its own
    with_tests(folder, {"unit/a": 0.1, "e2e/b": sleep}, {})
    terminal = Terminal(folder, ["scripts/test.sh", "test"])
    terminal.read(until="1 of 2 tests")
    terminal.press_ctrl_c()
    check(terminal.exit_code() == 130, terminal.shown)
    check(terminal.shown.endswith("build/test/test.log has what ran\r\n"), terminal.shown)
    check("unit/a" in (folder / "build/test/test.log").read_text(), "the log is not there")
    end = time.monotonic() + PATIENCE
    while subprocess.run(["pgrep", "-f", f"^sleep {sleep}$"], capture_output=True).returncode == 0:
        check(time.monotonic() < end, "a test goes on")
        time.sleep(0.1)


def fuzzing_is_known_exactly(folder):
    checkout(folder)
    for name in ("a", "b", "c"):
        program(folder / f"build/fuzz/bin/{name}_fuzz",
                "#!/bin/sh\nsleep 1.2\necho 'stat: one'\necho Done\n")
    terminal = Terminal(folder, ["scripts/fuzz.sh"], environment={"FUZZ_SECONDS": "10000"})
    check(terminal.exit_code() == 0, terminal.shown)
    lines = terminal.progress()
    for line in lines:
        done = int(re.search(r"(\d) of 3 targets", line).group(1))
        most = (3 - done) * 10000
        left = seconds_of(line)
        check(left is None or most - 1000 < left <= most, line)
    check(len({re.search(r"(\d) of", line).group(1) for line in lines}) >= 2, lines)
    shown = [line for line in terminal.left().splitlines() if line]
    check(shown == sum(([f"fuzz: {name}, 10000 s", "Done"] for name in "abc"), []), shown)


def fuzzing_ends_with_ctrl_c(folder):
    # As libFuzzer does: it has a handler of its own, and then its script would go on.
    checkout(folder)
    for name in ("a", "b"):
        program(folder / f"build/fuzz/bin/{name}_fuzz",
                "#!/bin/bash\ntrap 'exit 72' INT\nsleep 9 & wait $!\n")
    terminal = Terminal(folder, ["scripts/fuzz.sh"], environment={"FUZZ_SECONDS": "60"})
    terminal.read(until="0 of 2 targets")
    terminal.press_ctrl_c()
    check(terminal.exit_code() == 130, terminal.shown)
    check("fuzz: b" not in terminal.shown, terminal.shown)


def soaking_by_what_it_took(folder):
    checkout(folder)
    program(folder / "build/test/bin/engine_test", """#!/bin/sh
case $* in
  *list*) printf 'Running main() from x\\nWorlds.\\n  A\\n  B\\nRandom.\\n  C  # by/1\\n' ;;
  *) for t in Worlds.A Worlds.B Random.C; do
       echo "[ RUN      ] $t"; sleep 1.3; echo "[       OK ] $t (11000000 ms)"
     done
     echo '[==========] 3 tests from 2 test suites ran. (3 ms total)'
     echo '[  PASSED  ] 3 tests.' ;;
esac
""")
    program(folder / "build/test/bin/live_test", """#!/bin/sh
case $* in
  *list*) printf 'LiveFaults.\\n  A\\n' ;;
  *) echo '[  FAILED  ] LiveFaults.A (10 ms)'; exit 1 ;;
esac
""")
    terminal = Terminal(folder, ["scripts/soak.sh", "test", "10"])
    check(terminal.exit_code() == 1, terminal.shown)
    check("LiveFaults.A (10 ms)" in terminal.left(), terminal.left())
    lines = terminal.progress()
    check(lines and not any("left" in line for line in lines), lines)
    # Twice as many take twice as long.
    terminal = Terminal(folder, ["scripts/soak.sh", "test", "20"])
    check(terminal.exit_code() == 1, terminal.shown)
    lines = terminal.progress()
    check(lines[0].startswith("engine_test ["), lines[0])
    for line in lines:
        done = int(re.search(r"(\d) of 3 tests", line).group(1))
        left = seconds_of(line)
        most = (3 - done) * 22000
        check(left is None or most - 1000 < left <= most, line)
    check("[  PASSED  ] 3 tests." in terminal.left(), terminal.left())


def linting_counts_files(folder):
    checkout(folder)
    # In place of the build, and of the tools; b.cc has a finding.
    (folder / "scripts/format.sh").write_text("#!/bin/sh\necho 'format: 3 files'\n")
    (folder / "scripts/build.sh").write_text("#!/bin/sh\n")
    entries = []
    for name in ("a", "b", "c", "d"):
        (folder / "src").mkdir(exist_ok=True)
        (folder / f"src/{name}.cc").write_text('#include "x.h"\n')
        entries.append(f'  "file": "{folder}/src/{name}.cc",\n')
    (folder / "src/x.h").write_text("")
    (folder / ".clang-tidy").write_text("")
    (folder / "build/lint").mkdir(parents=True)
    (folder / "build/lint/compile_commands.json").write_text("".join(entries))
    program(folder / "bin/nproc", "#!/bin/sh\necho 1\n")
    program(folder / "bin/clang-tidy-19",
            "#!/bin/sh\nsleep 1.3\nfor f; do :; done\n"
            "case $f in *b.cc) echo \"$f:1: a finding\"; exit 1 ;; esac\n")
    path = f"{folder}/bin:{os.environ['PATH']}"
    terminal = Terminal(folder, ["scripts/lint.sh"], environment={"PATH": path})
    check(terminal.exit_code() == 1, terminal.shown)
    lines = terminal.progress()
    check(any(re.search(r"[12] of 4 files  \d+s left$", line) for line in lines), lines)
    check([line for line in terminal.left().splitlines() if line] ==
          ["format: 3 files", "tidy: 4 files", "src/b.cc:1: a finding"], terminal.left())
    # What passed is not looked at again.
    again = subprocess.run(["scripts/lint.sh"], cwd=folder, capture_output=True, text=True,
                           env={**os.environ, "PATH": path}, timeout=PATIENCE)
    check(again.stdout.splitlines()[1:] == ["tidy: 1 files", "src/b.cc:1: a finding"],
          again.stdout)
    check(again.stderr == "" and again.returncode == 1, again.stderr)


def main():
    checks = [tests_by_their_costs, tests_without_costs, ctrl_c_ends_ctest,
              fuzzing_is_known_exactly, fuzzing_ends_with_ctrl_c, soaking_by_what_it_took,
              linting_counts_files]
    wrong = 0
    for one in checks:
        with tempfile.TemporaryDirectory() as folder:
            try:
                one(pathlib.Path(folder).resolve() / "checkout")
            except AssertionError as error:
                wrong += 1
                print(f"{one.__name__}: {error}")
    print(f"progress: {len(checks)} checks, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
