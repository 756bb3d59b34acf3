"""Click models: how users click on a ranking."""

from unirank.users.base import ClickModel, registry
from unirank.users.cascade import CM
from unirank.users.click_chain import CCM
from unirank.users.dependent_click import DCM
from unirank.users.dynamic_bayesian import DBN
from unirank.users.position_based import PBM
from unirank.users.segments import Segments
from unirank.users.user_browsing import UBM

__all__ = ["CCM", "CM", "DBN", "DCM", "PBM", "UBM", "ClickModel", "Segments", "registry"]
