"""Which rules run, and which of their findings are shown."""

from __future__ import annotations

from dataclasses import dataclass

from aiter_lint.finding import Finding, Severity
from aiter_lint.rules import registry
from aiter_lint.rules.rule import Rule
from aiter_lint.settings import Settings


@dataclass(frozen=True, slots=True)
class Selection:
    """The rules of a run, by code. `named` are the codes of those that were selected by their
    own code or name: their findings are shown, whatever their severity."""

    rules: tuple[Rule, ...]
    named: frozenset[str]
    least: Severity

    @property
    def codes(self) -> frozenset[str]:
        """The codes of the rules that run."""
        return frozenset(rule.code for rule in self.rules)

    def shows(self, finding: Finding) -> bool:
        """Whether a finding is severe enough to be shown, or was asked for."""
        return finding.severity.rank >= self.least.rank or finding.code in self.named


def select(settings: Settings) -> Selection:
    """The selection that valid settings make."""
    if settings.select:
        chosen = {rule.code for text in settings.select for rule in registry.expand(text)}
    else:
        chosen = {rule.code for rule in registry.rules() if rule.default}
    chosen |= {rule.code for text in settings.extend_select for rule in registry.expand(text)}
    chosen -= {rule.code for text in settings.ignore for rule in registry.expand(text)}
    own = [registry.find(text) for text in (*settings.select, *settings.extend_select)]
    # what fails the run by somebody's will is not hidden
    least = min(
        settings.min_severity,
        settings.fail_on or settings.min_severity,
        key=lambda severity: severity.rank,
    )
    return Selection(
        tuple(rule for rule in registry.rules() if rule.code in chosen),
        frozenset(rule.code for rule in own if rule is not None) & chosen,
        least,
    )


def mistake(text: str) -> str | None:
    """What is wrong with a rule that a setting names; None where it means some."""
    try:
        registry.expand(text)
    except registry.UnknownRule as error:
        return str(error)
    return None
