"""What all pages in HTML share: colours, elements, words, and how a page is put together.

A page is one file that needs no network: its style, scripts and data are inside it. The scripts
and styles here are those that more than one page has; each page keeps its own beside its template.
"""
