"""Specs: what the registry's entries hold. Frozen values that refuse the impossible."""

from roofline_app.specs.entries import (
    PEAKS as PEAKS,
    DrafterKindSpec as DrafterKindSpec,
    FormatSpec as FormatSpec,
    GpuSpec as GpuSpec,
    Node as Node,
    Precision as Precision,
    SpecError as SpecError,
    check_date as check_date,
    check_source as check_source,
    check_text as check_text,
    is_number as is_number,
    refuse_unless as refuse_unless,
)
