"""Layouts: how a model is spread over the GPUs of a node, and what the GPUs then say to each other.

Times elsewhere divide evenly over a node. A layout turns a model's terms into those that, divided evenly, give the work
of one GPU (the busiest, where they differ): what every GPU keeps a copy of counts once per GPU. Facts: tensor
parallelism keeps key-value heads beyond their number, latents, routers and norms on every GPU; attention data
parallelism keeps attention's weights on every GPU and splits the sequences; expert parallelism waits for the busiest
rank. Assumed: activations travel in bf16; an all-reduce sends 2(g-1)/g of its message per GPU; the copy of a token that
is dispatched to experts travels in one byte per value and comes back in two.
"""

from __future__ import annotations

from dataclasses import replace

from roofline_app.hardware.parallelism import Layout
from roofline_app.model.terms import NO_EXCHANGE, Cache, Exchange, Experts, Layer, Projection, Recurrence, Transformer

ACTIVATION_BYTES = 2
DISPATCHED_BYTES = 1


def _copied(terms: tuple[Projection, ...], gpus: int) -> tuple[Projection, ...]:
    """Return weights that every GPU reads whole."""
    return tuple(replace(term, bytes_per_parameter=term.bytes_per_parameter * gpus) for term in terms)


def _spread(term: Cache | Recurrence, gpus: int) -> Cache | Recurrence:
    """Return a cache under tensor parallelism: heads beyond their number are kept twice or more."""
    if isinstance(term, Recurrence) or not term.shards or term.shards >= gpus:
        return term
    copies = gpus / term.shards
    return replace(
        term,
        bytes_per_entry=term.bytes_per_entry * copies,
        bytes_written_per_token=term.bytes_written_per_token * copies,
        bytes_kept_per_token=term.bytes_kept_per_token * copies,
    )


def all_reduce(width: int, gpus: int) -> Exchange:
    """Return the messages that sum one block's output over the GPUs.

    Args:
        width: Values per token.
        gpus: GPUs that sum.

    Returns:
        One message; of a token, 2(g-1)/g copies leave each GPU.

    Source:
        Thakur et al., Optimization of Collective Communication Operations in MPICH, 2005.
    """
    return Exchange(messages=1, bytes_per_token=2.0 * (gpus - 1) / gpus * width * ACTIVATION_BYTES)


def all_to_all(width: int, gpus: int, experts_per_token: int) -> Exchange:
    """Return the messages that send tokens to their experts' GPUs and back.

    Args:
        width: Values per token.
        gpus: GPUs, each with its share of the tokens and of the experts.
        experts_per_token: Experts that a token goes to.

    Returns:
        Two messages; bytes that one GPU sends, per token of the whole pass. A token goes to a GPU once, however many
        of its experts are there.

    Source:
        DeepSeek-AI, DeepEP, 2025 (dispatch in fp8, combination in bf16).
    """
    reached = gpus * (1.0 - (1.0 - 1.0 / gpus) ** experts_per_token)
    elsewhere = reached * (gpus - 1) / gpus
    return Exchange(messages=2, bytes_per_token=elsewhere / gpus * width * (DISPATCHED_BYTES + ACTIVATION_BYTES))


def _feed_forward_exchange(layer: Layer, layout: Layout, gpus: int) -> Exchange:
    experts = next((term for term in layer.feed_forward if isinstance(term, Experts)), None)
    if layout is Layout.DATA_EXPERT and experts:
        return all_to_all(layer.width, gpus, experts.experts_per_token)
    summed = all_reduce(layer.width, gpus)
    # With sequences split, the sum's two halves, gathering and scattering, are messages of their own.
    return replace(summed, messages=2) if layout.splits_sequences else summed


def _laid_out_layer(layer: Layer, layout: Layout, gpus: int, ranks: int) -> Layer:
    split = layout.splits_sequences
    mixer = bool(layer.projections or layer.memory)
    return replace(
        layer,
        projections=_copied(layer.projections, gpus) if split else layer.projections,
        memory=layer.memory if split else tuple(_spread(term, gpus) for term in layer.memory),
        feed_forward=tuple(
            replace(term, ranks=ranks) if isinstance(term, Experts) and layout.spreads_experts else term
            for term in layer.feed_forward
        ),
        router=_copied(layer.router, gpus),
        other_bytes=layer.other_bytes * gpus,
        buffer_bytes=layer.buffer_bytes * (1 if split else gpus),
        mixer_exchange=all_reduce(layer.width, gpus) if mixer and not split else NO_EXCHANGE,
        feed_forward_exchange=_feed_forward_exchange(layer, layout, gpus) if layer.feed_forward else NO_EXCHANGE,
        sequence_groups=gpus if split else 1,
    )


def sharded(terms: Transformer, layout: Layout, *, gpus: int, ranks: int | None = None) -> Transformer:
    """Return a model's terms as seen from one GPU, times the GPUs.

    Args:
        terms: The model.
        layout: How the GPUs share it.
        gpus: GPUs of the node.
        ranks: Groups that the experts are spread over under expert parallelism; None means every GPU is one.

    Returns:
        Terms whose work, divided evenly over the GPUs, is that of the busiest one, with the messages between them; the
        terms themselves on one GPU and for an even split.
    """
    if layout is Layout.EVEN or gpus == 1:
        return terms
    groups = min(ranks or gpus, gpus)
    return replace(
        terms,
        layers=tuple(_laid_out_layer(layer, layout, gpus, groups) for layer in terms.layers),
        other_bytes=terms.other_bytes * gpus,
    )
