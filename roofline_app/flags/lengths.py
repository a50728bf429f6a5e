"""Lengths of measured sequences: long outputs around the setting's context, within the model's and the memory's own."""

from __future__ import annotations

from dataclasses import dataclass

from roofline_app.results.target import Memory

# Outputs of at most this length end within minutes, and of at least the second outweigh the rounds that end unevenly.
LONGEST_OUTPUT = 8192
SHORT_OUTPUT = 1024
# Of the context, so that its middle third is prompt and an output is six times as long as its prompt.
OUTPUT_SHARE = 1.5
# Prompts come out a few tokens longer than asked for where a client goes through text.
SPARE_TOKENS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """Lengths of a measured sequence, in tokens.

    Attributes:
        input_tokens: Its prompt.
        output_tokens: Its output.
        context: Of the setting.
        longest: What the server has to allow for: both, drafts, and some to spare, within the model's own.
    """

    input_tokens: int
    output_tokens: int
    context: int
    longest: int

    @property
    def middle(self) -> int:
        """Mean context while its output is written."""
        return self.input_tokens + self.output_tokens // 2


def measured_lengths(context: int, *, limit: int, draft_tokens: int, memory: Memory) -> Lengths:
    """Return the lengths that measure decoding at a context.

    The mean context of an output is that of its middle, however long it is; the longer it is, the less the reading of
    prompts weighs. It ends where the model's context does, or where the cache would outgrow the memory.

    Args:
        context: Tokens in the cache, of the setting.
        limit: The model's longest context.
        draft_tokens: Draft length, which needs room at the end.
        memory: What fits at the setting's context.
    """
    room = max(2, limit - draft_tokens - SPARE_TOKENS)
    short = max(2, min(SHORT_OUTPUT, context))
    end = min(room, max(_fitting(context, memory), context + short // 2))
    wanted = min(LONGEST_OUTPUT, int(OUTPUT_SHARE * context), 2 * (end - context))
    output = min(max(short, wanted), room - 1)
    prompt = max(1, min(context - output // 2, room - output))
    return Lengths(
        input_tokens=prompt,
        output_tokens=output,
        context=context,
        longest=min(limit, prompt + output + draft_tokens + SPARE_TOKENS),
    )


def _fitting(context: int, memory: Memory) -> int:
    """Return the longest context that fits beside everything else, with a cache that grows with every token."""
    kv, spare = memory.parts.kv, memory.capacity_bytes - memory.needed_bytes
    if kv <= 0:
        return context + LONGEST_OUTPUT
    return context + int(max(-context, min(context * spare, LONGEST_OUTPUT * kv) / kv))
