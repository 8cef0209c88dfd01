"""What each kernel is to the project: launched, a helper of other kernels, both, or neither."""

from __future__ import annotations

import re

from aiter_lint.link.evaluate import Evaluator
from aiter_lint.link.flow import Bound, ClassBound, Defined, Env, Imported, Joined, Unpacked
from aiter_lint.link.kernels import Kernels
from aiter_lint.link.project import Argument, Kernel
from aiter_lint.link.values import Kind, Values, leaves
from aiter_lint.read import syntax as s
from aiter_lint.read.facts import JitBody
from aiter_lint.span import Place

_EFFECTS = frozenset(
    """store atomic_add atomic_max atomic_min atomic_cas atomic_xchg atomic_and atomic_or atomic_xor
    device_print device_assert static_assert static_print debug_barrier inline_asm_elementwise
    assume store_tensor_descriptor print multiple_of max_contiguous max_constancy""".split()
)
_PURE_ROOTS = ("triton.language.", "builtins.", "triton.cdiv", "triton.next_power_of_2")
_NOWHERE = s.Span(1, 1, 1, 1)


class Roles:
    """Resolves the references inside jit bodies."""

    def __init__(self, kernels: Kernels) -> None:
        self.kernels = kernels
        self.ev: Evaluator = kernels.evaluator
        self.world = kernels.world
        self._resolved: dict[tuple[Env, str], Values] = {}
        self._effects: dict[int, bool] = {}
        self._bound: dict[int, frozenset[str]] = {}
        self._imported: frozenset[str] | None = None

    def assign(self, kernels: list[Kernel]) -> None:
        """Fill `role`, `alternatives`, `handed` and `computes_only` of all kernels."""
        device: set[int] = set()
        for kernel in kernels:
            env = self.world.closure(kernel.path, kernel.index)
            for name in self._body(kernel).refs:
                if self._is_language(name.split(".", 1)[0], env):
                    continue
                for target in self._kernels(name, kernel):
                    if target is not kernel:
                        device.add(id(target))
        names = {kernel.name for kernel in kernels}
        called = self._called_parameters(kernels)
        for kernel in kernels:
            for binding in kernel.launches:
                for name, arguments in binding.arguments.items():
                    for argument in arguments:
                        # a function goes where kernels call it, or is named at the launch
                        if name in called or argument.text.rsplit(".", 1)[-1] in names:
                            device |= self._handed_over(argument)
        for kernel in kernels:
            launched = bool(kernel.launches)
            helper = id(kernel) in device
            kernel.role = (
                ("both" if helper else "launched")
                if launched
                else ("device" if helper or kernel.method else "unreferenced")
            )
            if kernel.role == "unreferenced" and self._mentioned(kernel):
                kernel.handed.append(kernel.place)
        self._alternatives(kernels)
        for kernel in kernels:
            kernel.computes_only = self._body(kernel).returns and not self._has_effect(kernel, 0)

    def _is_language(self, root: str, env: Env) -> bool:
        """Whether a name is a module outside the project, as `tl` is: no kernel is behind it."""
        binding = env.get(root)
        if type(binding) is not Imported or binding.alias.level:
            return False
        return self.world.import_target(binding.alias, binding.path)[0] is None

    def _called_parameters(self, kernels: list[Kernel]) -> set[str]:
        """Names of parameters that some kernel calls: only these need their values looked at. One
        that is only passed on has the name that the helper calls it by, or is a rare loss."""
        return {
            root
            for kernel in kernels
            for root in {name.split(".", 1)[0] for name in self._body(kernel).calls}
            if kernel.param(root) is not None
        }

    def _handed_over(self, argument: Argument) -> set[int]:
        if argument.how in ("default", "heuristic") or not _may_be_object(argument):
            return set()
        return {id(v.data.kernel) for v in leaves(argument.values) if v.kind is Kind.JIT}

    def discarded(self, kernel: Kernel) -> list[tuple[Place, Kernel]]:
        """Calls in the kernel that drop the result of a helper that only computes."""
        found = []
        for dropped in self._body(kernel).dropped:
            targets = self._kernels(dropped.func, kernel)
            if targets and all(t.computes_only for t in targets):
                found.append((Place(kernel.path, dropped.span), targets[0]))
        return found

    def _body(self, kernel: Kernel) -> JitBody:
        body = kernel.function.jit
        if body is None:
            return JitBody((), (), (), False, True, (), (), (), ())
        return body

    def _kernels(self, dotted: str, kernel: Kernel) -> list[Kernel]:
        return [v.data.kernel for v in self.resolve(dotted, kernel) if v.kind is Kind.JIT]

    def resolve(self, dotted: str, kernel: Kernel) -> Values:
        """What a dotted name in a kernel's body refers to; nothing for its own variables."""
        root = dotted.split(".", 1)[0]
        bound = self._bound.get(id(kernel))
        if bound is None:
            bound = self._bound[id(kernel)] = frozenset(self._body(kernel).bound)
        if root in bound:
            return ()
        env = self.world.closure(kernel.path, kernel.index)
        key = (env, dotted)
        if key not in self._resolved:
            self._resolved[key] = self._look_up(dotted, root, env)
        return self._resolved[key]

    def _look_up(self, dotted: str, root: str, env: Env) -> Values:
        binding = env.get(root)
        relevant = (Imported, Defined, Bound, ClassBound, Joined, Unpacked)
        if binding is None and not env.stars and not (env.outer and env.outer.stars):
            return ()
        if binding is not None and not isinstance(binding, relevant):
            return ()
        first, *rest = dotted.split(".")
        expr: s.Expr = s.Name(first, _NOWHERE)
        for part in rest:
            expr = s.Attr(expr, part, _NOWHERE)
        return self.ev.ask(expr, env)

    def _mentioned(self, kernel: Kernel) -> bool:
        """Whether the name occurs anywhere beside its own definition."""
        word = re.compile(rb"(?<!\w)" + re.escape(kernel.name.encode()) + rb"(?!\w)")
        if len(word.findall(self.world.bytes_of(kernel.path))) > 1:
            return True
        if self._imported is None:
            files = self.world.facts.values()
            imported = {alias.name for facts in files for alias in facts.imports if alias.name}
            self._imported = frozenset(imported.union(*[facts.strings for facts in files]))
        return kernel.name in self._imported

    def _alternatives(self, kernels: list[Kernel]) -> None:
        groups: dict[tuple[str, str], list[Kernel]] = {}
        for kernel in kernels:
            groups.setdefault((kernel.path, kernel.qualname), []).append(kernel)
        for group in groups.values():
            if len(group) > 1:
                for kernel in group:
                    kernel.alternatives = [other for other in group if other is not kernel]

    def _has_effect(self, kernel: Kernel, depth: int) -> bool:
        known = self._effects.get(id(kernel))
        if known is not None:
            return known
        self._effects[id(kernel)] = True  # while it is looked at: recursion has an effect
        result = self._look_for_effect(kernel, depth)
        self._effects[id(kernel)] = result
        return result

    def _look_for_effect(self, kernel: Kernel, depth: int) -> bool:
        body = self._body(kernel)
        if body.stores or depth > 12:
            return True
        for name in body.calls:
            if name.rsplit(".", 1)[-1] in _EFFECTS:
                return True
            targets = self.resolve(name, kernel)
            if not targets:
                root = name.split(".", 1)[0]
                if root in body.bound:
                    if "." in name and name.rsplit(".", 1)[-1] in (
                        "to",
                        "cast",
                        "reshape",
                        "trans",
                    ):
                        continue
                    return True
                if "." in name or root not in _BUILTINS:
                    return True
                continue
            for target in targets:
                if target.kind is Kind.JIT:
                    if self._has_effect(target.data.kernel, depth + 1):
                        return True
                elif not self._is_pure(target):
                    return True
        return False

    def _is_pure(self, target) -> bool:
        name = getattr(target.data, "name", "")
        return isinstance(name, str) and name.startswith(_PURE_ROOTS)


_BUILTINS = frozenset({"min", "max", "abs", "range", "len", "int", "float", "bool", "tuple", "sum"})


def _may_be_object(argument: Argument) -> bool:
    """Whether an argument could be a kernel: its text is a name, an attribute, an item, a call."""
    text = argument.text
    return bool(text) and (text[0].isalpha() or text[0] in "_(*[")
