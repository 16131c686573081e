"""Hostile programs that want to know what they must not know, or to reach the network (parts A and C of the suite)."""

from __future__ import annotations

from probe import Probe

CONFIDENTIALITY = [
    Probe(
        "1",
        "/etc/passwd by four roads",
        """
for path in ("/etc/passwd", "/etc/../etc/passwd", "/proc/self/root/etc/passwd", "/proc/1/root/etc/passwd"):
    if b":" in reads(path):
        pwn(path)
done()
""",
        control=True,
    ),
    Probe(
        "2",
        "environment variables",
        """
text = repr(dict(os.environ))
if SECRET.decode() in text or "HOST_API_KEY" in text:
    pwn("environ")
for name in os.environ:
    if name not in ("PATH", "LANG", "PWD", "LC_CTYPE", "LD_LIBRARY_PATH"):
        pwn("variable", name)
done()
""",
        control=True,
    ),
    Probe(
        "3",
        "files of the home, the project and the arena's own source",
        """
if SECRET in reads(PARTS["home"] + "/secret.txt"):
    pwn("secret")
for folder in ("/home", "/root", PARTS["home"], PARTS["project"], PARTS["source"]):
    if attempt(os.listdir, folder):
        pwn("list", folder)
for name in ("pyproject.toml", "README.md"):
    if reads(PARTS["project"] + "/" + name):
        pwn(name)
if reads(PARTS["source"] + "/__init__.py"):
    pwn("source")
try:
    import ludometer
    pwn("import")
except ImportError:
    pass
done()
""",
        control=True,
    ),
    Probe(
        "4",
        "what /proc tells of every process",
        """
names = set(attempt(os.listdir, "/proc") or []) | {"1", str(PARENT), str(ARENA)}
for name in names:
    if name.isdigit() and int(name) != os.getpid():
        for file in ("cmdline", "environ", "maps"):
            if reads("/proc/" + name + "/" + file):
                pwn(name, file)
done()
""",
        control=True,
    ),
    Probe(
        "5",
        "links to the secret",
        """
targets = [PARTS["home"] + "/secret.txt"]
targets += [root + targets[0] for root in ("/proc/1/root", "/proc/self/root", "/proc/self/cwd/../../../../../../..")]
for folder in writable():
    for number, target in enumerate(targets):
        for make in ("symlink", "link"):
            link = folder + "/link-%d-%s-%d" % (number, make, os.getpid())
            if hasattr(os, make):
                attempt(getattr(os, make), target, link)
            if SECRET in reads(link):
                pwn(target, make)
            attempt(os.unlink, link)
done()
""",
        control=True,
    ),
    Probe(
        "6",
        "inherited file descriptors",
        """
for fd in range(3, 256):
    data = attempt(os.read, fd, 100)
    if data is not None:
        pwn("fd", fd)
done()
""",
        control=True,
    ),
    Probe(
        "8",
        "device nodes",
        """
for name in ("kvm", "mem", "kmsg", "sda", "vda", "nvme0n1", "fuse", "net/tun", "tty", "ptmx", "console", "ttyS0"):
    for mode in (os.O_RDWR, os.O_WRONLY):
        if attempt(os.open, "/dev/" + name, mode) is not None:
            pwn(name)
done()
""",
    ),
]

NETWORK = [
    Probe(
        "20",
        "TCP to the host",
        """
need("socket")
import socket
try:
    connection = socket.socket()
    connection.settimeout(2)
    connection.connect(("127.0.0.1", int(PARTS["tcp"])))
    pwn("connected")
except (OSError, AttributeError):
    pass
done()
""",
        control=True,
    ),
    Probe(
        "21",
        "UDP and an abstract socket of the host",
        """
need("socket")
import socket
try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", int(PARTS["udp"])))
    pwn("sent")
except (OSError, AttributeError):
    pass
try:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect("\\0" + PARTS["abstract"])
    pwn("connected")
except (OSError, AttributeError):
    pass
done()
""",
        control=True,
    ),
    Probe(
        "22",
        "names, IPv6, and listening",
        """
need("socket")
import socket
def tried(what, function):
    try:
        function()
        pwn(what)
    except (OSError, AttributeError):
        pass
tried("name", lambda: socket.getaddrinfo("example.com", 80))
tried("IPv6", lambda: socket.socket(socket.AF_INET6).connect(("::1", int(PARTS["tcp"]))))
def listen():
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen()
tried("listen", listen)
tried("pair", socket.socketpair if hasattr(socket, "socketpair") else lambda: (_ for _ in ()).throw(OSError()))
done()
""",
    ),
]
