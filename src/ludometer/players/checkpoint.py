"""A small language model that was trained on an m,n,k game, as a player. Needs the extra ``rl``.

A checkpoint is one safetensors file: weights, and a header that says which game they play. Nothing in it is ever run.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ludometer.core import AnyGame, ConfigurationError, Decision, Fault, Json, Turn, make_game
from ludometer.games.tictactoe import TicTacToe
from ludometer.players._board_tokens import END, PAD, BoardTokens

__all__ = ["BoardTokens", "CheckpointPlayer", "ModelShape", "new_model", "save_checkpoint"]

_MOST: Final = 50_000_000
"""Bytes of a file that are read at all."""
_HEADER: Final = "ludometer"


class ModelShape(BaseModel):
    """Sizes of a transformer (Llama's architecture). The defaults make some 84,000 weights for tic-tac-toe."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    hidden: int = Field(64, ge=4, le=1024, multiple_of=2)
    inner: int = Field(128, ge=4, le=4096)
    layers: int = Field(2, ge=1, le=24)
    heads: int = Field(4, ge=1, le=64)


class _Header(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    game: str
    options: dict[str, Any]
    shape: ModelShape


class CheckpointPlayer:
    """Plays the answer that a trained model gives, whether it is legal or not; the referee judges.

    Where it is asked again after an illegal answer, it gives its next likeliest one (or draws again).

    Args:
        path: a file that `save_checkpoint` wrote.
        temperature: 0: its likeliest answer; else it draws, at this temperature.

    Raises:
        ConfigurationError: there is no such file, it is of another kind, or torch is not installed.
    """

    name: ClassVar[str] = "checkpoint"
    description: ClassVar[str] = "a small model that was trained on tic-tac-toe; written checkpoint:PATH"
    argument: ClassVar[str] = "path"

    def __init__(self, path: Path, temperature: float = 0.0) -> None:
        if not 0 <= temperature <= 100:
            raise ValueError(f"temperature must be between 0 and 100, not {temperature}")
        self.path, self.temperature = path, temperature
        self._game, self._model = _loaded(path)
        self._tokens = BoardTokens.of(self._game)

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` for every game but the one it was trained on."""
        own = self._game
        if not isinstance(game, TicTacToe) or (game.name, dict(game.options)) != (own.name, dict(own.options)):
            raise ConfigurationError(
                f"{str(self.path)!r} was trained on {_called(own)}, and does not play {_called(game)}"
            )

    async def act(self, turn: Turn) -> Decision:
        self.supports(turn.game)
        shares = self._shares(self._tokens.transcript(turn))
        token = self._chosen(shares, turn)
        said = self._tokens.said(token)
        action = self._tokens.action(token)
        cells = frozenset(turn.legal or ())
        legal = sum(share for one, share in enumerate(shares) if self._tokens.action(one) in cells)
        rationale = f"probability {shares[token]:.3f}; of all legal moves together {legal:.3f}"
        if action is None:
            return Decision(fault=Fault("invalid_format", f"{said!r} names no cell"), text=said, rationale=rationale)
        return Decision(action, text=said, rationale=rationale)

    def _shares(self, transcript: list[int]) -> list[float]:
        """The probability of every token as the answer."""
        import torch

        with torch.no_grad():
            logits = self._model(input_ids=torch.tensor([transcript]), logits_to_keep=1).logits[0, -1]
        shares: list[float] = (logits.double() / (self.temperature or 1.0)).softmax(-1).tolist()
        return shares

    def _chosen(self, shares: list[float], turn: Turn) -> int:
        if not self.temperature:
            ranked = sorted(range(len(shares)), key=lambda token: -shares[token])
            return ranked[min(turn.attempt, len(ranked) - 1)]
        left = turn.chance.unit()[0] * sum(shares)
        for token, share in enumerate(shares):
            left -= share
            if left < 0:
                return token
        return max(range(len(shares)), key=shares.__getitem__)


def new_model(game: TicTacToe, shape: ModelShape) -> Any:
    """A transformer (`transformers.LlamaForCausalLM`) for the tokens of a game, with weights from torch's generator.

    Raises:
        ConfigurationError: torch or transformers is not installed.
    """
    try:
        from transformers import LlamaConfig, LlamaForCausalLM
    except ImportError:
        raise ConfigurationError(
            "checkpoints need torch and transformers; install them with: pip install 'ludometer[rl]'"
        ) from None
    tokens = BoardTokens.of(game)
    config = LlamaConfig(
        vocab_size=len(tokens.words),
        hidden_size=shape.hidden,
        intermediate_size=shape.inner,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        max_position_embeddings=tokens.longest(),
        pad_token_id=PAD,
        eos_token_id=END,
        bos_token_id=None,
        # The usual 0.02 is made for far wider layers.
        initializer_range=0.4 * shape.hidden**-0.5,
    )
    return LlamaForCausalLM(config)


def save_checkpoint(path: Path, model: Any, game: TicTacToe, shape: ModelShape) -> None:
    """Writes a model of `new_model` for ``checkpoint:PATH``: the whole file or none."""
    from safetensors.torch import save

    header = _Header(game=game.name, options=dict(game.options), shape=shape)
    weights = {name: value.detach().cpu().contiguous() for name, value in model.state_dict().items()}
    temporary = path.with_name(f".{path.name}.new")
    # One entry only: safetensors writes several in any order, and the same weights should be the same bytes.
    temporary.write_bytes(save(weights, {_HEADER: header.model_dump_json()}))
    temporary.replace(path)


def _loaded(path: Path) -> tuple[TicTacToe, Any]:
    """The game and the model of a file. Raises `ConfigurationError`."""
    if not path.is_file():
        raise ConfigurationError(f"there is no checkpoint {str(path)!r}")
    header, weights = _read(path)
    try:
        game = make_game(header.game, header.options)
        if not isinstance(game, TicTacToe):
            raise ValueError(game.name)
        model = new_model(game, header.shape)
        model.load_state_dict(weights)
    except (ConfigurationError, RuntimeError, ValueError) as error:
        if "pip install" in str(error):
            raise
        raise _other_kind(path) from None
    return game, model.eval()


def _read(path: Path) -> tuple[_Header, Mapping[str, Any]]:
    try:
        from safetensors import SafetensorError, safe_open
        from safetensors.torch import load_file
    except ImportError:
        raise ConfigurationError(
            "checkpoints need torch and transformers; install them with: pip install 'ludometer[rl]'"
        ) from None
    try:
        if path.stat().st_size > _MOST:
            raise ValueError("too large")
        with safe_open(path, "pt") as file:
            header = _Header.model_validate_json((file.metadata() or {})[_HEADER])
        weights: Mapping[str, Any] = load_file(path)
        if not all(value.isfinite().all() for value in weights.values()):
            raise ValueError("not finite")
    except (SafetensorError, OSError, KeyError, TypeError, ValueError, ValidationError):
        raise _other_kind(path) from None
    return header, weights


def _other_kind(path: Path) -> ConfigurationError:
    return ConfigurationError(
        f"{str(path)!r} is no checkpoint of a game; write one with: python examples/train_tictactoe.py --dir FOLDER"
    )


def _called(game: AnyGame) -> str:
    options: Mapping[str, Json] = game.options
    return f"{game.name} ({', '.join(f'{key}={value}' for key, value in options.items())})" if options else game.name
