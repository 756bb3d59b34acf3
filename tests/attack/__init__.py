"""The attack: mutated files, wrong arguments, shared policies and kills. It looks for one failure.

    python -m tests.attack                   a bounded share of every target, about ten minutes
    python -m tests.attack --minutes 60      for an hour
    python -m tests.attack --only shards --seed 17     one attempt again, with its traceback

A target attacks one thing: state files, shards, logs in one format, ... An attempt is a function of
its target and of a number, its seed. It ends in one of these ways:

    refused     an error of the library, in one sentence
    equal       what was loaded is exactly what was saved
    accepted    the attempt is valid input, and what it gives is consistent; each file says how
    FAILED      anything else: another exception, a wrong number, a crash, more than LIMIT bytes of
                memory or more than a target's seconds

`tests/attack/test_targets.py` makes the first attempts of every target, in every run of the tests.
"""
