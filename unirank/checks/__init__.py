"""Checks that every policy and every click model must pass, your own included."""

from unirank.checks.click_model import check_click_model
from unirank.checks.contract import ContractError
from unirank.checks.policy import check_policy

__all__ = ["ContractError", "check_click_model", "check_policy"]
