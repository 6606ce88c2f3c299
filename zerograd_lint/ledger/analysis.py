"""Analyse a file: run the automata over every entry point and collect what the rules ask about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from ..events.event import Consume, Event, Share, Zero, needs_buffer
from ..flow.explore import BudgetSpent
from ..flow.invocations import Invocations
from ..flow.recall import recall
from ..flow.trim import trim
from ..program import Ref
from .account import Account
from .allowance import Allowance
from .automata.ignored_events import IGNORED_BY_ALL, ignored_in
from .automata.loss_scale import ScalerLog
from .automata.presence import PresenceLog
from .automata.shared_buffers import SharedLog
from .caller_closed_windows import entry_places
from .configurations import RunSettings, run_settings
from .entries import EntryPoint, entry_points, events_of, loops_within
from .entry_analysis import EntryAnalysis
from .file_facts import FileFacts
from .following import Following
from .places import Places
from .run_configuration import RunConfiguration
from .switched_zeroing import only_cleared_in_turn
from .zeroings import Zeroings


@dataclass(slots=True)
class Analysis:
    """What rules ask about: a file's events, and the accounts and logs of its owners."""

    events: list[Event]
    invocations: Invocations
    """Which functions of the file may invoke which, as far as gradients are concerned."""
    accounts: list[Account] = field(default_factory=list)
    parts: list[Account] = field(default_factory=list)
    """Of optimizers whose other parts are right, or not known to be wrong."""
    shared: list[SharedLog] = field(default_factory=list)
    scalers: list[ScalerLog] = field(default_factory=list)
    buffers: list[PresenceLog] = field(default_factory=list)
    steps: int = 0
    """How many the automata took."""
    configuration: RunConfiguration | None = None
    """What it holds for; None if it holds for all."""
    chosen: frozenset[Consume] = frozenset()
    """Steps of which the configuration decides nothing but whether they are cleared for."""
    configured: list[Analysis] = field(default_factory=list)
    """The same entry points, one configuration at a time."""

    def add(self, found: EntryAnalysis) -> None:
        """What one entry point was found to do."""
        self.accounts += found.accounts
        self.parts += found.parts
        self.shared += found.shared
        self.scalers += found.scalers


def analyse(facts: FileFacts) -> Analysis:
    """Follow every entry point of a file, apart from what is too entangled to follow."""
    whole = Invocations(facts.functions)
    events = [event for function in facts.functions for event in events_of(function, whole)]
    entries = list(entry_points(whole, facts.own))
    followed = [entry for entry in entries if entry.is_worth_following()]
    settings = {entry.root: run_settings(entry.root, whole) for entry in followed}
    untrimmed = whole
    zeroings = _zeroings(events, whole, facts)
    allowance = Allowance()
    tracked = list(_tracked(events, facts))
    places = {entry.root: entry_places(entry, whole) for entry in followed}

    def started(entry: EntryPoint, trimmed: Invocations) -> EntryAnalysis:
        known = settings.get(entry.root, RunSettings({}, [], frozenset()))
        remembered = replace(recall(entry.root, trimmed, known.asked), assumed=known.constants)
        around = places.get(entry.root) or Places(entry.root, untrimmed)
        return EntryAnalysis(entry, around, Following(remembered, allowance), zeroings)

    buffers: list[PresenceLog] = []
    needing = [entry for entry in followed if any(map(needs_buffer, entry.events))]
    if needing:
        whole = trim(whole, tracked, lambda event: isinstance(event, IGNORED_BY_ALL))
        for entry in needing:
            found = started(entry, whole)
            _run(found.run_buffers, facts)
            buffers += found.buffers
    trimmed = trim(whole, tracked, ignored_in(events))
    analysis = Analysis(events, trimmed, buffers=buffers)
    for entry in followed:
        found = started(entry, trimmed)
        # What is too entangled as a whole may be followed one configuration at a time.
        followed_whole = _run(found.run, facts)
        entangled = not followed_whole
        analysis.add(found)
        possible = settings[entry.root].configurations
        for configuration in possible:
            if followed_whole and not found.may_differ(configuration.answers):
                continue
            inside = found.within(configuration, whole_is_known=followed_whole)
            entangled = not _run(inside.run, facts)
            configured = Analysis(events, trimmed, configuration=configuration)
            configured.add(inside)
            if not entangled:
                configured.chosen = only_cleared_in_turn(found, inside, configuration, possible)
            analysis.configured.append(configured)
            if entangled:
                break
        if entangled:
            allowance.cut()
            within = loops_within(entry, untrimmed, facts.own)
            _add_each(analysis, (started(inner, trimmed) for inner in within), facts)
    analysis.steps = allowance.spent
    return analysis


def _add_each(analysis: Analysis, parts: Iterable[EntryAnalysis], facts: FileFacts) -> None:
    """Follow parts of an entry point that is too entangled, each by itself."""
    for part in parts:
        _run(part.run, facts)
        analysis.add(part)


def _run(follow: Callable[[FileFacts], None], facts: FileFacts) -> bool:
    """Whether an entry point could be followed to its end."""
    try:
        follow(facts)
    except BudgetSpent:
        return False
    return True


def _tracked(events: list[Event], facts: FileFacts) -> Iterator[Ref]:
    """The objects an automaton may be asked to follow, and what they are made of."""
    for event in events:
        if event.subject is not None and (
            isinstance(event, Consume | Share) or needs_buffer(event)
        ):
            yield event.subject
            yield from facts.covers(event.subject) or ()


def _zeroings(events: Iterable[Event], whole: Invocations, facts: FileFacts) -> Zeroings:
    deferred = list(facts.deferred_zeros)
    handed_out = [f for f in whole.functions if f in facts.own and f.scope in facts.handed_out]
    unnamed = [function for function in whole.functions if function.scope in facts.run_unnamed]
    for function in dict.fromkeys((*whole.reachable(*handed_out), *unnamed)):
        deferred += (
            event
            for event in events_of(function, whole)
            if isinstance(event, Zero) and _clears_what_others_hold(event)
        )
    return Zeroings([event for event in events if isinstance(event, Zero)], deferred, facts)


def _clears_what_others_hold(zero: Zero) -> bool:
    """Whether a zeroing clears more than the locals of its function."""
    return zero.subject is None or zero.subject.scope != zero.site.function.scope
