# English: the words of the pages that players see.  The rule ids and the words of the law are not here; they stay as printed.
# Fluent; see docs/languages.md for the part of it that is used.

## Languages and small words
language = Language
within = { $word }
sentence = { $text }.
void = void
won = won
lost = lost
less = less { $amount }
rounded-up = rounded up
none = none
you = you
close = Close
odds-to = { $pays } to { $stake }
odds-less = { " " }less { $part }%
pairs-odds = mixed { $mixed } · coloured { $coloured } · perfect { $perfect } to 1
light-theme = Light theme
dark-theme = Dark theme
guest = Guest { $number }

## Games, versions, wagers
game-baccarat = Baccarat
game-blackjack = Blackjack
game-roulette = Roulette
game-tai-sai = Tai-sai
game-money-wheel = Money wheel
game-caribbean-stud = Caribbean stud
game-craps = Craps
game-electronic = Electronic { $game }
game-version = { $version } { $game }
version-mini = Mini
version-midi = Midi
version-full = Full
version-traditional = Traditional
version-crown = Crown
version-terminals = Terminals
version-hybrid = Hybrid
wager-player = Player
wager-banker = Banker
wager-tie = Tie
wager-perfect-pairs = Perfect Pairs
wager-insurance = Insurance
wager-dragon-player = Dragon, Player
wager-dragon-banker = Dragon, Banker
wager-combination = Combination
wager-run = { $side } run { $length }
run-any = ANY
wager-straight = Straight up
wager-split = Split
wager-street = Street
wager-corner = Corner
wager-six-line = Six line
wager-column = Column
wager-dozen = Dozen
wager-low = Low
wager-high = High
wager-even = Even
wager-odd = Odd
wager-red = Red
wager-black = Black
wager-small = Small
wager-big = Big
wager-triple = Triple
wager-double = Double
wager-any-triple = Any triple
wager-total = Total
wager-face = One face
wager-pass = Pass
wager-dont-pass = Don't pass
wager-come = Come
wager-dont-come = Don't come
wager-pass-odds = Pass odds
wager-dont-pass-behind = Don't pass odds
wager-come-odds = Come odds
wager-dont-come-behind = Don't come odds
wager-place = Place
wager-buy = Buy
wager-lay = Lay
wager-hardway = Hard way
wager-big-six = Big six
wager-big-eight = Big eight
wager-field = Field
wager-any-seven = Any seven
wager-any-craps = Any craps
wager-craps-two = Craps two
wager-craps-three = Craps three
wager-craps-twelve = Craps twelve
wager-eleven = Eleven
wager-horn = Horn
wager-horn-high = Horn high
wager-world = World
wager-c-and-e = C & E
wager-main = Main wager
wager-super-sevens = Super Sevens
wager-ante = Ante
wager-bet = Bet
wager-jackpot = Jackpot
choice-insure = Insure
choice-even-money = Even money
choice-ride = Ride on hand
choice-accept-dice = Take the dice
choice-decline-dice = No, thank you
choice-pass-dice = Pass the dice
choice-hit = Hit
choice-stand = Stand
choice-double = Double
choice-split = Split
choice-surrender = Surrender
choice-decline = Decline
choice-bet = Bet
choice-fold = Fold
choice-follow-player = Follow the Player
choice-follow-banker = Follow the Banker
choice-go-without = No wager this hand
choice-no = No

## Results
letter-P = P
letter-B = B
letter-T = T
letter-red = R
letter-black = B
letter-zero = Z
letter-small = S
letter-big = B
letter-triple = T
colour-red = Red
colour-black = Black
colour-green = Green
zero = Zero
hand-tie = Tie, { $count } all
hand-all = { $count } all
hand-void = Void hand
hand-won = { $side } wins, { $high } over { $low }
hand-over = over { $other } { $low }
side-wins = { $side } wins
calls-as-printed = yes
roll-total = { $faces }, total { $total }
seven-out = Seven out
point-is = Point { $point }
no-point = No point
throw-total = Total { $total }, { $state }
symbol = Symbol { $symbol }
dealer = Dealer
blackjack = Blackjack
short-blackjack = BJ
short-bust = bust
dealer-blackjack = Dealer has blackjack
dealer-bust-with = Dealer bust with { $total }
dealer-bust = Dealer bust
dealer-has = Dealer { $total }
dealer-not-played = Dealer's hand not played
dealer-hand = Dealer: { $hand }
dealer-hand-out = Dealer: { $hand }, does not qualify
hand-plain = { $hand }
hand-unqualified = { $hand }: does not qualify
hand-odd-cards = Odd cards
hand-one-pair = One pair
hand-two-pairs = Two pairs
hand-three-of-a-kind = Three of a kind
hand-straight = Straight
hand-flush = Flush
hand-full-house = Full house
hand-four-of-a-kind = Four of a kind
hand-straight-flush = Straight flush
hand-royal-flush = Royal flush
short-hand-odd-cards = odd
short-hand-one-pair = pair
short-hand-two-pairs = 2 pr
short-hand-three-of-a-kind = three
short-hand-straight = str.
short-hand-flush = flush
short-hand-full-house = full
short-hand-four-of-a-kind = four
short-hand-straight-flush = s. fl.
short-hand-royal-flush = royal
box-state-surrender = surrendered
box-state-bust = Bust
box-state-doubled = Doubled
box-state-split = Split
card = { $rank } of { $suit }
card-face-down = A card face down
rank-A = Ace
rank-J = Jack
rank-Q = Queen
rank-K = King
suit-hearts = hearts
suit-diamonds = diamonds
suit-spades = spades
suit-clubs = clubs
dice = Dice { $faces }
corrected = corrected; it was { $was }

