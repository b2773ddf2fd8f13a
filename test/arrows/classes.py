#!/usr/bin/env python3
"""No class of src/ has more than 40 methods: what needs more is two classes.

Counts what is declared in a class with parentheses behind it: methods and constructors, not
operators, nor what is defaulted or deleted, nor what classes inside it declare.

  test/arrows/classes.py [ROOT]      ROOT: the checkout, by default the one that holds this file
"""
import pathlib
import re
import sys

MOST = 40


def bodies(text):
    """(name, line, what stands in the class itself, its blocks left out)."""
    for match in re.finditer(r"\b(?:class|struct)\s+([\w:]+)(?:\s+final)?\s*(?::[^{;]*)?\{", text):
        depth, at, own = 1, match.end(), []
        while depth > 0 and at < len(text):
            if text[at] == "{":
                depth += 1
            elif text[at] == "}":
                depth -= 1
                own.append(";" if depth == 1 else "")
            elif depth == 1:
                own.append(text[at])
            at += 1
        yield match.group(1), text.count("\n", 0, match.start()) + 1, "".join(own)


def is_method(declaration):
    declaration = re.sub(r"\b(public|private|protected):", "", declaration).strip()
    head = declaration.partition("(")[0]
    if "(" not in declaration or declaration.startswith(("using", "friend", "static_assert")):
        return False
    if re.search(r"\boperator\b|= (default|delete)$", declaration) or "std::function" in head:
        return False
    return "=" not in head


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]
    classes = faults = 0
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in (".h", ".cc"):
            continue
        text = re.sub(r"//[^\n]*", "", path.read_text())
        text = re.sub(r'"(\\.|[^"\\\n])*"', '""', text)
        for name, line, body in bodies(text):
            classes += 1
            methods = sum(is_method(one) for one in body.split(";"))
            if methods > MOST:
                faults += 1
                where = path.relative_to(root)
                print(f"{where}:{line}: {name} has {methods} methods, expected at most {MOST}")
    print(f"{faults} classes are too large" if faults else f"{classes} classes have {MOST} methods at most")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
