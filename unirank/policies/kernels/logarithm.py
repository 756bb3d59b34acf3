"""The natural logarithm without a call or a branch, so that those of many numbers overlap.

    x = 2^e m, 1/sqrt(2) <= m < sqrt(2)     from the bits of x
    ln m = 2 (s + s^3/3 + s^5/5 + ...)      s = (m - 1) / (m + 1), |s| < 0.172

After the term in s^19 less than 1e-17 is left.
"""

import numpy as np

from unirank.policies.kernels.compiling import compiled

FRACTION_BITS = np.int64(52)
ROOT_HALF = np.int64(np.float64(np.sqrt(0.5)).view(np.int64))
LN_2 = float(np.log(2.0))


@compiled
def inline_log(x: float) -> float:
    """Return ln x of a normal number x > 0, to the last digits."""
    bits = np.float64(x).view(np.int64)
    exponent = (bits - ROOT_HALF) >> FRACTION_BITS
    m = np.int64(bits - (exponent << FRACTION_BITS)).view(np.float64)
    s = np.divide(m - 1.0, m + 1.0)
    q = s * s
    series = 1 / 9 + q * (1 / 11 + q * (1 / 13 + q * (1 / 15 + q * (1 / 17 + q / 19))))
    series = 1.0 + q * (1 / 3 + q * (1 / 5 + q * (1 / 7 + q * series)))
    return exponent * LN_2 + 2.0 * s * series
