"""Reads an HTML page as a browser would: its elements, the text in each, and whether all close."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """What stands in a page. Elements are closed in order, and no attribute is given twice.

    `elements` has names and attributes, `texts` the text within each, `words` the whole text.
    """

    VOID = ("meta", "img", "br", "hr", "link", "input")

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.texts, self.open, self.words = [], [], [], ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs)
        self.elements.append((tag, dict(attrs)))
        self.texts.append("")
        if tag not in self.VOID:
            self.open.append((tag, len(self.texts) - 1))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        self.words += data
        for _, number in self.open:
            self.texts[number] += data

    def all(self, tag):
        """Attributes and text of every element of a name."""
        found = zip(self.elements, self.texts, strict=True)
        return [(attributes, text) for (name, attributes), text in found if name == tag]
