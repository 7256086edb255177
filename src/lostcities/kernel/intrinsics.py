"""Single processor instructions for compiled code; imported only where Numba compiles."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_WORD = ir.IntType(64)


@intrinsic
def popcount(_context: Any, _word: Any) -> Any:
    """How many bits are set."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def lowest(_context: Any, _word: Any) -> Any:
    """The place of the lowest set bit; the word must not be 0."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def select_pdep(_context: Any, _word: Any, _n: Any) -> Any:
    """The place of the n-th set bit by x86's parallel deposit; there must be one."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        word, n = arguments
        kind = ir.FunctionType(_WORD, [_WORD, _WORD])
        deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind)
        bit = builder.call(deposit, [builder.shl(ir.Constant(_WORD, 1), n), word])
        return builder.cttz(bit, ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64, types.uint64), generate
