#!/usr/bin/env python3
"""Man pages of the program and of each command, made of what `fairlead help` says.

  scripts/man_pages.py FAIRLEAD DIRECTORY     writes DIRECTORY/fairlead.1, fairlead-plan.1, …
"""

import os
import pathlib
import re
import subprocess
import sys

EXIT_STATUS = [
    ("0", "done"),
    ("1", "the answer is no: validate found something, simulate --audit a fault"),
    ("2", "bad input: a line for each fault on standard error"),
]
ENVIRONMENT = [
    ("FAIRLEAD_SERVER", "the running Fairlead to ask, instead of http://127.0.0.1:8484"),
    ("KUBECONFIG", "of run, as kubectl reads it"),
    ("NO_COLOR", "no colour, on terminals too"),
]
SECTIONS = ("Commands", "Everywhere", "Start here", "Examples", "Arguments", "Flags")


def help_of(fairlead, words):
    environment = dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8")
    asked = [fairlead, "help", *words]
    done = subprocess.run(asked, check=True, capture_output=True, text=True, env=environment)
    return done.stdout


def sections_of(text):
    """Lines by heading; what stands before the first one is under None."""
    sections, heading = {None: []}, None
    for line in text.splitlines():
        if line in SECTIONS:
            heading = line
            sections[heading] = []
        else:
            sections[heading].append(line)
    return sections


def rows_of(lines):
    """Two columns, three spaces apart."""
    return [tuple(re.split(r" {3,}", line.strip(), maxsplit=1)) for line in lines if line.strip()]


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\\&" + text if text.startswith(".") else text


def head(name, version, summary):
    title = name.replace(" ", "-").upper()
    return [
        f'.TH {roff(title)} 1 "" "Fairlead {version}" "Fairlead"',
        ".nh",
        ".ad l",
        ".SH NAME",
        f"{roff(name.replace(' ', '-'))} \\- {roff(summary)}",
        ".SH SYNOPSIS",
    ]


def tagged(rows):
    lines = []
    for row in rows:
        lines += [".TP", f"\\fB{roff(row[0])}\\fR", roff(row[1]) if len(row) > 1 else ""]
    return lines


def verbatim(lines):
    shown = [line[2:] if line.startswith("  ") else line for line in lines]
    while shown and not shown[-1]:
        shown.pop()
    return [".nf", *map(roff, shown), ".fi"]


def paragraphs(lines):
    text = "\n".join(lines).strip()
    return roff(text).replace("\n\n", "\n.PP\n").splitlines()


def see_also(names):
    pages = [f"\\fB{roff(name.replace(' ', '-'))}\\fR(1)" for name in names]
    return [".SH SEE ALSO", ", ".join(pages)]


def program_page(version, sections, names):
    about = " ".join(sections[None]).strip()
    return [
        *head("fairlead", version, "schedules batch work on Kubernetes"),
        "\\fBfairlead\\fR \\fICOMMAND\\fR [flags]",
        ".SH DESCRIPTION",
        *paragraphs([about]),
        ".SH COMMANDS",
        *tagged(rows_of(sections["Commands"])),
        ".SH OPTIONS",
        *tagged(rows_of(sections["Everywhere"])),
        ".SH EXAMPLES",
        *verbatim(sections["Start here"]),
        ".SH EXIT STATUS",
        *tagged(EXIT_STATUS),
        ".SH ENVIRONMENT",
        *tagged(ENVIRONMENT),
        *see_also(f"fairlead {name}" for name in names),
    ]


def command_page(version, name, summary, sections):
    usage = next(line for line in sections[None] if line.startswith("Usage: "))
    about = [line for line in sections[None] if line != usage]
    page = [
        *head(f"fairlead {name}", version, summary),
        roff(usage.removeprefix("Usage: ")),
        ".SH DESCRIPTION",
        *paragraphs(about),
    ]
    if "Arguments" in sections:
        page += [".SH ARGUMENTS", *tagged(rows_of(sections["Arguments"]))]
    page += [".SH OPTIONS", *tagged(rows_of(sections["Flags"]))]
    return [*page, ".SH EXAMPLES", *verbatim(sections["Examples"]), *see_also(["fairlead"])]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    fairlead, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    shown = subprocess.run([fairlead, "version"], check=True, capture_output=True, text=True)
    version = shown.stdout.split()[1]
    program = sections_of(help_of(fairlead, []))
    commands = rows_of(program["Commands"])
    pages = {"fairlead": program_page(version, program, [name for name, _ in commands])}
    for name, summary in commands:
        page = command_page(version, name, summary, sections_of(help_of(fairlead, name.split())))
        pages[f"fairlead-{name.replace(' ', '-')}"] = page
    for name, lines in pages.items():
        (directory / f"{name}.1").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
