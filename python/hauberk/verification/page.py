"""Tables of the plan, for the pages."""

import re

from hauberk.study import markdown
from hauberk.verification.evidence import BOUNDS, conditions, counted, share_noticed, stage

MARKED = re.compile(r"(<!-- plan ([\w-]+) -->\n).*?(<!-- end -->)", re.S)


def stages(blocks, evidence):
    """The stage of each block, and what the next ones need."""
    rows = []
    for block in blocks:
        shares = [str(evidence.covered(kind, block.sources)) for kind in BOUNDS]
        mutants = evidence.noticed(block.sources)
        rows.append([block.title, stage(conditions(block, evidence)), *shares, str(mutants)])
    return markdown.table(["block", "stage", *BOUNDS, "mutants noticed"], rows, texts=2)


def table(head, rows):
    """Not padded, for cells are long."""
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows])


def of_block(block, evidence):
    found = conditions(block, evidence)
    reached = table(["stage", "condition", "evidence", "met"],
                    [[each.stage, each.text, each.evidence, "yes" if each.met else "**no**"] for each in found])
    parts = [f"Stage reached: **{stage(found)}**.{measured(block, evidence)}", reached]
    for kind in ("feature", "countermeasure"):
        rows = [row(item, evidence) for item in block.of(kind)]
        parts.append(table(["id", kind, "tests", "mutants noticed", "line / branch / toggle"], rows))
    return "\n\n".join(parts)


def measured(block, evidence):
    """Revisions of the evidence."""
    tests = {row["revision"] for item in block.items for annotation in evidence.tests(item) for row in evidence.rows(annotation)}
    coverage = {row["revision"] for row in evidence.coverage if row["file"] in block.sources}
    return "".join(f" {what} at {', '.join(sorted(at))}." for what, at in (("Tests recorded", tests), ("Coverage measured", coverage)) if at)


def row(item, evidence):
    tests = []
    for annotation in sorted(evidence.tests(item), key=lambda each: (each.suite, each.name)):
        outcome = evidence.outcome(annotation)
        name = annotation.shown.replace("|", "\\|")
        tests.append(name if outcome == "passed" else f"{name} (**{outcome}**)")
    tests += [f"`make attack`: {', '.join(classes)}" for _, classes in item.attacks]
    shares = [evidence.covered(kind, item.sources) for kind in BOUNDS]
    covered = " / ".join(f"{int(share.percent)}" if share.of else "-" for share in shares) + " %" if any(share.of for share in shares) else "not measured"
    mutants = evidence.noticed(item.sources)
    return [item.name, item.says, "; ".join(tests), counted(mutants) if mutants.of else "not measured", covered]


def comparisons(evidence):
    """The source files that compare, the widths, and the tests that notice a comparison that ignores one bit."""
    rows, widths = [], {}
    for listed in evidence.comparisons:
        widths.setdefault(listed["file"], set()).add(int(listed["bits"]))
    for file, bits in sorted(widths.items()):
        narrowed = evidence.narrowed(file)
        tests = sorted({f"{row['suite'].rpartition('.')[2]}: {row['test']}" for row in narrowed if row["test"]})
        count = counted(share_noticed(narrowed)) if narrowed else "not tried"
        rows.append([file, ", ".join(map(str, sorted(bits))), count, "; ".join(tests).replace("|", "\\|")])
    return table(["file", "bits compared", "narrower ones noticed", "by these tests"], rows)


def rendered(text, blocks, evidence):
    """A page with the tables of its marks."""
    tables = {"stages": lambda: stages(blocks, evidence), "comparisons": lambda: comparisons(evidence), **{block.name: lambda block=block: of_block(block, evidence) for block in blocks}}
    return MARKED.sub(lambda found: f"{found[1]}{tables[found[2]]()}\n{found[3]}", text)
