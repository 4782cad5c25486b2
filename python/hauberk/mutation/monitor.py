"""Mutants of the monitor (microcode): one change of meaning each, in its C found by tree-sitter, in its assembly line by line.

A mutant is known by its file and function, its kind, and the text before and after: it is found again after changes elsewhere in the file.
"""

import collections
import re
from pathlib import Path

import tree_sitter
import tree_sitter_c

from hauberk.mutation.mutant import Mutant

FOLDER = "microcode"
# Only the firmware of a SoC without secure contexts has this file; processor.h is replaced on the host
WITHOUT = ("none.c", "processor.h")
KINDS = {
    "check": "what depends on a condition always happens, or never",
    "joined": "one of two conditions is left out",
    "opposite": "a comparison or a truth value is inverted",
    "limit": "a limit is one off",
    "shorter": "a loop or a copy ends too early",
    "operand": "an operand is left out",
    "number": "a number is one too large",
    "skipped": "a statement is left out",
    "swapped": "two statements change places",
    "result": "an error is not returned",
    "register": "a register is left out of a list",
}
PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_c.language()))
# A label, an instruction, and a list of registers
LABEL, INSTRUCTION, LIST = re.compile(r"^(\w+):"), re.compile(r"^  ([a-z][^#\n]*)"), re.compile(r"^  \.irp n, (.*)$")
NUMBER = re.compile(r"\b(0x[0-9a-fA-F]+|\d+)([UL]*)\b")
LIMITS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OPPOSITE = {"==": "!=", "!=": "=="}
TRUTH = {"true": "false", "false": "true"}
# What has no meaning without its right operand, and without either
LEFT, EITHER = ("+", "-", "*", "/", "%", "<<", ">>"), ("&", "|", "^")
# Their last argument is a length, or has one before it
COPIES = {"memcpy": 2, "memset": 2, "copy_in": 2, "copy_out": 2}


def sources(top):
    return sorted(path for pattern in ("*.c", "*.h", "*.S") for path in Path(top, FOLDER).glob(pattern) if path.name not in WITHOUT)


def mutants(name, text):
    """All mutants of a file."""
    finder = Finder(name, text)
    if name.endswith(".S"):
        finder.visit_lines()
    else:
        finder.visit(PARSER.parse(text.encode()).root_node, "")
    return finder.found


def changed(name, text, mutant):
    """The text with a mutant in it; None if it has no place for it."""
    same = [other for other in mutants(name, text) if other == mutant]
    if not same:
        return None
    content = text.encode()
    for start, end, after in sorted(same[0].edits, reverse=True):
        content = content[:start] + after.encode() + content[end:]
    return content.decode()


