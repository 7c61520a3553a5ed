"""Forum pages (HTML or JSON) to posts, forms and ids, one module per software."""
