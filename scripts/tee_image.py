"""Programs for secure contexts as libhauberk loads them (libhauberk/load.c): their segments, pages, and hash."""

import hashlib
import io

import attest
from attest import PAGE
from elftools.common.exceptions import ELFError
from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile

TABLE_SPAN = 1 << 21
CODE, DATA, ZERO, TABLES, PRIVATE_CODE, PRIVATE_DATA = 1, 2, 3, 4, 5, 6
# Of a segment in the file, beside ELF's flags (libhauberk/load.c)
PF_PRIVATE, PF_SEALED = 0x00100000, 0x00200000
KEY = 16
# Behind the first two instructions of a program is the digest of that key (libhauberk/inside.S)
DIGEST_AT = 8
OUTSIDE_TABLES, MOST_TABLES = 4, 16


def pages(size):
    return -(-size // PAGE)


def kind(load):
    is_code = load["p_flags"] & P_FLAGS.PF_X
    if load["p_flags"] & PF_PRIVATE:
        if not load["p_flags"] & PF_SEALED:
            raise attest.Refused("the program has private parts that are not encrypted: seal it with hauberk-attest seal")
        return PRIVATE_CODE if is_code else PRIVATE_DATA
    return CODE if is_code else DATA


def layout(loads):
    """Segments as pairs of kind and pages, and the pages that are in the file."""
    segments, contents, end = [], b"", loads[0]["p_vaddr"]
    for load in loads:
        if load["p_vaddr"] != end or end % PAGE or load["p_filesz"] > load["p_memsz"]:
            raise attest.Refused("the program's segments do not lie page behind page: link it with libhauberk's inside.ld")
        from_file, total = pages(load["p_filesz"]), pages(load["p_memsz"])
        segments += [(kind(load), from_file), (ZERO, total - from_file)]
        contents += load.data().ljust(from_file * PAGE, b"\0")
        end += total * PAGE
    tables = 2 + -(-(end - loads[0]["p_vaddr"]) // TABLE_SPAN) + OUTSIDE_TABLES
    if loads[0]["p_vaddr"] % TABLE_SPAN or tables > MOST_TABLES:
        raise attest.Refused("the program has no place in page tables: begin it at a multiple of 2 MiB, and give it at most 20 MiB")
    return [segment for segment in segments if segment[1]] + [(TABLES, tables)], contents


def read(path):
    """A program's file, and its segments that are loaded, by their number in the file."""
    contents = attest.read(path)
    try:
        image = ELFFile(io.BytesIO(contents))
        loads = {number: one for number, one in enumerate(image.iter_segments()) if one["p_type"] == "PT_LOAD" and one["p_memsz"]}
        if image["e_machine"] != "EM_RISCV" or image.elfclass != 64 or not loads or image["e_entry"] != next(iter(loads.values()))["p_vaddr"]:
            raise attest.Refused(f"{path} is no program for a secure context: link it with libhauberk's inside.ld")
    except ELFError:
        raise attest.Refused(f"{path} is no ELF file") from None
    return contents, image, loads


def program_hash(path):
    loads = list(read(path)[2].values())
    segments, contents = layout(loads)
    return attest.program_hash(loads[0]["p_vaddr"], loads[0]["p_vaddr"], segments, contents)


def seal(path, key):
    """The program's file with its private parts encrypted under this key, and marked so, and with the key's digest."""
    contents, image, loads = read(path)
    sealed, private = bytearray(contents), {number: load for number, load in loads.items() if load["p_flags"] & PF_PRIVATE}
    if any(section.name.startswith(".debug") for section in image.iter_sections()):
        raise attest.Refused(f"{path} has sections for debugging, which tell of its private parts: link it without -g")
    if not private:
        raise attest.Refused(f"{path} has no private parts: mark functions and data by TEE_PRIVATE_FUNCTION and TEE_PRIVATE")
    for number, load in private.items():
        if load["p_flags"] & PF_SEALED:
            raise attest.Refused(f"{path} is sealed already")
        at, size = load["p_offset"], load["p_filesz"]
        if load["p_vaddr"] % PAGE or size % PAGE or size != load["p_memsz"]:
            raise attest.Refused(f"the private parts of {path} are no whole pages: link it with libhauberk's inside.ld")
        sealed[at:at + size] = attest.crypt_pages(key, load["p_vaddr"], load.data())
        # The flags are the second word of a program header
        flags = image["e_phoff"] + number * image["e_phentsize"] + 4
        sealed[flags:flags + 4] = (load["p_flags"] | PF_SEALED).to_bytes(4, "little")
    at = loads[min(loads)]["p_offset"] + DIGEST_AT
    if any(sealed[at:at + attest.WORD]):
        raise attest.Refused(f"{path} has no place for the digest of the key: link it with libhauberk's inside.S")
    sealed[at:at + attest.WORD] = hashlib.sha256(key).digest()
    return bytes(sealed)
