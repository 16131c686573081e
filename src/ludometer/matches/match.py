"""The referee: one match as a state machine without any I/O.

``turns()`` says who is asked, ``submit(seat, decision)`` judges an answer. Tournaments, training environments, the
browser, resume and verify all drive this class; nothing else decides legality, retries or endings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_args

from ludometer.core import (
    Attempt,
    Chance,
    ConfigurationError,
    Decision,
    Fault,
    Feedback,
    Game,
    Illegal,
    InternalError,
    Json,
    Outcome,
    Seat,
    Turn,
    Verdict,
)
from ludometer.core.chance import Label
from ludometer.core.turn import FaultKind
from ludometer.matches.adjudication import (
    ADJUDICATOR,
    ADJUDICATOR_ROLE,
    adjudicated,
    adjudicator_turn,
    check_value,
    decode_value,
)
from ludometer.matches.ending import Ending
from ludometer.matches.opening import opened
from ludometer.matches.policy import MatchPolicy

__all__ = ["Match", "Move"]

_FAULTS = frozenset({"illegal", *get_args(FaultKind)})


class Move(NamedTuple):
    """An action in effect. ``substituted``: played by the policy for a seat that ran out of attempts."""

    step: int
    seat: Seat
    action: Any
    substituted: bool = False


class Match:
    """One match.

    Args:
        game: the rules.
        n: number of contestants.
        luck: seed of the game's own luck; the same for all matches of a duplicate group.
        seed: seed of the players' luck; different for every match.
        policy: the conditions of play.
        opening: moves in the game's notation that are made before anybody is asked. They count as steps, but are
            nobody's attempts and no part of ``moves``.
        id: names the match in the log.

    Raises:
        ConfigurationError: a wrong number of players, or an opening that cannot be played.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        n: int = 2,
        *,
        luck: Label = 0,
        seed: Label = 0,
        policy: MatchPolicy | None = None,
        opening: Sequence[str] = (),
        id: str = "match",  # noqa: A002 (it is the match's id, and `match_id` stutters on a Match)
    ) -> None:
        low, high = game.players
        if not low <= n <= high:
            wanted = f"{low}" if low == high else f"{low} to {high}"
            raise ConfigurationError(f"{game.title} is for {wanted} players, not {n}")
        self.game = game
        self.n = n
        self.id = id
        self.policy = policy or MatchPolicy()
        self.roles = {role.name: role for role in game.roles(n)}
        if self.policy.on_max_moves == "adjudicate":
            self._check_adjudicable()
            self.roles[ADJUDICATOR] = ADJUDICATOR_ROLE
        self.state = opened(game, game.new(n, Chance.from_seed(luck).named("game")), opening)
        self.step = len(opening)
        self.attempts: list[Attempt] = []
        self.moves: list[Move] = []
        self.notation: list[str] = []
        self.ending: Ending | None = None
        self.outcome: Outcome | None = None
        self._chance = Chance.from_seed(seed).named("players")
        self._past: dict[Seat, list[Attempt]] = {seat: [] for seat in self.roles}
        self._tries: Counter[Seat] = Counter()
        self._forgiven: Counter[Seat] = Counter()  # attempts before the match was last taken up again
        self._pending: dict[Seat, Move] = {}
        self._seconds: dict[Seat, float] = dict.fromkeys(self.roles, 0.0)
        self._tokens: Counter[Seat] = Counter()
        self._adjudicating = False
        self._draw_offered_by: Seat | None = None
        self._settle()

    def _check_adjudicable(self) -> None:
        if self.n != 2 or not self.game.perfect_information:
            raise ConfigurationError(
                f"policy: {self.game.title} cannot be adjudicated; that is for two players with perfect information"
            )

    # ------------------------------------------------------------------ asking

    def turns(self) -> tuple[Turn, ...]:
        """Who is asked now, in seat order: empty once the match has ended."""
        if self.ending is not None:
            return ()
        return tuple(self._turn(seat) for seat in self._asked() if seat not in self._pending)

    def _asked(self) -> tuple[Seat, ...]:
        return (ADJUDICATOR,) if self._adjudicating else self.game.to_act(self.state)

    def decode(self, seat: Seat, answer: Json) -> Any:
        """An action of a seat that is asked now, from the form in which the log keeps it. Raises `Illegal`."""
        return decode_value(answer) if seat == ADJUDICATOR else self.game.decode(self.state, seat, answer)

    def _turn(self, seat: Seat) -> Turn:
        game, state, attempt = self.game, self.state, self._tries[seat]
        chance = self._chance.named("turn", self.step, seat, attempt)
        if seat == ADJUDICATOR:
            return adjudicator_turn(game, state, self.id, self.step, attempt, chance)
        offered = self._draw_offered_by is not None and self._draw_offered_by != seat
        return Turn(
            match=self.id,
            game=game,
            step=self.step,
            seat=seat,
            attempt=attempt,
            observation=game.observe(state, seat),
            legal=game.legal(state, seat),
            chance=chance,
            imagine=lambda chance: game.determinize(state, seat, chance),
            sample=lambda chance: game.sample(state, seat, chance),
            parse=lambda text: game.parse(state, seat, text),
            decode=lambda answer: game.decode(state, seat, answer),
            format=lambda action: game.format(state, action),
            encode=lambda action: game.encode(state, action),
            schema=lambda notation: game.schema(state, seat, notation),
            check=lambda action: game.check(state, seat, action),
            title=self.roles[seat].title or seat,
            may_offer_draw=self.policy.draw_offers,
            draw_offered=offered,
            feedback=self._feedback(seat),
            past=self._visible_past(seat),
        )

    def _feedback(self, seat: Seat) -> Feedback | None:
        if self._tries[seat] == 0 or self.policy.feedback == "none":
            return None
        last = self._past[seat][-1]
        return Feedback(self.policy.feedback, last.verdict, last.decision.text)

    def _visible_past(self, seat: Seat) -> tuple[Attempt, ...]:
        past = self._past[seat]
        if self.policy.feedback == "none":
            return tuple(attempt for attempt in past if attempt.verdict.is_legal)
        return tuple(past)

    # ----------------------------------------------------------------- judging

    def submit(self, seat: Seat, decision: Decision) -> Attempt:
        """Judges the answer of a seat that was asked, and moves the match on where it can.

        Raises:
            InternalError: the seat is not to act.
        """
        if self.ending is not None or seat in self._pending or seat not in self._asked():
            raise InternalError(f"match {self.id}: seat {seat} is not to act at step {self.step}")
        attempt = Attempt(self.step, seat, self._tries[seat], decision, self._judge(seat, decision))
        self.attempts.append(attempt)
        self._past[seat].append(attempt)
        self._tries[seat] += 1
        self._charge(seat, decision)
        self._react(attempt)
        self._advance()
        return attempt

    def _judge(self, seat: Seat, decision: Decision) -> Verdict:
        if (fault := decision.fault) is not None:
            if fault.status not in _FAULTS:
                return Verdict("player_error", "player_error", f"there is no fault {fault.status!r}")
            return Verdict(fault.status, fault.kind or fault.status, fault.reason)
        if decision.resign:
            if self.policy.resignation and self.roles[seat].kind == "contestant":
                return Verdict("legal", "resigned")
            return Verdict("illegal", "resignation_not_allowed", "resigning is not allowed in this match")
        if decision.draw is not None and (refused := self._refused_draw(seat, decision)) is not None:
            return refused
        if decision.draw == "accept":
            return Verdict("legal", "draw_accepted")
        try:
            if seat == ADJUDICATOR:
                check_value(decision.action)
            else:
                self.game.check(self.state, seat, decision.action)
        except Illegal as error:
            fault = Fault.of(error)
            return Verdict(fault.status, fault.kind or fault.status, fault.reason)
        except (TypeError, AttributeError, ValueError, IndexError, KeyError) as error:
            # The action is not even of the game's type: whoever made it broke the protocol.
            return Verdict("player_error", "player_error", f"not an action of this game: {type(error).__name__}")
        return Verdict("legal", "legal")

    def _refused_draw(self, seat: Seat, decision: Decision) -> Verdict | None:
        if not self.policy.draw_offers:
            return Verdict("illegal", "draw_offer_not_allowed", "draws may not be offered in this match")
        if decision.draw == "accept" and self._draw_offered_by in (None, seat):
            return Verdict("illegal", "no_draw_offered", "there is no offer of a draw to accept")
        return None

    def _charge(self, seat: Seat, decision: Decision) -> None:
        self._seconds[seat] += decision.seconds
        self._tokens[seat] += sum(exchange.completion.usage.output or 0 for exchange in decision.exchanges)

    def _react(self, attempt: Attempt) -> None:
        """What an attempt means for its seat: a pending action, an ending, or another try."""
        seat, verdict, policy = attempt.seat, attempt.verdict, self.policy
        official = self.roles[seat].kind == "official"
        if verdict.status == "provider_error":
            self.ending = Ending("void", f"provider: {verdict.reason}", seat)
        elif verdict.is_legal and attempt.decision.resign:
            self._resign(seat)
        elif verdict.is_legal and attempt.decision.draw == "accept":
            self._end(self._shared("draw agreed"))
        elif verdict.is_legal and seat == ADJUDICATOR:
            mover = self.game.to_act(self.state)[0]
            value, margin = float(attempt.decision.action), policy.adjudication_margin
            self._end(adjudicated(self.game, self.n, mover, value, margin))
        elif (over := self._out_of_time(seat)) and not official:
            self.ending = Ending("forfeit", over, seat)
        elif verdict.is_legal:
            self._pending[seat] = Move(self.step, seat, attempt.decision.action)
        elif not self._may_try_again(seat):
            if official:
                self.ending = Ending("void", f"{seat} failed: {verdict.kind}", seat)
            else:
                self._exhausted(attempt)
        if self.ending is None and not self._adjudicating and not self._closes_step():
            self._enforce_cap()

    def _may_try_again(self, seat: Seat) -> bool:
        limit = self.policy.attempts
        if limit is None and self._adjudicating:
            limit = 1  # the cap, which ends a match without a limit on attempts, is behind it
        return limit is None or self._tries[seat] - self._forgiven[seat] < limit

    def resubmit(self, seat: Seat, decision: Decision) -> Attempt:
        """`submit` for an answer from the log. A match that is void goes on behind it: the official that failed gets
        all its attempts anew; those on record are held against nobody."""
        attempt = self.submit(seat, decision)
        if self.ending is not None and self.ending.kind == "void":
            self.ending = None
            self._forgiven.update(self._tries - self._forgiven)
        return attempt

    def _closes_step(self) -> bool:
        return all(seat in self._pending for seat in self.game.to_act(self.state))

    def _out_of_time(self, seat: Seat) -> str | None:
        policy = self.policy
        if policy.clock_seconds is not None and self._seconds[seat] > policy.clock_seconds:
            return f"clock: over {policy.clock_seconds:g} s"
        if policy.clock_tokens is not None and self._tokens[seat] > policy.clock_tokens:
            return f"clock: over {policy.clock_tokens} tokens"
        return None

    def _exhausted(self, attempt: Attempt) -> None:
        seat, verdict, policy = attempt.seat, attempt.verdict, self.policy
        if policy.on_exhausted == "forfeit":
            self.ending = Ending("forfeit", f"no legal move in {policy.attempts} attempts: {verdict.kind}", seat)
        elif policy.on_exhausted == "cancel":
            self.ending = Ending("canceled", f"no legal move in {policy.attempts} attempts: {verdict.kind}", seat)
        elif policy.on_exhausted == "random":
            luck = self._chance.named("substitute", self.step, seat)
            action = self.game.sample(self.state, seat, luck)
            self._pending[seat] = Move(self.step, seat, action, substituted=True)
        else:
            self._pending[seat] = Move(self.step, seat, self._pass(seat), substituted=True)

    def _pass(self, seat: Seat) -> Any:
        for action in self.game.legal(self.state, seat) or ():
            if self.game.format(self.state, action).casefold() == "pass":
                return action
        raise ConfigurationError(f"policy: on_exhausted = 'pass', but {self.game.title} has no pass here")

    def _resign(self, seat: Seat) -> None:
        self._end(Outcome(self._scores_without(seat), f"{seat} resigned"))

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.ending = Ending("completed", outcome.reason)

    def _shared(self, reason: str) -> Outcome:
        seats = self.game.contestants(self.n)
        return Outcome(dict.fromkeys(seats, self.game.score_sum / len(seats)), reason)

    # ---------------------------------------------------------------- progress

    def _advance(self) -> None:
        """Applies the joint move once every seat to act has one. The first terminal outcome is final."""
        if self.ending is not None or self._adjudicating or not self._closes_step():
            return
        moves: Mapping[Seat, Move] = self._pending
        made = [self._past[seat][-1] for seat in moves]
        offers = [a.seat for a in made if a.decision.draw == "offer" and a.verdict.is_legal]
        self._draw_offered_by = offers[0] if len(offers) == 1 else None
        for seat in self.game.to_act(self.state):
            self.moves.append(moves[seat])
            self.notation.append(self.game.format(self.state, moves[seat].action))
        self.state = self.game.apply(self.state, {seat: move.action for seat, move in moves.items()})
        self.step += 1
        self._pending = {}
        self._tries.clear()
        self._forgiven.clear()
        self._settle()
        if self.ending is None:
            self._enforce_cap()

    def _settle(self) -> None:
        outcome = self.game.outcome(self.state)
        if outcome is not None:
            self._end(outcome)

    def _enforce_cap(self) -> None:
        """Ends the match at ``max_moves``. It runs after the rules, so a win on the very last move stands."""
        cap = self.policy.max_moves
        if cap is None or len(self.attempts) < cap:
            return
        if self.policy.on_max_moves == "adjudicate":
            self._adjudicating = True
            self._pending = {}
            self._tries.clear()
        elif self.policy.on_max_moves == "draw":
            self._end(self._shared(f"drawn after {cap} moves"))
        else:
            self.ending = Ending("canceled", f"{cap} moves made, bad attempts counted", self.worst_seat())

    def worst_seat(self) -> Seat | None:
        """The contestant's seat with the most bad attempts; None where two share that place or nobody made any."""
        attempts = [a for a in self.attempts if self.roles[a.seat].kind == "contestant" and not a.verdict.is_legal]
        bad = Counter(attempt.seat for attempt in attempts).most_common(2)
        if not bad or (len(bad) == 2 and bad[0][1] == bad[1][1]):
            return None
        return bad[0][0]

    def scores(self) -> dict[Seat, float] | None:
        """Scores by contestant: the outcome's, or for a forfeit nothing for the offender and an equal share of the
        rest for the others. None while the match runs, and for canceled and void matches."""
        if self.ending is None or self.ending.kind in ("canceled", "void"):
            return None
        if self.outcome is not None:
            return dict(self.outcome.scores)
        return self._scores_without(self.ending.offender or self.game.contestants(self.n)[0])

    def _scores_without(self, seat: Seat) -> dict[Seat, float]:
        """Nothing for the contestant that holds ``seat``, an equal share of the rest for the others."""
        loser = self.roles[seat].of or seat
        seats = self.game.contestants(self.n)
        return {s: 0.0 if s == loser else self.game.score_sum / (len(seats) - 1) for s in seats}
