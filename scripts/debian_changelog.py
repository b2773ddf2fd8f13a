#!/usr/bin/env python3
"""docs/changelog.md as Debian has changelogs, on standard output.

  scripts/debian_changelog.py VERSION

What is not released yet is of VERSION, the package's. Times are $SOURCE_DATE_EPOCH, or now.
"""

import email.utils
import os
import pathlib
import re
import sys
import textwrap
import time

CHANGELOG = pathlib.Path(__file__).resolve().parents[1] / "docs" / "changelog.md"
MAINTAINER = "Fairlead maintainers <maintainers@fairlead.invalid>"
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")


def items_by_version(text, version):
    """Of each version its items, each as one line, the newest version first."""
    sections = {}
    items = None
    for line in text.splitlines():
        if line.startswith("## "):
            title = line[3:].strip()
            name = version if title.lower().startswith("not released") else title.split()[0]
            items = sections.setdefault(name, [])
        elif items is None or not line.strip():
            continue
        elif line.startswith("- "):
            items.append(line[2:])
        elif line.startswith(" ") and items:
            items[-1] += " " + line.strip()
    return sections


def entry(version, items, when):
    lines = [f"fairlead ({version}) unstable; urgency=medium", ""]
    for item in items or ["As the documents say."]:
        plain = LINK.sub(r"\1", item).replace("**", "").replace("`", "")
        lines += textwrap.wrap(plain, 76, initial_indent="  * ", subsequent_indent="    ",
                               break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", f" -- {MAINTAINER}  {when}", ""])


def main():
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    when = email.utils.formatdate(epoch, usegmt=True).replace("GMT", "+0000")
    sections = items_by_version(CHANGELOG.read_text(encoding="utf-8"), sys.argv[1])
    print("\n".join(entry(name, items, when) for name, items in sections.items()), end="")


main()
