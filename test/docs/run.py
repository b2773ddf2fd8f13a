#!/usr/bin/env python3
"""Runs the commands that README.md, docs/ and examples/ show, and compares what they print.

  test/docs/run.py FAIRLEAD [FILE…]            compares; prints a diff for each command that differs
  test/docs/run.py --update FAIRLEAD [FILE…]   writes what they print into the documents

Every block ```console is run: its commands stand behind "$ ", what they print (both streams) below.
A line "…" stands for any lines, and where nothing is shown anything may be printed by a command that
succeeds. Blocks run at the top of the checkout's files, in a directory of
their own, so that what they write stays out of it. How a block is to be run stands in comments
before it, each on a line of its own, which no reader sees:

  <!-- docs-test: skip WHY -->           it is not run: it needs a cluster, say
  <!-- docs-test: first COMMAND -->      run that before, in silence
  <!-- docs-test: up ARGUMENTS -->       beside a `fairlead up ARGUMENTS` on a port of its own
  <!-- docs-test: same up -->            beside that of the block before
  <!-- docs-test: data FROM=TO … -->     with TO from $FAIRLEAD_DATA, else ../shared/data; not run
                                         where that is not there
  <!-- docs-test: slow -->               run only where $SLOW is set: minutes

Beside an `up` time passes, so that durations, and seconds of times, may differ there. A command
`fairlead up` is ended by Ctrl-C once it has said how.
"""

import difflib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARK = re.compile(r"<!-- docs-test: (.*) -->$")
FENCE = "```"
REST = "…"
UP_SAID_ALL = "Ctrl-C ends it"
PATIENCE = 120  # seconds for one command


class Fault(Exception):
    """The document or its comments are wrong."""


class Command:
    def __init__(self, text, first_line):
        self.text = text
        self.first_line = first_line  # of what it prints, from 0
        self.expected = []


class Block:
    def __init__(self, name, marks, margin):
        self.name = name  # FILE:LINE
        self.marks = marks
        self.margin = margin
        self.commands = []

    def mark(self, word):
        return [m[len(word) :].strip() for m in self.marks if m.split()[0] == word]


def goes_on(command):
    """Whether the next line belongs to it too: a pipe or a quote is open."""
    return command.rstrip().endswith(("|", "\\")) or command.count("'") % 2 == 1


def blocks_of(path, lines):
    blocks, marks, block, fence = [], [], None, ""
    for number, indented in enumerate(lines):
        # A block in a list stands to the right.
        margin = len(indented) - len(indented.lstrip(" "))
        line = indented[min(margin, block.margin) :] if block else indented[margin:]
        if block is not None:
            if line.startswith(FENCE):
                if not block.commands:
                    raise Fault(f"{block.name}: shows no command")
                blocks.append(block)
                block = None
            elif line.startswith("$ "):
                block.commands.append(Command(line[2:], number + 1))
            elif not block.commands:
                raise Fault(f"{path}:{number + 1}: output before any command")
            elif not block.commands[-1].expected and goes_on(block.commands[-1].text):
                block.commands[-1].text += "\n" + line
                block.commands[-1].first_line = number + 1
            else:
                block.commands[-1].expected.append(line)
        elif fence:
            fence = "" if line.startswith(FENCE) else fence
        elif line.startswith(FENCE + "console"):
            block = Block(f"{path}:{number + 1}", marks, margin)
            marks = []
        elif line.startswith(FENCE):
            fence = line
        elif found := MARK.match(line):
            if found[1].split()[0] not in ("skip", "first", "up", "same", "data", "slow"):
                raise Fault(f"{path}:{number + 1}: no such comment: {found[1]}")
            marks.append(found[1])
        elif marks and line:
            raise Fault(f"{path}:{number}: a comment for a block, and no block behind it")
    if block is not None:
        raise Fault(f"{block.name}: has no end")
    return blocks


def exact(line):
    return line.rstrip()