## Records
big-road = Big road
bead-plate = Bead plate
bead-plate-shoe = Bead plate, shoe { $number }
bead-says = { $tally }; last { $last }
big-eye-boy = Big eye boy
small-road = Small road
cockroach-road = Cockroach road
red-blue = { $red } red, { $blue } blue
hands-count = { $count ->
        [one] { $count } hand
       *[other] { $count } hands
    }
hands = Hands
naturals = Naturals
player-pairs = P pairs
banker-pairs = B pairs
cards-left = Cards left
natural = natural
banker-pair = Banker pair
player-pair = Player pair
tie-after = tie after it
record-hands = A record of past hands, not a forecast.
record-rounds = A record of past rounds, not a forecast.
numbers-came = How often each number came, in { $count ->
        [one] one spin
       *[other] { $count } spins
    }
even-chances = Even chances
last-dealt = Dealer's last { $count } hands, newest first
last-numbers = Last { $count } numbers, newest first
last-totals = Last { $count } totals, newest first
last-symbols = Last { $count } symbols, newest first
size-letters = S small, B big, T triple
dozen-short = { $number ->
        [1] 1st 12
        [2] 2nd 12
       *[other] 3rd 12
    }
column-short = Col { $number }
dozen-of = { $number ->
        [1] 1st dozen
        [2] 2nd dozen
       *[other] 3rd dozen
    }
column-of = column { $number }
colour-and = { $colour }, { $kinds }
number-kinds = { $parity ->
        [odd] odd
       *[even] even
    }, { $half ->
        [low] low
       *[high] high
    }
number-long = { $parity ->
        [odd] odd
       *[even] even
    } · { $half ->
        [low] 1 to 18
       *[high] 19 to 36
    } · { $dozen ->
        [1] 1 to 12
        [2] 13 to 24
       *[other] 25 to 36
    }
dozens-columns = Dozens and columns in { $count ->
        [one] { $count } spin
       *[other] { $count } spins
    }
zero-count = zero { $count }
spins = Spins
rolls = Rolls
totals = Totals
counts-in-rolls = Counts in { $count ->
        [one] { $count } roll
       *[other] { $count } rolls
    }
symbols-in-spins = Symbols in { $count ->
        [one] { $count } spin
       *[other] { $count } spins
    }
throws = Throws, newest last
totals-thrown = Totals thrown
throws-count = { $count ->
        [one] { $count } throw
       *[other] { $count } throws
    }
key-point = point
key-made = made
key-out = seven out
dealers-hands = Dealer's hands
rounds-count = { $count ->
        [one] { $count } round
       *[other] { $count } rounds
    }
not-qualified = Not qualified
kind-pair = Pair
kind-two-pairs = Two pairs
kind-higher = Higher
your-results = Your results, this session
this-round = This round
round-settled = { $round }, settled
your-wagers = Your wagers
on-layout = { $amount } on the layout
pay-table = Pay table
your-hand = Your hand
part-of-pool = { $percent }%, at least { $amount }
folded = folded
stays = stays
is-off = off
box = Box
hand = Hand
result = Result
stud-result-win = won
stud-result-lose = lost
stud-result-stand-off = stood off
stud-result-dealer-does-not-qualify = ante won
began-with = began with { $amount }
nothing-settled = Nothing settled yet.
session-sum = { $count } { $word ->
        [hand] { $count ->
            [one] hand
           *[other] hands
        }
       *[round] { $count ->
            [one] round
           *[other] rounds
        }
    }, { $amount } wagered

