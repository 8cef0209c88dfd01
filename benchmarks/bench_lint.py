"""Measure the linter beside `ast.parse`, Python's own start and other linters:
`python -m benchmarks.bench_lint TREE [FOLDER ...]`.

Everything runs on a copy of the tree's Python and JSON files, in one go, round by round, so that
what else the machine does meets all alike. Times are user + system of the process and its
children; of what uses several processes, wall clock. Ratios are of medians.
"""

import argparse
import ast
import gc
import importlib.util
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "results" / "lint.json"
PACKAGES = ("triton_kernels", "liger_kernel", "fla", "vllm", "sglang", "torchao", "kernels")
COPIED = (".py", ".json", ".toml", ".gitignore")
PATIENCE = 600  # seconds for one run of a peer

PYTHON = sys.executable
LINT = (PYTHON, "-m", "aiter_lint", "check")
PEERS = {
    "ruff --select F, warm": (PYTHON, "-m", "ruff", "check", "--select", "F", "--quiet", "."),
    "ruff --select F, cold": (PYTHON, "-m", "ruff", "check", "--select", "F", "--no-cache", "."),
    "flake8": (PYTHON, "-m", "flake8", "-j", "1", "--select", "F", "."),
    "fixit, one rule": (
        PYTHON, "-m", "fixit", "--rules", "fixit.rules:UseFstring", "lint", ".",
    ),
    "pylint": (PYTHON, "-m", "pylint", "-j", "1", "--recursive=y", "--disable=all",
               "--enable=E", "."),
}  # fmt: skip

# Ratios that no machine should exceed, generous: what is watched is the order of magnitude.
BUDGETS = {
    "cold, -j 1": 4.0,
    "cold, -j 1, concise": 4.0,
    "warm, nothing changed": 8.0,
    "warm, one file changed": 300.0,
}
LEAST_MEMORY_BUDGET = 600  # MB


@dataclass
class Row:
    """What a command took, run by run, in seconds; `peak` is in MB."""

    command: str
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    peak: float = 0.0

    def add(self, cpu: float, wall: float, peak: float) -> None:
        self.cpu.append(round(cpu, 4))
        self.wall.append(round(wall, 4))
        self.peak = max(self.peak, round(peak, 1))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tree", type=Path, nargs="?", help="default: installed public packages")
    parser.add_argument("folders", nargs="*", help="only these folders of the tree")
    parser.add_argument("--label", help="what the tree is, for the results")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--growth", type=Path, help="a larger tree, to compare the time per byte")
    parser.add_argument("--peers", action="store_true", help="run other linters too, once")
    parser.add_argument("--patience", type=int, default=PATIENCE, help="seconds for a peer")
    parser.add_argument("--budget", action="store_true", help="fail where a ratio is far off")
    parser.add_argument("--output", type=Path, default=RESULTS)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-lint-") as scratch:
        tree = copy(args.tree, args.folders, Path(scratch) / "tree")
        report = {**environment(), **size(tree), "tree": args.label or label(args)}
        rows = measure(tree, args.rounds)
        if args.peers:
            rows |= peers(tree, args.patience)
        if args.growth:
            report["growth"] = growth(tree, copy(args.growth, [], Path(scratch) / "larger"))
    report["rows"] = {name: vars(row) for name, row in rows.items()}
    report["ratios"] = ratios(rows)
    report["load_average_after"] = os.getloadavg()
    show(report)
    args.output.parent.mkdir(parents=True, exist_ok=True)
    args.output.write_text(json.dumps(report, indent=1) + "\n")
    return over_budget(report) if args.budget else 0


def copy(tree: Path | None, folders: list[str], to: Path) -> Path:
    """The Python files of the tree, its JSON files and settings, where they can be changed."""
    sources = {}
    if tree is not None:
        sources = {name: tree / name for name in folders} or {".": tree}
    else:
        for name in PACKAGES:
            spec = importlib.util.find_spec(name)
            if spec is not None and spec.submodule_search_locations:
                sources[name] = Path(spec.submodule_search_locations[0])

    def unwanted(folder: str, names: list[str]) -> set[str]:
        return {
            name
            for name in names
            if os.path.islink(path := os.path.join(folder, name))
            or (name in (".git", "__pycache__", ".aiter_lint_cache"))
            or not (os.path.isdir(path) or name.endswith(COPIED))
        }

    for name, source in sources.items():
        shutil.copytree(source, to / name, ignore=unwanted, dirs_exist_ok=True)
    time.sleep(0.1)  # what was changed just now is not trusted
    return to


def measure(tree: Path, rounds: int) -> dict[str, Row]:
    """All rows of the linter, interleaved. The cache is thrown away for each cold run."""
    cold = (*LINT, "--no-cache", "-j", "1")
    commands = {
        "python -c pass": (PYTHON, "-c", "pass"),
        "ast.parse": (PYTHON, __file__, "--parse"),
        "cold, -j 1": cold,
        "cold, -j 1, concise": (*cold, "--output-format", "concise"),
        "cold, default -j": (*LINT, "--no-cache"),
        "warm, one file changed": LINT,
        "warm, nothing changed": LINT,
    }
    rows = {name: Row(shown(command)) for name, command in commands.items()}
    largest = max(tree.rglob("*.py"), key=lambda path: path.stat().st_size)
    run(LINT, tree)  # fills the cache
    for number in range(rounds):
        for name, command in commands.items():
            if name == "ast.parse":
                rows[name].add(*parsed(tree))
                continue
            if name == "warm, one file changed":
                with open(largest, "a") as file:
                    file.write(f"# {number}\n")
                time.sleep(0.05)
            times = 5 if name in ("python -c pass", "warm, nothing changed") else 1
            for _ in range(times):
                rows[name].add(*run(command, tree))
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
    return rows


