"""The tests that ran: reports of JUnit, and what Python's unittest prints."""

import re
import xml.etree.ElementTree

COLUMNS = ["suite", "test", "outcome", "revision"]
# test_that_x (folder.module_test.Suite.test_that_x) ... ok. Lines that a test prints may stand before the outcome
UNITTEST = re.compile(r"^(test_\w+) \((?:\w+\.)*?(\w+\.\w+?)(?:\.test_\w+)?\) \.\.\. (?:(?:(?!^test_).)*?^)?(ok|FAIL|ERROR|skipped)\b", re.M | re.S)


def of_junit(text):
    """Rows of the tests of a report."""
    for case in xml.etree.ElementTree.fromstring(text).iter("testcase"):
        bad = case.find("failure") is not None or case.find("error") is not None
        skipped = case.find("skipped") is not None or case.get("status") == "notrun"
        yield {"suite": case.get("classname"), "test": case.get("name"), "outcome": "failed" if bad else "skipped" if skipped else "passed"}


def of_unittest(text):
    for test, suite, outcome in UNITTEST.findall(text):
        yield {"suite": suite, "test": test, "outcome": {"ok": "passed", "skipped": "skipped"}.get(outcome, "failed")}


def joined(recorded, ran, revision, wanted):
    """What is recorded, but for suites that ran anew; of these, the tests that are wanted."""
    ran = {(row["suite"], row["test"]): {**row, "revision": revision} for row in ran}
    again = {suite for suite, _ in ran}
    kept = {(row["suite"], row["test"]): row for row in recorded if row["suite"] not in again}
    return [row for _, row in sorted({**kept, **ran}.items()) if wanted(row)]
