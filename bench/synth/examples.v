// What bench/synth/soc --check shows its rules: a module for each that breaks it, and a path of known length.

module Latch(
  input      enable, d,
  output reg q
);
  always @* if (enable) q = d;
endmodule

module Loop(
  input  enable,
  output q
);
  assign q = ~(q & enable);
endmodule

(* blackbox *)
module Elsewhere(
  input  d,
  output q
);
endmodule

module AsynchronousReset(
  input      clock, reset, d,
  output reg q
);
  always @(posedge clock or posedge reset)
    if (reset) q <= 0;
    else q <= d;
endmodule

// No RAM of an FPGA is written in two places at once.
module TwoWriters(
  input             clock,
  input      [4:0]  address0, address1, address,
  input      [31:0] data0, data1,
  output     [31:0] q
);
  reg [31:0] Memory[0:31];
  always @(posedge clock) begin
    Memory[address0] <= data0;
    Memory[address1] <= data1;
  end
  assign q = Memory[address];
endmodule

module Offenders(
  input         clock, reset, enable, d,
  input  [4:0]  address0, address1, address,
  input  [31:0] data0, data1,
  output [3:0]  q,
  output [31:0] word
);
  Latch latch (
    .enable(enable), .d(d), .q(q[0])
  );
  Loop loop (
    .enable(enable), .q(q[1])
  );
  Elsewhere elsewhere (
    .d(d), .q(q[2])
  );
  AsynchronousReset asynchronous (
    .clock(clock), .reset(reset), .d(d), .q(q[3])
  );
  TwoWriters writers (
    .clock(clock), .address0(address0), .address1(address1), .address(address), .data0(data0), .data1(data1), .q(word)
  );
endmodule

// Three levels, the middle one a carry of which only what is below a bit matters to it.
module ThreeLevels(
  input      clock, d,
  output reg end_
);
  reg begin_;
  wire first, last;
  wire [3:0] sum;
  LUT1 #(.INIT(2'b01)) lut_first (.I0(begin_), .O(first));
  CARRY4 carry (.CI(1'b0), .CYINIT(1'b0), .DI({2'b0, first, 1'b0}), .S({last, 3'b0}), .O(sum));
  LUT1 #(.INIT(2'b01)) lut_last (.I0(sum[2]), .O(last));
  always @(posedge clock) begin
    begin_ <= d;
    end_ <= last;
  end
endmodule

// Three levels, or two if the chain of two carries is one.
module Chain(
  input  clock, d,
  output end_
);
  wire begin_, first;
  wire [3:0] carry, sum;
  LUT1 #(.INIT(2'b01)) lut (.I0(begin_), .O(first));
  CARRY4 chain_begin (.CI(1'b0), .CYINIT(1'b0), .DI({3'b0, first}), .S(4'b1110), .CO(carry));
  CARRY4 chain_end (.CI(carry[3]), .CYINIT(1'b0), .DI(4'b0), .S(4'b1111), .O(sum));
  FDRE register_begin (.C(clock), .CE(1'b1), .R(1'b0), .D(d), .Q(begin_));
  FDRE register_end (.C(clock), .CE(1'b1), .R(1'b0), .D(sum[3]), .Q(end_));
endmodule
