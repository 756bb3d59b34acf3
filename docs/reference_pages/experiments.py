"""The experiments that come with the library: their questions, users, policies and scale."""

from reference_pages.docstrings import escaped
from unirank.lab import Experiment, list_experiments, load_experiment
from unirank.markdown import markdown_table

INTRODUCTION = """An experiment is a question in one TOML file. `unirank run NAME` plays it; a file
of your own works too: `unirank run my_question.toml`."""


def experiment_pages() -> dict[str, str]:
    """One page, a section per experiment."""
    sections = "\n".join(_section(load_experiment(name)) for name in list_experiments())
    return {"experiments.md": f"# Experiments\n\n{INTRODUCTION}\n\n{sections}"}


def _section(experiment: Experiment) -> str:
    curves = [
        [
            escaped(entry.label or entry.policy),
            f"`{entry.policy}`",
            escaped(_options(entry.options)),
        ]
        for entry in experiment.policies
    ]
    scale = f"{experiment.n_positions} positions, {experiment.n_rounds:,} rounds"
    source = f"\n\nSource: {escaped(experiment.source)}." if experiment.source else ""
    return (
        f"## {experiment.name}\n\n{escaped(experiment.question)}\n\n"
        f"Users: {_users(experiment)}. {scale}, {experiment.n_games} games per problem.{source}\n\n"
        f"{markdown_table(['curve', 'policy', 'options'], curves)}\n"
    )


def _users(experiment: Experiment) -> str:
    if experiment.click_model is not None:
        return f"`{experiment.click_model['click_model']}`"
    names = dict.fromkeys(source.name or source.dataset for source in experiment.problems)
    return ", ".join(f"`{name}`" for name in names)


def _options(options: dict[str, object]) -> str:
    return ", ".join(f"{key}={value}" for key, value in options.items())
