"""Click models from counts: one estimator per model, all behind `fit`."""

from unirank.logs.estimators.base import Estimator, registry
from unirank.logs.estimators.cascade import CM
from unirank.logs.estimators.click_chain import CCM
from unirank.logs.estimators.dependent_click import DCM
from unirank.logs.estimators.dynamic_bayesian import DBN, SDBN
from unirank.logs.estimators.examined import PBM, UBM
from unirank.logs.estimators.fitting import Fit, fit, log_likelihood

__all__ = [
    "CCM",
    "CM",
    "DBN",
    "DCM",
    "PBM",
    "SDBN",
    "UBM",
    "Estimator",
    "Fit",
    "fit",
    "log_likelihood",
    "registry",
]
