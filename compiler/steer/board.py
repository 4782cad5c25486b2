"""The bare-metal board under Unicorn: DRAM, console, finisher and boot header of Hauberk's SoC, one hart.

Custom-0 and the cache flush of the SoC are no instructions of this machine. Each calls `unknown` with its word, and the program goes on.
"""

from elftools.elf.elffile import ELFFile
from unicorn import UC_ARCH_RISCV, UC_HOOK_INTR, UC_MODE_RISCV64, Uc, UcError
from unicorn.riscv_const import UC_RISCV_REG_PC

from .errors import SteerError

DRAM, DRAM_BYTES = 0x80000000, 64 << 20
PAGE = 4096
FINISHER, CLINT, UART, HEADER = 0x100000, 0x2000000, 0x10000000, 0x10020000
HEADER_HARTS = 0x20
UART_LINE_STATUS, UART_EMPTY = 5, 0x20
FINISHER_PASS = 0x5555
ILLEGAL_INSTRUCTION = 2
CACHE_FLUSH = 0xfc000073


class Board:
    def __init__(self, path, dram=DRAM_BYTES):
        self.machine = Uc(UC_ARCH_RISCV, UC_MODE_RISCV64)
        self.output, self.exit_code, self.failure = bytearray(), None, None
        self.unknown = lambda address, word: None
        self.dram = dram
        self.machine.mem_map(DRAM, dram)
        self.machine.mem_map(HEADER, PAGE)
        self.machine.mem_write(HEADER + HEADER_HARTS, (1).to_bytes(8, "little"))
        self.machine.mem_map(CLINT, 16 * PAGE)
        self.machine.mmio_map(UART, PAGE, self._uart_read, None, self._uart_write, None)
        self.machine.mmio_map(FINISHER, PAGE, lambda *_: 0, None, self._finish, None)
        self.machine.hook_add(UC_HOOK_INTR, self._exception)
        with open(path, "rb") as file:
            elf = ELFFile(file)
            self.entry = elf["e_entry"]
            for segment in elf.iter_segments():
                if segment["p_type"] == "PT_LOAD":
                    self._load(path, segment)

    def _load(self, path, segment):
        start, size = segment["p_paddr"], segment["p_memsz"]
        if not DRAM <= start <= start + size <= DRAM + self.dram:
            raise SteerError(f"{path} loads at 0x{start:x}, where the board has no DRAM: link it with the script of the bare-metal runtime")
        self.machine.mem_write(start, segment.data())

    def run(self, patience):
        """Runs to the finisher. `patience` is in instructions; 0 is no limit."""
        try:
            self.machine.emu_start(self.entry, DRAM - 2, count=patience)
        except UcError as error:
            where = self.machine.reg_read(UC_RISCV_REG_PC)
            raise SteerError(f"the program fails at 0x{where:x} on the emulated board: {error}") from error
        if self.failure:
            raise SteerError(self.failure)
        if self.exit_code is None:
            raise SteerError(f"the program does not end within {patience} instructions: give it a smaller input, or raise --patience")

    @property
    def text(self):
        return self.output.decode(errors="replace")

    def _uart_read(self, machine, offset, size, data):
        return UART_EMPTY if offset == UART_LINE_STATUS else 0

    def _uart_write(self, machine, offset, size, value, data):
        if offset == 0:
            self.output.append(value & 0xff)

    def _finish(self, machine, offset, size, value, data):
        self.exit_code = 0 if value & 0xffff == FINISHER_PASS else value >> 16
        machine.emu_stop()

    def _exception(self, machine, cause, data):
        address = machine.reg_read(UC_RISCV_REG_PC) - 4
        word = int.from_bytes(machine.mem_read(address, 4), "little")
        if cause == ILLEGAL_INSTRUCTION and (word & 0x7f == 0x0b or word == CACHE_FLUSH):
            self.unknown(address, word)
        else:
            self.failure = f"the program traps at 0x{address:x} with cause {cause}: profile an input that runs to its end"
            machine.emu_stop()
