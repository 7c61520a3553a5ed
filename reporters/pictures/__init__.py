"""Maps and charts as SVG, and as PNG made from it: the same data always gives the same bytes."""
