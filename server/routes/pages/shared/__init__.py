"""What all pages share: templates, forms, addresses, kept HTML, words, times and marks. Nothing here has routes."""
