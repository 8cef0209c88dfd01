"""The reference against torch's own casts and against the values that the formats list."""

import quant_reference as reference
import torch
from hypothesis import given
from hypothesis import strategies as st


def test_e4m3_tables_are_torchs():
    for dtype, count in ((torch.float8_e4m3fn, 127), (torch.float8_e4m3fnuz, 128)):
        codes = torch.arange(count, dtype=torch.uint8).view(dtype)
        assert torch.equal(reference.positive_values(dtype), codes.double())
        assert codes.float().max() == reference.CODE_MAX[dtype]


@given(st.lists(st.floats(-448, 448, width=32), min_size=1))
def test_e4m3_rounds_as_torch_does(values):
    x = torch.tensor(values)
    ours = reference.to_e4m3(x, torch.float8_e4m3fn).view(torch.uint8)
    assert torch.equal(ours, x.to(torch.float8_e4m3fn).view(torch.uint8))


def test_e4m3_saturates_and_keeps_nan():
    x = torch.tensor([1e9, -1e9, torch.inf, 464.0, 464.1, torch.nan])
    q = reference.to_e4m3(x, torch.float8_e4m3fn).float()
    assert q[:5].tolist() == [448.0, -448.0, 448.0, 448.0, 448.0]
    assert torch.isnan(q[5])


def test_e2m1_rounds_to_even():
    x = torch.tensor([0.25, 0.26, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 5.1, 9.0, -0.0, -1.75])
    assert reference.to_e2m1(x).tolist() == [0, 1, 2, 2, 4, 4, 6, 6, 7, 7, 8, 12]


def test_e8m0_of_known_blocks():
    x = torch.zeros(5, 32)
    x[1, 0], x[2, 7], x[3, 0], x[4, 0] = 1.0, -7.9, 2.0**-127, 3.4e38
    byte, _ = reference.e8m0(x, 2)
    assert byte.flatten().tolist() == [0, 125, 127, 0, 252]
