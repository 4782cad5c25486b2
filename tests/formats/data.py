"""What a mode makes of the data of a block."""

from aes import ENGINE_UNITS, xor


def counter_mode(key, engine, block, counter, data):
    return xor(data, key.pad(engine, block, counter, len(data)))


def cbc(key, engine, block, counter, data, encrypt=False):
    cipher = key.cbc(engine, block, counter)
    return (cipher.encryptor() if encrypt else cipher.decryptor()).update(data)


def xts(key, engine, block, data, encrypt=False):
    cipher = key.xts(engine * ENGINE_UNITS + block)
    return (cipher.encryptor() if encrypt else cipher.decryptor()).update(data)


def decrypt(mode, key, engine, block, counter, data):
    if mode == "one-time pad":
        return counter_mode(key, engine, block, counter, data)
    if mode == "direct CBC":
        return cbc(key, engine, block, counter, data)
    if mode == "XTS":
        return xts(key, engine, block, data)
    raise ValueError(f"docs/formats.md has no mode \"{mode}\"")
