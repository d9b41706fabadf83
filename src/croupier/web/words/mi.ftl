# Te reo Māori.  A speaker has still to review these words.
# Fluent; see docs/languages.md for the part of it that is used.

## Languages and small words
language = Reo
within = { $word }
sentence = { $text }.
void = kore
won = toa
lost = hinga
less = iti iho te { $amount }
rounded-up = kua whakaawhiwhia ki runga
none = kāore
you = ko koe
close = Katia
odds-to = { $pays } ki te { $stake }
odds-less = { " " }iti iho te { $part }%
pairs-odds = mixed { $mixed } · coloured { $coloured } · perfect { $perfect } ki te 1
light-theme = Kaupapa mārama
dark-theme = Kaupapa pōuri
guest = Manuhiri { $number }

## Games, versions, wagers
game-baccarat = Baccarat
game-blackjack = Blackjack
game-roulette = Roulette
game-tai-sai = Tai-sai
game-money-wheel = Wira moni
game-caribbean-stud = Caribbean stud
game-craps = Craps
game-electronic = { $game } tāhiko
game-version = { $game } { $version }
version-mini = Mini
version-midi = Midi
version-full = Full
version-traditional = Traditional
version-crown = Crown
version-terminals = Pito
version-hybrid = Whakarua
wager-player = Player
wager-banker = Banker
wager-tie = Tie
wager-perfect-pairs = Perfect Pairs
wager-insurance = Inihua
wager-dragon-player = Dragon, Player
wager-dragon-banker = Dragon, Banker
wager-combination = Huinga
wager-run = { $side } raupapa { $length }
run-any = TETAHI
wager-straight = Tau kotahi
wager-split = Wehe
wager-street = Tiriti
wager-corner = Koki
wager-six-line = Rārangi ono
wager-column = Tīwae
wager-dozen = Tatini
wager-low = Iti
wager-high = Nui
wager-even = Taurua
wager-odd = Takitahi
wager-red = Whero
wager-black = Pango
wager-small = Iti
wager-big = Nui
wager-triple = Takitoru
wager-double = Takirua
wager-any-triple = Takitoru katoa
wager-total = Tapeke
wager-face = Mata kotahi
wager-pass = Pass
wager-dont-pass = Don't pass
wager-come = Come
wager-dont-come = Don't come
wager-pass-odds = Odds o te pass
wager-dont-pass-behind = Odds o te don't pass
wager-come-odds = Odds o te come
wager-dont-come-behind = Odds o te don't come
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
wager-main = Te peti matua
wager-super-sevens = Super Sevens
wager-ante = Ante
wager-bet = Petipeti
wager-jackpot = Jackpot
choice-insure = Inihua
choice-even-money = Moni ōrite
choice-ride = Haere i te ringa
choice-accept-dice = Tangohia ngā taita
choice-decline-dice = Kāo, ngā mihi
choice-pass-dice = Tukuna ngā taita
choice-hit = Kāri anō
choice-stand = Tū
choice-double = Whakarua
choice-split = Wehe
choice-surrender = Tuku
choice-decline = Whakakāhore
choice-bet = Petipeti
choice-fold = Waiho
choice-follow-player = Whāia te Player
choice-follow-banker = Whāia te Banker
choice-go-without = Kāore he peti mō tēnei
choice-no = Kāo