class Finder:
    def __init__(self, name, text):
        self.name, self.content = name, text.encode()
        self.found, self.seen = [], collections.Counter()

    def visit(self, node, function):
        if node.type == "function_definition":
            function = self.declared(node)
        handler = getattr(self, node.type, None)
        if handler:
            handler(node, function)
        # What is checked when it is compiled, and names of cases, have no mutants
        for child in node.children:
            if not (node.type == "case_statement" and child == node.child_by_field_name("value")) and not self.asserts(child):
                self.visit(child, function)

    def asserts(self, node):
        return self.of(node).startswith("_Static_assert")

    def declared(self, node):
        while node.type != "identifier":
            node = node.child_by_field_name("declarator")
        return self.of(node)

    def if_statement(self, node, function):
        condition = node.child_by_field_name("condition")
        for value in ("(1)", "(0)"):
            self.replace("check", condition, value, function)

    def while_statement(self, node, function):
        self.replace("check", node.child_by_field_name("condition"), "(0)", function)

    def do_statement(self, node, function):
        self.while_statement(node, function)

    def conditional_expression(self, node, function):
        for value in ("1", "0"):
            self.replace("check", node.child_by_field_name("condition"), value, function)

    def for_statement(self, node, function):
        condition = node.child_by_field_name("condition")
        if condition is not None and condition.type == "binary_expression" and self.of(condition.child_by_field_name("operator")) == "<":
            self.replace("shorter", condition, self.of(condition) + " - 1", function)

    def binary_expression(self, node, function):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = node.child_by_field_name("operator")
        operator = self.of(sign)
        if operator in ("&&", "||"):
            for side in (left, right):
                self.replace("joined", node, f"({self.of(side)})", function)
        elif operator in OPPOSITE and node.parent.type != "parenthesized_expression":
            self.replace("opposite", node, f"({self.of(left)}) {OPPOSITE[operator]} ({self.of(right)})", function)
        elif operator in LIMITS:
            self.replace("limit", node, f"({self.of(left)}) {LIMITS[operator]} ({self.of(right)})", function)
        elif operator in EITHER or operator in LEFT:
            for side in (left, right) if operator in EITHER else (left,):
                self.replace("operand", node, f"({self.of(side)})", function)

    def unary_expression(self, node, function):
        if self.of(node.child_by_field_name("operator")) == "!" and node.parent.type != "parenthesized_expression":
            self.replace("opposite", node, f"!!({self.of(node.child_by_field_name('argument'))})", function)

    def assignment_expression(self, node, function):
        sign = node.child_by_field_name("operator")
        if self.of(sign) != "=":
            left, right = (self.of(node.child_by_field_name(side)) for side in ("left", "right"))
            self.replace("operand", node, f"{left} = {right}", function)

    def sizeof_expression(self, node, function):
        self.replace("shorter", node, f"({self.of(node)} / 2)", function)

    def call_expression(self, node, function):
        length = COPIES.get(self.of(node.child_by_field_name("function")))
        if length:
            argument = node.child_by_field_name("arguments").named_children[length]
            if argument.type != "sizeof_expression":
                self.replace("shorter", argument, f"({self.of(argument)}) / 2", function)

    def true(self, node, function):
        self.replace("opposite", node, TRUTH[self.of(node)], function)

    false = true

    def number_literal(self, node, function):
        self.replace("number", node, f"({self.of(node)} + 1)", function)

    def preproc_def(self, node, function):
        value = node.child_by_field_name("value")
        if value is None:
            return
        name = self.of(node.child_by_field_name("name"))
        for number in NUMBER.finditer(self.of(value).partition("//")[0]):
            start = value.start_byte + number.start()
            self.add("number", f"{name}: {number[0]}", f"({number[0]} + 1)", node, ((start, start + len(number[0]), f"({number[0]} + 1)"),), function)

    def compound_statement(self, node, function):
        statements = [child for child in node.named_children if child.type != "comment" and not self.asserts(child)]
        for statement in statements:
            if statement.type == "expression_statement" and not self.of(statement).startswith("(void)"):
                self.replace("skipped", statement, ";", function)
        for first, second in zip(statements, statements[1:]):
            # Registers of the hart are written in any order
            if calls(first) and calls(second) and not ("_CSR(" in self.of(first) and "_CSR(" in self.of(second)):
                edits = ((first.start_byte, first.end_byte, self.of(second)), (second.start_byte, second.end_byte, self.of(first)))
                self.add("swapped", self.of(first) + " " + self.of(second), self.of(second) + " " + self.of(first), first, edits, function)

    def expression_statement(self, node, function):
        """One that depends on a condition and has no braces."""
        if node.parent.type in ("if_statement", "else_clause"):
            self.replace("skipped", node, ";", function)

    def return_statement(self, node, function):
        value = node.named_children[0] if node.named_children else None
        if value is not None and value.type in ("identifier", "conditional_expression") and (self.of(value) == "error" or "TEE_" in self.of(value)):
            self.replace("result", value, "0", function)

    def visit_lines(self):
        """Of assembly, which is ASCII."""
        start, label = 0, ""
        for number, line in enumerate(self.content.decode().splitlines(keepends=True), 1):
            found = LABEL.match(line)
            label = found[1] if found and not found[1].isdigit() else label
            instruction, registers = INSTRUCTION.match(line), LIST.match(line)
            if instruction:
                self.note("skipped", instruction[1], "", number, ((start + instruction.start(1), start + instruction.end(1), ""),), label)
            for register in re.finditer(r"\d+", registers[1]) if registers else ():
                rest = [other for other in re.findall(r"\d+", registers[1]) if other != register[0]]
                edits = ((start + registers.start(1), start + registers.end(1), ", ".join(rest)),)
                self.note("register", f"{register[0]} of {registers[1]}", "", number, edits, label)
            start += len(line)

    def of(self, node):
        return self.content[node.start_byte:node.end_byte].decode()

    def replace(self, kind, node, after, function):
        self.add(kind, self.of(node), after, node, ((node.start_byte, node.end_byte, after),), function)

    def add(self, kind, before, after, node, edits, function):
        self.note(kind, before, after, node.start_point[0] + 1, edits, function)

    def note(self, kind, before, after, line, edits, function):
        key = self.name + (":" + function if function else ""), kind, " ".join(before.split()), " ".join(after.split())
        self.found.append(Mutant(*key, self.seen[key], f"{FOLDER}/{self.name}:{line}", edits))
        self.seen[key] += 1


def calls(node):
    return node.type == "expression_statement" and bool(node.named_children) and node.named_children[0].type == "call_expression"
