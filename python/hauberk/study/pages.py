"""The pages of docs and README: figures between `<!-- figure NAME -->` and `<!-- end -->`."""

import glob
import os
import re

from hauberk.study import figures, place
from hauberk.study.derived import DERIVED
from hauberk.study.errors import read_text, write_text

MARKED = re.compile(r"(<!-- figure ([\w-]+) -->\n).*?(<!-- end -->)", re.S)
README = "README.md"


def pages():
    return [*sorted(glob.glob(os.path.join(place.TOP, "docs", "*.md"))), os.path.join(place.TOP, README)]


def shown(name):
    if name in DERIVED:
        return DERIVED[name]()[0]
    figure = figures.of(name)
    return f"{figure.content}\n\nMeasured {figure.source}.\n"


def rendered(text):
    return MARKED.sub(lambda found: found[1] + shown(found[2]) + found[3], text)


def plots():
    """(path, SVG) of each plot in docs/figures that is made of rows."""
    for name, figure in figures.from_rows().items():
        if figure.plot and os.path.exists(figures.plot_path(name)):
            yield figures.plot_path(name), figure.plot()


def show():
    """Writes the figures into the pages."""
    for path in pages():
        text = read_text(path, "page")
        new = rendered(text)
        if new != text:
            write_text(path, new)
    for path, plot in plots():
        if read_text(path, "plot") != plot:
            write_text(path, plot)


def used(name):
    return DERIVED[name]()[1] if name in DERIVED else [figures.of(name)]


def stale_on_readme():
    """One sentence for each figure of earlier hardware in README."""
    names = [found[2] for found in MARKED.finditer(read_text(pages()[-1], "page"))]
    return [f"README.md shows {name}, and {figure.name} was measured on earlier hardware: measure it again and record it ({figure.command})"
            for name in names for figure in used(name) if not figure.is_current]


def check(release=False):
    """One sentence for each fault. For a release, README must show no figure of earlier hardware."""
    known, wrong, everywhere = [*figures.names(), *DERIVED], [], set()
    for path in pages():
        page, text = os.path.relpath(path, place.TOP), read_text(path, "page")
        names = [found[2] for found in MARKED.finditer(text)]
        missing = [name for name in names if name not in known]
        wrong += [f"{page} shows the figure {name}, which nobody recorded in docs/figures" for name in missing]
        if not missing and rendered(text) != text:
            wrong.append(f"{page} is not what docs/figures says: run scripts/figures")
        if page == README and release and not missing:
            wrong += stale_on_readme()
        everywhere.update(names)
    wrong += [f"docs/figures has {name}, which is on no page" for name in figures.names() if name not in everywhere]
    wrong += [f"{os.path.relpath(path, place.TOP)} is not what docs/figures/runs.csv says: run scripts/figures" for path, plot in plots()
              if read_text(path, "plot") != plot]
    twice = [name for name in figures.from_rows() if name in figures.records.names()]
    return wrong + [f"docs/figures/{name}.csv is not needed, for runs.csv has its runs: remove it" for name in twice]


def stale():
    """Figures of earlier hardware."""
    return [name for name in figures.names() if not figures.of(name).is_current]
