"""Scenario from and to a query string: total on reading, canonical on writing.

`decode` accepts any text whatever: what it cannot use becomes a notice that names the key, the given value and the used
one, and the rest of the link keeps its meaning. `encode` writes the same string for the same scenario, with every
default written out, so that a link keeps its meaning when defaults change.
"""

from roofline_app.query.decoding import Decoded, decode, read_value
from roofline_app.query.encoding import encode
from roofline_app.query.notices import Notice
from roofline_app.query.packed_config import minified

__all__ = ["Decoded", "Notice", "decode", "encode", "minified", "read_value"]
