"""The command line of hauberk-steer."""

import argparse
import json
import sys

from . import build, contract, report
from .errors import SteerError
from .linking import Tools
from .model import Model
from .objects import check_isa

DEFAULTS = contract.Hardware()


def main(arguments=None):
    options = parser().parse_args(arguments)
    try:
        options.action(options)
    except SteerError as error:
        sys.exit(f"hauberk-steer: {error}")


def parser():
    top = argparse.ArgumentParser(prog="hauberk-steer", description="Compiles programs for steered counters: compiler/README.md.")
    commands = top.add_subparsers(dest="command", required=True)

    command = commands.add_parser("profile", help="run the program once and record which store each load reads from")
    add_inputs(command)
    command.add_argument("--patience", type=int, default=0, metavar="N", help="most instructions; default: no limit")
    command.add_argument("--most", type=int, default=20_000_000, metavar="N", help="most accesses to memory; default: %(default)s")
    command.set_defaults(action=profile)

    command = commands.add_parser("build", help="link the program with hints")
    add_inputs(command)
    add_hardware(command)
    command.add_argument("--profile", metavar="FILE", help="profile of this program")
    command.add_argument("--allocation", metavar="FILE", help="report of an earlier build, in place of a profile")
    command.add_argument("--no-hints", action="store_true", help="leave out all hints; needs no profile")
    command.add_argument("--algorithm", choices=sorted(build.ALGORITHMS), default="measured", help="default: %(default)s")
    command.add_argument("--growth", type=float, metavar="PERCENT", default=4.0, help="most growth of code; default: %(default)s")
    command.add_argument("--cache", type=int, default=0, metavar="BYTES", help="data cache, its lines are the blocks; default: none")
    command.add_argument("--ways", type=int, default=2, metavar="N", help="ways of the data cache; default: %(default)s")
    command.add_argument("--no-steps", action="store_true", help="aim no hint of a store at another block; default: if that covers more loads")
    command.add_argument("--no-early", action="store_true", help="put every hint right before its access")
    command.add_argument("--report", metavar="BASE", help="writes BASE.json and BASE.txt; default: the output's name and .steer")
    command.set_defaults(action=steered)

    command = commands.add_parser("run", help="run a steered program on a model of the hardware, and print its counts as JSON")
    command.add_argument("program")
    add_hardware(command)
    command.add_argument("--patience", type=int, default=0, metavar="N", help="most instructions; default: no limit")
    command.set_defaults(action=run)
    return top


def add_inputs(command):
    command.add_argument("inputs", nargs="+", metavar="INPUT", help="objects and archives of the whole program, libraries included")
    command.add_argument("-o", "--out", required=True, metavar="FILE")
    command.add_argument("-T", "--script", metavar="FILE", help="link script; default: the linker's own")
    command.add_argument("--cross", default="riscv64-unknown-elf-", metavar="PREFIX", help="prefix of ld and objcopy; default: %(default)s")
    command.add_argument("--ld-flag", action="append", default=[], metavar="FLAG", help="another flag of the last link; may be repeated")


def add_hardware(command):
    command.add_argument("--registers", type=int, default=DEFAULTS.registers, metavar="N_C", help="counter registers; default: %(default)s")
    command.add_argument("--ids", type=int, default=DEFAULTS.ids, metavar="N_K", help="budget of ids; default: %(default)s")
    command.add_argument("--block", type=int, default=DEFAULTS.block, metavar="BYTES", help="bytes encrypted at a time; default: %(default)s")
    command.add_argument("--cipher", type=int, default=DEFAULTS.cipher, metavar="CYCLES", help="cycles a right hint saves; default: %(default)s")
    command.add_argument("--hint", type=int, default=DEFAULTS.hint, metavar="CYCLES",
                         help="cycles a hint costs; with 0 all useful hints stay; default: %(default)s")
    command.add_argument("--pairs", type=int, default=DEFAULTS.pairs, metavar="N",
                         help="writes that a register's filter tells apart; default: %(default)s")
    command.add_argument("--last-pairs", type=int, default=DEFAULTS.last, metavar="N",
                         help="entries of the table of last pairs; default: %(default)s, none")


def hardware(options):
    found = contract.Hardware(options.registers, options.ids, options.block, options.cipher, options.hint, options.pairs,
                              options.last_pairs)
    contract.check_hardware(found)
    return found


def tools(options):
    return Tools(options.cross, options.script, options.ld_flag)


def profile(options):
    sys.stdout.write(build.make_profile(tools(options), options.inputs, options.out, options.patience, options.most))


def steered(options):
    machine = hardware(options)
    if options.no_hints:
        build.make_plain(tools(options), options.inputs, options.out)
    elif options.allocation:
        build.make_again(tools(options), options.inputs, options.out, options.allocation, machine)
    elif options.profile:
        result = build.make_steered(tools(options), options.inputs, options.out, options.profile, machine, options.algorithm, options.growth,
                                    (options.cache, options.ways) if options.cache else None, not options.no_steps, not options.no_early)
        report.write(result, options.report or options.out + ".steer")
        sys.stdout.write(report.text(result))
    else:
        raise SteerError("the program has no profile: make one with hauberk-steer profile and name it with --profile, or build with --no-hints")


def run(options):
    machine = hardware(options)
    check_isa(options.program)
    model = Model(options.program, machine)
    counts = model.run(options.patience)
    print(json.dumps({"exitCode": model.board.exit_code, "output": model.board.text, "counts": counts}, indent=2))
