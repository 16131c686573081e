"""The system-call filter: run here as the kernel runs it, and its numbers compared with the kernel's headers."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from ludometer.sandbox.seccomp import ARCHITECTURES, filter_program

ALLOW, EPERM, ENOSYS, KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
HEADERS = {
    "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"),
    "aarch64": ("/usr/include/asm-generic/unistd.h",),
}


def kernel(program: bytes, number: int, audit: int, *arguments: int) -> int:
    """What the filter answers for a call: classic BPF, as far as seccomp filters use it."""
    data = struct.pack("<iIQ6Q", number, audit, 0, *(*arguments, *[0] * (6 - len(arguments))))
    steps = list(struct.iter_unpack("=HBBI", program))
    at, word = 0, 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        if code == 0x20:
            (word,) = struct.unpack_from("<I", data, value)
        elif code == 0x15:
            at += yes if word == value else no
        elif code == 0x35:
            at += yes if word >= value else no
        else:
            assert code == 0x06
            return int(value)


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_only_what_is_listed_is_allowed(machine: str) -> None:
    program, architecture = filter_program(machine), ARCHITECTURES[machine]
    listed = set(architecture.calls.values()) - {architecture.calls["fcntl"]}
    for number in range(600):
        expected = ALLOW if number in listed else ENOSYS if number == 435 else EPERM
        assert kernel(program, number, architecture.audit, 0, 99) == expected, number


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_fcntl_by_command(machine: str) -> None:
    program, architecture = filter_program(machine), ARCHITECTURES[machine]
    allowed = {
        command
        for command in range(1100)
        if kernel(program, architecture.calls["fcntl"], architecture.audit, 0, command) == ALLOW
    }
    assert allowed == {0, 1, 2, 3, 1030}  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC


def test_other_tables_are_no_way_around() -> None:
    program = filter_program("x86_64")
    for audit in (0x40000003, 0xC00000B7, 0):  # i386, arm64, nonsense
        assert kernel(program, 0, audit) == KILL
    for number in (0x40000000, 0x40000000 + 57, 0x7FFFFFFF, 0xFFFFFFFF - 2**32):
        assert kernel(program, number, ARCHITECTURES["x86_64"].audit) == ENOSYS


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_what_a_program_must_not_do_is_not_listed(machine: str) -> None:
    harmful = (
        "fork vfork clone clone3 execve execveat kill tkill tgkill socket connect ptrace prctl seccomp memfd_create"
    )
    harmful += (
        " ioctl prlimit64 setuid mount unshare setns bpf keyctl add_key process_vm_readv pidfd_open io_uring_setup"
    )
    harmful += " chmod fchmodat rename unlink truncate ftruncate mknod mkdir symlink link creat setpriority"
    assert not set(harmful.split()) & set(ARCHITECTURES[machine].calls)


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_numbers_are_the_kernel_s(machine: str) -> None:
    header = next((path for path in map(Path, HEADERS[machine]) if path.exists()), None)
    if header is None:
        pytest.skip("the kernel's headers are not installed: apt-get install linux-libc-dev")
    text = header.read_text(encoding="utf-8")
    numbers = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)\n", text)}
    numbers["newfstatat"] = numbers.get("newfstatat", numbers.get("fstatat", -1))
    assert {name: numbers.get(name) for name in ARCHITECTURES[machine].calls} == ARCHITECTURES[machine].calls
