// AES of a block by the C++ of HauberkAesModel.cc, for simulators (SystemVerilog with DPI). `key` holds keyBits bits at its low end.
module HauberkAesModel(
  input          enable,
  input  [8:0]   keyBits,
  input          decrypt,
  input  [255:0] key,
  input  [127:0] block,
  output [127:0] result
);
`ifdef SYNTHESIS
  // Tools for synthesis stop here, with this name in their message.
  HauberkAesModel_is_for_simulators_only_leave_WithCipherModel_out refused();
`else
  import "DPI-C" function void hauberk_aes_block(input int key_bits, input bit decrypt, input bit [255:0] key,
                                                 input bit [127:0] block, output bit [127:0] result);
  reg [127:0] made;
  always_comb begin
    made = 128'b0;
    if (enable) hauberk_aes_block({23'b0, keyBits}, decrypt, key, block, made);
  end
  assign result = made;
`endif
endmodule
