"""Mutants of SystemVerilog as firtool writes it: one change of meaning each.

A mutant is known by its module, its kind, and the text before and after, not by a line: it is found again in other parameterizations of the module, and after
changes elsewhere in the file. firtool's numbers are left out of the text. Assertions, initial values and the sources of others have no mutants.
"""

import collections
import functools
import os
import re
from pathlib import Path

from pyslang import ast, syntax

from hauberk.mutation.mutant import Mutant

# A narrower comparison still has this many bits
WIDE = 12
# What a mutant of each kind leaves out, or does instead
KINDS = {
    "narrow": "a wide comparison ignores one bit",
    "bound": "a limit is one off",
    "condition": "one of two conditions is left out",
    "inverted": "a condition is inverted",
    "choice": "one of two values is always chosen",
    "kept": "a register keeps its value",
    "always": "what depends on a condition always happens",
    "late": "a condition is seen a cycle later",
    "ignored": "an input is ignored",
}
# Such as `// generators/bus/src/main/scala/hauberk/bus/Group.scala:31:5, :32:{7,9}, src/main/scala/chisel3/util/Mux.scala:50:70`, or `// Group.scala:31:5`:
# Chisel 3.2 writes no folders
PLACES = re.compile(r"//[ \t]*(\S+\.scala:.*)$", re.M)
UNKNOWN = re.compile(r"'b?x+$")
COMMENT = re.compile(r"//[^\n]*")
NUMBERED = re.compile(r"\b(_GEN|_(?:\w+_)?T)(?:_\d+)+(?=_late\b|\b)")
PLACE = re.compile(r"([^\s,]+\.scala):(\d+)")
TOP = Path(__file__).resolve().parents[3]
CHECKS = re.compile(r"^[ \t]*`ifndef SYNTHESIS.*?^[ \t]*`endif[^\n]*$|^[ \t]*`ifdef ENABLE_INITIAL_REG_.*?^[ \t]*`endif[^\n]*ENABLE_INITIAL_REG_$", re.M | re.S)
OPPOSITE = {ast.BinaryOperator.LessThan: "<=", ast.BinaryOperator.LessThanEqual: "<", ast.BinaryOperator.GreaterThan: ">=", ast.BinaryOperator.GreaterThanEqual: ">"}


def base(module):
    """The name that a module has in its Chisel source: firtool numbers those that differ by parameters."""
    return re.sub(r"_\d+$", "", module)


@functools.lru_cache(None)
def sources():
    """Our sources of hardware by name, and by path. Rocket Chip has files called package.scala, too."""
    paths = [str(path.relative_to(TOP)) for part in ("src/main", "generators/*/src/main") for path in TOP.glob(f"{part}/**/*.scala")]
    return {name: path for path in paths for name in (path, os.path.basename(path)) if name != "package.scala"}


def mutants(text):
    """All mutants of the modules of a file."""
    finder = visited(text, Finder(text))
    finder.ignore_inputs()
    return finder.found


def visited(text, finder):
    """A visitor of slang's elaborated tree, when it has seen all of it."""
    compilation = ast.Compilation()
    compilation.addSyntaxTree(syntax.SyntaxTree.fromText(text))
    compilation.getRoot().visit(finder)
    return finder


def changed(text, mutant):
    """The text with a mutant in it."""
    edits = {edit for other in mutants(text) if other == mutant for edit in other.edits}
    for start, end, after in sorted(edits, reverse=True):
        text = text[:start] + after + text[end:]
    return text


def unnumbered(text):
    """In one line, without comments, and without the numbers that firtool gives to names of its own: these depend on parameters."""
    return NUMBERED.sub(r"\1", " ".join(COMMENT.sub("", text).split()))


def own_place(text, start=0):
    """FILE:LINE of the first own source in the comment that is next; None if it has none."""
    comment = PLACES.search(text, start)
    found = PLACE.findall(comment[1]) if comment else []
    return next((f"{sources()[file]}:{line}" for file, line in found if file in sources()), None)


