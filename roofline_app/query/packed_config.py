"""A config.json inside a link: minified, raw-deflated, base64url."""

from __future__ import annotations

import base64
import binascii
import zlib

from roofline_app.model.config_json.files import strict

_RAW_DEFLATE = -15
_BEST = 9
LARGEST_CONFIG_BYTES = 2**20


class PackedConfigError(ValueError):
    """A text is no compressed config.json; the message has the reason."""


def minified(text: str) -> str:
    """Return a JSON text without insignificant white space, keys in their own order, in ASCII.

    Args:
        text: JSON that has been read before.
    """
    return strict(text)


def packed(text: str) -> str:
    """Return a config.json's text as it stands in a link."""
    deflate = zlib.compressobj(_BEST, zlib.DEFLATED, _RAW_DEFLATE)
    data = deflate.compress(text.encode("utf-8", "replace")) + deflate.flush()
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def unpacked(text: str) -> str:
    """Return the config.json's text that a link holds.

    Args:
        text: base64url, padded or not, of raw-deflated UTF-8.

    Raises:
        PackedConfigError: When it is something else, or inflates to more than a megabyte.
    """
    try:
        data = base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        message = "not base64url"
        raise PackedConfigError(message) from error
    inflate = zlib.decompressobj(_RAW_DEFLATE)
    try:
        # The limit bounds the work as well: a small text cannot inflate into a large one.
        plain = inflate.decompress(data, LARGEST_CONFIG_BYTES + 1)
    except zlib.error as error:
        message = "not deflated"
        raise PackedConfigError(message) from error
    if len(plain) > LARGEST_CONFIG_BYTES:
        message = "larger than a megabyte"
        raise PackedConfigError(message)
    if not inflate.eof:
        message = "cut off"
        raise PackedConfigError(message)
    try:
        return plain.decode("utf-8")
    except UnicodeDecodeError as error:
        message = "not UTF-8"
        raise PackedConfigError(message) from error