def timeless(line):
    """Without what differs from run to run where a clock runs, and the widths that come of it."""
    line = re.sub(r"(T\d\d:\d\d):\d\dZ", r"\1:__Z", line)
    line = re.sub(r"\b(\d+[dhms])+\b", "DURATION", line)
    if line.startswith("Ended after"):
        line = re.sub(r"\d+", "N", line)
    return re.sub(r"  +", "  ", line).rstrip()


def segments_of(lines):
    segments = [[]]
    for line in lines:
        if line.strip() == REST:
            segments.append([])
        else:
            segments[-1].append(line)
    return segments


def find(segment, lines, start):
    for at in range(start, len(lines) - len(segment) + 1):
        if lines[at : at + len(segment)] == segment:
            return at
    return None


def matches(expected, found, norm):
    segments = [[norm(line) for line in segment] for segment in segments_of(expected)]
    lines = [norm(line) for line in found]
    if len(segments) == 1:
        return segments[0] == lines
    if lines[: len(segments[0])] != segments[0]:
        return False
    at = len(segments[0])
    for segment in segments[1:-1]:
        place = find(segment, lines, at)
        if place is None:
            return False
        at = place + len(segment)
    last = segments[-1]
    return not last or (len(lines) - at >= len(last) and lines[-len(last) :] == last)


def merged(expected, found):
    """What stands in the document from now on: as many lines at the places that were shown."""

    def shape(line):
        return re.sub(r"[\d.,:%]+|  +", "#", line)

    segments = segments_of(expected)
    if len(segments) == 1:
        return found
    lines, at = found[: len(segments[0])], len(segments[0])
    for index, segment in enumerate(segments[1:], 1):
        lines.append(REST)
        if not segment:
            continue
        places = [p for p in range(at, len(found)) if shape(found[p]) == shape(segment[0])]
        if index == len(segments) - 1:
            places = [len(found) - len(segment)]
        if not places:
            raise Fault(f"no line like this any more, mend it by hand: {segment[0]}")
        lines += found[places[0] : places[0] + len(segment)]
        at = places[0] + len(segment)
    return lines


