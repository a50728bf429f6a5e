"""The page "How it works": its lesson in every language, with numbers and drawings of the library."""

from roofline_app.page.method.pages import (
    METHOD_PAGES as METHOD_PAGES,
    method_name as method_name,
    method_pages as method_pages,
)
