"""Specs: what the data files' entries hold. Frozen values that refuse the impossible."""

from roofline_app.specs.acceptance import AcceptanceSpec as AcceptanceSpec
from roofline_app.specs.checkpoint import CheckpointSpec as CheckpointSpec
from roofline_app.specs.checks import SpecError as SpecError
from roofline_app.specs.drafter_kinds import DrafterKindSpec as DrafterKindSpec
from roofline_app.specs.formats import (
    PEAKS as PEAKS,
    FormatSpec as FormatSpec,
    LayerFormats as LayerFormats,
    Precision as Precision,
    grouped_integers as grouped_integers,
    stored_as as stored_as,
)
from roofline_app.specs.generic_drafters import GenericDrafterSpec as GenericDrafterSpec
from roofline_app.specs.gpu import GpuSpec as GpuSpec, Node as Node
from roofline_app.specs.network import NetworkSpec as NetworkSpec
from roofline_app.specs.presets import Preset as Preset
from roofline_app.specs.routing import RoutingSpec as RoutingSpec
