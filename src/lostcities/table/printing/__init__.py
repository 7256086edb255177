"""What can be printed: the deck in our own drawing, a board, rules and score sheets, as PDF.

Needs the extra ``print`` (ReportLab and two families of fonts under the SIL Open Font License).
Nothing here is imported by the rest of the package.
"""