class Scratch:
    """A directory in which the checkout's files seem to be, and the servers that were started."""

    def __init__(self, fairlead):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="fairlead-docs-"))
        (self.path / "bin").mkdir()
        (self.path / "bin" / "fairlead").symlink_to(fairlead)
        self.env = dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8", HOME=str(self.path))
        self.env["PATH"] = f"{self.path / 'bin'}:{self.env['PATH']}"
        for name in ("FAIRLEAD_SERVER", "XDG_DATA_HOME", "KUBECONFIG"):
            self.env.pop(name, None)
        self.work = None
        self.server = None
        self.failed = False  # the last command

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end_server()
        shutil.rmtree(self.path)

    def renew(self):
        self.end_server()
        self.work = pathlib.Path(tempfile.mkdtemp(dir=self.path))
        for name in ("examples", "test", "deploy"):
            (self.work / name).symlink_to(ROOT / name)

    def start_up(self, arguments):
        """The process and what it printed, once it serves."""
        process = subprocess.Popen(
            ["bash", "-c", f"exec fairlead up --port 0 {arguments}"],
            cwd=self.work,
            env=self.env,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        said = []
        for line in process.stdout:
            said.append(line.rstrip("\n"))
            if UP_SAID_ALL in line:
                return process, said
        process.wait()
        raise Fault(f"fairlead up {arguments}: ended too soon\n" + "\n".join(said))

    def serve(self, arguments):
        self.server, said = self.start_up(arguments)
        self.env["FAIRLEAD_SERVER"] = re.search(r"http://[\d.:]+", said[0])[0]

    def end_server(self):
        if self.server is None:
            return
        self.server.send_signal(signal.SIGINT)
        self.server.communicate(timeout=PATIENCE)
        self.server = None
        self.env.pop("FAIRLEAD_SERVER", None)

    def run(self, command):
        if up := re.match(r"fairlead up\b(.*)", command):
            process, said = self.start_up(up[1])
            process.send_signal(signal.SIGINT)
            said += process.communicate(timeout=PATIENCE)[0].splitlines()
            # As on its own port, where nobody has to be told of another.
            said = [line for line in said if not line.startswith("  export FAIRLEAD_SERVER=")]
            return [re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:8484", line) for line in said]
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.work,
            env=self.env,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE * (10 if os.environ.get("SLOW") else 1),
        )
        self.failed = done.returncode != 0
        return done.stdout.splitlines()

    def run_until(self, command, expected, norm):
        """A question to a cluster whose clock runs: what it is asked for may be on its way."""
        deadline = time.monotonic() + 10
        asks = re.match(r"fairlead (get|explain|queue|history)\b", command)
        while True:
            found = self.run(command)
            if matches(expected, found, norm) or not asks or time.monotonic() > deadline:
                return found


def data_of(block):
    """[(file, name)] of its data; None: it is not there."""
    home = pathlib.Path(os.environ.get("FAIRLEAD_DATA", ROOT.parent / "shared" / "data"))
    pairs = [pair.split("=") for mark in block.mark("data") for pair in mark.split()]
    files = [(home / source, name) for source, name in pairs]
    return files if all(file.is_file() for file, _ in files) else None


def why_not_run(block):
    if block.mark("skip"):
        return block.mark("skip")[0]
    if block.mark("slow") and not os.environ.get("SLOW"):
        return "takes minutes"
    return "" if data_of(block) is not None else "its data is not there"


def prepare(block, scratch):
    if "same up" in block.marks:
        if scratch.server is None:
            raise Fault(f"{block.name}: no `up` before it")
        return
    scratch.renew()
    for file, name in data_of(block):
        (scratch.work / name).symlink_to(file)
    for command in block.mark("first"):
        scratch.run(command)
    for arguments in block.mark("up"):
        scratch.serve(arguments)


def show(block, command, found):
    print(f"FAILED {block.name}: $ {command.text}")
    for line in difflib.unified_diff(command.expected, found, "documented", "printed", "", "", 2):
        print("  " + line.rstrip())


def look_at(path, scratch, update):
    """Runs a document's blocks. Returns how many commands were run, how many differed."""
    lines = path.read_text().splitlines()
    blocks = blocks_of(path.relative_to(ROOT), lines)
    ran, differ, changes = 0, 0, []
    for block in blocks:
        if why := why_not_run(block):
            print(f"not run: {block.name}: {why}")
            continue
        prepare(block, scratch)
        for command in block.commands:
            starts_one = re.match(r"fairlead up\b", command.text)
            norm = timeless if scratch.server or starts_one else exact
            found = scratch.run_until(command.text, command.expected, norm)
            ran += 1
            if not command.expected and not scratch.failed:
                continue
            if matches(command.expected, found, norm):
                continue
            differ += 1
            show(block, command, found)
            margin = " " * block.margin
            new = [(margin + line).rstrip() for line in merged(command.expected, found)]
            changes.append((command, new))
    if update:
        for command, new in reversed(changes):
            end = command.first_line + len(command.expected)
            lines[command.first_line : end] = new
        if changes:
            path.write_text("\n".join(lines) + "\n")
    return ran, differ


def main(arguments):
    update = "--update" in arguments
    arguments = [argument for argument in arguments if argument != "--update"]
    if not arguments:
        sys.exit("usage: test/docs/run.py [--update] FAIRLEAD [FILE…]")
    documents = [pathlib.Path(name).resolve() for name in arguments[1:]] or [
        ROOT / "README.md",
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted((ROOT / "examples").glob("**/*.md")),
    ]
    ran, differ = 0, 0
    with Scratch(pathlib.Path(arguments[0]).resolve()) as scratch:
        for document in documents:
            try:
                done = look_at(document, scratch, update)
            except Fault as fault:
                sys.exit(f"FAILED {fault}")
            ran, differ = ran + done[0], differ + done[1]
    if differ and not update:
        print(f"{differ} of {ran} documented commands print something else")
        print("`make docs` puts what they print into the documents; read the difference")
        sys.exit(1)
    print(f"{ran} documented commands were run, {differ} changed" if update else
          f"{ran} documented commands print what the documents say")


main(sys.argv[1:])
