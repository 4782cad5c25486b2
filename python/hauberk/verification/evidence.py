"""What is known of an item or a block: tests that ran, attacks, mutants, coverage."""

import dataclasses
import re

from hauberk.verification.annotations import suites_of

BOUNDS = {"line": 95, "branch": 90, "toggle": 85}
MUTANTS = 95
OUTCOMES = {"noticed": True, "noticed by time": True, "survived": False}


@dataclasses.dataclass(frozen=True)
class Share:
    """`of` is 0 if nothing was measured."""
    count: int
    of: int

    @property
    def percent(self):
        return 100 * self.count / self.of if self.of else None

    def reaches(self, bound):
        return self.of > 0 and self.count * 100 >= bound * self.of

    def __str__(self):
        # A share below a bound is never shown as the bound
        return f"{int(10 * self.percent) / 10:.1f} %" if self.of else "not measured"


def share_noticed(rows):
    return Share(sum(OUTCOMES[row["outcome"]] for row in rows), len(rows))


class Evidence:
    """`passed` are rows of tests, `mutants` of a campaign, `coverage` of files, `comparisons` of the list of those; `attacks` are {table: {class: cells}}."""

    def __init__(self, annotations, children, passed, mutants, coverage, attacks, comparisons=()):
        self.annotations, self.children = annotations, children
        self.passed, self.mutants, self.coverage, self.attacks, self.comparisons = passed, mutants, coverage, attacks, comparisons

    def tests(self, item):
        return [annotation for annotation in self.annotations if annotation.item == item.id]

    def rows(self, annotation):
        """Of all tests that the annotation is for."""
        suites = suites_of(annotation.suite, self.children)
        return [row for row in self.passed if row["suite"] in suites and re.search(annotation.name, row["test"])]

    def outcome(self, annotation):
        found = {row["outcome"] for row in self.rows(annotation)}
        return "failed" if "failed" in found else "passed" if "passed" in found else "not run"

    def renamed(self):
        """One sentence for each annotation of a suite that ran without it."""
        ran = {row["suite"] for row in self.passed}
        return [f"{annotation.place}: {annotation.suite} ran without a test that has this name: run it, then scripts/plan --record"
                for annotation in self.annotations
                if not self.rows(annotation) and suites_of(annotation.suite, self.children) & ran]

    def passing(self, items):
        """Of the tests of these items."""
        tests = {annotation for item in items for annotation in self.tests(item)}
        return Share(sum(self.outcome(annotation) == "passed" for annotation in tests), len(tests))

    def missed(self, item):
        """Whether an attack on it was missed, or a class of it is not recorded."""
        return any("missed" in cell for table, classes in item.attacks for name in classes for cell in self.attacks.get(table, {}).get(name, ["missed"]))

    def tried(self, wanted):
        """Rows of the mutants of the source files that are `wanted`, but for those that change nothing."""
        return [row for row in self.mutants if row["outcome"] in OUTCOMES and wanted(row["place"].rpartition(":")[0])]

    def noticed(self, sources):
        return share_noticed(self.tried(lambda file: file in sources))

    def narrowed(self, name):
        """Rows of the mutants of a source file of this name whose comparison ignores a bit."""
        return [row for row in self.tried(lambda file: file.endswith("/" + name)) if row["kind"] == "narrow"]

    def covered(self, kind, sources):
        rows = [row for row in self.coverage if row["kind"] == kind and row["file"] in sources]
        return Share(sum(int(row["covered"]) for row in rows), sum(int(row["points"]) for row in rows))


@dataclasses.dataclass(frozen=True)
class Condition:
    stage: str
    text: str
    evidence: str
    met: bool


def conditions(block, evidence):
    """Of the stages of a block."""
    features, all_tests = evidence.passing(block.of("feature")), evidence.passing(block.items)
    guarded = [item for item in block.of("countermeasure") if evidence.passing([item]).reaches(100) and not evidence.missed(item)]
    countermeasures, mutants = Share(len(guarded), len(block.of("countermeasure"))), evidence.noticed(block.sources)
    found = [
        Condition("V1", "the tests of all features passed", counted(features), features.reaches(100)),
        Condition("V2", "all tests of the plan passed", counted(all_tests), all_tests.reaches(100)),
    ]
    for kind, bound in BOUNDS.items():
        share = evidence.covered(kind, block.sources)
        found.append(Condition("V2", f"{kind} coverage of at least {bound} %", str(share), share.reaches(bound)))
    return found + [
        Condition("V2S", "the tests of each countermeasure passed, and no attack on it was missed", counted(countermeasures), countermeasures.reaches(100)),
        Condition("V2S", f"at least {MUTANTS} % of the mutants are noticed", f"{mutants} of {mutants.of}" if mutants.of else "no campaign is recorded",
                  mutants.reaches(MUTANTS)),
    ]


def counted(share):
    return f"{share.count} of {share.of}"


def stage(found):
    """The last stage that is reached with all before it; none without the first."""
    reached = "none"
    for name in ("V1", "V2", "V2S"):
        if not all(condition.met for condition in found if condition.stage == name):
            break
        reached = name
    return reached
