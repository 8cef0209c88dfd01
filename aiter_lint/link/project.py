"""What the link stage hands to the rules: the project as kernels, reprs and launches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from aiter_lint.link.buckets import Bucket, ConfigFile
from aiter_lint.link.values import Value, Values
from aiter_lint.read.facts import FileFacts, Function
from aiter_lint.read.syntax import Expr
from aiter_lint.span import Place


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kernel."""

    name: str
    constexpr: bool
    annotation: str | None  # source text
    default: Expr | None
    default_text: str | None
    keyword_only: bool
    variadic: bool  # *args or **kwargs
    place: Place


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a repr. `place` is where a person would edit (its string; the builder call,
    where several builders share the list), `literal` the string itself."""

    name: str
    place: Place
    literal: Place


@dataclass(slots=True, eq=False)
class Builder:
    """One call of a repr builder: `make_kernel_repr("base", [keys], name_key)`.

    Identity is that of the object: two kernels share a repr where their `repr.builder` is
    the same Builder. `keys` is None where nothing of the list can be resolved; `complete` says
    that all of it is. `variable` is the module-level name that it is bound to, if any."""

    place: Place  # the call
    module: str
    variable: str | None
    base: str | None
    base_place: Place | None
    keys: tuple[Key, ...] | None
    complete: bool
    name_key: str | None
    name_key_place: Place | None
    function: str  # canonical dotted name of the builder
    used_by: list[Kernel] = field(default_factory=list)
    other_uses: bool = False  # read by something else than a decorator (exported, passed on)
    statement: Place | None = None  # the assignment that holds it alone, where it is one


@dataclass(frozen=True, slots=True)
class Repr:
    """What a kernel's decorator gives as `repr=`. kind is `builder`, `custom` (a function, a
    lambda, anything that is called; also what can't be resolved) or `text` (a string)."""

    kind: str
    place: Place  # the `repr=...` argument
    value: Place  # its value
    builder: Builder | None


@dataclass(frozen=True, slots=True)
class Supplied:
    """One value that a Config or a heuristic supplies: its entry's place, and what it can be."""

    name: str
    place: Place
    values: Values


