"""The law as data: rules, editions, readings, elections and rule sets."""

from croupier.errors import NotPermitted
from croupier.law.model import Absent, Citer, Law, absent, cites, laws_in, present

__all__ = ["Absent", "Citer", "Law", "NotPermitted", "absent", "cites", "laws_in", "present"]
