"""Click models: how users click on a ranking."""

from unirank.click_models.base import ClickModel, registry
from unirank.click_models.cascade import CM
from unirank.click_models.click_chain import CCM
from unirank.click_models.dependent_click import DCM
from unirank.click_models.dynamic_bayesian import DBN
from unirank.click_models.position_based import PBM
from unirank.click_models.user_browsing import UBM

__all__ = ["CCM", "CM", "DBN", "DCM", "PBM", "UBM", "ClickModel", "registry"]
