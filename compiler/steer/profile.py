"""Profile files: a trace, the names of the accesses in it, and the program that it belongs to."""

import json
import zipfile

import numpy

from .errors import SteerError
from .trace import Trace

FORMAT = "hauberk-steer profile 1"


def save(path, program, digest, trace):
    """Names of functions and the ordinals of their accesses make the numbers of the trace readable by others."""
    about = {"format": FORMAT, "program": digest, "functions": [function.name for function in program.functions],
             "points": [str(point) for point in program.points],
             "accesses": [[access.function.index, access.ordinal, access.kind] for access in program.accesses]}
    with open(path, "wb") as file:
        numpy.savez_compressed(file, about=numpy.array(json.dumps(about)), who=trace.who, where=trace.where)


def load(path, program):
    """The trace of a profile of this very program."""
    try:
        with numpy.load(path, allow_pickle=False) as file:
            about = json.loads(str(file["about"]))
            if about.get("format") != FORMAT:
                raise ValueError
            if about["program"] != program.digest():
                raise SteerError(f"{path} is the profile of another program: make it again with hauberk-steer profile")
            return Trace(file["who"], file["where"])
    except OSError as error:
        raise SteerError(f"the profile {path} cannot be read: {error.strerror or 'it is damaged'}") from error
    except (KeyError, ValueError, AttributeError, TypeError, zipfile.BadZipFile) as error:
        raise SteerError(f"{path} is no profile: make one with hauberk-steer profile") from error
