# Everything runs in its own environment, .venv, made on first use from Python 3.11 or later.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
RESULTS ?= results

.PHONY: help demo serve test slow attack check sizes architecture docs wheel bench clean bench-serve faults statistics pictures

help: ## what there is to make
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile


demo: .venv/lab ## MatchRank, UniRank, TopRank and random order on both Simul experiments: a table and a figure
	$(BIN)/unirank run simul-pbm simul-cm $(foreach p,matchrank unirank 'toprank(horizon=told)' random,--policy $(p)) --out $(RESULTS)
	$(BIN)/unirank plot $(RESULTS)/simul-pbm $(RESULTS)/simul-cm --out $(RESULTS)/regret.png

serve: .venv/serve ## pages that learn their order, over HTTP, from results/serve.sqlite
	mkdir -p $(RESULTS)
	$(BIN)/unirank serve --database $(RESULTS)/serve.sqlite $(SERVE)

test: .venv/dev ## the tests, but those marked slow
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile -m "not slow"

slow: .venv/dev ## the tests marked slow: every policy compared, the report, logs on Spark
	$(BIN)/python -m pytest --numprocesses 2 -m slow

attack: .venv/dev ## mutated files, wrong arguments, shared policies, kills: a tenth of it, or MINUTES=60 for an hour
	$(BIN)/python -m tests.attack $(if $(MINUTES),--minutes $(MINUTES))

check: .venv/dev ## format, lint, strict types (tests too), import contract
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

sizes: .venv/dev ## how long our files and functions are: median / ninth decile / maximum
	$(BIN)/python -m tests.sizes

architecture: .venv/dev ## the two pictures of ARCHITECTURE.md, drawn from the code
	$(BIN)/python -m tests.architecture

docs: .venv/docs ## the documentation site, into build/docs; warnings are errors
	$(BIN)/sphinx-build -W --keep-going -q -d build/doctrees docs build/docs

wheel: .venv/dev ## build the wheel and prove that it works alone, from a read-only folder
	BIN=$(BIN) PYTHON="$(PYTHON)" .ci/wheel

bench: .venv/dev ## the speed tables, into benchmarks/*.txt; unirank data fetch first for the Yandex rows
	$(BIN)/unirank bench | tee benchmarks/speed.txt
	$(BIN)/unirank bench --all | tee benchmarks/policies.txt
	$(BIN)/python -m benchmarks.batches | tee benchmarks/batches.txt
	$(BIN)/python -m benchmarks.folds | tee benchmarks/folds.txt
	$(BIN)/python -m benchmarks.late_answers | tee benchmarks/late_answers.txt
	$(BIN)/python -m benchmarks.logs | tee benchmarks/logs.txt
	$(BIN)/python -m benchmarks.match_rank | tee benchmarks/match_rank.txt
	$(BIN)/python -m benchmarks.pages | tee benchmarks/pages.txt
	$(BIN)/python -m benchmarks.live_policy | tee benchmarks/live_policy.txt
	$(BIN)/python -m benchmarks.new_item | tee benchmarks/new_item.txt
	$(BIN)/python -m benchmarks.workers | tee benchmarks/workers.txt

bench-serve: .venv/dev ## unirank serve under load, as ratios, into benchmarks/serve.txt; needs wrk
	$(BIN)/python -m benchmarks.serve | tee benchmarks/serve.txt

faults: .venv/dev ## unirank serve through kills and outages, into benchmarks/serve_faults.txt; needs PostgreSQL
	$(BIN)/python -m benchmarks.serve_faults | tee benchmarks/serve_faults.txt

statistics: .venv/dev ## what unirank serve says of its gain, in simulations, into benchmarks/serve_statistics.txt
	$(BIN)/python -m benchmarks.serve_statistics | tee benchmarks/serve_statistics.txt

pictures: .venv/dev ## the dashboard of unirank serve --demo, in Chromium, into docs/static; some minutes
	$(BIN)/python -m tests.server.dashboard.pictures docs/static

.venv/lab: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed: make PYTHON=python3.12") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv .venv
	$(PIP) install --constraint constraints.txt --editable '.[lab]'
	touch $@

.venv/serve: .venv/lab
	$(PIP) install --constraint constraints.txt --editable '.[serve]'
	touch $@

.venv/dev: .venv/lab
	$(PIP) install --constraint constraints.txt --editable '.[dev]'
	touch $@

.venv/docs: .venv/lab
	$(PIP) install --constraint constraints.txt --editable '.[docs]'
	touch $@

clean:
	rm -rf .venv results build docs/gallery docs/reference/generated dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