## Results
letter-P = P
letter-B = B
letter-T = T
letter-red = W
letter-black = P
letter-zero = K
letter-small = I
letter-big = N
letter-triple = T
colour-red = Whero
colour-black = Pango
colour-green = Kākāriki
zero = Kore
hand-tie = Tie, { $count } te katoa
hand-all = { $count } te katoa
hand-void = Ringa kore
hand-won = I toa a { $side }, { $high } ki te { $low }
hand-over = ki runga i a { $other } { $low }
side-wins = I toa a { $side }
calls-as-printed = no
roll-total = { $faces }, tapeke { $total }
seven-out = Whitu, kua mutu
point-is = Tohu { $point }
no-point = Kāore he tohu
throw-total = Tapeke { $total }, { $state }
symbol = Tohu { $symbol }
dealer = Kaituku
blackjack = Blackjack
short-blackjack = BJ
short-bust = pahū
dealer-blackjack = He blackjack tā te kaituku
dealer-bust-with = I pahū te kaituku i te { $total }
dealer-bust = I pahū te kaituku
dealer-has = Kaituku { $total }
dealer-not-played = Kāore te ringa a te kaituku i tākarohia
dealer-hand = Kaituku: { $hand }
dealer-hand-out = Kaituku: { $hand }, kāore e tika
hand-plain = { $hand }
hand-unqualified = { $hand }: kāore e tika
hand-odd-cards = Kāri noa
hand-one-pair = Takirua kotahi
hand-two-pairs = Takirua e rua
hand-three-of-a-kind = Toru ōrite
hand-straight = Raupapa
hand-flush = Momo kotahi
hand-full-house = Whare kī
hand-four-of-a-kind = Whā ōrite
hand-straight-flush = Raupapa momo kotahi
hand-royal-flush = Raupapa ariki
short-hand-odd-cards = noa
short-hand-one-pair = rua
short-hand-two-pairs = 2 rua
short-hand-three-of-a-kind = toru
short-hand-straight = raupapa
short-hand-flush = momo
short-hand-full-house = kī
short-hand-four-of-a-kind = whā
short-hand-straight-flush = rau. m.
short-hand-royal-flush = ariki
box-state-surrender = kua tukuna
box-state-bust = Pahū
box-state-doubled = Kua whakaruatia
box-state-split = Kua wehea
card = { $rank } o ngā { $suit }
card-face-down = He kāri huna
rank-A = Ace
rank-J = Jack
rank-Q = Kuīni
rank-K = Kīngi
suit-hearts = manawa
suit-diamonds = taimana
suit-spades = kāheru
suit-clubs = karapu
dice = Taita { $faces }
corrected = kua whakatikahia; i mua { $was }

## Records
big-road = Ara nui
bead-plate = Papa pīti
bead-plate-shoe = Papa pīti, hū { $number }
bead-says = { $tally }; nō muri { $last }
big-eye-boy = Tama karu nui
small-road = Ara iti
cockroach-road = Ara papata
red-blue = { $red } whero, { $blue } kikorangi
hands-count = { $count } ringa
hands = Ringa
naturals = Māori
player-pairs = P takirua
banker-pairs = B takirua
cards-left = Kāri e toe ana
natural = māori
banker-pair = Takirua Banker
player-pair = Takirua Player
tie-after = he Tie i muri
record-hands = He pūrongo o ngā ringa o mua, ehara i te matapae.
record-rounds = He pūrongo o ngā rauna o mua, ehara i te matapae.
numbers-came = E hia ngā wā i puta ai ia tau, i ngā huri { $count }
even-chances = Ngā tūponotanga taurite
last-dealt = Ngā ringa { $count } o muri a te kaiwhakatū, te hou i mua
last-numbers = Ngā tau { $count } o muri, te hou i mua
last-totals = Ngā tapeke { $count } o muri, te hou i mua
last-symbols = Ngā tohu { $count } o muri, te hou i mua
size-letters = I iti, N nui, T takitoru
dozen-short = 12 { $number }
column-short = Tīwae { $number }
dozen-of = tatini { $number }
column-of = tīwae { $number }
colour-and = { $colour }, { $kinds }
number-kinds = { $parity ->
        [odd] takitahi
       *[even] taurua
    }, { $half ->
        [low] iti
       *[high] nui
    }
number-long = { $parity ->
        [odd] takitahi
       *[even] taurua
    } · { $half ->
        [low] 1–18
       *[high] 19–36
    } · tatini { $dozen }
dozens-columns = Tatini me ngā tīwae i ngā huri { $count }
zero-count = kore { $count }
spins = Huri
rolls = Maka
totals = Tapeke
counts-in-rolls = Tatauranga i ngā maka { $count }
symbols-in-spins = Tohu i ngā huri { $count }
throws = Maka, te hou i muri
totals-thrown = Tapeke i makaia
throws-count = { $count } maka
key-point = tohu
key-made = kua tutuki
key-out = whitu, kua mutu
dealers-hands = Ngā ringa a te kaituku
rounds-count = { $count } rauna
not-qualified = Kāore e tika
kind-pair = Takirua
kind-two-pairs = Takirua e rua
kind-higher = Teitei ake
your-results = Ō hua i tēnei wā
this-round = Tēnei rauna
round-settled = { $round }, kua oti
your-wagers = Ō peti
on-layout = { $amount } kei te papa
pay-table = Ripanga utu
your-hand = Tō ringa
part-of-pool = { $percent }%, { $amount } iti
folded = kua whakarere
stays = ka noho
is-off = kua weto
box = Pouaka
hand = Ringa
result = Hua
stud-result-win = i toa
stud-result-lose = i hinga
stud-result-stand-off = i ōrite
stud-result-dealer-does-not-qualify = i toa te ante
began-with = i tīmata ki te { $amount }
nothing-settled = Kāore anō kia whakatauhia.
session-sum = { $count } { $word ->
        [hand] ringa
       *[round] rauna
    }, { $amount } i petihia

