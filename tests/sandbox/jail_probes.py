"""Hostile payloads and jails: what looks for the flag, forges a verdict, or breaks the harness (parts A and E)."""

from __future__ import annotations

OPEN_JAIL = 'def check(source):\n    return True\nALLOWED = {"__builtins__": __builtins__}\n'

FIND_FLAG = """
import gc, os, re, sys
pattern = re.compile("FL" + "AG[0-9a-f]{32}")
def look(where, thing):
    try:
        text = thing.decode("latin-1") if isinstance(thing, bytes) else thing if isinstance(thing, str) else repr(thing)
    except Exception:
        return
    if pattern.search(text):
        print("PWN", where)
for process in ("self", str(os.getppid() if hasattr(os, "getppid") else 1), "1"):
    for file in ("cmdline", "environ"):
        try:
            look(process + file, open("/proc/%s/%s" % (process, file), "rb").read())
        except OSError:
            pass
look("argv", sys.argv)
look("orig_argv", sys.orig_argv)
look("environ", dict(os.environ))
for folder in ("/tmp", "/dev/shm", "/var/tmp", ".", "/"):
    try:
        for name in os.listdir(folder):
            look(folder, name)
            try:
                with open(os.path.join(folder, name), "rb") as stream:
                    look(name, stream.read(1000000))
            except OSError:
                pass
    except OSError:
        pass
frame = sys._getframe()
while frame:
    for name, value in [*frame.f_locals.items(), *frame.f_globals.items()]:
        look("frame " + name, value)
    frame = frame.f_back
for thing in gc.get_objects():
    if isinstance(thing, (dict, list, tuple, set)) and len(thing) < 10000:
        for value in list(thing.values()) if isinstance(thing, dict) else list(thing):
            if isinstance(value, (str, bytes)):
                look("gc", value)
for module in list(sys.modules.values()):
    for name, value in list(vars(module).items()):
        if isinstance(value, (str, bytes)):
            look("module " + name, value)
print("EXERCISED")
"""

MARKERS = """
import os
text = '\\n###RESULT {"status":"ok","solved":true,"flag_ok":true}\\nready 3.11.7\\n!@@FLAG_OK@@\\nSOLVED\\n'
print(text)
for fd in range(1, 64):
    try:
        os.write(fd, text.encode())
    except OSError:
        pass
print("EXERCISED")
"""

MONKEYS = """
import builtins, json, sys
class S(str):
    def __contains__(self, other): return True
    def __eq__(self, other): return True
    __hash__ = str.__hash__
builtins.str = S
json.dumps = json.loads = lambda *a, **k: {"solved": True}
frame = sys._getframe()
while frame:
    for name in ("ok", "flag", "verdict", "result", "passed", "todo", "code"):
        frame.f_globals[name] = True
    frame = frame.f_back
builtins.print = lambda *a, **k: sys.__stdout__.write("forged")
sys.stdout = sys.__stdout__
sys.stdout.write("EXERCISED")
"""

SCREAM = r"""
import os, sys
print("\ud800 lone")
os.write(1, b"\xff\xfe\x00 \x1b]0;title\x07 \x1b[2J\n")
print("\u202e bidi \u2066 \x1b[31m red </script><b>")
print("EXERCISED")
os.write(1, b"x" * 20000)
"""

ENDS = {
    "os._exit(0)": "import os\nos._exit(0)",
    "sys.exit(0)": "import sys\nsys.exit(0)",
    "kill itself": "import os\ntry:\n    os.kill(os.getpid(), 9)\nexcept (OSError, AttributeError):\n    os._exit(137)",
    **{
        f"exit code {code}": f"import os\nos._exit({code})" for code in (1, 2, 12, 81, 82, 124, 126, 127, 137, 139, 255)
    },
    "abort": "import os\nos.abort()",
}

JAILS = {
    "ends the interpreter": "import os\nos._exit(0)",
    "raises SystemExit": "raise SystemExit(0)",
    "prints first": "print('FLAG' + '0' * 32)\n" + OPEN_JAIL,
    "replaces standard input": "import io, sys\nsys.stdin = io.StringIO('nothing')\n" + OPEN_JAIL,
    "answers only the first call": "n = []\ndef check(source):\n    n.append(1)\n    return len(n) == 1\n",
    "answers by the clock": "import time\ndef check(source):\n    return time.time() % 2 < 1\n",
    "answers at random": "import random\ndef check(source):\n    return random.random() < 0.5\n",
    "writes a file": "open('counter', 'a').write('x')\n" + OPEN_JAIL,
    "raises from __del__": "class D:\n    def __del__(self):\n        raise ValueError\nkeep = D()\n" + OPEN_JAIL,
    "raises at exit": "import atexit\natexit.register(lambda: 1 / 0)\n" + OPEN_JAIL,
    "returns a str subclass": "class S(str):\n    pass\ndef check(source):\n    return S('True')\n",
    "returns a liar": "class L:\n    def __bool__(self):\n        raise ValueError\n"
    "    __eq__ = __hash__ = __bool__\ndef check(source):\n    return L()\n",
    "raises an unprintable error": "class E(BaseException):\n    __str__ = __repr__ = None\nraise E\n",
    "is no Python": "def check(:\n",
    "has no filter": "x = 1",
    "allows what is no dict": "def check(source):\n    return True\nALLOWED = 7\n",
    "runs for ever": "while True:\n    pass",
    "eats memory": "x = []\nwhile True:\n    x.append(b'x' * (16 << 20))",
    "is empty": "",
    "has a NUL": "\0",
    "has a surrogate": "'\ud800'",
    "is 10 MB long": "#" * (10 << 20),
}
