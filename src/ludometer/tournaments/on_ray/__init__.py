"""Matches and computations on a Ray cluster (needs the extra ``scale``), of this machine or of many.

The runner stays where it was started, and it alone writes to the run's database. Workers of the cluster play the
matches that it hands them. Before a worker asks a model it asks the runner, which answers from the log what was asked
before; what a model says is in the database before the worker goes on. So whatever dies, a worker, a machine or the
runner, what was finished is finished and what was answered is answered.
"""