## Heading, ring, meters
page-title = Tēpu { $table } · croupier
table-name = Tēpu { $table }
terminal = Pito
terminal-seat = { $seat ->
        [0] Pito
       *[other] Pito { $seat }
    }
round-number = { $word ->
        [hand] Ringa
       *[round] Rauna
    } { $number }
round-low = { $word ->
        [hand] ringa
       *[round] rauna
    } { $number }
practice-band = WHAKAHARATAU: kāore he moni i tēnei tēpu
practice-short = WHAKAHARATAU, kāore he moni{ $deals ->
        [virtual] . He kaituku mariko.
        [paused] . Kua okioki te kaituku.
       *[other] { "" }
    }
your-terminal = Tō pito
the-table = Tēpu
connecting = E hono ana
line-open = Ora
line-lost = Tuimotu
line-ended = Kua mutu
not-connected = Kāore i te hono
rules = Ture
time-to-close = Te wā ki te mutunga o ngā peti
terminal-locked = Kua maukatia te pito
table-closed = Kua kati te tēpu
table-is-closed = Kua kati tēnei tēpu.
settled = Kua whakatauhia
bets-open-in = Ka tuwhera i te { $seconds } h
to-choose = hei kōwhiri
others-choose = e kōwhiri ana ētahi atu
to-the-throw = ki te maka
to-no-more-bets = ki te mutunga o ngā peti
bets-open = Kua tuwhera ngā peti
no-more-bets = Kāti ngā peti
no-more-bets-now = Kāti ngā peti.
bets-wait = Me tatari
bets-stay = Ka mau tonu ngā peti
told-again = Ka pānuitia anō te hua i te tuatahi
seconds-to = { $count } hēkona ki te mutunga o ngā peti
credits = Nama
available-now = E wātea ana ināianei
out-of-credit = Kua pau: mā Nama e tiki anō
wagered-this = I petihia i tēnei { $word ->
        [hand] ringa
       *[round] rauna
    }
being-sent = e tukuna ana
plus-being-sent = + { $amount } e tukuna ana
plus-credited = + { $amount } kua tāpirihia
on-places = { $count ->
        [one] I te wāhi kotahi
       *[other] I ngā wāhi e { $count }
    }
amount-settled = { $amount } kua whakataua
previous-result = Hua o mua
previous-win = Toa o mua
none-yet = Kāore anō
win-credited = { round-number }, kua tāpirihia
win-nothing = Kāore i { round-low }
win-stood-off = He ōrite i { round-low }, kua hoki te moni
limits-here = Ngā tepe, ia peti
each-bet = Ia peti
jackpot-pool = Puna jackpot
jackpot-meter = Ine jackpot
money-and-limits = Ō moni me ngā tepe
lobby = Whare tomo
credits-stay = ka noho ō nama
enter-again = Tomo anō
chips = Maramara
chip = maramara { $amount }
undo = Whakahokia
take-back = Tangohia
repeat = Anō
clear = Ūkuia
your-choice-group = Tō kōwhiringa
scoreboard = Papa tatau
more-won = { $count } anō i toa
lost-sum = I hinga
won-sum = I toa
void-returned = kore, kua whakahokia
stands-off-back = ōrite, { $amount } kua hoki
amount-back = { $amount } kua hoki
amount-void = { $amount } kore
amount-on = { $amount } ki { $on }
on-box = { $words }, pouaka { $box }
at-box = , pouaka { $box }
your-bets = Ō PETI
and-more = me ētahi atu { $count }
nothing-yet = Kāore anō
from-to = { $least } ki te { $most }
you-have = kei a koe te { $amount }
is-void = he kore te { $amount }
amount-being-sent = { $amount } e tukuna ana
not-now = kaua ināianei
more-bets = Ētahi atu peti
bets = Peti

## What is said
staked-on = Kei a koe te { $amount } i tēnei { $word ->
        [hand] ringa
       *[round] rauna
    }.
