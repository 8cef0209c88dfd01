"""The rules, found by looking into this package's folder; and what users may call them."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re

from aiter_lint import rules as package
from aiter_lint.nearest import nearest
from aiter_lint.rules.rule import Rule


class UnknownRule(ValueError):
    """No rule has this code, name or prefix. The message says what was probably meant."""


@functools.cache
def rules() -> tuple[Rule, ...]:
    """All rules, by code."""
    found = []
    for entry in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{entry.name}")
        meta = getattr(module, "META", None)
        if meta is not None:
            facts = {name: getattr(meta, name) for name in meta.__struct_fields__}
            found.append(
                Rule(
                    **facts,
                    check=module.check,
                    page=module.__doc__ or "",
                    good=module.GOOD,
                    bad=module.BAD,
                )
            )
    return tuple(sorted(found, key=lambda rule: rule.code))


def find(text: str) -> Rule | None:
    """The rule of that code or name; case makes no difference."""
    return _by_label().get(text.strip().lower())


def get(text: str) -> Rule:
    """The rule of that code or name, or `UnknownRule`."""
    rule = find(text)
    if rule is None:
        raise UnknownRule(_unknown(text))
    return rule


def expand(selector: str) -> tuple[Rule, ...]:
    """The rules that a selector means: a code, a name, the beginning of a code (`AIT2`), or
    `ALL`. `UnknownRule` where it means none."""
    rule = find(selector)
    if rule is not None:
        return (rule,)
    prefix = selector.strip().upper()
    if prefix == "ALL":
        return rules()
    if re.fullmatch(r"AIT\d{0,2}", prefix):
        some = tuple(rule for rule in rules() if rule.code.startswith(prefix))
        if some:
            return some
    raise UnknownRule(_unknown(selector))


def hint(text: str) -> str | None:
    """The code or name that was probably meant by an unknown one."""
    choices = [label for rule in rules() for label in (rule.name, rule.code)]
    return nearest(text, choices)


def _unknown(text: str) -> str:
    meant = hint(text)
    tail = f'did you mean "{meant}"?' if meant else "`aiter-lint rules` lists them all"
    return f'unknown rule "{text}": {tail}'


@functools.cache
def _by_label() -> dict[str, Rule]:
    return {label.lower(): rule for rule in rules() for label in (rule.code, rule.name)}
