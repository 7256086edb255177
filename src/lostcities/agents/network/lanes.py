"""A layer of the network as vector instructions; imported only where Numba compiles.

All colours go through a layer together, sixteen outputs at a time, their sums in registers: every weight
is loaded once, and nothing depends on which inputs are zero, which a processor could not predict. No sum
is reordered and no product fused with one, so results are the same to the bit as those of plain loops, on
every processor.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

LANES = 16
_FLOAT = ir.FloatType()
_VECTOR = ir.VectorType(_FLOAT, LANES)
_INT = ir.IntType(64)


class _Code:
    """Writes loops over float arrays."""

    def __init__(self, builder: Any) -> None:
        self.builder = builder
        self._undefined = ir.Constant(_VECTOR, ir.Undefined)
        self._first_lane = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)

    def place(self, data: Any, index: Any, more: int = 0) -> Any:
        return self.builder.gep(data, [self.builder.add(index, ir.Constant(_INT, more))])

    def vector(self, address: Any) -> Any:
        return self.builder.load(self.builder.bitcast(address, _VECTOR.as_pointer()), align=4)

    def store(self, vector: Any, address: Any) -> None:
        self.builder.store(vector, self.builder.bitcast(address, _VECTOR.as_pointer()), align=4)

    def everywhere(self, address: Any) -> Any:
        one = self.builder.insert_element(
            self._undefined, self.builder.load(address), ir.Constant(ir.IntType(32), 0)
        )
        return self.builder.shuffle_vector(one, self._undefined, self._first_lane)

    def add_product(self, x: Any, w: Any, total: Any) -> Any:
        # Rounded after the product and after the sum, in the order of plain loops: the same bits everywhere.
        return self.builder.fadd(total, self.builder.fmul(x, w))

    def loop(self, steps: int, totals: list[Any], step: Any) -> list[Any]:
        """``totals = step(i, totals)`` for i from 0 to ``steps``."""
        builder = self.builder
        before = builder.block
        body = builder.append_basic_block("lanes.body")
        after = builder.append_basic_block("lanes.after")
        builder.branch(body)
        builder.position_at_end(body)
        i = builder.phi(_INT)
        i.add_incoming(ir.Constant(_INT, 0), before)
        phis = [builder.phi(_VECTOR) for _ in totals]
        for phi, total in zip(phis, totals, strict=True):
            phi.add_incoming(total, before)
        new = step(i, phis)
        following = builder.add(i, ir.Constant(_INT, 1))
        i.add_incoming(following, builder.block)
        for phi, total in zip(phis, new, strict=True):
            phi.add_incoming(total, builder.block)
        more = builder.icmp_unsigned("<", following, ir.Constant(_INT, steps))
        builder.cbranch(more, body, after)
        builder.position_at_end(after)
        return list(new)


def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    return context.make_array(kind)(context, builder, array).data


def add_rows(steps: int, width: int) -> Any:
    """``acc[to:to+width] += acc[inputs:inputs+steps] @ w[weights:].reshape(steps, width)``.

    Called with ``w, weights, acc, inputs, to``; ``width`` is a multiple of 16.
    """

    @intrinsic
    def added(_context: Any, w: Any, _weights: Any, acc: Any, _inputs: Any, _to: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = _Code(builder)
            weights = _data(context, builder, signature.args[0], arguments[0])
            data = _data(context, builder, signature.args[2], arguments[2])
            first, inputs, to = arguments[1], arguments[3], arguments[4]

            def step(i: Any, totals: list[Any]) -> list[Any]:
                x = code.everywhere(code.place(data, builder.add(inputs, i)))
                row = builder.add(first, builder.mul(i, ir.Constant(_INT, width)))
                return [
                    code.add_product(x, code.vector(code.place(weights, row, k * LANES)), total)
                    for k, total in enumerate(totals)
                ]

            starts = [code.vector(code.place(data, to, k)) for k in range(0, width, LANES)]
            for k, total in enumerate(code.loop(steps, starts, step)):
                code.store(total, code.place(data, to, k * LANES))
            return context.get_dummy_value()

        return types.void(w, types.int64, acc, types.int64, types.int64), generate

    return added


def dense(colours: int, width: int) -> Any:
    """``acc[target:] = relu(acc[source:].reshape(colours, width) @ W + acc[common:common+width])``.

    Called with ``w, weights, acc, source, target, common``; ``W`` is ``w[weights:].reshape(width, width)``.
    """

    @intrinsic
    def all_colours(
        _context: Any, w: Any, _weights: Any, acc: Any, _source: Any, _target: Any, _common: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = _Code(builder)
            weights = _data(context, builder, signature.args[0], arguments[0])
            data = _data(context, builder, signature.args[2], arguments[2])
            first, (source, target, common) = arguments[1], arguments[3:6]
            zero = ir.Constant(_VECTOR, [0.0] * LANES)

            def outputs(k: int) -> None:
                def step(i: Any, totals: list[Any]) -> list[Any]:
                    row = builder.add(first, builder.mul(i, ir.Constant(_INT, width)))
                    weight = code.vector(code.place(weights, row, k))
                    column = builder.add(source, i)
                    return [
                        code.add_product(
                            code.everywhere(code.place(data, column, c * width)), weight, total
                        )
                        for c, total in enumerate(totals)
                    ]

                start = code.vector(code.place(data, common, k))
                for c, total in enumerate(code.loop(width, [start] * colours, step)):
                    above = builder.select(builder.fcmp_ordered(">", total, zero), total, zero)
                    code.store(above, code.place(data, target, c * width + k))

            for k in range(0, width, LANES):
                outputs(k)
            return context.get_dummy_value()

        return types.void(w, types.int64, acc, types.int64, types.int64, types.int64), generate

    return all_colours
