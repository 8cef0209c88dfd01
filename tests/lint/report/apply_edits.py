"""Replacements by line and column, made the plain way: what a consumer of a report does."""


def replaced(text: str, edits: list[tuple[tuple[int, int], tuple[int, int], str]]) -> str:
    """`text` with every stretch from a (line, column) to another replaced; columns in characters,
    from 1."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for start, end, content in sorted(edits, reverse=True):
        first = starts[start[0] - 1] + start[1] - 1
        last = starts[end[0] - 1] + end[1] - 1
        text = text[:first] + content + text[last:]
    return text
