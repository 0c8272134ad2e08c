"""Findings in words: which rule broke, where, and what its names were bound to."""

from collections.abc import Iterator

import msgspec
from rich.markup import escape

from bythebook.verdict import Finding, Verdict

LONGEST = 300
"""Most characters of one value; the verdict holds the rest."""


def broken(verdict: Verdict) -> Iterator[str]:
    """The failed and void findings of one run, for a console; nothing for a clean run."""
    findings = [finding for finding in verdict.findings if finding.verdict != "pass"]
    if findings:
        yield f"\n[bold]{escape(verdict.task)} run {verdict.run}[/], {escape(verdict.outcome)}"
    for finding in findings:
        yield from _finding(finding)


def _finding(finding: Finding) -> Iterator[str]:
    mark = "broken" if finding.verdict == "fail" else "void"
    yield f"  {mark} [bold]{escape(finding.id)}[/] ({finding.kind}): {escape(finding.says)}"
    place = "at the end" if finding.at is None else f"at event {finding.at}"
    if finding.level:
        place = f"at {finding.place}" if finding.place else "nowhere"
    if finding.write is not None:
        place += f", write {finding.write}"
    source = f"; the clause is {finding.source}" if finding.source else ""
    margin = f"; missed by {abs(finding.margin)}" if finding.margin else ""
    yield f"    {escape(place + margin + source)}: {escape(finding.why)}"
    told = {"reads": finding.seen, "wanted": finding.wanted}
    values = finding.values or {name: text for name, text in told.items() if text}
    for name, value in values.items():
        text = msgspec.json.encode(value).decode()
        yield f"    {escape(name)} = {escape(text[:LONGEST])}{'...' if len(text) > LONGEST else ''}"
