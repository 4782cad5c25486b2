"""Sphinx configuration of the documentation site. The source folder is the top of the repository, so that links between pages work here and on GitHub."""

import os
import re
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def revision():
    """The commit that the site describes."""
    command = ["git", "-C", TOP, "describe", "--always", "--dirty", "--abbrev=9"]
    return subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True).stdout.strip() or "unknown"


with open(os.path.join(TOP, "build.sbt")) as build:
    version = re.search(r'version := "([^"]+)"', build.read())[1]

project = "Hauberk"
copyright = "the Hauberk authors"
release = f"{version} ({revision()})"
root_doc = "docs/index"
include_patterns = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/*.md", "compiler/README.md", "firesim/README.md"]
exclude_patterns = ["**/build", "**/target", "**/results", "**/generated-src", "**/output", "**/.*"]
extensions = ["myst_parser", "sphinx_copybutton"]
myst_heading_anchors = 4
# Of blocks that are only indented
highlight_language = "none"
html_theme = "furo"
html_title = f"Hauberk {version}"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
