"""The same games as training environments, and recorded matches as training data.

Everything here drives `ludometer.matches.Match`; there is no second referee. `encoding`: games as numbers. `pettingzoo`
and `gymnasium`: environments of those libraries. `openenv`: a server of text games. `trl`: rollouts for TRL's trainers.
`offline`: verified matches as data sets. Each module but `encoding` and `offline` needs the package it is named after.
"""
