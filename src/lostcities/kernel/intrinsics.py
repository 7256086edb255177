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


def _address(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.gep(data, [place])


@intrinsic
def store_bytes(_context: Any, out: Any, _place: Any, _word: Any) -> Any:
    """Write a word as eight bytes, lowest first, at any place of a uint8 array; unchecked."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], builder.bitcast(address, _WORD.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(out, types.uint64, types.uint64), generate


@intrinsic
def store_bits(_context: Any, out: Any, _place: Any, _word: Any) -> Any:
    """Write the 64 bits of a word as bytes 0 or 1, lowest first, at any place; unchecked."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        flags = ir.VectorType(ir.IntType(1), 64)
        wide = ir.VectorType(ir.IntType(8), 64)
        address = _address(context, builder, signature.args[0], *arguments[:2])
        bytes_ = builder.zext(builder.bitcast(arguments[2], flags), wide)
        builder.store(bytes_, builder.bitcast(address, wide.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(out, types.uint64, types.uint64), generate


@intrinsic
def store_nibbles(_context: Any, out: Any, _place: Any, _word: Any) -> Any:
    """Write a word's groups of four bits as sixteen bytes, lowest first, at any place; unchecked."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        eight, sixteen = (ir.VectorType(ir.IntType(8), lanes) for lanes in (8, 16))
        address = _address(context, builder, signature.args[0], *arguments[:2])
        pairs = builder.bitcast(arguments[2], eight)
        low = builder.and_(pairs, ir.Constant(eight, [15] * 8))
        high = builder.lshr(pairs, ir.Constant(eight, [4] * 8))
        order = [lane for pair in range(8) for lane in (pair, pair + 8)]
        mask = ir.Constant(ir.VectorType(ir.IntType(32), 16), order)
        bytes_ = builder.shuffle_vector(low, high, mask)
        builder.store(bytes_, builder.bitcast(address, sixteen.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(out, types.uint64, types.uint64), generate