open-again-shortly = Ka tuwhera anō ngā peti ākuanei.
running-roulette = Kei te oma te pōro
running-money-wheel = Kei te huri te wira
running-tai-sai = Kei te taka ngā taita
running-craps = Kei waho ngā taita
running-baccarat = Kei te tuaritia ngā kāri
running-blackjack = Kei te tuaritia ngā kāri
running-caribbean-stud = Kei te tuaritia ngā kāri
connection-lost = Kua ngaro te hononga. { $held } E hono anō ana.
stake-held = Kei te pupuritia tō { $amount } i te tēpu.
credits-safe = Kei te haumaru ō nama i te tēpu.
held-and-sent = { $kept } Ka tukuna anō te { $amount } kāore anō kia whakaūngia.
line-ended-because = Kua mutu te hononga i te tēpu: { $reason }. Hoki ki te whare tomo, ngana anō rānei.
cannot-enter = Kāore koe e āhei ki te tomo: { $reason }. Hoki ki te whare tomo, ngana anō rānei.
part-void = He kore te { $amount } o tō peti ki { $on }, ka hoki ki a koe.
cut-to-most = Kua whakaitia tō peti ki { $on } ki te { $amount }: ka hoki te { $back } ki a koe.
was-corrected = Kua whakatikahia { round-low }: { $says }. Kei a koe te { $amount } ināianei.
you-won = I toa koe i te { $amount }.
not-taken = Kāore i tangohia te { $what }: { $reason }.
reason-shut = kāore e taea te peti ināianei
reason-first = me peti i te tuatahi ki { $on }
reason-above = kei runga ake te { $amount } i te mōrahi o te { $most }
reason-below = kei raro iho te { $amount } i te mōkito o te { $least }
reason-credits = kei a koe te { $amount }
reason-units = ka wehea kia { $units } ngā wāhanga ōrite: me peti i ngā whakarea o te { $amount }
chosen-in-turn = Ka kōwhiria { $on } ina tae ki a koe.
nothing-on = Kāore ō peti ki { $on }.
bet-not-sent = Kāore i te hono. Kāore tō peti i tukuna; tatari kia hoki mai te hononga.
locked-staff-comes = Kua maukatia tēnei pito. Ka haere atu ngā kaimahi ki a koe.
credits-brings-more = Mā Nama e tiki anō.
stays-on = Ka noho te { $amount } ki { $on }: { $reason }.
bets-back = Kua hoki ō peti { $count } ki a koe.
some-bets-back = Kua hoki te { $count } o ngā peti { $all }; ka noho ētahi atu.
repeated-some = Kua whakatakotoria anō te { $count } o ngā peti { $all }.
limits-notice = Mai i te { $time }
closing-notice = Ka kati te tēpu
limits-own = Ka mau tēnei pito ki ōna ake tepe.
virtual-dealer = He kaituku mariko kei tēnei tēpu.
dealer-paused = Kua okioki te kaituku mariko.
call-staff = Karanga kaimahi
staff-called = Kua karangahia ngā kaimahi.
begins-again = Ka tīmata anō tēnei pito i roto i te { $seconds } hēkona.

## Choices
ante-is-lost = ka ngaro te ante
one-card = kotahi kāri
half-is-lost = ka ngaro te haurua
on-totals = i te { $totals }
from-total = mai i te { $total }
on-a-pair = i te takirua
on-first-cards = i ngā kāri tuatahi e rua
insurance-question = He Ace tā te kaituku. Inihua?
you-may-choose = Ka āhei koe te kōwhiri:
stud-turn = Ko koe: waiho, petihia rānei te rua o tō ante.
dice-offered = Ka tukuna ngā taita ki a koe.
hand-of = , ringa { $hand } o te { $hands }
against = { " " }ki te { $dealer }
your-turn = Ko koe, pouaka { $box }{ $split }: { $total }{ $against }.
your-choice = Tō kōwhiringa:

