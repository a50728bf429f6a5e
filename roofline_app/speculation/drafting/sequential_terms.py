"""The sequential part of a block drafter as numeric terms: what each step between two draft tokens reads and computes.

Facts: which matrices a step multiplies. Derived: a matrix over all words is read again at each step, for the next one
waits for its choice. Assumed: candidates that a pass has gathered stay on the chip for the steps of its block.
"""

from __future__ import annotations

from roofline_app.model.dimensions import SequentialPart
from roofline_app.model.terms import Launches, Layer, Projection, Transformer
from roofline_app.model.to_terms.caches import Formats
from roofline_app.specs import stored_as

# What a drafter's own format of hidden states is, on links too.
PLAIN = "bf16"
# Look-up, matmul and choice; counted, not measured.
STEP_LAUNCHES = 3


def gathered_values(part: SequentialPart | None) -> int:
    """Return the numbers that a pass gathers once for all steps of its block.

    Args:
        part: The sequential part; None for a drafter without one.
    """
    return part.candidates * part.word_width if part else 0


def step_terms(part: SequentialPart, words: int, formats: Formats) -> Transformer:
    """Return the terms of one step, one token of each sequence.

    Args:
        part: The sequential part.
        words: Size of the vocabulary.
        formats: Every number format by id.

    Source:
        SpecForge's and SGLang's model code of DSpark, Domino and DFlash2.
    """
    form, size = stored_as(PLAIN, formats)
    scored = part.word_width * (part.candidates or words) if part.scores else 0
    weights = ((part.step_parameters, size), (scored, 0.0 if part.candidates else size), (part.products, 0.0))
    matrices = tuple(
        Projection(parameters=count, bytes_per_parameter=read, format=form) for count, read in weights if count
    )
    layer = Layer(count=1, projections=matrices, launches=Launches(mixer=STEP_LAUNCHES))
    return Transformer(layers=(layer,), embedding_bytes_per_token=part.rows * part.word_width * size)
