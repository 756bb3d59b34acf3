"""What every policy is built on: object, kernels, options, unanswered rounds, state files."""
