"""The user's cache folder, and results that are kept there by a digest of all that they depend on."""

import hashlib
import json
import os
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def folder():
    """The cache folder of this project; exits with one sentence if nothing can be written there."""
    path = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "hauberk")
    try:
        os.makedirs(path, exist_ok=True)
        writable = os.access(path, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        sys.exit(f"nothing can be written to {path}: set XDG_CACHE_HOME to a folder of your own")
    return path


def digest(files, *facts):
    """Of files, with their places in the tree, and of words."""
    total = hashlib.sha256(json.dumps([str(fact) for fact in facts]).encode())
    for path in files:
        with open(path, "rb") as file:
            total.update(os.path.relpath(path, TOP).encode() + hashlib.sha256(file.read()).digest())
    return total.hexdigest()


def digest_of(content):
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def path_of(kind, key):
    return os.path.join(folder(), kind, key + ".json")


def load(kind, key):
    """The result that was kept under a digest; None if there is none, or it is damaged."""
    try:
        with open(path_of(kind, key)) as file:
            kept = json.load(file)
    except (OSError, ValueError):
        return None
    content = kept.get("content") if isinstance(kept, dict) else None
    return content if content is not None and kept.get("digest") == digest_of(content) else None


def save(kind, key, content):
    """Keeps a result, whole or not at all; a full disk loses nothing but this."""
    path = path_of(kind, key)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=os.path.dirname(path), delete=False) as file:
            json.dump({"digest": digest_of(content), "content": content}, file)
        os.replace(file.name, path)
    except OSError as error:
        print(f"a result is not kept in {path}: {error.strerror}", file=sys.stderr)
