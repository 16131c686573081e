"""Hostile programs that want to use up the host, or to stop it (part D of the suite)."""

from __future__ import annotations

from probe import Probe

AVAILABILITY = [
    Probe(
        "23",
        "forks",
        """
import time
children = 0
try:
    while children < 400:
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
        children += 1
        if children >= int(PARTS.get("most", 400)):
            break
except (OSError, AttributeError):
    pass
if children:
    pwn("forks", children)
done()
""",
        control=True,
    ),
    Probe(
        "24",
        "a daemon that stays",
        """
import time
try:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in range(3):
                os.close(fd)
            time.sleep(30)
        os._exit(0)
    pwn("forked")
except (OSError, AttributeError):
    pass
done()
""",
        control=True,
    ),
    Probe(
        "25",
        "threads and file descriptors without end",
        """
import threading, time
threads = 0
try:
    for _ in range(300):
        threading.Thread(target=time.sleep, args=(3,), daemon=True).start()
        threads += 1
except (RuntimeError, OSError, MemoryError):
    pass
copies = 0
try:
    for _ in range(5000):
        os.dup(1) if hasattr(os, "dup") else os.open("/dev/null", 0)
        copies += 1
except (OSError, AttributeError):
    pass
if threads > 128 or copies > 1024:
    pwn(threads, copies)
done()
sys.stdout.flush()
os._exit(0)
""",
    ),
    Probe(
        "26",
        "memory without end",
        """
held = []
print("ATTACKED")
sys.stdout.flush()
try:
    while len(held) < 96:
        held.append(b"x" * (16 << 20))
    pwn("1.5 GB")
except MemoryError:
    reached = len(held) * 16
    del held
    if reached >= 1024:
        pwn(reached, "MB")
    done()
""",
        ends=("memory", "killed", "crashed", "timeout"),
    ),
    Probe(
        "27",
        "a zip bomb",
        """
import zlib
packer = zlib.compressobj(9)
bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(64)) + packer.flush()
held = []
print("ATTACKED")
sys.stdout.flush()
try:
    for _ in range(24):
        held.append(zlib.decompress(bomb))
    pwn("1.5 GB")
except MemoryError:
    del held
    done()
""",
        ends=("memory", "killed", "crashed", "timeout"),
    ),
    Probe(
        "28",
        "a loop that ignores every signal",
        """
try:
    import signal
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
except ImportError:
    pass
print("ATTACKED")
sys.stdout.flush()
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
""",
        ends=("timeout",),
        slow=True,
    ),
    Probe(
        "29",
        "one long call into C",
        'print("ATTACKED")\nsys.stdout.flush()\npow(7, 10**8)\n',
        ends=("timeout", "memory"),
        slow=True,
    ),
    Probe(
        "30",
        "a regular expression that never ends",
        'import re\nprint("ATTACKED")\nsys.stdout.flush()\nre.match(r"(a+)+$", "a" * 64 + "b")\n',
        ends=("timeout",),
        slow=True,
    ),
    Probe(
        "31",
        "sleeping for ever",
        'import time\nprint("ATTACKED")\nsys.stdout.flush()\nwhile True:\n    time.sleep(1000)\n',
        ends=("timeout",),
        slow=True,
    ),
    Probe(
        "32",
        "a full disk",
        """
written = 0
for folder in writable():
    for number in range(40):
        try:
            with open(folder + "/fill-%d-%s" % (number, PARTS["mark"]), "wb", buffering=0) as stream:
                for _ in range(32):
                    written += stream.write(bytes(1 << 18))
        except OSError:
            break
        if written > 64 << 20:
            break
if written > 16 << 20:
    pwn(written)
done()
""",
    ),
    Probe(
        "33",
        "output without end",
        'print("ATTACKED")\nwhile True:\n    print("A" * 4096)\n',
        ends=("output",),
    ),
    Probe(
        "33b",
        "one endless line on the error stream",
        'print("ATTACKED")\nsys.stdout.flush()\nwhile True:\n    os.write(2, b"A" * 65536)\n',
        ends=("output",),
    ),
    Probe(
        "34",
        "going on with every stream closed",
        """
import time
print("ATTACKED")
sys.stdout.flush()
for fd in (0, 1, 2):
    os.close(fd)
time.sleep(1000)
""",
        ends=("timeout",),
        slow=True,
    ),
    Probe(
        "35",
        "recursion in Python",
        """
sys.setrecursionlimit(2**31 - 1)
print("ATTACKED")
sys.stdout.flush()
def f(n):
    return f(n + 1)
f(0)
""",
        ends=("crashed", "error", "memory", "killed", "timeout"),
    ),
    Probe(
        "35b",
        "recursion on the C stack",
        """
sys.setrecursionlimit(2**31 - 1)
print("ATTACKED")
sys.stdout.flush()
def g(n):
    return max(map(g, [n]))
g(0)
""",
        ends=("crashed", "error", "memory", "killed", "timeout"),
    ),
    Probe(
        "35c",
        "a segmentation fault",
        'ctypes = need("ctypes")\nprint("ATTACKED")\nsys.stdout.flush()\nctypes.string_at(0)\n',
        ends=("crashed", "error"),
    ),
    Probe(
        "35d",
        "a crafted code object",
        """
print("ATTACKED")
sys.stdout.flush()
def f():
    pass
type(f)(f.__code__.replace(co_code=b"\\x74\\xff" * 64, co_stacksize=0), {})()
""",
        ends=("crashed", "error"),
    ),
]
