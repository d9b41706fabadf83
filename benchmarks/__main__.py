"""All measurements, one after the other: `make bench`."""

from __future__ import annotations

from benchmarks import (
    blackjack_odds,
    blackjack_simulation,
    caribbean_stud_odds,
    compositions,
    learning,
    odds,
    simulation,
    startup,
    store,
    stud_simulation,
    table,
)

print("Start-up\n")
startup.main()
print("\nOdds sheets\n")
odds.main()
print("\nBaccarat from depleted shoes\n")
compositions.main()
print("\nCaribbean stud, the optimum over all deals\n")
caribbean_stud_odds.main()
print("\nBlackjack, all values and both plays\n")
blackjack_odds.main()
print("\nSimulation\n")
simulation.main()
print("\nSimulation of blackjack\n")
blackjack_simulation.main()
print("\nSimulation of Caribbean stud\n")
stud_simulation.main()
print("\nEnvironments for learning machines\n")
learning.main()
print("\nA live table\n")
table.main()
print("\nThe durable store\n")
store.main(3)
