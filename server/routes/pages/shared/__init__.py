"""What all pages share: frame and policy, forms, lists over pages, kept HTML, words and marks."""
