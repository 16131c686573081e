"""Deep Q-learning of UNO: decisions of many games at once, returns from a slowly following network, replay.

Sources: Mnih et al., "Human-level control through deep reinforcement learning" (2015); double estimates: van Hasselt,
Guez and Silver (2016); lambda returns cached in the replay memory: Daley and Amato,
"Reconciling lambda-returns with experience replay" (2019), cut where an action was not the greedy one (Watkins).
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from ludometer.core import Chance
from ludometer.games.uno.state import Options
from ludometer.players import _uno_seen as seen
from ludometer.players._q_network import ARRAYS
from ludometer.players._uno_features import FEATURES, RENAMINGS, Floats, Ints, action_values, encode
from ludometer.training.uno_games import Decisions, generator, play_games, shuffled_decks
from ludometer.training.uno_tables import Tables

__all__ = ["Learner", "Settings", "lambda_returns"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that decides what is learned.

    Attributes:
        seed: of all luck of the training.
        rounds: how often games are played and learned from.
        games: in one round.
        batch: decisions in one step of the optimizer.
        reuse: how often a decision is learned from, on average.
        memory: rounds whose decisions are kept.
        rate: of learning (Adam) at the start; it falls to a hundredth along a cosine.
        explore: share of random actions after the first twentieth, in which it falls from 1.
        decay: lambda of the returns.
        follow: how slowly the second network follows, per step.
        own_share: how often another seat is played by the network too; a random player has it otherwise.
        hidden: units of the two layers.
    """

    seed: int = 0
    rounds: int = 250
    games: int = 2048
    batch: int = 1024
    reuse: float = 2.0
    memory: int = 8
    rate: float = 1e-3
    explore: float = 0.05
    decay: float = 0.7
    follow: float = 0.999
    own_share: float = 0.2
    hidden: tuple[int, int] = (256, 128)

    @classmethod
    def for_games(cls, games: int, *, seed: int = 0) -> Settings:
        """Settings whose rounds play about so many games; short trainings have smaller rounds."""
        usual = cls()
        each = min(usual.games, max(64, games // 100))
        return cls(seed=seed, rounds=max(1, round(games / each)), games=each, batch=min(usual.batch, each))

    @property
    def chance(self) -> Chance:
        """The stream of the training. The decks of evaluations come from another root, by another name."""
        return Chance.from_seed(self.seed).named("training", "dqn-uno")


class _Network(torch.nn.Module):
    """As `ludometer.players._q_network.QNetwork`, for learning."""

    def __init__(self, hidden: tuple[int, int], generator: torch.Generator) -> None:
        super().__init__()
        for layer, (inputs, outputs) in enumerate([(FEATURES, hidden[0]), hidden, (hidden[1], 1)]):
            # He et al. (2015); the last layer is small and starts from an even game.
            scale = math.sqrt(2 / inputs) if layer < 2 else 0.02
            weights = torch.randn(inputs, outputs, generator=generator) * scale
            self.register_parameter(f"w{layer}", torch.nn.Parameter(weights))
            self.register_parameter(f"b{layer}", torch.nn.Parameter(torch.full((outputs,), 0.5 * (layer == 2))))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        p = dict(self.named_parameters())
        hidden = torch.relu(torch.addmm(p["b0"], features, p["w0"]))
        hidden = torch.relu(torch.addmm(p["b1"], hidden, p["w1"]))
        return torch.addmm(p["b2"], hidden, p["w2"])[:, 0]

    def values(self, features: Floats) -> Floats:
        with torch.no_grad():
            found: Floats = self(torch.from_numpy(features)).numpy()
        return found


class Learner:
    """A network, the one that follows it slowly (which is what is kept), and the decisions they learn from."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.round = 0
        self.played = 0
        start = torch.Generator().manual_seed(settings.chance.named("weights").key & (2**63 - 1))
        self.network = _Network(settings.hidden, start)
        self.follower = _Network(settings.hidden, start)
        self.follower.load_state_dict(self.network.state_dict())
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=settings.rate)
        self.memory: list[tuple[seen.Rows, Ints, npt.NDArray[np.float32]]] = []

    # ------------------------------------------------------------- one round

    def advance(self) -> float:
        """Plays one round of games and learns from it. Returns the mean squared error."""
        rng = generator(self.settings.chance.named("round", self.round))
        decisions = self._play(rng)
        returns = self._returns(decisions, rng)
        self.memory.append((decisions.rows, decisions.actions, returns))
        del self.memory[: -self.settings.memory]
        loss = self._learn(rng, round(len(returns) * self.settings.reuse / self.settings.batch))
        self.round += 1
        return loss

    def _play(self, rng: np.random.Generator) -> Decisions:
        settings = self.settings
        n = _players(self.round)
        # Now and then under the other rule for drawn cards, so that keeping one is learned.
        options = Options(drawn_card="may_play" if self.round % 8 == 3 else "keep")
        count = settings.games if n == 2 else settings.games // 2
        self.played += count
        tables = Tables(shuffled_decks(count, rng), n, options)
        chooses = rng.random((count, n)) < settings.own_share
        chooses[np.arange(count), rng.integers(n, size=count)] = True
        begun = 20 * self.round / settings.rounds
        explore = max(settings.explore, 1 - (1 - settings.explore) * begun)

        def choose(rows: seen.Rows) -> Ints:
            naming = rng.integers(RENAMINGS, size=len(rows))
            best: Ints = action_values(self.network.values, rows, [naming]).argmax(axis=1)
            return best

        return play_games(tables, chooses, choose, rng, explore=explore)

    def _returns(self, decisions: Decisions, rng: np.random.Generator) -> npt.NDArray[np.float32]:
        """The share of the win that each decision led to, as far as the games and the following network tell."""
        # Chosen by one network and valued by the other, so that errors do not favour themselves.
        naming = rng.integers(RENAMINGS, size=len(decisions.rows))
        worth = self.follower.values(encode(decisions.rows, decisions.best, naming))
        greedy = decisions.best == decisions.actions
        return lambda_returns(decisions.last, decisions.shares, worth, greedy, self.settings.decay)

    def _learn(self, rng: np.random.Generator, steps: int) -> float:
        rows, actions, returns = (np.concatenate(part) for part in zip(*self.memory, strict=True))
        total = 0.0
        for step in range(steps):
            progress = (self.round + step / steps) / self.settings.rounds
            for group in self.optimizer.param_groups:
                group["lr"] = self.settings.rate * (0.01 + 0.99 * (1 + math.cos(math.pi * min(1.0, progress))) / 2)
            picked = rng.integers(len(rows), size=self.settings.batch)
            total += self._step(rows[picked], actions[picked], returns[picked], rng)
        return total / max(1, steps)

    def _step(
        self, rows: seen.Rows, actions: Ints, returns: npt.NDArray[np.float32], rng: np.random.Generator
    ) -> float:
        features = encode(rows, actions, rng.integers(RENAMINGS, size=len(rows)))
        values = self.network(torch.from_numpy(features))
        loss = torch.nn.functional.mse_loss(values, torch.from_numpy(returns))
        self.optimizer.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        with torch.no_grad():
            for slow, fast in zip(self.follower.parameters(), self.network.parameters(), strict=True):
                slow.lerp_(fast, 1 - self.settings.follow)
        return float(loss.detach())

    # ---------------------------------------------------------------- keeping

    def arrays(self) -> dict[str, npt.NDArray[np.float32]]:
        """The following network, as `ludometer.players._q_network` reads it."""
        found = dict(self.follower.named_parameters())
        return {name: found[name].detach().numpy().copy() for name in ARRAYS}

    def state(self) -> dict[str, Any]:
        """Everything that `restored` needs to go on as if nothing had happened."""
        return {
            "settings": {**asdict(self.settings), "hidden": list(self.settings.hidden)},
            "round": self.round,
            "played": self.played,
            "network": self.network.state_dict(),
            "follower": self.follower.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "memory": [tuple(torch.from_numpy(part) for part in kept) for kept in self.memory],
        }

    @classmethod
    def restored(cls, state: dict[str, Any]) -> Learner:
        """The learner whose ``state()`` this is."""
        settings = Settings(**{**state["settings"], "hidden": tuple(state["settings"]["hidden"])})
        learner = cls(settings)
        learner.round, learner.played = state["round"], state["played"]
        learner.network.load_state_dict(state["network"])
        learner.follower.load_state_dict(state["follower"])
        learner.optimizer.load_state_dict(state["optimizer"])
        learner.memory = [tuple(part.numpy() for part in kept) for kept in state["memory"]]
        return learner


def _players(number: int) -> int:
    """Players in the games of a round: mostly two, now and then 3 to 10."""
    return 3 + number // 6 % 8 if number % 6 == 5 else 2


def lambda_returns(
    last: npt.NDArray[np.bool_],
    shares: npt.NDArray[np.float32],
    worth: npt.NDArray[np.float32],
    greedy: npt.NDArray[np.bool_],
    decay: float,
) -> npt.NDArray[np.float32]:
    """What each decision of a sequence led to.

    The last decision of a game leads to its result. Others lead to the next decision: to what its best action is worth,
    mixed (by ``decay``) with what the action taken there led to, where that was the best one.

    Args:
        last: whether a decision is its seat's last in the game; decisions of a seat stand together and in order.
        shares: results, by decision.
        worth: what the best action is estimated to be worth, by decision.
        greedy: whether the action taken was the best one, by decision.
    """
    returns = shares.astype(np.float64)
    for i in range(len(returns) - 2, -1, -1):
        if not last[i]:
            kept = decay if greedy[i + 1] else 0.0
            returns[i] = kept * returns[i + 1] + (1 - kept) * worth[i + 1]
    return returns.astype(np.float32)
