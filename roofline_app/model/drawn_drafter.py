"""A drafter that a user draws: stated sizes over those of a drafter that there is, as dense layers of the kind's build.

Facts: the sizes that are stated. Derived: a kind's norms, and where layers with a window stand. Assumed: the sizes that
are not stated, from the drafter that would stand there otherwise; of another width, heads and feed-forward in the usual
proportion to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from math import gcd

from roofline_app.model.config_json import read_config
from roofline_app.model.config_json.drafter_config import kind_of, read_drafter
from roofline_app.model.config_json.fields import Fields
from roofline_app.model.config_json.parse import parsed
from roofline_app.model.dimensions import Attention, Dense, Dimensions, DrafterSpec, LayerGroup, ModelSpec, grouped
from roofline_app.model.terms import Reach
from roofline_app.scenario import DrafterSizes
from roofline_app.specs import DrafterKindSpec, SpecError
from roofline_app.specs.drafter_kinds import States

OWN, SHARED = "own", "shared"
_HEAD_DIM, _KV_HEADS, _FEED_FORWARD = 128, 8, 3
# EAGLE-3's first layer norms embedding and hidden state apart; DFlash norms queries and keys.
_FIRST_NORMS, _NORMS = {"none": 2, "beside": 3, "keys": 2}, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class AllSizes:
    """All sizes of a drafter, named as in `scenario.DrafterSizes`.

    `vocabulary` is that of its own head or of the target's, `states` is 0 for a model of its own, `window` 0 for none;
    an empty `precision` leaves the formats that the drafter has.
    """

    layers: int
    width: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocabulary: int
    states: int = 0
    window: int = 0
    full_layers: int = 0
    precision: str = ""
    head: str = OWN

    def as_stated(self) -> DrafterSizes:
        """Return them as a user states them."""
        return DrafterSizes(
            layers=self.layers,
            width=self.width,
            heads=self.heads,
            kv_heads=self.kv_heads,
            head_dim=self.head_dim,
            ffn=self.ffn,
            vocabulary=self.vocabulary if self.head == OWN else None,
            states=self.states or None,
            window=self.window or None,
            full_layers=self.full_layers or None,
            precision=self.precision,
            head=self.head,
        )


def usual_sizes(width: int, words: int, layers: int = 1) -> AllSizes:
    """Return sizes in the usual proportion to a width."""
    heads = max(width // _HEAD_DIM, 1)
    return AllSizes(
        layers=layers,
        width=width,
        heads=heads,
        kv_heads=gcd(heads, _KV_HEADS),
        head_dim=_HEAD_DIM,
        ffn=_FEED_FORWARD * width,
        vocabulary=words,
    )


def plain_sizes(groups: tuple[LayerGroup, ...], width: int, words: int) -> AllSizes | None:
    """Return the sizes of dense layers of attention; None where they are built otherwise.

    Args:
        groups: Layers, those with a window first.
        width: Their width.
        words: Words of the head.
    """
    first, last = groups[0].mixer, groups[-1].mixer
    blocks = {group.feed_forward for group in groups}
    block = groups[-1].feed_forward
    if not isinstance(first, Attention) or not isinstance(last, Attention) or not isinstance(block, Dense):
        return None
    if len(blocks) > 1 or len({_shape(group) for group in groups}) > 1:
        return None
    full = sum(group.count for group in groups if _limit(group) == 0)
    return AllSizes(
        layers=sum(group.count for group in groups),
        width=width,
        heads=last.heads,
        kv_heads=last.kv_heads,
        head_dim=last.head_dim,
        ffn=block.intermediate_size,
        vocabulary=words,
        window=first.limit,
        full_layers=full if first.limit else 0,
    )


def _shape(group: LayerGroup) -> tuple[int, int, int] | None:
    mixer = group.mixer
    return (mixer.heads, mixer.kv_heads, mixer.head_dim) if isinstance(mixer, Attention) else None


def _limit(group: LayerGroup) -> int:
    return group.mixer.limit if isinstance(group.mixer, Attention) else 0


def trained_sizes(drafter: DrafterSpec, target_words: int) -> AllSizes | None:
    """Return all sizes of a drafter with layers of its own; None where these are built otherwise.

    Args:
        drafter: The drafter.
        target_words: Words of the target's head.
    """
    plain = plain_sizes(drafter.layers, drafter.hidden_size, drafter.vocab_size or target_words)
    head = OWN if drafter.vocab_size else SHARED
    return replace(plain, states=drafter.fused_states, head=head) if plain else None


def model_sizes(model: ModelSpec) -> AllSizes | None:
    """Return all sizes of a draft model; None where its layers are built otherwise."""
    dimensions = model.dimensions
    return plain_sizes(dimensions.layers, dimensions.hidden_size, dimensions.vocab_size)


def completed(stated: DrafterSizes, base: AllSizes) -> AllSizes:
    """Return all sizes of a drawn drafter: heads in whole groups, and no more layers without a window than there are.

    Args:
        stated: What the user states; heads that are not a multiple of key-value heads are left to be refused.
        base: All sizes of the drafter that would stand there otherwise.
    """
    said = {field.name: value for field in fields(stated) if (value := getattr(stated, field.name)) not in {None, ""}}
    if stated.width not in {None, base.width}:
        heads = max((stated.width or 1) // (stated.head_dim or base.head_dim), 1)
        base = replace(base, heads=heads, ffn=_FEED_FORWARD * (stated.width or 1))
    if stated.vocabulary is not None:
        base = replace(base, head=OWN)
    whole = replace(base, **said)
    if whole.heads % whole.kv_heads and not (stated.heads and stated.kv_heads):
        kept = stated.kv_heads or gcd(whole.heads, whole.kv_heads)
        whole = replace(whole, kv_heads=kept, heads=max(whole.heads // kept, 1) * kept)
    return replace(whole, full_layers=min(whole.full_layers, whole.layers) if whole.window else 0)


def assumed_sizes(stated: DrafterSizes, whole: AllSizes, *, shares: bool = True) -> tuple[str, ...]:
    """Return the sizes that a user leaves out, as a link would state them; formats and what there is none of aside.

    Args:
        stated: What the user states.
        whole: All sizes.
        shares: Whether it could use the target's head.
    """
    found = []
    for field in fields(stated):
        value, name = getattr(whole, field.name), field.name.replace("_", "-")
        needless = name == "precision" or (name == "head" and (not shares or stated.vocabulary is not None))
        needless = needless or (name == "vocabulary" and whole.head == SHARED)
        if value and getattr(stated, field.name) in {None, ""} and not needless:
            found.append(f"{name}={value}")
    return tuple(found)


def drawn_layers(sizes: AllSizes, states: States) -> tuple[LayerGroup, ...]:
    """Return the layers of a drafter that reads the target's hidden states in a kind's manner.

    Args:
        sizes: All of its sizes.
        states: The manner.
    """
    attention = Attention(
        heads=sizes.heads,
        kv_heads=sizes.kv_heads,
        head_dim=sizes.head_dim,
        norm_parameters=2 * sizes.head_dim if states == "keys" else 0,
    )
    found, windowed = [], sizes.layers - sizes.full_layers if sizes.window else 0
    for place in range(sizes.layers):
        mixer = replace(attention, reach=Reach.WINDOW, limit=sizes.window) if place < windowed else attention
        norms = _NORMS if place else _FIRST_NORMS[states]
        found.append(LayerGroup(mixer=mixer, feed_forward=Dense(intermediate_size=sizes.ffn), norms=norms))
    return grouped(found)


def layers_like(sizes: AllSizes, like: LayerGroup) -> LayerGroup:
    """Return dense layers of attention with the norms and biases of others, and no window.

    Args:
        sizes: All of their sizes.
        like: What they are built like, as far as that is dense attention.
    """
    attention = like.mixer if isinstance(like.mixer, Attention) else Attention(heads=1, kv_heads=1, head_dim=1)
    block = like.feed_forward if isinstance(like.feed_forward, Dense) else Dense(intermediate_size=1)
    return LayerGroup(
        mixer=replace(
            attention,
            heads=sizes.heads,
            kv_heads=sizes.kv_heads,
            head_dim=sizes.head_dim,
            value_dim=0,
            norm_parameters=2 * sizes.head_dim if attention.norm_parameters else 0,
            reach=Reach.ALL,
            limit=0,
        ),
        feed_forward=replace(block, intermediate_size=sizes.ffn),
        norms=like.norms,
        count=sizes.layers,
    )


def drawn_model(sizes: AllSizes, base: ModelSpec) -> ModelSpec:
    """Return a draft model of some sizes, its norms and biases as those of another one.

    Args:
        sizes: All of its sizes.
        base: The model whose build it has.
    """
    dimensions = Dimensions(
        hidden_size=sizes.width,
        vocab_size=sizes.vocabulary,
        tied=base.dimensions.tied,
        layers=(layers_like(sizes, base.dimensions.layers[-1]),),
    )
    precision = replace(base.precision, layers=(), next_token=None)
    return replace(base, id="drawn", dimensions=dimensions, precision=precision, parameters=0.0, active_parameters=0.0)


def kind_of_config(kinds: Iterable[DrafterKindSpec], config: Mapping[str, object]) -> str:
    """Return the kind of drafter that a config.json is of: that of its architecture, else a model of its own.

    Args:
        kinds: Every kind of drafter.
        config: Its fields.

    Raises:
        SpecError: When they do not name an architecture as texts.
    """
    known, fields = list(kinds), Fields(config)
    named = {*fields.texts("architectures"), fields.table("dflash_config").text("projector_type", default="")}
    if any(not named.isdisjoint(kind.architectures) for kind in known):
        return kind_of(known, fields).id
    return next(kind.id for kind in known if kind.weights == "model")


def read_drafter_config(
    kinds: Iterable[DrafterKindSpec], kind: DrafterKindSpec, config: str
) -> DrafterSpec | ModelSpec:
    """Return the drafter, or the draft model, that a config.json of its own describes.

    Args:
        kinds: Every kind of drafter.
        kind: The kind that it is to be of.
        config: Text of the file.

    Raises:
        SpecError: When it cannot be read or is of another kind; one line that names the field.
    """
    known = list(kinds)
    if kind.weights == "model":
        return read_config(config)
    if kind.weights != "trained":
        message = f"drafter-config: {kind.name} has no config.json of its own; state its sizes"
        raise SpecError(message)
    fields = parsed(config)
    for name in ("quantization_config", "compression_config"):
        if fields.get(name) is not None:
            message = f"{name}: formats of a drafter are not read from its config.json; leave it out, state precision="
            raise SpecError(message)
    is_named = not set(Fields(fields).texts("architectures")).isdisjoint(kind.architectures)
    if is_named and kind.config_form == "eagle3" and fields.get("draft_vocab_size") is None:
        # Engines take a head without words of its own as one of all words.
        fields = {**fields, "draft_vocab_size": Fields(fields).count("vocab_size")}
    found = read_drafter(
        known,
        config=fields,
        id=f"drawn-{kind.id}",
        name=kind.name,
        targets=(kind.id,),
        source=kind.source,
        checked=kind.checked,
    )
    if found.kind not in {kind.id, *kind.runs}:
        message = f"architectures: a drafter of kind {found.kind}, not {kind.id}"
        raise SpecError(message)
    return found if found.kind == kind.id else found.as_plain_block()