@dataclass(frozen=True, slots=True)
class Config:
    """One `triton.Config`. `options` are launch options that it sets (num_warps, ...), whether
    inside the mapping or as keyword; `complete` is False where a `**` hides some entries."""

    place: Place
    values: tuple[Supplied, ...]
    options: tuple[Supplied, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class NameRef:
    """A name in a string that must be a parameter's: an autotune key, a heuristic, ..."""

    name: str
    place: Place
    source: (
        str  # `key`, `reset_to_zero`, `restore_value`, `heuristic`, `config`, `do_not_specialize`
    )


@dataclass(frozen=True, slots=True)
class Tuning:
    """What the wrappers of one kernel object supply: autotune and heuristics, by decorator or
    by assignment, or a project's wrapper that does the same. `opaque`: some of it can't be
    read (configs from a function call, an unknown wrapper)."""

    configs: tuple[Config, ...] = ()
    heuristics: tuple[Supplied, ...] = ()
    names: tuple[NameRef, ...] = ()
    opaque: bool = False
    autotuned: bool = False


@dataclass(slots=True, eq=False)
class Kernel:
    """A function under `triton.jit` or `gluon.jit`, in any form."""

    path: str
    module: str
    name: str
    qualname: str
    dialect: str  # triton, gluon
    place: Place  # of the name in the def
    head: Place  # decorators and signature
    jit: Place  # the jit decorator (or the jit call), where missing-repr is reported
    params: tuple[Parameter, ...]
    function: Function
    repr: Repr | None
    not_specialized: tuple[NameRef, ...]
    method: bool  # defined in a class that is no namespace of static methods
    nested: bool  # defined in a function
    tuning: Tuning  # of its decorators; what assignments add is on each Binding
    opaque_decorator: bool  # some decorator is unknown: it may supply or rename anything
    role: str = "unreferenced"  # launched, device, both, unreferenced
    launches: list[Binding] = field(default_factory=list)
    handed: list[Place] = field(default_factory=list)  # other uses: passed on, exported, stored
    alternatives: list[Kernel] = field(default_factory=list)  # same name under if/else or try
    computes_only: bool = False  # a helper that returns a value and has no effect
    index: int = -1  # of `function` in its file's facts

    @property
    def launched(self) -> bool:
        """Whether some launch in the project reaches it."""
        return self.role in ("launched", "both")

    @property
    def constexprs(self) -> tuple[Parameter, ...]:
        """Its constexpr parameters, in signature order."""
        return tuple(p for p in self.params if p.constexpr)

    def param(self, name: str) -> Parameter | None:
        """The parameter of that name."""
        return next((p for p in self.params if p.name == name), None)


@dataclass(frozen=True, slots=True)
class Argument:
    """What one launch gives to one parameter, by one way. `how` is `position`, `keyword`,
    `star`, `mapping`, `default`, `config` or `heuristic`. `place` is where a finding about the
    value belongs. `given` computes the values when they are asked for."""

    param: str
    how: str
    place: Place
    given: Callable[[], Values]
    text: str  # the argument's source form, shortened

    @property
    def values(self) -> Values:
        """What the argument can be."""
        return self.given()


@dataclass(frozen=True, slots=True)
class Mistake:
    """A launch that doesn't fit the signature. kind: `missing`, `twice`, `too-many`,
    `near-miss` (an unknown keyword close to a parameter's name), `supplied` (a heuristic's
    value by position, a Config's value passed again)."""

    kind: str
    param: str | None
    place: Place
    hint: str | None = None  # the parameter that was meant, or who supplies it already


@dataclass(slots=True, eq=False)
class Binding:
    """One launch bound to one kernel that it can reach. `arguments` has for each parameter all
    the ways in which it may get its value (several Configs, say); a parameter that an opaque
    `**mapping` may supply has none, and `opaque` is set. `options` are the launch options given
    by keyword that the signature does not declare."""

    launch: Launch
    kernel: Kernel
    arguments: Mapping[str, tuple[Argument, ...]]
    options: Mapping[str, Argument]
    opaque: bool
    mistakes: tuple[Mistake, ...]
    tuning: Tuning


@dataclass(slots=True, eq=False)
class Launch:
    """A use that reaches the runtime. `form`: `subscript`, `run`, `warmup`, `helper`, `source`.
    A launch may reach several kernels."""

    place: Place  # the whole call
    form: str
    function: str | None  # qualname of the enclosing function
    bindings: list[Binding] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Refuted:
    """An assumption of a kernel that is false for some program or some launch. `test` is its
    text, `witness` says for what it is false (`program 0`, `stride = 0`), `argument` what a
    launch passes, where a launch is to blame."""

    place: Place
    test: str
    witness: str
    argument: Argument | None
    value: Value | None


@dataclass(frozen=True, slots=True)
class Refused:
    """A bucket of a config file that contradicts a static_assert of a kernel that it reaches.
    `keys` are the bucket's entries to blame, `values` theirs as text, `test` is what must hold,
    `place` the static_assert's, `launch` that of the launch."""

    bucket: Bucket
    kernel: Kernel
    keys: tuple[str, ...]
    values: tuple[str, ...]
    test: str
    place: Place
    launch: Place


@dataclass(frozen=True, slots=True)
class Lacking:
    """A bucket without a key that a kernel needs. `reader` is the launch that passes nothing for
    it, or the place that reads it."""

    bucket: Bucket
    kernel: Kernel
    key: str
    reader: Place


@dataclass(frozen=True, slots=True)
class Tuned:
    """The config files behind the loaders, by path, and what is wrong between them and kernels."""

    files: tuple[ConfigFile, ...]
    refused: tuple[Refused, ...]
    lacking: tuple[Lacking, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the link stage knows and does not: for `--statistics`. `reasons` counts, by reason,
    the (launch, key) pairs that stayed unknown; `unbound` the candidates, by reason."""

    candidates: int
    bound: int
    other: int  # shown to be something else
    pairs: int
    resolved: int
    reasons: Mapping[str, int]
    unbound: Mapping[str, int]


@dataclass(slots=True, eq=False)
class Project:
    """Everything that rules may ask."""

    files: Mapping[str, FileFacts]  # by path, relative to the root
    modules: Mapping[str, str]  # module name -> path
    kernels: list[Kernel]  # by path, then place
    builders: list[Builder]
    launches: list[Launch]
    launch_options: frozenset[str]  # of every backend, and the settings' own
    default_builder: str | None  # dotted name of the builder for stubs; None: none or several
    builder_choices: tuple[str, ...]
    strings: frozenset[str]  # identifiers that occur alone in string literals somewhere
    refuted: Callable[[Kernel], list[Refuted]]
    discarded: Callable[[Kernel], list[tuple[Place, Kernel]]]
    tuned: Callable[[], Tuned]
    coverage: Callable[[], Coverage]
