"""Hostile programs that want to change the host (part B of the suite)."""

from __future__ import annotations

from probe import Probe

INTEGRITY = [
    Probe(
        "9",
        "files made on the host",
        """
for folder in writable():
    try:
        with open(folder + "/" + PARTS["mark"], "w") as stream:
            stream.write("x")
    except OSError:
        pass
done()
""",
        control=True,
    ),
    Probe(
        "10",
        "signals to the arena, the parent and the first process",
        """
for process in (ARENA, PARENT, 1):
    for number in (0, 10):
        if process == 1 and number and PARENT != 1:
            continue
        try:
            os.kill(process, number)
            pwn(process, number)
        except (OSError, AttributeError):
            pass
done()
""",
        control=True,
    ),
    Probe(
        "11",
        "signal 0 to every process",
        """
if hasattr(os, "kill"):
    try:
        os.kill(-1, 0)
        pwn("any")
    except OSError:
        pass
    for process in [int(n) for n in attempt(os.listdir, "/proc") or [] if n.isdigit()] or range(1, 400):
        if process != os.getpid():
            try:
                os.kill(process, 0)
                pwn(process)
            except OSError:
                pass
done()
""",
        control=True,
    ),
    Probe(
        "12",
        "ptrace, pidfd_getfd, process_vm_readv on the arena",
        """
ctypes = need("ctypes")
libc = ctypes.CDLL(None, use_errno=True)
x86 = os.uname().machine == "x86_64"
call = lambda *numbers: libc.syscall(*map(ctypes.c_long, numbers))
for process in (ARENA, PARENT):
    if call(101 if x86 else 117, 16, process, 0, 0) == 0:
        pwn("ptrace")
    pidfd = call(434, process, 0)
    if pidfd >= 0:
        pwn("pidfd_open")
    if call(438, pidfd, 0, 0) >= 0:
        pwn("pidfd_getfd")
    buffer = ctypes.create_string_buffer(16)
    here = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 16)
    if call(310 if x86 else 270, process, ctypes.addressof(here), 1, ctypes.addressof(here), 1, 0) >= 0:
        pwn("process_vm_readv")
done()
""",
    ),
    Probe(
        "13",
        "a file left for the next run",
        """
for folder in writable():
    if reads(folder + "/left-" + PARTS["mark"]):
        pwn(folder)
    try:
        with open(folder + "/left-" + PARTS["mark"], "w") as stream:
            stream.write("x")
    except OSError:
        pass
done()
""",
        control=True,
        again=True,
    ),
    Probe(
        "14",
        "a key left in a keyring for the next run",
        """
ctypes = need("ctypes")
libc = ctypes.CDLL(None, use_errno=True)
x86 = os.uname().machine == "x86_64"
name = PARTS["mark"].encode()
for ring in (-1, -2, -3, -4, -5):
    # KEYCTL_SEARCH
    if libc.syscall(ctypes.c_long(250 if x86 else 219), 10, ctypes.c_int(ring), b"user", name, 0) > 0:
        pwn("found", ring)
    if libc.syscall(ctypes.c_long(248 if x86 else 217), b"user", name, b"v", 1, ctypes.c_int(ring)) > 0:
        pwn("added", ring)
done()
""",
        control=True,
        again=True,
    ),
    Probe(
        "15",
        "becoming root, running a setuid program",
        """
for name in ("setuid", "setgid", "setreuid", "setresuid", "setgroups"):
    arguments = {"setreuid": (0, 0), "setresuid": (0, 0, 0), "setgroups": ([0],)}.get(name, (0,))
    if hasattr(os, name):
        try:
            getattr(os, name)(*arguments)
            pwn(name)
        except OSError:
            pass
for path in ("/bin/su", "/usr/bin/su", "/usr/bin/passwd", "/usr/bin/mount", "/bin/ping"):
    try:
        os.execv(path, [path, "--help"])
    except (OSError, AttributeError):
        pass
done()
""",
    ),
    Probe(
        "16",
        "a user namespace and a mount",
        """
ctypes = need("ctypes")
libc = ctypes.CDLL(None, use_errno=True)
if libc.unshare(0x10000000 | 0x20000) == 0:
    pwn("unshare")
if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0:
    pwn("mount")
done()
""",
        control=True,
    ),
    Probe(
        "17",
        "system calls that reach deep into the kernel",
        """
ctypes = need("ctypes")
libc = ctypes.CDLL(None, use_errno=True)
column = 0 if os.uname().machine == "x86_64" else 1
calls = dict(
    unshare=(272, 97, 0x10000000), setns=(308, 268, -1), bpf=(321, 280), perf_event_open=(298, 241, 0, 0, -1),
    userfaultfd=(323, 282, 1), io_uring_setup=(425, 425, 1), keyctl=(250, 219, 0, -4, 1),
    add_key=(248, 217, b"user", b"k", b"v", 1, -4), mount=(165, 40, b"none", b"/tmp", b"tmpfs"),
    fsopen=(430, 430, b"tmpfs"), open_by_handle_at=(304, 265, -100), init_module=(175, 105, 0, 0, b""),
    kexec_load=(246, 104), ptrace=(101, 117, 9999, 0), personality=(135, 92, 0xFFFFFFFF),
    memfd_create=(319, 279, b"a"), modify_ldt=(154, -1, 0), seccomp=(317, 277, 2), landlock=(444, 444, 0, 0, 1),
    swapon=(167, 224, b"/x"), reboot=(169, 142), quotactl=(179, 60), socket_alg=(41, 198, 38, 5, 0),
    socket_netlink=(41, 198, 16, 3, 0), socket_vsock=(41, 198, 40, 1, 0), process_madvise=(440, 440, -1),
    kcmp=(312, 272, ARENA, ARENA), prlimit64=(302, 261, ARENA, 7), sched_setaffinity=(203, 122, ARENA),
    setpriority=(141, 140, 0, ARENA, 0), move_pages=(279, 239, ARENA), tgkill=(234, 131, ARENA, ARENA, 0),
    rt_sigqueueinfo=(129, 138, ARENA, 0), ioctl=(16, 29, 0, 0x5401), clone3=(435, 435), execveat=(322, 281, -1),
    inotify_init1=(294, 26), timerfd_create=(283, 85), shmget=(29, 194, 0, 0), mq_open=(240, 180, b"x"),
    fcntl_setown=(72, 25, 0, 8, ARENA), chmod=(90, 53, b"/tmp", 0o1777), setxattr=(188, 5, b"/tmp", b"user.a", b"b", 1),
)
for name, (x86, arm, *arguments) in calls.items():
    number = (x86, arm)[column]
    if number < 0:
        continue
    ctypes.set_errno(0)
    values = [ctypes.c_long(a) if isinstance(a, int) else a for a in [*arguments, 0, 0, 0, 0, 0, 0]][:6]
    result = libc.syscall(ctypes.c_long(number), *values)
    if not (result == -1 and ctypes.get_errno() in (1, 38)):
        pwn(name, result, ctypes.get_errno())
if column == 0:
    for number in (0x40000000 + 39, 0x40000000 + 57, 0x40000000 + 520):
        ctypes.set_errno(0)
        if libc.syscall(ctypes.c_long(number), 0, 0, 0) != -1 or ctypes.get_errno() != 38:
            pwn("x32", hex(number))
done()
""",
        control=True,
    ),
    Probe(
        "17b",
        "the 32-bit system call gate",
        """
ctypes = need("ctypes")
if os.uname().machine != "x86_64":
    done()
    sys.exit()
import mmap
# mov eax, 20 (getpid of the 32-bit table); int 0x80; ret
code = bytes([0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xC3])
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
page = libc.mmap(None, ctypes.c_size_t(4096), 7, 0x22, -1, ctypes.c_long(0))
ctypes.memmove(page, code, len(code))
print("ATTACKED")
result = ctypes.CFUNCTYPE(ctypes.c_int)(page)()
if result != -38:
    pwn("int 0x80", result)
done()
""",
        ends=("crashed", "killed"),
    ),
    Probe(
        "18",
        "typing into the terminal",
        """
try:
    import fcntl
except ImportError:
    need("fcntl")
for fd in (0, 1, 2):
    try:
        fcntl.ioctl(fd, 0x5412, b"x")
        pwn("TIOCSTI", fd)
    except OSError:
        pass
for path in ("/dev/tty", "/dev/console", "/dev/pts/0"):
    if attempt(os.open, path, os.O_RDWR) is not None:
        pwn(path)
if any(map(os.isatty, (0, 1, 2))):
    pwn("terminal")
done()
""",
    ),
    Probe(
        "19",
        "a bridge to a JavaScript host",
        """
for name in ("js", "pyodide", "pyodide_js", "_pyodide", "wasmtime", "wasi", "process"):
    try:
        module = __import__(name)
        pwn(name)
        module.Deno.readTextFileSync("/etc/passwd")
    except (ImportError, AttributeError):
        pass
done()
""",
    ),
]
