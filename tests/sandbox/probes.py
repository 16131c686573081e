"""All hostile programs of the suite that need no jail, in its order."""

from __future__ import annotations

from probe import PRELUDE, Probe
from probes_harming import INTEGRITY
from probes_reading import CONFIDENTIALITY, NETWORK
from probes_using_up import AVAILABILITY

__all__ = ["PRELUDE", "PROBES", "Probe"]

PROBES = [*CONFIDENTIALITY, *INTEGRITY, *NETWORK, *AVAILABILITY]
