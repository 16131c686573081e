"""Tournaments: the configuration of a run, the schedule it gives, and the runner that plays it."""

from ludometer.tournaments.config import RunConfig, load_config
from ludometer.tournaments.launch import extend, resume, start, verify
from ludometer.tournaments.progress import Progress, RunSummary

__all__ = ["Progress", "RunConfig", "RunSummary", "extend", "load_config", "resume", "start", "verify"]