## Heading, ring, meters
page-title = Table { $table } · croupier
table-name = Table { $table }
terminal = Terminal
terminal-seat = { $seat ->
        [0] Terminal
       *[other] Terminal { $seat }
    }
round-number = { $word ->
        [hand] Hand
       *[round] Round
    } { $number }
round-low = { $word ->
        [hand] hand
       *[round] round
    } { $number }
practice-band = PRACTICE: no money is at stake at this table
practice-short = PRACTICE, no money{ $deals ->
        [virtual] . A virtual dealer deals.
        [paused] . The dealer is paused.
       *[other] { "" }
    }
your-terminal = Your terminal
the-table = Table
connecting = Connecting
line-open = Live
line-lost = Offline
line-ended = Ended
not-connected = Not connected
rules = Rules
time-to-close = Time to no more bets
terminal-locked = Terminal locked
table-closed = Table closed
table-is-closed = This table is closed.
settled = Settled
bets-open-in = Bets open in { $seconds } s
to-choose = to choose
others-choose = others choose
to-the-throw = to the throw
to-no-more-bets = to No more bets
bets-open = Bets are open
no-more-bets = No more bets
no-more-bets-now = No more bets.
bets-wait = Bets wait
bets-stay = Bets stay as they are
told-again = What came is told again first
seconds-to = { $count ->
        [one] { $count } second
       *[other] { $count } seconds
    } to no more bets
credits = Credits
available-now = Available now
out-of-credit = Out of credit: Credits brings more
wagered-this = Wagered this { $word ->
        [hand] hand
       *[round] round
    }
being-sent = being sent
plus-being-sent = + { $amount } being sent
plus-credited = + { $amount } credited
on-places = { $count ->
        [one] On one place
       *[other] On { $count } places
    }
amount-settled = { $amount } settled
previous-result = Previous result
previous-win = Previous win
none-yet = None yet
win-credited = { round-number }, credited
win-nothing = Nothing on { round-low }
win-stood-off = Stand-off on { round-low }, stake back
limits-here = Limits here, per bet
each-bet = Each bet
jackpot-pool = Jackpot pool
jackpot-meter = Jackpot meter
money-and-limits = Your money and the limits
lobby = Lobby
credits-stay = your credits stay
enter-again = Enter again
chips = Chips
chip = { $amount } chip
undo = Undo
take-back = Take back
repeat = Repeat
clear = Clear
your-choice-group = Your choice
scoreboard = Scoreboard
more-won = { $count } more won
lost-sum = Lost
won-sum = Won
void-returned = void, returned
stands-off-back = stands off, { $amount } back
amount-back = { $amount } back
amount-void = { $amount } void
amount-on = { $amount } on { $on }
on-box = { $words }, box { $box }
at-box = , box { $box }
your-bets = YOUR BETS
and-more = and { $count } more
nothing-yet = Nothing yet
from-to = { $least } to { $most }
you-have = you have { $amount }
is-void = { $amount } is void
amount-being-sent = { $amount } being sent
not-now = not now
more-bets = More bets
bets = Bets

## What is said
staked-on = You have { $amount } on this { $word ->
        [hand] hand
       *[round] round
    }.
open-again-shortly = Bets open again shortly.
running-roulette = The ball is running
running-money-wheel = The wheel is turning
running-tai-sai = The dice are tumbling
running-craps = The dice are out
running-baccarat = The cards are dealt
running-blackjack = The cards are dealt
running-caribbean-stud = The cards are dealt
connection-lost = Connection lost. { $held } Reconnecting.
stake-held = Your { $amount } on the table is held.
credits-safe = Your credits are safe at the table.
held-and-sent = { $kept } { $amount } not yet confirmed is sent again by itself.
line-ended-because = The table ended this connection: { $reason }. Go back to the lobby, or try once more.
cannot-enter = You cannot enter this table: { $reason }. Go back to the lobby, or try once more.
part-void = { $amount } of your bet on { $on } is void and goes back to you.
cut-to-most = Your bet on { $on } was cut to { $amount }: { $back } goes back to you.
was-corrected = { round-number } was corrected: { $says }. You have { $amount } now.
you-won = You won { $amount }.
not-taken = { $what } was not taken: { $reason }.
reason-shut = it cannot be bet now
reason-first = first bet on { $on }
reason-above = { $amount } is above the maximum of { $most }
reason-below = { $amount } is below the minimum of { $least }
reason-credits = you have { $amount }
reason-units = it goes in { $units } equal parts: bet a multiple of { $amount }
chosen-in-turn = { $on } is chosen when it is your turn.
nothing-on = You have nothing on { $on }.
bet-not-sent = Not connected. Your bet was not sent; wait until the line is back.
locked-staff-comes = This terminal is locked. Staff will come to you.
credits-brings-more = Credits brings more.
stays-on = { $amount } stays on { $on }: { $reason }.
bets-back = { $count ->
        [one] Your bet is back with you.
       *[other] Your { $count } bets are back with you.
    }
