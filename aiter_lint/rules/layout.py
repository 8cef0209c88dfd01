"""Which files belong to the packages that a setting names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping


class Packages:
    """The entries of a setting: dotted names of modules (`pkg.ops`), or folders and files relative
    to the project's root, `*` for any name (`pkg/_gluon_kernels/*`). A single word is every folder
    of that name; `/word` is the one in the root."""

    def __init__(self, entries: Iterable[str], modules: Mapping[str, str]) -> None:
        self._modules = {path: name for name, path in modules.items()}
        self._dotted: list[str] = []
        self._patterns: list[re.Pattern[str]] = []
        for entry in entries:
            text = entry.strip()
            if "/" not in text and "." in text.removesuffix(".py"):
                self._dotted.append(text)
                continue
            rooted = "/" in text.rstrip("/")
            body = text.removeprefix("./").strip("/")
            name = "/".join(re.escape(part).replace(r"\*", "[^/]*") for part in body.split("/"))
            self._patterns.append(re.compile(("" if rooted else "(?:.*/)?") + name + "(?:/.*)?"))

    def hold(self, path: str) -> bool:
        """Whether the file is one of theirs."""
        module = self._modules.get(path, "")
        if any(module == name or module.startswith(name + ".") for name in self._dotted):
            return True
        return any(pattern.fullmatch(path) for pattern in self._patterns)
