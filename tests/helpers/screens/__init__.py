"""The pictures of the pages in `docs/screens`: `python -m tests.helpers.screens` takes all of them again.

`python -m tests.helpers.screens staff` takes those of the staff's pages alone, `players` the others.  Both open houses
of their own, and show what happens there: nothing is painted.  The pictures are for people: nothing compares them.
"""
