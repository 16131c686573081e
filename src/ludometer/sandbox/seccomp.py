"""The system calls that a sandboxed interpreter may still make, as a filter the kernel runs.

An allow-list: everything that is not named here is refused with EPERM. The filter is a classic BPF program (Linux,
Documentation/userspace-api/seccomp_filter.rst; ``struct seccomp_data``, ``struct sock_filter``), assembled here so that
nothing but the kernel is needed. Numbers: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.

A single-use interpreter that has read its program needs to read files, map memory, tell the time, write to its pipe
and end. It does not need to start anything (fork, clone, exec), reach anybody (sockets, signals, ptrace), change a
limit, or change anything in a file system.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable, Mapping
from typing import NamedTuple

__all__ = ["ARCHITECTURES", "Architecture", "Instruction", "filter_program"]


class Architecture(NamedTuple):
    """``audit``: AUDIT_ARCH of include/uapi/linux/audit.h; ``calls``: allowed system calls by name."""

    audit: int
    calls: Mapping[str, int]
    x32: bool


_X86_64 = """
    read 0  write 1  open 2  close 3  stat 4  fstat 5  lstat 6  poll 7  lseek 8  mmap 9  mprotect 10  munmap 11  brk 12
    rt_sigaction 13  rt_sigprocmask 14  rt_sigreturn 15  pread64 17  readv 19  writev 20  access 21  select 23
    sched_yield 24  mremap 25  madvise 28  dup 32  dup2 33  nanosleep 35  getpid 39  exit 60  uname 63  fcntl 72
    getcwd 79  readlink 89  gettimeofday 96  getrusage 98  times 100  getuid 102  getgid 104  geteuid 107  getegid 108
    getppid 110  sigaltstack 131  gettid 186  time 201  futex 202  sched_getaffinity 204  getdents64 217
    restart_syscall 219  fadvise64 221  clock_gettime 228  clock_getres 229  clock_nanosleep 230  exit_group 231
    openat 257  newfstatat 262  readlinkat 267  faccessat 269  pselect6 270  ppoll 271  dup3 292  getrandom 318
    statx 332  faccessat2 439
"""
_AARCH64 = """
    getcwd 17  dup 23  dup3 24  fcntl 25  faccessat 48  openat 56  close 57  getdents64 61  lseek 62  read 63  write 64
    readv 65  writev 66  pread64 67  pselect6 72  ppoll 73  readlinkat 78  newfstatat 79  fstat 80  exit 93
    exit_group 94  futex 98  nanosleep 101  clock_gettime 113  clock_getres 114  clock_nanosleep 115
    sched_getaffinity 123  sched_yield 124  restart_syscall 128  sigaltstack 132  rt_sigaction 134
    rt_sigprocmask 135  rt_sigreturn 139  times 153  uname 160  getrusage 165  gettimeofday 169  getpid 172
    getppid 173  getuid 174  geteuid 175  getgid 176  getegid 177  gettid 178  brk 214  munmap 215  mremap 216
    mmap 222  fadvise64 223  mprotect 226  madvise 233  getrandom 278  statx 291  faccessat2 439
"""
_CLONE3 = 435
"""The same everywhere. The C library falls back to ``clone``, which is refused in turn, where this does not exist."""


def _table(text: str) -> dict[str, int]:
    words = text.split()
    return {name: int(number) for name, number in zip(words[::2], words[1::2], strict=True)}


ARCHITECTURES: Mapping[str, Architecture] = {
    "x86_64": Architecture(0xC000003E, _table(_X86_64), True),
    "aarch64": Architecture(0xC00000B7, _table(_AARCH64), False),
}
"""By `platform.machine`."""

_FCNTL_COMMANDS = (0, 1, 2, 3, 1030)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. Never F_SETOWN: with it the kernel signals whom one likes."""

# Where things stand in struct seccomp_data (little-endian: the low half of a 64-bit argument comes first).
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
# Instruction codes: load a word, jump if equal, jump if at least, return.
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_KILL_PROCESS, _ERRNO, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
_X32_BIT = 0x40000000


class Instruction(NamedTuple):
    """One ``struct sock_filter``: ``yes`` and ``no`` are how many instructions a jump skips."""

    code: int
    yes: int
    no: int
    value: int


def _load(offset: int) -> Instruction:
    return Instruction(_LOAD, 0, 0, offset)


def _answer(action: int) -> Instruction:
    return Instruction(_RETURN, 0, 0, action)


def _if_equal(value: int, then: list[Instruction]) -> list[Instruction]:
    return [Instruction(_JUMP_EQUAL, 0, len(then), value), *then]


def _if_one_of(values: Iterable[int], action: int) -> list[Instruction]:
    return [step for value in values for step in _if_equal(value, [_answer(action)])]


def filter_program(machine: str) -> bytes:
    """The filter for an architecture (a key of `ARCHITECTURES`), as an array of ``struct sock_filter``.

    Another architecture's calls (``int 0x80``) end the process; the x32 ones do not exist (ENOSYS), nor does clone3.
    """
    architecture = ARCHITECTURES[machine]
    calls = dict(architecture.calls)
    fcntl = calls.pop("fcntl")
    steps = [_load(_ARCH), Instruction(_JUMP_EQUAL, 1, 0, architecture.audit), _answer(_KILL_PROCESS), _load(_NUMBER)]
    if architecture.x32:
        steps += [Instruction(_JUMP_AT_LEAST, 0, 1, _X32_BIT), _answer(_ERRNO | errno.ENOSYS)]
    steps += _if_one_of(sorted(calls.values()), _ALLOW)
    steps += _if_one_of([_CLONE3], _ERRNO | errno.ENOSYS)
    commands = [_load(_ARGUMENTS + 8), *_if_one_of(_FCNTL_COMMANDS, _ALLOW), _answer(_ERRNO | errno.EPERM)]
    steps += [*_if_equal(fcntl, commands), _answer(_ERRNO | errno.EPERM)]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
