"""The syntax tree the analysis works on: small, plain, and made from the one Python's parser gives.

A name or a call knows its parts and its place in the text, and nothing about layout.
"""

from .expressions import *  # noqa: F403
from .node import Node as Node
from .operators import *  # noqa: F403
from .statements import *  # noqa: F403