## Felts
betting-layout = Papa peti
blackjack-table = Tēpu blackjack
stud-table = Tēpu Caribbean stud
craps-layout = Papa craps
craps-line = Rārangi, tau me te field
craps-centre = Buy, lay, hard way me te maka kotahi
craps-one-roll = Hard way me te maka kotahi
parts-of-layout = Wāhanga o te papa
part-line = Rārangi me ngā tau
part-centre = Buy, lay, maka kotahi
come-number = { $number }, come me ōna odds
no-throw = Kāore anō he maka
this-throw = tēnei maka
last-throw = maka o mua
you-throw = Māu e maka.
who-throws = Mā { $name } e maka.
the-point-is = Ko te tohu te { $point }.
come-out-roll = Maka tuatahi.
come-out = Maka tuatahi
previous-hand = Ringa o mua { $number }
drew = I tō i te { $card }
natural-count = Māori { $count }
stands-on = Ka tū i te { $count }
dolly-on = Tohu i te { $number }
previous = O mua
release-to-bet = Tukua hei peti { $amount }, retireti hei whakakore
loses-on = ka hinga i
a-triple = te takitoru
face-odds-first = 1 · 2 · 12
face-odds-second = ki te 1
any-of = TAKI
triple-of = TORU
under-the-lid = Kei raro ngā taita i te taupoki
this-roll = Tēnei maka
previous-roll = Maka o mua
wheel-rests-in = Wira moni e 52 ngā wāhanga, kei te { $symbol } te pere
wheel-rests = Wira moni e 52 ngā wāhanga, kua tū
so-many-of = { $count } o te { $all }
previous-spin = Huri o mua, rauna { $number }
ball-rests-in = Kua tū te wira, kei te { $number } te pōro
roulette-rests = Kua tū te wira
to-stay = { $amount } kia noho
box-whose = Pouaka { $number }{ $whose ->
        [yours] , nōu
        [behind] , kei muri i a { $name }
        [taken] , { $name }
        [seat] , tō tūru
       *[free] { "" }
    }

## Money, devices, rules
your-credits = Ō nama
buy-in-practice = Hoko mai (moni whakaharatau)
buy-in-for = Hokona te { $amount }
is-credited = Kua tāpirihia te { $amount }.
not-done = Kāore i oti: { $reason }
cash-out = Tango moni
cash-out-amount = Tangohia te { $amount }
nothing-to-cash-out = Kāore he moni hei tango
practice-cashed-out = Kua tangohia ō nama whakaharatau. Hokona mai anō kia tākaro tonu.
out-of-credit-buy = Kua pau ō nama. Hokona mai kia tākaro tonu.
available-sum = { $amount } e wātea ana.
available-and-staked = { $amount } e wātea ana, { $staked } kei te tēpu.
secret-lost = Kua ngaro te kupu muna o tēnei pito. Honoa anō.
pair-terminal = Honoa tēnei pito
pairing-code = Waehere hono
pairing-how = Mā te kaitirotiro e hono tēnei pito ki te tēpu, ka pānui i te waehere.
your-slip = Tō puka, ringa
slip-confirmed = Kua whakaūngia
slip-confirming = E whakaū ana …
slip-not-confirmed = Kāore i whakaūngia: { $reason }
note-came-back = I hoki mai te moni pepa: { $reason }
on-voucher = Kei te pūtake ō nama. Mā te pouaka moni e utu.
not-cashed-out = Kāore i tangohia: { $reason }
card-number = Kāri { $number }
plays-here = Kei konei a { $name } e tākaro ana.
type-approval = Whakaaetanga momo: { $approval }.
insert-note = Kuhuna he moni pepa { $amount }
void-because = kore: { $reason }
was-amount = i mua { $amount }
locked-long = Kua maukatia tēnei pito i te wā e tirohia ana te hapa. Kei te mau ō peti; ka haere atu ngā kaimahi.
due-before = Me utu te { $amount } ki te kaitākaro o mua, nā te whakatikanga. Kei te kaituku te pūtake.
terminal-free = Kei te wātea tēnei pito. Kuhuna he moni pepa, hoatu rānei he moni, he maramara ki te kaituku.
aggregate-least = Kia { $amount } te iti rawa o ō peti mō te ringa; ka hoki te iti iho.
voucher = Pūtake
print-voucher = Tāngia te pūtake
note-acceptor = Kaitango moni pepa (whakatau)
last-hands = Ō ringa o mua i konei
head-hand = Ringa
head-bets = Peti
head-result = Hua
head-won = I toa
head-credited = Kua tāpirihia
rules-title = Ngā ture o tēnei tēpu
rules-asked = Ka whakaaturia ngā ture katoa e ngā kaimahi ki te kaitākaro e tono ana.
wishes = I tēnei pūrere
wish-sound = Oro
wish-squeeze = Pana āta i ngā kāri
squeeze-card = Kāri huna: panaia ki runga, pāngia rānei
squeeze-hint = Panaia he kāri, pāngia rānei
game = Kēmu
limits = Tepe
pays = Utu
wager = Peti
read-rules = Pānuihia ngā ture o tēnei kēmu
on-the-cloth = Kei te papanga
this-shoe = Tēnei hū
shoe-fixed = I whakaūngia te raupapa o ēnei kāri mariko i mua i te kāri tuatahi: te SHA-256 o tētahi kuputuhi ka tīmata ki ngā mati matapōkere, ka whakahua i ia kāri. Ina pau te hū ka pānuitia te kuputuhi ki konei, ā, ka taea e te tangata te whakataurite.
last-shoe = Hū o mua
shoe-revealed = Tōna waitohu, me te kuputuhi:

