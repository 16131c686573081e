"""The hostile programs of the escape suite, by number. See `escape_suite` for how they are run and judged.

A probe prints ``PWN`` and what it achieved, and ``EXERCISED`` at its end: one that died before its attack proves
nothing. Some are judged by what the arena saw instead (a signal, a connection, a file, a process), or by how their run
ended, for which they print ``ATTACKED`` first.
"""

from __future__ import annotations

from typing import NamedTuple


class Probe(NamedTuple):
    """One hostile program.

    Args:
        number: of the suite, with a letter where one number is several programs.
        control: it must succeed outside a sandbox, or it proves nothing.
        ends: how its run may end, besides printing ``EXERCISED``; empty: it must print that.
        again: it is run twice, and only the second run is judged.
        slow: it takes the whole limit.
    """

    number: str
    title: str
    source: str
    control: bool = False
    ends: tuple[str, ...] = ()
    again: bool = False
    slow: bool = False


PRELUDE = '''
import os, sys
WASI = sys.platform == "wasi"
def pwn(*what):
    print("PWN", *what)
def done():
    print("EXERCISED")
def need(name):
    """A module; where WebAssembly has none, there is nothing to attack, and elsewhere the attack did not happen."""
    try:
        return __import__(name)
    except ImportError:
        print("EXERCISED: there is no such thing" if WASI else "MISSING " + name)
        sys.stdout.flush()
        os._exit(0)
def attempt(function, *arguments):
    """The result; None where it is refused or does not exist."""
    try:
        return function(*arguments)
    except (OSError, AttributeError, ValueError, PermissionError):
        return None
def reads(path):
    try:
        with open(path, "rb") as stream:
            return stream.read(1 << 20)
    except (OSError, ValueError):
        return b""
def writable():
    places = [PARTS["home"], "/tmp", "/var/tmp", "/dev/shm", PARTS["project"], ".", "/", "/run", "/home", "/dev"]
    return places + [PARTS["library"], "/python", "/usr/local/lib"]
SECRET = PARTS["secret"].encode()
ARENA = int(PARTS["arena"])
PARENT = getattr(os, "getppid", lambda: 1)()
'''
