# $(BUILD)/bearssl.a: of BearSSL what the microcode needs, from Debian's source package. CROSS, BUILD and COMMON, the compiler's flags, are the
# including makefile's; so are MICROCODE, this folder's parent, and SOURCE, the script that fetches source packages.
BEARSSL := ec/ec_p256_m31 ec/ec_secp256r1 ec/ec_secp384r1 ec/ec_secp521r1 ec/ec_keygen ec/ec_pubkey ec/ecdsa_i31_bits \
  rand/hmac_drbg mac/hmac symcipher/aes_ct64 symcipher/aes_ct64_enc symcipher/aes_ct64_ctr symcipher/aes_common hash/sha2small codec/ccopy codec/dec32be codec/enc32be codec/dec32le codec/enc32le codec/enc64be codec/dec64be aead/gcm hash/ghash_ctmul64 int/i32_div32 int/i62_modpow2 $(addprefix int/i31_,add bitlen decmod decode decred \
  encode fmont iszero modpow montmul mulacc muladd ninv31 reduce rshift sub tmont)
BEARSSL_FOLDER := $(BUILD)/sources/bearssl.folder
BEARSSL_HEADERS = -I$(MICROCODE)/library -isystem "$$(cat $(BEARSSL_FOLDER))/inc"

$(BEARSSL_FOLDER): $(SOURCE)
	@mkdir -p $(@D)
	@$(SOURCE) bearssl >$@

$(BUILD)/bearssl.a: $(BEARSSL_FOLDER) $(MICROCODE)/library/bearssl.mk $(MICROCODE)/library/modpow.c $(MICROCODE)/library/string.h
	@echo "  $(@F)"
	@# Of its own, since the two lanes of scripts/test may both build it
	@folder=$$(mktemp -d $(BUILD)/bearssl.XXXXXX) && compile() { \
	  $(CROSS)gcc $(COMMON) -O3 -funroll-loops -w $(BEARSSL_HEADERS) -I"$$(cat $<)/src" -c -o $$folder/$$(basename $$1 .c).o "$$@"; } && \
	for file in $(BEARSSL); do compile "$$(cat $<)/src/$$file.c" || exit 1; done && compile $(MICROCODE)/library/modpow.c && \
	compile "$$(cat $<)/src/ec/ecdsa_i31_sign_raw.c" -Dbr_i31_modpow=modpow_62 && $(CROSS)ar rcs $$folder/bearssl.a $$folder/*.o && mv $$folder/bearssl.a $@ && rm -rf $$folder
