"""Runs a command as an unprivileged user, and on request in a place where no user namespace can be made.

``python context.py [--no-namespaces] [--show FOLDER ...] -- COMMAND ...``. For root, the folders are made visible to
that user although they may lie in a home that is closed to it: in a mount namespace of the command's own, so that
nothing changes on the machine. Whoever is unprivileged already stays who they are.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import tempfile
from pathlib import Path

NOBODY = 65534
_LIBC = ctypes.CDLL(None, use_errno=True)
_NEW_MOUNTS, _NEW_USERS = 0x00020000, 0x10000000
_BIND, _RECURSIVE, _PRIVATE = 4096, 16384, 1 << 18


def _checked(result: int, what: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def _mount(source: str, target: Path, kind: str | None, flags: int, data: str = "") -> None:
    encoded = [None if text is None else os.fsencode(text) for text in (source, target, kind)]
    _checked(_LIBC.mount(*encoded, ctypes.c_ulong(flags), data.encode()), f"mount {target}")


def show(folders: list[Path]) -> None:
    """Puts an open folder over every closed one that hides one of ``folders``, and binds those into it."""
    _checked(_LIBC.unshare(_NEW_MOUNTS), "unshare")
    _mount("none", Path("/"), None, _RECURSIVE | _PRIVATE)
    stash = Path(tempfile.mkdtemp(prefix="ludometer-test-"))
    _mount("tmpfs", stash, "tmpfs", 0, "mode=0700")
    closed: dict[Path, list[Path]] = {}
    for folder in folders:
        for parent in reversed(folder.parents):
            if not parent.stat().st_mode & 0o001:
                closed.setdefault(parent, []).append(folder)
                break
    for number, (parent, hidden) in enumerate(closed.items()):
        kept = stash / str(number)
        kept.mkdir()
        _mount(str(parent), kept, None, _BIND | _RECURSIVE)
        _mount("tmpfs", parent, "tmpfs", 0, "mode=0755")
        for folder in hidden:
            folder.mkdir(parents=True, exist_ok=True)
            _mount(str(kept / folder.relative_to(parent)), folder, None, _BIND | _RECURSIVE)
    _checked(_LIBC.umount2(os.fsencode(stash), 2), "umount")  # MNT_DETACH: the folders bound from it stay
    stash.rmdir()


def forbid_namespaces() -> None:
    """Enters a user namespace in which no further one can be made; the users keep their numbers."""
    root, uid, gid = os.geteuid() == 0, os.getuid(), os.getgid()
    entered, mapped = os.pipe(), os.pipe()
    writer = os.fork()
    if writer == 0:
        os.read(entered[0], 1)
        folder = Path(f"/proc/{os.getppid()}")
        if not root:
            (folder / "setgroups").write_text("deny")
        (folder / "uid_map").write_text("0 0 65536" if root else f"{uid} {uid} 1")
        (folder / "gid_map").write_text("0 0 65536" if root else f"{gid} {gid} 1")
        os.write(mapped[1], b"x")
        os._exit(0)
    _checked(_LIBC.unshare(_NEW_USERS), "unshare")
    os.write(entered[1], b"x")
    os.read(mapped[0], 1)
    os.waitpid(writer, 0)
    Path("/proc/sys/user/max_user_namespaces").write_text("0")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--no-namespaces", action="store_true")
    parser.add_argument("--show", action="append", default=[], type=Path)
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    root = os.geteuid() == 0
    if root:
        show(arguments.show)
    if arguments.no_namespaces:
        forbid_namespaces()
    if root:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    os.environ["HOME"] = "/nonexistent"
    os.execv(arguments.command[0], arguments.command)


if __name__ == "__main__":
    main()