some-bets-back = { $count } of { $all } bets are back with you; the others stay.
repeated-some = { $count } of { $all } bets are down again.
limits-notice = From { $time }
closing-notice = Table closes
limits-own = This terminal keeps its own limits.
virtual-dealer = A virtual dealer deals at this table.
dealer-paused = The virtual dealer is paused: staff deal, or let it go on.
call-staff = Call staff
staff-called = Staff have been called.
begins-again = This terminal begins again by itself in { $seconds } seconds.

## Choices
ante-is-lost = ante is lost
one-card = one card
half-is-lost = half is lost
on-totals = on { $totals }
from-total = from { $total }
on-a-pair = on a pair
on-first-cards = on the first two cards
insurance-question = The dealer shows an ace. Insurance?
you-may-choose = You may choose:
stud-turn = Your turn: fold, or bet twice your ante.
dice-offered = The dice are offered to you.
hand-of = , hand { $hand } of { $hands }
against = { " " }against { $dealer }
your-turn = Your turn on box { $box }{ $split }: { $total }{ $against }.
your-choice = Your choice:

## Felts
betting-layout = Betting layout
blackjack-table = Blackjack table
stud-table = Caribbean stud table
craps-layout = Craps layout
craps-line = Line, numbers and field
craps-centre = Buy, lay, hard ways and one roll
craps-one-roll = Hard ways and one-roll wagers
parts-of-layout = Parts of the layout
part-line = Line and numbers
part-centre = Buy, lay, one roll
come-number = { $number }, come bets and their odds
no-throw = No throw yet
this-throw = this throw
last-throw = last throw
you-throw = You throw.
who-throws = { $name } throws.
the-point-is = The point is { $point }.
come-out-roll = Come-out roll.
come-out = Come-out roll
previous-hand = Previous hand { $number }
drew = Drew the { $card }
natural-count = Natural { $count }
stands-on = Stands on { $count }
dolly-on = Dolly on { $number }
previous = Previous
release-to-bet = Release to bet { $amount }, slide off to cancel
loses-on = loses on
a-triple = a triple
face-odds-first = 1 · 2 · 12
face-odds-second = to 1
any-of = ANY
triple-of = TRIPLE
under-the-lid = The dice are under the lid
this-roll = This roll
previous-roll = Previous roll
wheel-rests-in = Money wheel of 52 sections at rest, the flapper in { $symbol }
wheel-rests = Money wheel of 52 sections at rest
so-many-of = { $count } of { $all }
previous-spin = Previous spin, round { $number }
ball-rests-in = Wheel at rest, the ball in { $number }
roulette-rests = Wheel at rest
to-stay = { $amount } to stay
box-whose = Box { $number }{ $whose ->
        [yours] , yours
        [behind] , behind { $name }
        [taken] , { $name }
        [seat] , your seat
       *[free] { "" }
    }

