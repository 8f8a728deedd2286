"""What happens at the tower, judged from edges and sounds. Pure: all times are passed in.

A drop exists when something breaks the beams of the uppermost plate for the time that a cube takes; or
when beams below prove that one came by unseen; or, without an entry beam, when it sounds like one. It is
told a fixed time after the entry, so that when it is told says nothing about its way.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final

from hardware.assign import LATEST_S, fall_s
from hardware.bursts import Burst
from hardware.drops import Drop, Judge
from hardware.edges import Edge
from hardware.entries import cubes_in
from hardware.hearing import Clusters, Heard, Sounds, heard_burst, heard_onset, judge
from hardware.lifting import Lifting
from hardware.noticed import Condition, Kind, Noticed, TowerState
from hardware.passages import BLOCKED_S, LONGEST_S, Broken, Gate, Passage
from hardware.profile import ENTRY_PLATE, TowerProfile, plate_of
from hardware.sound import Onset
from hardware.soundfloors import Ear, shipped
from hardware.soundfloors import Kind as SoundKind

REPORT_S: Final = 1.6
"""A drop is told so long after its entry, whatever happened below."""

COUNTED_S: Final = 2.0
"""So long a drop is shown as counted."""

KEPT_S: Final = 4.0
STRAY_S: Final = 1.25
"""So long after a break below the entry it is clear that no cube that was seen to enter made it."""

_AFTER_HAND_S: Final = 1.0


class Tower:
    """Follows one tower. `edge`, `onset`, `burst` and `tick` return what was noticed meanwhile.

    Times may come up to 50 ms late; what is kept is bounded.
    """

    def __init__(self, profile: TowerProfile | None = None, *, ear: Ear = shipped) -> None:
        self.profile = profile or TowerProfile()
        self._gates = {plate: Gate(plate, lines) for plate, lines in self.profile.plates.items()}
        self._of = {line: plate for plate, lines in self.profile.plates.items() for line in lines}
        self._lifting = Lifting()
        self._judge = Judge(self.profile, ear)
        self._clusters = Clusters()
        self._drops: list[Drop] = []
        self._passages: deque[Passage] = deque(maxlen=512)
        self._fresh: deque[Passage] = deque(maxlen=512)
        self._heard: deque[Heard] = deque(maxlen=1024)
        self._widths: deque[float] = deque(maxlen=31)
        self._told: dict[str, Kind] = {}
        self._hand = self._counted = self._unsure = float("-inf")
        self._noisy = self._deaf = False
        self._now = float("-inf")

    @property
    def learned(self) -> TowerProfile:
        """The profile with what this evening taught: misses of the beams and the usual loudness."""
        return self._judge.learned(self.profile)

    @property
    def states(self) -> tuple[TowerState, ...]:
        """Every state that the tower is in now, the most urgent first; never empty."""
        found = [TowerState(condition) for condition in self._conditions()]
        found += [TowerState(_SHOWN[kind], line) for line, kind in self._told.items() if kind in _SHOWN]
        ranks = list(Condition)
        found.sort(key=lambda state: ranks.index(state.condition))
        return tuple(found) or (TowerState(Condition.QUIET),)

    @property
    def state(self) -> TowerState:
        """The most urgent state."""
        return self.states[0]

    @property
    def busy(self) -> bool:
        """Whether something is going on, so that `tick` is wanted every few hundredths of a second."""
        return bool(self._drops) or any(gate.low_since is not None for gate in self._gates.values())

    def listening(self, kind: SoundKind | None) -> None:
        """Know that a microphone is listening, so that its silence means something; None: none is now."""
        self._judge.hears(kind)

    def edge(self, edge: Edge) -> list[Noticed]:
        """Take in the level of a line since ``edge.at``; lines of no beam are passed over."""
        plate = self._of.get(edge.line)
        if plate is None:
            return self.tick(edge.at)
        noticed = self._closed(self._gates[plate].see(edge.line, high=edge.level, at=edge.at))
        return noticed + self.tick(edge.at)

    def onset(self, onset: Onset) -> list[Noticed]:
        """Take in what a waveform microphone heard."""
        return self.hear(heard_onset(onset))

    def burst(self, burst: Burst) -> list[Noticed]:
        """Take in what a threshold sound module heard."""
        return self.hear(heard_burst(burst))

    def hear(self, heard: Heard) -> list[Noticed]:
        """Take in one sound, whatever heard it."""
        self._judge.hears("wave" if heard.centroid_hz else "digital")
        self._heard.append(heard)
        noticed: list[Noticed] = []
        for cluster in self._clusters.add(heard):
            noticed += self._ended(cluster)
        return noticed + self.tick(heard.at)

    def tick(self, now: float) -> list[Noticed]:
        """Let time go on to ``now`` (monotonic seconds); an earlier time than before changes nothing."""
        if now < self._now:
            return []
        self._now = now
        noticed: list[Noticed] = []
        for gate in self._gates.values():
            noticed += self._closed(gate.tick(now))
        noticed += self._lines(now)
        noticed += self._strays(now)
        noticed += self._due(now)
        for cluster in self._clusters.tick(now):
            noticed += self._ended(cluster)
        noticed += self._sound_states(now)
        self._forget(now)
        return noticed

    # -- beams ----------------------------------------------------------------------------------

    def _closed(self, found: Sequence[Broken]) -> list[Noticed]:
        noticed: list[Noticed] = []
        for broken in found:
            if broken.held or self._lifting.covers(broken.at, broken.until):
                continue
            if broken.width_s > LONGEST_S:
                if broken.plate == ENTRY_PLATE:
                    self._hand = broken.until
                    noticed.append(Noticed(broken.at, Kind.HAND, line=self._gates[ENTRY_PLATE].lines[0]))
                continue
            typical = median(self._widths) if len(self._widths) > 4 else 0.018
            cubes = cubes_in(broken, self.profile.cube_mm, typical)
            if broken.plate == ENTRY_PLATE:
                self._drops += [Drop(one.at, one.width_s, one.sure) for one in cubes]
                self._widths.append(cubes[0].width_s)
                self._judge.fired(ENTRY_PLATE)
            else:
                self._passages += cubes
                self._fresh += cubes
        return noticed

    def _lines(self, now: float) -> list[Noticed]:
        """Notice lifted floors, and lines that are blocked or chatter."""
        noticed = self._lifting.step(self._gates, now)
        is_now: dict[str, tuple[Kind, float]] = {}
        for gate in self._gates.values():
            is_now |= {line: (Kind.CHATTER, since) for line, since in gate.chattering.items()}
            if not self._lifting.holds(gate.plate):
                is_now |= {line: (Kind.BLOCKED, since) for line, since in gate.blocked(now).items()}
        for line, (kind, since) in is_now.items():
            if self._told.get(line) is not kind:
                self._told[line] = kind
                noticed.append(Noticed(since, kind, line=line))
                self._withdraw(line, since)
        for line in [one for one, kind in self._told.items() if kind in _PASSING and one not in is_now]:
            if self._gates[self._of[line]].clear_for(line, now) < _CLEAR_S:
                continue  # one wired the wrong way round is clear while a cube passes
            del self._told[line]
            noticed.append(Noticed(now, Kind.CLEAR, line=line))
        return noticed

    def _withdraw(self, line: str, since: float) -> None:
        """Take back what a line that turns out to chatter or to be blocked had made believe."""
        plate = plate_of(line)
        if plate == ENTRY_PLATE:
            self._drops = [drop for drop in self._drops if drop.told or drop.at < since - 0.01]
        for kept in (self._passages, self._fresh):
            for one in [one for one in kept if one.plate == plate and one.at >= since - 0.01]:
                kept.remove(one)

    def _entry_sees(self, since: float, until: float) -> bool:
        gate = self._gates.get(ENTRY_PLATE)
        return (
            gate is not None
            and gate.usable(since, until, self._now) > 0
            and not all(self._told.get(line) is Kind.SILENT for line in gate.lines)
        )

    def _strays(self, now: float) -> list[Noticed]:
        """Find cubes that only the beams below the entry saw."""
        while self._fresh and now - self._fresh[0].at > STRAY_S:
            first = self._fresh.popleft()
            drops = sorted(self._drops, key=lambda drop: drop.at)
            near = [n for n, drop in enumerate(drops) if 0.0 <= first.at - drop.at <= LATEST_S]
            ways = [self._judge.way(n, drops, self._passages) for n in near]
            if ways and self._explained(first, ways):
                continue
            owned = {item for way in ways for item in way.items()}
            chain = [first]
            for other in tuple(self._fresh):
                below = other.plate < chain[-1].plate and other.at - first.at < LATEST_S
                if below and (other.plate, other.at) not in owned:
                    chain.append(other)
                    self._fresh.remove(other)
            sure = self._stray_sure(chain)
            if sure > 0:
                at = first.at - fall_s(0.3, (ENTRY_PLATE - first.plate) * self.profile.pitch_mm) - 0.01
                self._drops.append(Drop(at, sure=sure, seen=False, first=first))
        return []

    def _explained(self, first: Passage, ways: Sequence[Mapping[int, float]]) -> bool:
        """Whether a cube that is known made this break, or pushed on the one that did.

        A cube that passed a plate can no longer push on what lies above it: if one more comes through the
        uppermost plate below the entry, it is another cube.
        """
        top = max((plate for plate in self._gates if plate != ENTRY_PLATE), default=ENTRY_PLATE)
        return first.plate != top or any(first.at <= way.get(top, first.at) for way in ways)

    def _stray_sure(self, chain: Sequence[Passage]) -> float:
        """How likely a cube came in unseen, given that these beams broke one below the other."""
        at = chain[0].at
        if 0.0 <= at - self._hand <= _AFTER_HAND_S or self._lifting.covers(at, at):
            return 0.4  # something a hand pushed, or let go
        if not self._entry_sees(at - 0.4, at):
            return 0.97 if len(chain) > 1 else 0.85
        if len(chain) > 1:
            return 0.9
        if self.profile.miss(ENTRY_PLATE) < _RARELY:
            return 0.0
        return 0.6 if any(-0.3 < one.at - at < 1.0 for one in self._heard) else 0.3

    def _due(self, now: float) -> list[Noticed]:
        if not any(not drop.told and drop.at + REPORT_S <= now for drop in self._drops):
            return []
        drops = sorted(self._drops, key=lambda drop: drop.at)
        noticed = []
        for n, drop in enumerate(drops):
            if drop.told or drop.at + REPORT_S > now:
                continue
            drop.told = True
            before = drop.at - drops[n - 1].at if n else _ALONE_S
            after = drops[n + 1].at - drop.at if n + 1 < len(drops) else _ALONE_S
            way = self._judge.way(n, drops, self._passages)
            said = self._judge.verdict(drop, way, self._gates, self._heard, (before, after), now)
            self._counted = now if said.kind is Kind.DROP else self._counted
            self._unsure = now if said.kind is Kind.UNSURE else self._unsure
            noticed.append(said)
        return noticed + self._silent(now)

    def _silent(self, now: float) -> list[Noticed]:
        """Notice beams that the others prove silent, and a microphone that hears nothing of all drops."""
        noticed = []
        for plate, gate in self._gates.items():
            line = gate.lines[0]
            if self._judge.silent(plate) and line not in self._told:
                self._told[line] = Kind.SILENT
                noticed.append(Noticed(now, Kind.SILENT, 0.99, line=line))
            elif not self._judge.silent(plate) and self._told.get(line) is Kind.SILENT:
                del self._told[line]
                noticed.append(Noticed(now, Kind.CLEAR, line=line))
        if self._judge.deaf and not self._deaf:
            noticed.append(Noticed(now, Kind.DEAF, 0.95))
        self._deaf = self._judge.deaf
        return noticed

    # -- sound ----------------------------------------------------------------------------------

    def _ended(self, cluster: Sequence[Heard]) -> list[Noticed]:
        """Say what a run of sounds was, if no cube that a beam saw explains it."""
        first, last = cluster[0].at, cluster[-1].at
        if any(first - LATEST_S < drop.at < last + 0.4 for drop in self._drops):
            return []
        what, chance = judge(cluster)
        sees = self._entry_sees(first - 0.4, last)
        if not sees and any(first - 0.5 < one.at < last + 0.4 for one in self._fresh):
            return []
        handled = self._lifting.covers(first - 0.5, last + 0.5) or last - self._hand < _AFTER_HAND_S
        calm = not handled and not self._noisy and not self._clusters.restless(first)
        if not sees and what is Sounds.CUBE and calm:
            self._drops.append(Drop(first, sure=chance, seen=False))
            return []
        if sees or chance < _UNLIKE_A_CUBE or len(cluster) > _MANY:
            self._clusters.unexplained(cluster)
        if handled or self._noisy or what not in _HEARD:
            return []
        return [Noticed(first, _HEARD[what], 1.0 - chance)]

    def _sound_states(self, now: float) -> list[Noticed]:
        was, self._noisy = self._noisy, self._clusters.noisy(now)
        return [Noticed(now, Kind.NOISY, 0.9)] if self._noisy and not was else []

    # -- housekeeping ---------------------------------------------------------------------------

    def _conditions(self) -> list[Condition]:
        now = self._now
        entry = self._gates.get(ENTRY_PLATE)
        low = entry.low_since if entry else None
        found = {
            Condition.LIFTED: self._lifting.lifted,
            Condition.HAND: low is not None
            and LONGEST_S < now - low <= BLOCKED_S
            and not self._lifting.lifted,
            Condition.FALLING: any(not drop.told for drop in self._drops),
            Condition.UNSURE: now - self._unsure < COUNTED_S,
            Condition.COUNTED: now - self._counted < COUNTED_S,
            Condition.DEAF: self._judge.deaf,
            Condition.NOISY: self._noisy,
        }
        return [condition for condition, holds in found.items() if holds]

    def _forget(self, now: float) -> None:
        while self._heard and now - self._heard[0].at > KEPT_S:
            self._heard.popleft()
        while self._passages and now - self._passages[0].at > KEPT_S:
            self._passages.popleft()
        self._drops = [drop for drop in self._drops if not drop.told or now - drop.at < KEPT_S]


_RARELY: Final = 0.03
_ALONE_S: Final = 9.0
_CLEAR_S: Final = 0.5
_UNLIKE_A_CUBE: Final = 0.3
_MANY: Final = 10
_PASSING: Final = (Kind.CHATTER, Kind.BLOCKED)
_HEARD: Final = {Sounds.KNOCK: Kind.KNOCK, Sounds.SPEECH: Kind.SPEECH}
_SHOWN: Final = {
    Kind.BLOCKED: Condition.BLOCKED,
    Kind.CHATTER: Condition.CHATTER,
    Kind.SILENT: Condition.SILENT,
}
