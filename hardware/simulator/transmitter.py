"""The MFRC522's transmitter: from its registers to the strength of the field.

Law: data sheet 9.3.2.5, 9.3.3.7 and 9.3.3.8. TX1 and TX2 drive the two ends of the antenna, each
by a p-driver and an n-driver whose conductance is binary weighted (CWGsP, CWGsN); TX2 is inverted
against TX1 by InvTx2RFOn. By the table of characteristics a driver that conducts fully drops
0.15 V at 32 mA. The antenna is assumed to be matched to 40 Ω. A field of 1.0 is that of the values
after a reset.
"""

from hardware.simulator import registers as r

FULL_OHM = 0.15 / 0.032
MATCHED_OHM = 40.0
MOST_P, MOST_N = 63, 15


def field_strength(tx_control: int, gs_n: int, cw_gs_p: int) -> float:
    """Return the field of an unmodulated carrier; a driver alone gives half of it."""
    one = _phase(tx_control, r.TX1_RF_EN, r.INV_TX1_RF_ON)
    two = _phase(tx_control, r.TX2_RF_EN, r.INV_TX2_RF_ON)
    return abs(one - two) / 2 * _current(gs_n, cw_gs_p) / _USUAL_CURRENT


def _phase(tx_control: int, enabled: int, inverted: int) -> int:
    if not tx_control & enabled:
        return 0
    return -1 if tx_control & inverted else 1


def _current(gs_n: int, cw_gs_p: int) -> float:
    """Return the current through antenna and drivers; a driver that never conducts passes none."""
    n, p = gs_n >> 4, cw_gs_p & 0x3F
    if not n or not p:
        return 0.0
    return 1 / (MATCHED_OHM + FULL_OHM * MOST_P / p + FULL_OHM * MOST_N / n)


_USUAL_CURRENT = _current(r.RESET[r.GS_N], r.RESET[r.CW_GS_P])
