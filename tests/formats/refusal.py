"""Why a dump is refused."""


class Refused(Exception):
    """One sentence, for the reader of the report."""


def demand(holds, sentence):
    if not holds:
        raise Refused(sentence)
