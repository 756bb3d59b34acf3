"""Estimators of click models: one class per model, all called by `fit`."""

from unirank.logs.estimators.base import Estimator, registry
from unirank.logs.estimators.cascade import CMEstimator
from unirank.logs.estimators.click_chain import CCMEstimator
from unirank.logs.estimators.dependent_click import DCMEstimator
from unirank.logs.estimators.dynamic_bayesian import DBNEstimator, SDBNEstimator
from unirank.logs.estimators.examination_models import PBMEstimator, UBMEstimator
from unirank.logs.estimators.fits import Fit, fit, fit_settings, log_likelihood

__all__ = [
    "CCMEstimator",
    "CMEstimator",
    "DBNEstimator",
    "DCMEstimator",
    "Estimator",
    "Fit",
    "PBMEstimator",
    "SDBNEstimator",
    "UBMEstimator",
    "fit",
    "fit_settings",
    "log_likelihood",
    "registry",
]
