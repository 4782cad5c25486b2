"""Programs for secure contexts as libhauberk loads them (libhauberk/load.c): their segments, pages, and hash."""

import attest
from elftools.common.exceptions import ELFError
from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile

PAGE = 4096
TABLE_SPAN = 1 << 21
CODE, DATA, ZERO, TABLES = 1, 2, 3, 4
OUTSIDE_TABLES, MOST_TABLES = 4, 16


def pages(size):
    return -(-size // PAGE)


def layout(loads):
    """Segments as pairs of kind and pages, and the pages of code and data."""
    segments, contents, end = [], b"", loads[0]["p_vaddr"]
    for load in loads:
        if load["p_vaddr"] != end or end % PAGE or load["p_filesz"] > load["p_memsz"]:
            raise attest.Refused("the program's segments do not lie page behind page: link it with libhauberk's inside.ld")
        from_file, total = pages(load["p_filesz"]), pages(load["p_memsz"])
        segments += [(CODE if load["p_flags"] & P_FLAGS.PF_X else DATA, from_file), (ZERO, total - from_file)]
        contents += load.data().ljust(from_file * PAGE, b"\0")
        end += total * PAGE
    tables = 2 + -(-(end - loads[0]["p_vaddr"]) // TABLE_SPAN) + OUTSIDE_TABLES
    if loads[0]["p_vaddr"] % TABLE_SPAN or tables > MOST_TABLES:
        raise attest.Refused("the program has no place in page tables: begin it at a multiple of 2 MiB, and give it at most 20 MiB")
    return [(kind, count) for kind, count in segments if count] + [(TABLES, tables)], contents


def program_hash(path):
    try:
        with open(path, "rb") as file:
            image = ELFFile(file)
            loads = [segment for segment in image.iter_segments("PT_LOAD") if segment["p_memsz"]]
            if image["e_machine"] != "EM_RISCV" or image.elfclass != 64 or not loads or image["e_entry"] != loads[0]["p_vaddr"]:
                raise attest.Refused(f"{path} is no program for a secure context: link it with libhauberk's inside.ld")
            segments, contents = layout(loads)
    except OSError as error:
        raise attest.Refused(f"cannot read {path}: {error.strerror}") from None
    except ELFError:
        raise attest.Refused(f"{path} is no ELF file") from None
    return attest.program_hash(loads[0]["p_vaddr"], loads[0]["p_vaddr"], segments, contents)
