"""Arguments to parameters, as Python binds them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from aiter_lint.link.flow import Env
from aiter_lint.read import syntax as s


class Supply(NamedTuple):
    """One argument and the environment in which it stands."""

    arg: s.Arg
    env: Env


class Supplies(NamedTuple):
    """A call's arguments by parameter. `extra` are keywords that no parameter takes, `rest` the
    positional arguments beyond the parameters; `opaque` says that a `*` or `**` may supply any
    parameter that is not in `given`, `starred` that there is a `*`."""

    given: dict[str, Supply]
    extra: dict[str, Supply]
    opaque: bool
    rest: tuple[Supply, ...] = ()
    starred: bool = False


def bind(params: Sequence[s.Param], args: Iterable[tuple[s.Arg, Env]], shift: int = 0) -> Supplies:
    """Bind a call's arguments; the first `shift` parameters are bound already."""
    positional = [p for p in params if p.kind in ("positional", "plain")][shift:]
    named = {p.name for p in params if p.kind in ("plain", "keyword")}
    given: dict[str, Supply] = {}
    extra: dict[str, Supply] = {}
    rest: list[Supply] = []
    opaque = False
    starred = False
    position = 0
    for arg, env in args:
        if arg.name is None:
            if starred:
                continue
            if position < len(positional):
                given[positional[position].name] = Supply(arg, env)
            else:
                rest.append(Supply(arg, env))
            position += 1
        elif arg.name == "*":
            starred = opaque = True
        elif arg.name == "**":
            opaque = True
        elif arg.name in named:
            given[arg.name] = Supply(arg, env)
        else:
            extra[arg.name] = Supply(arg, env)
    return Supplies(given, extra, opaque, tuple(rest), starred)


def keyword(args: Iterable[s.Arg], name: str) -> s.Arg | None:
    """The keyword argument of that name."""
    return next((arg for arg in args if arg.name == name), None)


def argument(args: Sequence[s.Arg], position: int, name: str) -> s.Arg | None:
    """The argument that is given by keyword, or at a position with no star before it."""
    found = keyword(args, name)
    if found is not None:
        return found
    for index, arg in enumerate(args):
        if arg.name is not None:
            return None
        if index == position:
            return arg
    return None
