"""All targets of the attack, by name."""

from tests.attack import (
    fitted_files,
    kills,
    logs,
    misuse,
    shards,
    splits,
    state_files,
    threads,
    tokens,
)

MODULES = (state_files, splits, shards, fitted_files, logs, tokens, misuse, threads, kills)
TARGETS = {target.name: target for module in MODULES for target in module.TARGETS}
