"""hauberk-attest takes what OpenSSL made, makes what OpenSSL takes, and refuses every forgery by name."""

import hashlib
import os
import subprocess
import tempfile
import unittest

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def run(*command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def integers(der):
    """Of a sequence of two integers, each as 32 bytes."""
    first = der[4:4 + der[3]]
    second = der[4 + der[3] + 2:]
    return b"".join(number.lstrip(b"\0").rjust(32, b"\0") for number in (first, second))


class Attest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = tempfile.TemporaryDirectory(prefix="hauberk test ")
        cls.addClassCleanup(made.cleanup)
        cls.folder = made.name
        cls.program = hashlib.sha256(b"a program").digest()
        cls.message = b"the answer is 42"
        cls.openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", cls.path("processor.key"))
        cls.point = cls.openssl("pkey", "-in", cls.path("processor.key"), "-pubout", "-outform", "DER")[-64:]
        with open(cls.path("statement"), "wb") as file:
            file.write(b"Haubsig1" + cls.program + cls.message)
        with open(cls.path("message"), "wb") as file:
            file.write(cls.message)
        cls.openssl("dgst", "-sha256", "-sign", cls.path("processor.key"), "-out", cls.path("signature"), cls.path("statement"))
        with open(cls.path("signature"), "rb") as file:
            cls.signature = integers(file.read())
        for name in "maker", "other":
            cls.succeed("authority", "--name", name, "--out", cls.path(name))
            cls.succeed("certify", "--authority", cls.path(name), "--key", cls.point.hex(), "--out", cls.path(f"{name}-processor.pem"))

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def openssl(cls, *command):
        done = run("openssl", *command)
        if done.returncode:
            raise AssertionError(done.stdout)
        return done.stdout

    @classmethod
    def attest(cls, *command):
        return run(os.path.join(TOP, "scripts", "hauberk-attest"), *command, text=True)

    @classmethod
    def succeed(cls, *command):
        done = cls.attest(*command)
        if done.returncode:
            raise AssertionError(done.stdout)

    def verify(self, authority="maker.pem", certificate="maker-processor.pem", program=None, message=None, signature=None):
        if message is not None:
            with open(self.path("forged"), "wb") as file:
                file.write(message)
        return self.attest("verify", "--authority", self.path(authority), "--certificate", self.path(certificate),
                           "--program", (self.program if program is None else program).hex(),
                           "--message", self.path("message" if message is None else "forged"),
                           "--signature", (self.signature if signature is None else signature).hex())

    def refused(self, done, sentence):
        self.assertEqual((done.returncode, done.stdout.count("\n")), (1, 1), done.stdout)
        self.assertIn(sentence, done.stdout)

    def test_what_is_right_is_taken(self):
        done = self.verify()
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_openssl_takes_the_certificates(self):
        self.openssl("verify", "-x509_strict", "-CAfile", self.path("maker.pem"), self.path("maker-processor.pem"))
        with open(self.path("public.pem"), "wb") as file:
            file.write(self.openssl("x509", "-in", self.path("maker-processor.pem"), "-pubkey", "-noout"))
        self.openssl("dgst", "-sha256", "-verify", self.path("public.pem"), "-signature", self.path("signature"), self.path("statement"))

    # covers: monitor.messages
    def test_another_message_program_or_signature_is_refused(self):
        wrong = "the signature is not of this message by this program"
        for message in self.message[:-1], self.message + b"\0", b"", b"the answer is 43":
            self.refused(self.verify(message=message), wrong)
        other = bytes([self.program[0] ^ 1]) + self.program[1:]
        self.refused(self.verify(program=other), wrong)
        # What is the program's end may not be the message's beginning
        self.refused(self.verify(program=self.program[:-1], message=self.program[-1:] + self.message), "32 bytes, not 31")
        for i in 0, 31, 32, 63:
            forged = bytearray(self.signature)
            forged[i] ^= 1
            self.refused(self.verify(signature=bytes(forged)), wrong)
        for forged in bytes(64), b"\xff" * 64, self.signature[32:] + self.signature[:32]:
            self.refused(self.verify(signature=forged), wrong)
        self.refused(self.verify(signature=self.signature[:-1]), "64 bytes, not 63")

    # covers: monitor.certificates
    def test_a_certificate_for_something_else_is_refused(self):
        # Of the same manufacturer, for this key: what OpenSSL makes for a server, with and without extensions
        self.openssl("req", "-new", "-key", self.path("processor.key"), "-subj", "/CN=server", "-out", self.path("server.csr"))
        for name, extensions in ("bare", ""), ("server", "basicConstraints=CA:FALSE\nkeyUsage=digitalSignature\nextendedKeyUsage=serverAuth\n"):
            with open(self.path("extensions"), "w") as file:
                file.write(extensions)
            self.openssl("x509", "-req", "-in", self.path("server.csr"), "-CA", self.path("maker.pem"), "-CAkey", self.path("maker.key"), "-CAcreateserial",
                         "-extfile", self.path("extensions"), "-out", self.path(f"{name}.pem"))
            self.refused(self.verify(certificate=f"{name}.pem"), "is for something else")

    # covers: monitor.certificates
    def test_another_certificate_is_refused(self):
        self.refused(self.verify(certificate="other-processor.pem"), "not of this manufacturer")
        self.refused(self.verify(certificate="maker.pem"), "is for something else")
        self.refused(self.verify(authority="maker-processor.pem", certificate="maker-processor.pem"), "not of this manufacturer")
        self.refused(self.verify(certificate="message"), "is no certificate in PEM")
        self.refused(self.verify(certificate="missing.pem"), "cannot read")

    def test_a_secret_is_encrypted_for_a_certified_processor_only(self):
        def encrypt(secret, out, certificate="maker-processor.pem"):
            with open(self.path("secret"), "wb") as file:
                file.write(secret)
            return self.attest("encrypt", "--authority", self.path("maker.pem"), "--certificate", self.path(certificate),
                               "--program", self.program.hex(), "--secret", self.path("secret"), "--out", self.path(out))
        self.assertEqual(encrypt(bytes(256), "encrypted").returncode, 0)
        with open(self.path("encrypted"), "rb") as file:
            self.assertEqual(len(file.read()), 64 + 256 + 16)
        self.refused(encrypt(bytes(257), "long"), "at most 256 bytes, not 257")
        self.refused(encrypt(b"a key", "foreign", "other-processor.pem"), "not of this manufacturer")
        self.assertFalse(os.path.exists(self.path("long")) or os.path.exists(self.path("foreign")))

    # covers: monitor.certificates
    def test_a_processor_is_no_manufacturer(self):
        # With its own key it certifies another
        os.link(self.path("maker-processor.pem"), self.path("false.pem"))
        os.link(self.path("processor.key"), self.path("false.key"))
        self.succeed("certify", "--authority", self.path("false"), "--key", self.point.hex(), "--out", self.path("false-processor.pem"))
        self.refused(self.verify(authority="false.pem", certificate="false-processor.pem"), "is for something else")

    def test_nothing_is_overwritten_and_no_key_made_up(self):
        self.refused(self.attest("authority", "--out", self.path("maker")), "cannot write")
        self.refused(self.attest("certify", "--authority", self.path("maker"), "--key", self.point.hex(), "--out", self.path("maker.pem")), "cannot write")
        for point, sentence in (self.point[:-1], "64 bytes, not 63"), (bytes(64), "no point of P-256"):
            self.refused(self.attest("certify", "--authority", self.path("maker"), "--key", point.hex(), "--out", self.path("new.pem")), sentence)
        self.refused(self.attest("certify", "--authority", self.path("maker"), "--key", "xy", "--out", self.path("new.pem")), "is not hexadecimal")
        self.assertFalse(os.path.exists(self.path("new.pem")))


if __name__ == "__main__":
    unittest.main()