## The board
board-title = Papa, tēpu { $table } · croupier
board-now = Hua o mua me te wā peti
board-this = Tēnei { $word ->
        [hand] ringa
       *[round] rauna
    }, { $number }
board-last = Hua o mua, { $word ->
        [hand] ringa
       *[round] rauna
    } { $number }
board-lost = Kua ngaro te hononga, e hono anō ana
board-ended = Kāore i te hono: { $reason }
board-choose = Kōwhiria he tēpu
no-result = Kāore anō he hua
practice-pill = Whakaharatau: kāore he moni
shoe-number = Hū { $number }
place-bets = Whakatakotoria ō peti
players-choose = E kōwhiri ana ngā kaitākaro
limits-per-bet = Ngā tepe, ia peti
limits-each = Ia peti
limits-other = Ētahi atu peti

## The lobby
the-floor = Te papa tākaro
your-name = Tō ingoa
name-first = tuhia tō ingoa i te tuatahi
cannot-go = Kāore koe e āhei te tomo ki { $table }: { $reason }
in-here = konei
playing = E tākaro ana
jackpot = Jackpot
sit-down = Noho mai
practise-at = Whakaharatau i { $table }, { $game }
sit-at = Tangohia he pito i { $table }, { $game }
deal-it = Māu e tuku
deal-at = Māu e tuku i { $table }
last-results = Hua o mua
deals-virtual = Kaituku mariko
deals-paused = Kaituku mariko, kua okioki
deals-person = Ka tukuna e { $name }
deals-somebody = Tuku ā-ringa
deals-nobody = Tuku ā-ringa: kāore he kaituku
cards-come-only = Ka puta ngā kāri ina tuku tētahi. Noho hei kaituku, tatari rānei.
cards-come-when = Ka puta ngā kāri ina tuku tētahi.
closed = Kua kati
open = Kua tuwhera
dealing = E tuku ana
bets-open-for = Kua tuwhera ngā peti, { $seconds } h
play-game = Tākarohia te { $game }
first-visit = Tō toronga tuatahi? Kei { $table } te kaituku mariko{ $open ->
        [yes] , ā, kua tuwhera ngā peti
       *[no] { "" }
    }. Ka tīmata koe ki te $1,000 nama whakaharatau.
first-by-hand = Ka tukuna ā-ringa { $table }.
sat-last = I noho koe ki { $table } i mua.
sit-down-at = Noho ki { $table }
no-table = Kāore anō he tēpu.
tables-count = { $count } tēpu
house-silent = Kāore te whare e whakautu; e ngana anō ana
staff = Kaimahi
study = Ako
staff-work-at = Tēpu mahi
supervisor-is = Ko te kaitirotiro he
study-lab = Taiwhanga odds
study-rulebook = Pukapuka ture
study-training = Whakangungu
study-tournament = Whakataetae
role-dealer = Kaituku
role-stickperson = Kaipupuri rākau
role-supervisor = Kaitirotiro
role-game-supervisor = Kaitirotiro kēmu
role-casino-supervisor = Kaitirotiro whare
role-shift-manager = Kaiwhakahaere wā
role-casino-manager = Kaiwhakahaere whare
role-inspector = Kaitātari
role-cashier = Kaipupuri moni
virtual-deals = Ka tuku te kaituku mariko
dealt-by-hand = Tuku ā-ringa
people = Ngā tāngata
other-rooms = Ētahi atu rūma

## The voucher
payment-voucher = Pūtake utu
the-cage = te pouaka moni
no-terminal = kāore he pito
issued-by = I tukuna e
issued = I tukuna
journal-line = Rārangi pukapuka
payable-until = Ka utua tae noa ki
no-end = kāore he mutunga
not-signed = kāore anō kia hainatia
paid-once = Ka utua kotahi, i te pouaka moni, ki te tangata ka homai: { $rule }. Hainatia
barcode-of = Waehere pae o { $code }
practice-not-money = WHAKAHARATAU · EHARA I TE MONI
practice-word = Whakaharatau
print = Tāngia
