"""Checks that every policy and every click model must pass, your own included."""

from unirank.lab.checks.click_model import check_click_model
from unirank.lab.checks.contract import ContractError
from unirank.lab.checks.policy import check_policy

__all__ = ["ContractError", "check_click_model", "check_policy"]
