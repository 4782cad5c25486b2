// Stops a clock while nothing depends on it. A simulator that evaluates a clock's domain at its edges then skips the domain;
// an ASIC flow may define HAUBERK_CLOCK_GATES as well, or put its own cell here. Elsewhere the clock just runs: the domain
// must behave the same.
module HauberkClockGate(
  input  clock,
  input  enable,
  output gated
);
`ifdef HAUBERK_CLOCK_GATES
  reg open /* verilator clock_enable */;
  always @(*) if (!clock) open = enable;
  assign gated = clock & open;
`else
  assign gated = clock;
`endif
endmodule
