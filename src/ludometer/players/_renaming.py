"""A Python program with other names for what it defines itself: does it still do what it did?

Only names that the program binds are renamed, everywhere and to names of the same length, made of letters that the
program has anyway, so that a filter by length or by letters takes them as it took the first ones. Spacing, comments and
everything else stay as they are.
"""

from __future__ import annotations

import ast
import builtins
import io
import keyword
import re
import tokenize
import unicodedata
import warnings
from collections.abc import Iterator, Mapping

from ludometer.core import Chance

__all__ = ["own_names", "renamings"]

_WORD = re.compile(r"\w+")
_DRAWS = 60


def renamings(source: str, most: int = 3) -> list[str]:
    """Up to ``most`` renamed versions, different from each other; none where the program binds no name that could be
    renamed, or cannot be read as Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python thinks of a stranger's style is nobody's concern
            tree = ast.parse(source)
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return []
    names = sorted(own_names(tree))
    taken = {_plain(token.string) for token in tokens if token.type == tokenize.NAME}
    letters = {letter for name in taken for letter in name if letter.isascii() and letter.isalpha()}
    found: list[str] = []
    for number in range(most):
        chance = Chance.from_seed(source).named("renaming", number)
        renamed = _renamed(source, tokens, _fresh_names(names, taken, letters, chance))
        if renamed != source and renamed not in found:
            found.append(renamed)
    return found


def own_names(tree: ast.AST) -> set[str]:
    """The names that a program binds and that can be renamed without changing what it does: not those it takes from
    elsewhere, attributes, keywords of calls, or words that also stand in its texts."""
    bound: set[str] = set()
    fixed: set[str] = set(dir(builtins))
    for node in ast.walk(tree):
        bound.update(_bound_by(node))
        fixed.update(_fixed_by(node))
    return {name for name in bound - fixed if not (name.startswith("__") and name.endswith("__"))}


def _bound_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias) and node.asname:
        yield node.asname
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def _fixed_by(node: ast.AST) -> Iterator[str]:
    """Names that mean something outside of the program, or may be looked up by their text."""
    if isinstance(node, ast.alias):
        yield from node.name.split(".")
    elif isinstance(node, ast.keyword) and node.arg:
        yield node.arg
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from _WORD.findall(node.value)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield from node.module.split(".")
    elif isinstance(node, ast.MatchClass):
        yield from node.kwd_attrs
    elif isinstance(node, ast.ClassDef):
        for statement in node.body:
            yield from _class_attributes(statement)
    elif isinstance(node, ast.JoinedStr):  # before Python 3.12 the names in it are no tokens of their own
        yield from (inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name))


def _class_attributes(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        yield from _bound_by(node)


def _fresh_names(names: list[str], taken: set[str], letters: set[str], chance: Chance) -> Mapping[str, str]:
    used = set(taken)
    fresh = {}
    for name in names:
        for draw in range(_DRAWS):
            # First of the program's own letters; where these run out, of all.
            alphabet = letters if draw < _DRAWS // 2 else set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
            candidate = _other(name, alphabet, chance.named(name, draw))
            if candidate not in used and not keyword.iskeyword(candidate) and not hasattr(builtins, candidate):
                fresh[name] = candidate
                used.add(candidate)
                break
    return fresh


def _other(name: str, alphabet: set[str], chance: Chance) -> str:
    letters = []
    for letter in name:
        choices = sorted(a for a in alphabet if a.islower() == letter.islower())
        if letter.isascii() and letter.isalpha() and choices:
            letter, chance = chance.choice(choices)
        letters.append(letter)
    return "".join(letters)


def _renamed(source: str, tokens: list[tokenize.TokenInfo], fresh: Mapping[str, str]) -> str:
    lines = source.splitlines(keepends=True)
    after_dot = False
    places = []
    for token in tokens:
        if token.type == tokenize.NAME and not after_dot and _plain(token.string) in fresh:
            places.append((*token.start, token.end[1], fresh[_plain(token.string)]))
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            after_dot = token.string == "."
    for row, start, end, name in reversed(places):
        line = lines[row - 1]
        lines[row - 1] = line[:start] + name + line[end:]
    return "".join(lines)


def _plain(name: str) -> str:
    """The identifier that Python takes it for."""
    return unicodedata.normalize("NFKC", name)
