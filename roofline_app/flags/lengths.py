"""Lengths of measured sequences: those of the setting's requests, else long outputs around its context.

Either end within the model's own context, the latter also within the memory.
"""

from __future__ import annotations

from dataclasses import dataclass

from roofline_app.results.target import Memory
from roofline_app.scenario import Scenario

# Outputs of at most this length end within minutes, and of at least the second outweigh the rounds that end unevenly.
LONGEST_OUTPUT = 8192
SHORT_OUTPUT = 1024
# Of the context, so that its middle third is prompt and an output is six times as long as its prompt.
OUTPUT_SHARE = 1.5
# Requests of a benchmark that states no number: enough that starting and ending weigh little.
WAVES = 4
# Prompts come out a few tokens longer than asked for where a client goes through text.
SPARE_TOKENS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """Lengths of a measured sequence, in tokens.

    Attributes:
        input_tokens: Its prompt.
        output_tokens: Its output.
        requests: How many sequences are measured.
        context: Mean context that the setting asks for.
        longest: What the server has to allow for: both, drafts, and some to spare, within the model's own.
        whole: Whether these are the setting's whole requests, whose prompts count.
    """

    input_tokens: int
    output_tokens: int
    requests: int
    context: int
    longest: int
    whole: bool = False

    @property
    def middle(self) -> int:
        """Mean context while its output is written."""
        return self.input_tokens + self.output_tokens // 2


def scenario_lengths(scenario: Scenario, *, limit: int, draft_tokens: int, memory: Memory) -> Lengths:
    """Return the lengths that measure a setting: those of its requests where it states them, else of decoding alone.

    Args:
        scenario: The setting.
        limit: The model's longest context.
        draft_tokens: Draft length, which needs room at the end.
        memory: What fits at the setting's context.
    """
    if scenario.prompt is None or scenario.output is None:
        return measured_lengths(scenario.context, scenario.batch, limit=limit, draft_tokens=draft_tokens, memory=memory)
    room = max(2, limit - draft_tokens - SPARE_TOKENS)
    output = min(scenario.output, room - 1)
    prompt = min(scenario.prompt, room - output)
    return Lengths(
        input_tokens=prompt,
        output_tokens=output,
        requests=scenario.requests or WAVES * scenario.batch,
        context=scenario.prompt + scenario.output // 2,
        longest=min(limit, prompt + output + draft_tokens + SPARE_TOKENS),
        whole=True,
    )


def measured_lengths(context: int, batch: int, *, limit: int, draft_tokens: int, memory: Memory) -> Lengths:
    """Return the lengths that measure decoding at a context.

    The mean context of an output is that of its middle, however long it is; the longer it is, the less the reading of
    prompts weighs. It ends where the model's context does, or where the cache would outgrow the memory.

    Args:
        context: Tokens in the cache, of the setting.
        batch: Sequences, all of which start together.
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
        requests=batch,
        context=context,
        longest=min(limit, prompt + output + draft_tokens + SPARE_TOKENS),
    )


def _fitting(context: int, memory: Memory) -> int:
    """Return the longest context that fits beside everything else, with a cache that grows with every token."""
    kv, spare = memory.parts.kv, memory.capacity_bytes - memory.needed_bytes
    if kv <= 0:
        return context + LONGEST_OUTPUT
    return context + int(max(-context, min(context * spare, LONGEST_OUTPUT * kv) / kv))
