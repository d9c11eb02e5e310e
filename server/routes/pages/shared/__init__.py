"""What all pages share: making a page of its template, forms, addresses, refusals, kept HTML, words, times and marks.

Here live helpers. Nothing here has routes, and nothing here may import a page.
"""
