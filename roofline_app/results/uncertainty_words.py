"""How sure calibrated predictions are, in words: the band, what was never measured, and draft lengths as good."""

from __future__ import annotations

from collections.abc import Sequence

from roofline_app import format as fmt
from roofline_app.results.drafters import DrafterResult
from roofline_app.results.evaluation import Evaluation
from roofline_app.text import sentence
from roofline_app.timing.evidence import Band

_WHOLE = ("family", "rounds", "steps")
_LAYERS = ("attention", "latent", "sparse", "recurrence", "dense", "experts")


def lengths(draft_tokens: Sequence[int]) -> str:
    """Return draft lengths in words, neighbours together: `4–7, 9`."""
    runs = list[list[int]]()
    for length in draft_tokens:
        if runs and length == runs[-1][-1] + 1:
            runs[-1].append(length)
        else:
            runs.append([length])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def _factors(band: Band) -> dict[str, str]:
    return {"low": fmt.speedup(band.low), "high": fmt.speedup(band.high)}


def uncertainty_notices(evaluation: Evaluation, language: str) -> list[str]:
    """Return what has not been measured for this profile: the family, rounds, kinds of layers, formats; with the band.

    Args:
        evaluation: What to say it of; nothing under the ideal profile.
        language: Of the words.
    """
    known = evaluation.uncertainty
    said = []
    for band in (known.step, known.speedup) if known else ():
        if not band.missing:
            continue
        whole = band.missing[0] if band.missing[0] in _WHOLE else "kinds"
        kinds = (sentence(f"verdict.kind_{kind}", language) if kind in _LAYERS else kind for kind in band.missing)
        values = {
            **_factors(band),
            "profile": evaluation.profile.name,
            "gpu": evaluation.node.name,
            "kinds": ", ".join(kinds) if whole == "kinds" else "",
            "quantity": sentence(f"verdict.quantity_{band.quantity}", language),
        }
        said.append(sentence(f"verdict.unmeasured_{whole}", language, **values))
        if whole == "family":
            break
    return said


def uncertainty_facts(evaluation: Evaluation, best: DrafterResult, language: str) -> list[str]:
    """Return which draft lengths are as good as the chosen one, and how far measurements lie from such speedups."""
    known = evaluation.uncertainty
    if known is None:
        return []
    said = []
    others = [length for length in best.best.as_good if length]
    if best.best.draft_tokens and len(others) > 1:
        said.append(sentence("verdict.as_good", language, drafter=best.name, lengths=lengths(others)))
    if known.speedup.rows:
        rows = fmt.count(known.speedup.rows)
        values = {**_factors(known.speedup), "profile": evaluation.profile.name, "rows": rows}
        said.append(sentence("verdict.band", language, **values))
    speedup = best.best.speedup if best.best.draft_tokens else float(best.speedup[1:].max())
    if known.speedup.low * speedup < 1.0 < known.speedup.high * speedup:
        said.append(sentence("verdict.uncertain_sign", language, drafter=best.name))
    return said
