"""What secure contexts exchange with the world outside (docs/contexts.md, "Messages"): signatures, certificates, and secrets for a program."""

import datetime
import hashlib
import hmac

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.x509.oid import NameOID

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
WORD = 32
MOST_SECRET = 256
PAGE = 4096
YEARS = 20
# What a processor's key is for: an object identifier of a UUID of our own
PURPOSE = "2.25.187263011895327014421370412684126915117"


class Refused(Exception):
    """Says in a sentence what is not as it must be."""


def public_key(point):
    """Of x and y, 32 bytes each, as TEE_KEY gives them."""
    if len(point) != 2 * WORD:
        raise Refused(f"a public key has {2 * WORD} bytes, not {len(point)}")
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, b"\x04" + point)
    except ValueError:
        raise Refused("the public key is no point of P-256: take all 64 bytes that TEE_KEY gave") from None


def key_of(secret):
    """The private key that the microcode makes of a processor's secret of 32 bytes: the first candidate of HMAC_DRBG (NIST SP 800-90A) with SHA-256."""
    seed = b"Haubkey1" + secret
    key, value = bytes(WORD), b"\x01" * WORD

    def mac(*parts):
        return hmac.new(key, b"".join(parts), hashlib.sha256).digest()

    for separator in b"\x00", b"\x01":
        key = mac(value, separator, seed)
        value = mac(value)
    while True:
        value = mac(value)
        scalar = int.from_bytes(value, "big")
        if 0 < scalar < ORDER:
            return ec.derive_private_key(scalar, CURVE)
        key = mac(value, b"\x00")
        value = mac(value)


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise Refused(f"cannot read {path}: {error.strerror}") from None


def load_certificate(path):
    try:
        return x509.load_pem_x509_certificate(read(path))
    except ValueError:
        raise Refused(f"{path} is no certificate in PEM") from None


def name(common):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def certificate(subject, key, issuer, issuer_key, is_authority):
    """For this public key."""
    now = datetime.datetime.now(datetime.timezone.utc)
    own = x509.SubjectKeyIdentifier.from_public_key(key)
    issuers = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key())
    usage = dict.fromkeys(("content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "crl_sign", "encipher_only", "decipher_only"), False)
    return (x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer)).public_key(key).serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(hours=1)).not_valid_after(now + datetime.timedelta(days=365 * YEARS))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=0 if is_authority else None), critical=True)
            .add_extension(x509.KeyUsage(digital_signature=not is_authority, key_cert_sign=is_authority, **usage), critical=True)
            .add_extension(x509.ExtendedKeyUsage([x509.ObjectIdentifier(PURPOSE)]), critical=True)
            .add_extension(own, critical=False).add_extension(issuers, critical=False)
            .sign(issuer_key, hashes.SHA256()))


def is_for(one, authority):
    """The certificate is for an authority over processors, or for a processor."""
    try:
        constraints, usage, purposes = (one.extensions.get_extension_for_class(kind).value for kind in (x509.BasicConstraints, x509.KeyUsage, x509.ExtendedKeyUsage))
    except (x509.ExtensionNotFound, x509.DuplicateExtension, ValueError):
        return False
    return constraints.ca == authority and (usage.key_cert_sign if authority else usage.digital_signature) and x509.ObjectIdentifier(PURPOSE) in purposes


def check_certificate(processor, authority):
    """The processor's certificate is this authority's, and both are valid now."""
    try:
        processor.verify_directly_issued_by(authority)
    except (InvalidSignature, ValueError, TypeError):
        raise Refused("the processor's certificate is not of this manufacturer") from None
    if not (is_for(authority, True) and is_for(processor, False)):
        raise Refused("a certificate is for something else: one must be an authority's, and one a processor's, as hauberk-attest makes them")
    now = datetime.datetime.now(datetime.timezone.utc)
    for whose, one in ("processor's", processor), ("manufacturer's", authority):
        if not one.not_valid_before_utc <= now <= one.not_valid_after_utc:
            raise Refused(f"the {whose} certificate is not valid today")
    key = processor.public_key()
    if not isinstance(key, ec.EllipticCurvePublicKey) or key.curve.name != CURVE.name:
        raise Refused("the processor's certificate has no key of P-256")
    return key


def check(key, program, message, signature):
    """A program with this hash, in a secure context of the processor with this key, signed the message."""
    if len(signature) != 2 * WORD:
        raise Refused(f"a signature has {2 * WORD} bytes, not {len(signature)}")
    numbers = [int.from_bytes(signature[i:i + WORD], "big") for i in (0, WORD)]
    try:
        key.verify(encode_dss_signature(*numbers), b"Haubsig1" + program + message, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        raise Refused("the signature is not of this message by this program on this processor") from None


def program_hash(start, entry, segments, contents):
    """H(Prog): `segments` are pairs of kind and pages, `contents` are the pages of code and data."""
    words = [start, entry, len(segments), *(number for segment in segments for number in segment)]
    return hashlib.sha256(b"Haubtee1" + b"".join(word.to_bytes(8, "little") for word in words) + contents).digest()


def point_of(key):
    """A public key as TEE_KEY gives it."""
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)[1:]


def encrypt(key, program, secret, own=None):
    """For a program with this hash on the processor with this public key; TEE_DECRYPT takes it. `own` is a private key for this message alone."""
    if len(secret) > MOST_SECRET:
        raise Refused(f"a secret has at most {MOST_SECRET} bytes, not {len(secret)}: encrypt the rest under a key that is the secret")
    own = own or ec.generate_private_key(CURVE)
    sent = point_of(own.public_key())
    keys = hmac.new(b"Haubmsg1", sent + own.exchange(ec.ECDH(), key), hashlib.sha256).digest()
    return sent + AESGCM(keys[:16]).encrypt(keys[16:28], secret, program)


def crypt_pages(key, address, pages):
    """Private pages of a program that lie there, encrypted or decrypted: AES in counter mode, from the page's address on."""
    crypted = b""
    for at in range(0, len(pages), PAGE):
        first = b"Haub" + (address + at).to_bytes(8, "big") + bytes(4)
        crypted += Cipher(algorithms.AES(key), modes.CTR(first)).encryptor().update(pages[at:at + PAGE])
    return crypted