def peers(tree: Path, patience: int) -> dict[str, Row]:
    """Other linters, those that are installed."""
    rows = {}
    for name, command in PEERS.items():
        if importlib.util.find_spec(command[2]) is None:
            continue
        row = Row(shown(command))
        if name.endswith("warm"):
            run(command, tree, patience)
        row.add(*run(command, tree, patience))
        if row.wall[0] > patience:
            row.command += f"  # ended after {patience} s: takes longer than this"
        rows[name] = row
        print(name, file=sys.stderr, flush=True)
    return rows


def growth(tree: Path, larger: Path) -> dict[str, float]:
    """Time per byte on both trees, one right after the other."""
    found = {}
    for name, folder in (("this", tree), ("larger", larger)):
        seconds = min(run((*LINT, "--no-cache", "-j", "1"), folder)[0] for _ in range(2))
        found[name] = {**size(folder), "seconds": round(seconds, 3)}
        found[name]["seconds_per_mb"] = seconds / found[name]["bytes"] * 1e6
    found["ratio"] = found["larger"]["seconds_per_mb"] / found["this"]["seconds_per_mb"]
    return found


def run(command: tuple[str, ...], folder: Path, patience: int = 0) -> tuple[float, float, float]:
    """CPU and wall-clock seconds of a command, and its peak memory in MB. With `patience` it is
    a peer: ended after so many seconds, and its exit code may be anything."""
    root = os.fspath(Path(__file__).resolve().parent.parent)
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": root, "PYTHONDONTWRITEBYTECODE": ""},
    )
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG if patience else 0)
        if pid:
            break
        if time.perf_counter() - start > patience:
            process.kill()
            pid, status, usage = os.wait4(process.pid, 0)
            break
        time.sleep(0.005)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if not patience and process.returncode not in (0, 1):
        raise SystemExit(f"{shown(command)} failed with exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


def parsed(tree: Path) -> tuple[float, float, float]:
    """What parsing every file once takes, in a process of its own; without reading them."""
    done = subprocess.run(
        [PYTHON, "-W", "ignore", __file__, "--parse"],
        cwd=tree, capture_output=True, text=True, check=True,
    )  # fmt: skip
    cpu, wall, peak = map(float, done.stdout.split())
    return cpu, wall, peak


def parse_all() -> None:
    """Parse every Python file below the current folder, and print what it took."""
    import resource

    contents = [path.read_bytes() for path in Path().rglob("*.py")]
    gc.disable()
    cpu, wall = time.process_time(), time.perf_counter()
    for content in contents:
        try:
            ast.parse(content)
        except (SyntaxError, ValueError):
            pass
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(time.process_time() - cpu, time.perf_counter() - wall, peak)


def ratios(rows: dict[str, Row]) -> dict[str, float]:
    """How many times what each row is compared with it took."""
    start, parse = rows["python -c pass"], rows["ast.parse"]
    found = {}
    for name, row in rows.items():
        if name.startswith("warm"):
            base, times = start.cpu, row.cpu
        elif name == "cold, default -j":
            base, times = parse.wall, row.wall
        else:
            base, times = parse.cpu, row.cpu
        found[name] = round(statistics.median(times) / statistics.median(base), 3)
    return found


def show(report: dict) -> None:
    print(f"{report['tree']}: {report['files']:,} files, {report['bytes']:,} bytes")
    print("| what | cpu s | wall s | ratio | peak MB |")
    print("|---|---|---|---|---|")
    for name, row in report["rows"].items():
        base = "python" if name.startswith("warm") else "ast.parse"
        print(
            f"| {name} | {statistics.median(row['cpu']):.3f} | "
            f"{statistics.median(row['wall']):.3f} | "
            f"{report['ratios'][name]:.2f} x {base} | {row['peak']:.0f} |"
        )
    if "growth" in report:
        print(f"time per byte on a larger tree: {report['growth']['ratio']:.2f} x")


def over_budget(report: dict) -> int:
    """1 where a ratio, or the memory of a cold run, is beyond what it may be; says which."""
    code = 0
    for name, most in BUDGETS.items():
        if report["ratios"][name] > most:
            print(f"{name}: {report['ratios'][name]} x, at most {most} x", file=sys.stderr)
            code = 1
    if report["rows"]["cold, -j 1"]["peak"] > LEAST_MEMORY_BUDGET:
        print(f"cold, -j 1: more than {LEAST_MEMORY_BUDGET} MB", file=sys.stderr)
        code = 1
    return code


def environment() -> dict:
    cpu = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next(line.split(":", 1)[1].strip() for line in lines if line[:10] == "model name")
    except (OSError, StopIteration):
        pass
    versions = {"python": platform.python_version()}
    for name in ("aiter-lint", "libcst", "msgspec", "click", "ruff", "flake8", "pylint", "fixit"):
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            pass
    return {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "command": "python -m benchmarks.bench_lint "
        + " ".join(a for a in sys.argv[1:] if not a.startswith("/")),
        "cpu": cpu,
        "cores": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.release()}",
        "load_average_before": os.getloadavg(),
        "versions": versions,
    }


def size(tree: Path) -> dict:
    files = [path for path in tree.rglob("*.py") if path.is_file()]
    return {"files": len(files), "bytes": sum(path.stat().st_size for path in files)}


def label(args: argparse.Namespace) -> str:
    return args.tree.resolve().name if args.tree else "installed packages"


def shown(command: tuple[str, ...]) -> str:
    return " ".join(["python" if part == PYTHON else os.path.basename(part) or part
                     for part in command])  # fmt: skip


if __name__ == "__main__":
    if sys.argv[1:] == ["--parse"]:
        parse_all()
    else:
        sys.exit(main())
