"""`unirank warm`: compile policies ahead, for images and for pages that must answer at once."""

from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from unirank.cli.arguments import parse_policy
from unirank.errors import UnirankError
from unirank.lab import load_experiment
from unirank.lab.simulation import simulate
from unirank.policies import Policy, registry
from unirank.policies.base.specs import resolved

N_ITEMS, N_POSITIONS = 4, 2  # compiled code is the same for every size


def warm(
    *policies: str,
    experiment: Annotated[list[str] | None, Parameter(negative="")] = None,
) -> None:
    """Compile policies now, so that their first ranking does not wait for the compiler.

    The compiled code is kept on disk for every later process that runs the same code.

    Parameters
    ----------
    policies
        Names, or module:Class for one of your own; default: all registered.
    experiment
        Compile also the games of these experiments, such as simul-pbm; may be repeated.
    """
    console = Console()
    experiments = [load_experiment(name) for name in experiment or []]
    for text in policies or registry.names():
        name, options = parse_policy(text)
        example = registry[name].example_options(tuple(range(N_ITEMS)), N_POSITIONS)
        cls, options = resolved((name, {**example, **options}))
        where = kept_code(cls(N_ITEMS, N_POSITIONS, **options))
        for one in experiments:
            known = cls.example_options(tuple(range(one.users.n_items)), one.n_positions)
            simulate(
                (cls, known),
                one.users,
                n_positions=one.n_positions,
                n_rounds=1,
                n_games=1,
                objective=one.objective,
            )
        console.print(f"{cls.name}: {where}", highlight=False, soft_wrap=True)


def kept_code(policy: Policy) -> str:
    """Compile what a page calls; return the folder that keeps it."""
    policy.update(policy.rank(), [])
    policy.rank_many(1)
    if not policy.kernels.compiled:
        return "plain Python, nothing to compile"
    folder = policy._serve.stats.cache_path
    if not folder:
        raise UnirankError(
            "no folder to keep compiled code in: set NUMBA_CACHE_DIR to one that only you can write"
        )
    return f"compiled into {folder}"
