"""Many mutants in one simulator (mutant schemata: Untch, Offutt, Harrold, ISSTA 1993).

A changed expression becomes `(hauberk_mutant == 7 ? mutant : hauberk_mutant == 9 ? other mutant : expression)`. A simulator reads the number of its mutant
from a file when it starts.
"""

import collections
import re

from hauberk.mutation import verilog

# The end of a module's ports
PORTS = re.compile(r"^module [^;]*?\);$", re.M | re.S)


def with_mutants(text, numbers, active):
    """The text with all mutants in it that it has a place for, and their numbers. `numbers` are {mutant: number, from 1 on}; `active` is the file's path."""
    spans, inserted, having = collections.defaultdict(dict), set(), set()
    for mutant in verilog.mutants(text):
        if mutant in numbers:
            having.add(numbers[mutant])
            for start, end, after in mutant.edits:
                if start == end:
                    inserted.add((start, end, after))
                else:
                    spans[start, end][numbers[mutant]] = after
    places = sorted({start for start, _ in spans})
    for ports in PORTS.finditer(text):
        end = text.index("\nendmodule", ports.end())
        if any(ports.end() <= place < end for place in places):
            inserted.add((ports.end(), ports.end(), reading(active)))
    # An outer expression comes before those in it
    waiting = collections.deque(sorted([*((*span, None) for span in spans), *inserted], key=lambda item: (item[0], -item[1])))
    return rendered(text, 0, len(text), spans, waiting), having


def reading(active):
    return f"""
  function automatic integer hauberk_active(input integer unused);
    integer file, count;
    file = $fopen("{active}", "r");
    count = $fscanf(file, "%d", hauberk_active);
    $fclose(file);
  endfunction
  integer hauberk_mutant = hauberk_active(0);"""


def rendered(text, start, end, spans, waiting):
    """The text from `start` to `end`. Takes from `waiting` what is in it."""
    parts, at = [], start
    while waiting and waiting[0][1] <= end and waiting[0][0] < end:
        first, last, inserted = waiting.popleft()
        parts.append(text[at:first])
        if inserted is not None:
            parts.append(inserted)
        else:
            chosen = "".join(f"hauberk_mutant == {number} ? ({after}) : " for number, after in sorted(spans[first, last].items()))
            parts.append(f"({chosen}({rendered(text, first, last, spans, waiting)}))")
        at = last
    return "".join([*parts, text[at:end]])