## Money, devices, rules
your-credits = Your credits
buy-in-practice = Buy in (practice money)
buy-in-for = Buy in for { $amount }
is-credited = { $amount } is credited.
not-done = Not done: { $reason }
cash-out = Cash out
cash-out-amount = Cash out { $amount }
nothing-to-cash-out = Nothing to cash out
practice-cashed-out = Your practice credits are cashed out. Buy in to play on.
out-of-credit-buy = You are out of credit. Buy in to play on.
available-sum = { $amount } available.
available-and-staked = { $amount } available, { $staked } on the table.
secret-lost = This terminal does not know its secret any more. Pair it again.
pair-terminal = Pair this terminal
pairing-code = Pairing code
pairing-how = A supervisor pairs this terminal with the table and reads out a code.
your-slip = Your slip, hand
slip-confirmed = Confirmed
slip-confirming = Confirming …
slip-not-confirmed = Not confirmed: { $reason }
note-came-back = The note came back: { $reason }
on-voucher = Your credits are on a voucher. The cage pays it.
not-cashed-out = Not cashed out: { $reason }
card-number = Card { $number }
plays-here = { $name } plays here.
type-approval = Type approval: { $approval }.
insert-note = Insert a note of { $amount }
void-because = void: { $reason }
was-amount = was { $amount }
locked-long = This terminal is locked while a malfunction is looked into. What you wagered is on record; staff will come to you.
due-before = { $amount } from a corrected result is due to whoever played here before. The dealer has a voucher for it.
terminal-free = This terminal is free. Insert a note, or give the dealer cash or chips.
aggregate-least = Your wagers of a hand come to at least { $amount }; less goes back to you.
voucher = Voucher
print-voucher = Print the voucher
note-acceptor = Note acceptor (simulated)
last-hands = Your last hands here
head-hand = Hand
head-bets = Bets
head-result = Result
head-won = Won
head-credited = Credited
rules-title = The rules of this table
rules-asked = Staff show the full rules to any player who asks.
wishes = At this terminal
wish-sound = Sound
wish-squeeze = Squeeze the cards
squeeze-card = Card face down: push it up, or tap it
squeeze-hint = Push a card up, or tap it
game = Game
limits = Limits
pays = Pays
wager = Wager
read-rules = Read the rules of this game
on-the-cloth = On the cloth
this-shoe = This shoe
shoe-fixed = The order of these virtual cards was fixed before the first one: the SHA-256 of a text that starts with random digits and names every card in turn. When the shoe is done the text is told here, and anybody can check it against the hash.
last-shoe = Last shoe
shoe-revealed = Its hash, and the text that it was made of:

## The board
board-title = Board, table { $table } · croupier
board-now = Last result and betting time
board-this = This { $word ->
        [hand] hand
       *[round] round
    }, { $number }
board-last = Last result, { $word ->
        [hand] hand
       *[round] round
    } { $number }
board-lost = Connection lost, reconnecting
board-ended = Not connected: { $reason }
board-choose = Choose a table
no-result = No result yet
practice-pill = Practice: no money is at stake
shoe-number = Shoe { $number }
place-bets = Place your bets
players-choose = Players choose
limits-per-bet = Limits, per bet
limits-each = Each bet
limits-other = Other bets

## The lobby
the-floor = The floor
your-name = Your name
name-first = enter your name first
cannot-go = You cannot enter { $table }: { $reason }
in-here = here
playing = Playing
jackpot = Jackpot
sit-down = Sit down
practise-at = Practise at { $table }, { $game }
sit-at = Take a terminal at { $table }, { $game }
deal-it = Deal it yourself
deal-at = Deal at { $table } yourself
last-results = Last results
deals-virtual = Virtual dealer
deals-paused = Virtual dealer, paused
deals-person = Dealt by hand: { $name }
deals-somebody = Dealt by hand
deals-nobody = Dealt by hand: no dealer here
cards-come-only = Cards come only when somebody deals. Take the dealer’s place, or wait.
cards-come-when = Cards come only when somebody deals.
closed = Closed
open = Open
dealing = Dealing
bets-open-for = Bets open, { $seconds } s
play-game = Play { $game }
first-visit = First visit? At { $table } the virtual dealer deals{ $open ->
        [yes] , and bets are open
       *[no] { "" }
    }. You start with $1,000 in practice credits.
first-by-hand = { $table } is dealt by hand.
sat-last = You sat at { $table } last.
sit-down-at = Sit down at { $table }
no-table = No table is planned yet.
tables-count = { $count ->
        [one] { $count } table
       *[other] { $count } tables
    }
house-silent = The house does not answer; trying again
staff = Staff
study = Study
staff-work-at = Staff work at
supervisor-is = The supervisor is a
study-lab = Odds lab
study-rulebook = Rule book
study-training = Training
study-tournament = Tournaments
role-dealer = Dealer
role-stickperson = Stickperson
role-supervisor = Supervisor
role-game-supervisor = Game supervisor
role-casino-supervisor = Casino supervisor
role-shift-manager = Shift manager
role-casino-manager = Casino manager
role-inspector = Inspector
role-cashier = Cashier
virtual-deals = A virtual dealer deals
dealt-by-hand = Dealt by hand
people = People
other-rooms = Other rooms

## The voucher
payment-voucher = Payment voucher
the-cage = the cage
no-terminal = no terminal
issued-by = Issued by
issued = Issued
journal-line = Journal line
payable-until = Payable until
no-end = no end
not-signed = not signed yet
paid-once = Paid once, at the cage, to whoever hands it in: { $rule }. Signed
barcode-of = Barcode of { $code }
practice-not-money = PRACTICE · NOT MONEY
practice-word = Practice
print = Print
