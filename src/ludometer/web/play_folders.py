"""Games with people on disk: a run of one match, and who may open which seat of it."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import json
import os
import secrets
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from ludometer.core import ConfigurationError, LudometerError, MachineError, Seat, make_game
from ludometer.core.text import UNSEEN
from ludometer.models import prices_version
from ludometer.store import RunStore
from ludometer.tournaments import RunConfig, load_config
from ludometer.tournaments.launch import plan_run
from ludometer.tournaments.schedule import schedule
from ludometer.web.drafts import refuse_what_runs
from ludometer.web.shapes import PlayRequest
from ludometer.web.web_human import HUMAN, Desk, WebRoster

__all__ = ["PlayConfig", "links_of", "make_links", "plan", "play_config", "seat_of_key"]

_LINKS = "play.json"
_SECRET_BYTES = 24
_LONGEST_NAME = 60


class PlayConfig:
    """A checked game with people.

    Attributes:
        people: seat to the person's name in the record.
    """

    def __init__(self, config: RunConfig, people: dict[Seat, str]) -> None:
        self.config = config
        self.people = people


def play_config(request: PlayRequest) -> PlayConfig:
    """The configuration of a game with people. Nothing is written. Raises `ConfigurationError`."""
    game = make_game(request.game, request.options)
    fewest, most = game.players
    if not fewest <= len(request.seats) <= most:
        wanted = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise ConfigurationError(f"{game.title} is for {wanted} players, not {len(request.seats)}")
    seats = game.contestants(len(request.seats))
    for seat in request.names:
        if seat not in seats:
            raise ConfigurationError(f"{game.title} has no seat {seat[:40]!r}; its seats are {', '.join(seats)}")
    people = [seat for seat, spec in zip(seats, request.seats, strict=True) if spec.strip() == HUMAN]
    if not people:
        raise ConfigurationError(f"nobody in this game is a person; give one seat to {HUMAN!r}, or start a run")
    names = _names(seats, request.seats, request.names)
    players = [
        {"player": HUMAN if seat in people else spec, "name": names[seat]}
        for seat, spec in zip(seats, request.seats, strict=True)
    ]
    policy = dict(request.policy)
    if len(people) == len(seats) == 2:  # engines and models neither offer nor take a draw
        policy.setdefault("draw_offers", True)
    table = {
        "name": f"play: {game.title}",
        "description": "A game with people.",
        "game": {"name": request.game, "options": request.options},
        "players": players,
        "schedule": {"kind": "series", "seats": len(seats), "seating": "fixed"},
        "officials": dict(request.officials),
        "policy": policy,
        # Nobody may guess what will be dealt: the luck of a match is a function of the seed.
        "seed": secrets.token_hex(16) if request.seed is None else request.seed,
        "concurrency": 1,
    }
    refuse_what_runs(table)
    config = load_config(table)
    _check(config, [names[seat] for seat in people])
    return PlayConfig(config, {seat: names[seat] for seat in people})


def _names(seats: Sequence[Seat], specs: Sequence[str], given: Mapping[Seat, str]) -> dict[Seat, str]:
    """A name of its own for every seat's holder."""
    found: dict[Seat, str] = {}
    for seat, spec in zip(seats, specs, strict=True):
        person = spec.strip() == HUMAN
        name = " ".join(UNSEEN.sub("", given.get(seat, "")).split())[:_LONGEST_NAME] if person else spec
        name = name.encode("utf-8", "backslashreplace").decode() or "a person"
        number, unique = 1, name
        while unique in found.values():
            number += 1
            unique = f"{name} ({number})"
        found[seat] = unique
    return found


def _check(config: RunConfig, people: Sequence[str]) -> None:
    roster = WebRoster(config, config.entrants(), {name: Desk(lambda: None) for name in people})
    try:
        roster.check()
    finally:
        asyncio.run(roster.close())


def plan(folder: Path, play: PlayConfig) -> None:
    """Writes the run with its one match into an empty folder. Raises `MachineError`; the folder is then gone."""
    config = play.config
    try:
        with RunStore.create(folder, config.resolved()) as store:
            store.set_meta(prices_version=prices_version())
            roster = WebRoster(config, config.entrants(), {name: Desk(lambda: None) for name in play.people.values()})
            roster.check()
            plan_run(store, config, roster, schedule(config))
            asyncio.run(roster.close())
    except LudometerError:
        shutil.rmtree(folder, ignore_errors=True)
        raise


# ------------------------------------------------------------------ secrets


def make_links(folder: Path, people: Sequence[Seat]) -> dict[Seat, str]:
    """A secret for every person's seat. The folder keeps what tells them apart, not the secrets themselves."""
    links = {seat: secrets.token_urlsafe(_SECRET_BYTES) for seat in people}
    written = json.dumps({"seats": {seat: _digest(secret) for seat, secret in links.items()}})
    path = folder / _LINKS
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(written)
    except OSError as error:
        raise MachineError(f"the game cannot be written: {error.strerror}") from None
    return links


def links_of(folder: Path) -> dict[Seat, str]:
    """What tells the secrets of a game's seats; empty for a run that is no such game."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        seats = json.loads((folder / _LINKS).read_text(encoding="utf-8"))["seats"]
        return {str(seat): str(digest) for seat, digest in seats.items()}
    return {}


def seat_of_key(digests: Mapping[Seat, str], key: str) -> Seat | None:
    """The seat that a secret opens. All are compared, each in constant time."""
    given = _digest(key)
    found = None
    for seat, digest in digests.items():
        if hmac.compare_digest(given.encode(), digest.encode()):
            found = seat
    return found


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
