"""All measurements, one after the other: `make bench`."""

from __future__ import annotations

from benchmarks import caribbean_stud_odds, startup

print("Start-up\n")
startup.main(5)
print("\nCaribbean stud, the optimum over all deals\n")
caribbean_stud_odds.main()
