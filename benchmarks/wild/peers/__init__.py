"""Other tools on the same seeded bugs and the same originals.

Each lives in an environment of its own, since their pins do not go together; one that cannot be
installed is left out, and the reason is printed.
"""

from __future__ import annotations

from .compare import PeerRow, compare
from .tools import PEERS, Peer, PeerMissing

__all__ = ["PEERS", "Peer", "PeerMissing", "PeerRow", "compare"]
