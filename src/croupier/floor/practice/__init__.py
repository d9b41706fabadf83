"""Practice: virtual dealers, guests and the demonstration.  A real house never imports it; `practise` lets it in."""
