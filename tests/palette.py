"""How far apart two colours look, for normal sight and the common kinds of colour blindness.

OKLab by Björn Ottosson (2020); the matrices for protan, deutan and tritan sight at full severity by
Machado, Oliveira and Fernandes (2009).
"""

from math import dist

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

_SIGHTS: tuple[Matrix, ...] = (
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
)
_TO_LMS: Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB: Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def _times(matrix: Matrix, vector: Vector) -> Vector:
    a, b, c = (sum(x * y for x, y in zip(row, vector, strict=True)) for row in matrix)
    return a, b, c


def linear(paint: str) -> Vector:
    """``#RRGGBB`` as linear light, 0 to 1."""
    values = (int(paint[at : at + 2], 16) / 255 for at in (1, 3, 5))
    r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)
    return r, g, b


def _lab(light: Vector) -> Vector:
    a, b, c = (max(0.0, value) ** (1 / 3) for value in _times(_TO_LMS, light))
    return _times(_TO_LAB, (a, b, c))


def nearest(one: str, two: str) -> float:
    """The least distance in OKLab over the kinds of sight."""
    return min(
        dist(_lab(_clip(_times(sight, linear(one)))), _lab(_clip(_times(sight, linear(two)))))
        for sight in _SIGHTS
    )


def _clip(light: Vector) -> Vector:
    a, b, c = (min(1.0, max(0.0, value)) for value in light)
    return a, b, c


def contrast(one: str, two: str) -> float:
    """The contrast ratio of WCAG 2, 1 to 21."""
    light = sorted(
        sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear(paint), strict=True))
        for paint in (one, two)
    )
    return (light[1] + 0.05) / (light[0] + 0.05)