class Finder:
    """Visits the elaborated tree, which knows the widths."""

    def __init__(self, text):
        # Offsets of the syntax tree are those of bytes, and firtool writes ASCII
        self.text, self.found = text, []
        self.seen, self.edited = collections.Counter(), set()
        self.module, self.name = None, None
        # Modules that have a clock
        self.clocked = set()
        self.inputs, self.uses = {}, collections.defaultdict(list)
        self.checks = [match.span() for match in CHECKS.finditer(text)]

    def __call__(self, node):
        if isinstance(node, ast.InstanceBodySymbol):
            self.module, self.name = base(node.name), node.name
        elif isinstance(node, ast.ProceduralBlockSymbol) and node.procedureKind == ast.ProceduralBlockKind.Initial:
            return ast.VisitAction.Skip
        elif isinstance(node, ast.PortSymbol):
            self.clocked.update([self.name] * (node.name == "clock"))
            if node.direction == ast.ArgumentDirection.In and node.type.bitWidth == 1 and node.name not in ("clock", "reset"):
                self.inputs[self.name, node.name] = node.location.offset
        elif isinstance(node, ast.NetSymbol):
            self.net(node)
        elif isinstance(node, ast.NamedValueExpression):
            self.uses[self.name, node.symbol.name].append(span(node))
        elif isinstance(node, ast.BinaryExpression):
            self.binary(node)
        elif isinstance(node, ast.UnaryExpression):
            if node.op == ast.UnaryOperator.BitwiseNot and node.type.bitWidth == 1:
                self.replace("inverted", node, self.of(node.operand))
        elif isinstance(node, ast.ConditionalExpression):
            # What is not read has no value
            if not any(UNKNOWN.search(self.of(value)) for value in (node.left, node.right)):
                for value in (node.left, node.right):
                    self.replace("choice", node, self.of(value))
        elif isinstance(node, ast.ConditionalStatement):
            condition = node.conditions[0].expr
            # Nothing that is in reset for ever passes a test
            if self.of(condition) != "reset":
                self.replace("always", condition, "1'h1")
        elif isinstance(node, ast.ExpressionStatement):
            if isinstance(node.expr, ast.AssignmentExpression) and node.expr.isNonBlocking:
                start, end = span(node.expr.right)
                register = self.of(node.expr.left)
                self.add("kept", self.of(node.expr), f"{register} <= {register}", span(node.expr)[0], ((start, end, register),))
        return ast.VisitAction.Advance

    def binary(self, node):
        left, right = self.of(node.left), self.of(node.right)
        width = node.left.type.bitWidth
        if node.op in (ast.BinaryOperator.Equality, ast.BinaryOperator.Inequality) and width >= WIDE:
            sign = "==" if node.op == ast.BinaryOperator.Equality else "!="
            # Any bit will do: each other comparison ignores another
            bit = sum(left.encode() + right.encode()) % width
            self.replace("narrow", node, f"((({left}) ^ ({right})) & {width}'h{(1 << width) - 1 - (1 << bit):x}) {sign} {width}'h0")
        elif node.op in OPPOSITE:
            self.replace("bound", node, f"({left}) {OPPOSITE[node.op]} ({right})")
        elif node.op in (ast.BinaryOperator.BinaryAnd, ast.BinaryOperator.BinaryOr) and node.type.bitWidth == 1:
            self.replace("condition", node, left)
            self.replace("condition", node, right)

    def net(self, node):
        """A condition that has a name, and more to it than another name."""
        if self.name not in self.clocked or node.initializer is None or node.type.bitWidth != 1 or isinstance(node.initializer, ast.NamedValueExpression):
            return
        value, late = self.of(node.initializer), f"{node.name}_late"
        start, end = span(node.initializer)
        statement = self.text.rfind(";", 0, node.location.offset)
        line = self.text.find("\n", statement) + 1
        delayed = f"  reg {late};\n  always @(posedge clock) {late} <= {value};\n"
        self.add("late", value, late, start, ((line, line, delayed), (start, end, late)))

    def ignore_inputs(self):
        for key, start in self.inputs.items():
            edits = tuple((*use, "1'h0") for use in sorted(set(self.uses[key])) if not self.checked(use[0]))
            if edits:
                self.name, name = key
                self.module = base(self.name)
                self.add("ignored", name, "1'h0", start, edits)

    def of(self, node):
        start, end = span(node)
        return self.text[start:end]

    def replace(self, kind, node, after):
        start, end = span(node)
        # Parentheses are not part of an operand's place, but of the operator's that is changed
        after = after if kind == "always" else f"({after})"
        self.add(kind, self.text[start:end], after, start, ((start, end, after),))

    def add(self, kind, before, after, start, edits):
        place = own_place(self.text, start)
        if place is None or self.checked(start) or (kind, edits) in self.edited:
            return
        self.edited.add((kind, edits))
        key = kind, unnumbered(before), unnumbered(after)
        self.found.append(Mutant(self.module, *key, self.seen[self.name, key], place, edits))
        self.seen[self.name, key] += 1

    def checked(self, start):
        """Whether this is in an assertion or an initial value."""
        return any(begin <= start < end for begin, end in self.checks)


def span(node):
    return node.sourceRange.start.offset, node.sourceRange.end.offset
