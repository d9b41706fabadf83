/**
 * What a view is made of, and the ladder of officials.  Made from `floor/views/shapes.py` and `law/officials.py` by
 * `python -m croupier.floor.views.jsdoc`; a test holds them together.
 */

/** Which table this is, and who `deals` there; `practice` is marked wherever it is shown.
 * @typedef {object} TableShown
 * @property {string} name
 * @property {string} game
 * @property {string} edition
 * @property {string} version
 * @property {boolean} practice
 * @property {string} deals
 * @property {boolean} open
 * @property {number} seats
 */
/** The sign on the table; `kinds` are the limits of wagers that have their own, `notice` what comes from when on.
 *
 * `closing`: when the table closes, if a sign says so.
 * @typedef {object} SignView
 * @property {number} minimum
 * @property {number | null} maximum
 * @property {number} chip
 * @property {number | null} increment
 * @property {[number, number] | null} differential
 * @property {Record<string, [number, number]>} kinds
 * @property {[number, number, number] | null} notice
 * @property {number | null} closing
 */
/** Whether anything can be backed now, why not, what nobody may (`shut`), and whether what came was `taken_back`.
 * @typedef {object} BettingShown
 * @property {boolean} open
 * @property {string} reason
 * @property {string} rule
 * @property {string[]} shut
 * @property {boolean} [taken_back]
 */
/** What an act is, whatever it is called; `of`: of which hand, box or role, or the words of a call.
 * @typedef {object} ActShown
 * @property {string} verb
 * @property {string} of
 */
/** What is due: its kind (`deal`, `roll`, `spin`, `choose`, `perform`, `over`), in words, and as data for buttons.
 *
 * `to` is where a card goes and `face` how it is to lie, `act` what is to be done, by which `official` at least, and
 * `does` of what kind that is; `options` are what may be chosen, on which `box` and `hand`; `usual` is what is mostly
 * recorded with the act, and `closes_betting` whether it ends the betting or the leave to take wagers back, `settles`
 * the wagers that are settled with it, `places` where it goes in this order.
 * @typedef {object} DueShown
 * @property {string} kind
 * @property {string} says
 * @property {string} rule
 * @property {string} summary
 * @property {string} [by]
 * @property {string} [to]
 * @property {string} [act]
 * @property {ActShown} [does]
 * @property {string} [official]
 * @property {string[]} [options]
 * @property {number | string} [usual]
 * @property {boolean} [closes_betting]
 * @property {number[]} [settles]
 * @property {string} [face]
 * @property {string} [face_rule]
 * @property {string[]} [places]
 * @property {string} [places_rule]
 * @property {number} [box]
 * @property {number} [hand]
 */
/** What a wager pays on a hand: at odds, or a sum and, where it has a share, that part of the pool if it is more.
 * @typedef {object} PayLine
 * @property {string} on
 * @property {string} hand
 * @property {string} rule
 * @property {[number, number, string] | null} [odds]
 * @property {number} [cents]
 * @property {string} [share]
 */
/** Words with their rule: what stands on the cloth, and of which wager; what may be ordered, who took a role.
 * @typedef {object} Inscription
 * @property {string} text
 * @property {string} rule
 * @property {string} [on]
 */
/** The order of a virtual shoe that is done, and the hash that was shown before its first card.
 * @typedef {object} ShoeTold
 * @property {string} commitment
 * @property {string} order
 */
/** The shoe in use: its number since the opening, its first round and the cards `left` in it, where they are known.
 *
 * Of a virtual one also what was fixed, and what is told of the last one.
 * @typedef {object} ShoeShown
 * @property {string} [commitment]
 * @property {ShoeTold | null} [revealed]
 * @property {number} [number]
 * @property {number} [began]
 * @property {number} [left]
 */
/** A prohibited device that was found with a player, since which round, and what was won with it and is left.
 * @typedef {object} HeldDevice
 * @property {string} what
 * @property {number} since
 * @property {boolean} detained
 * @property {number} left
 */
/** Somebody at the table; `number` is that of the player's card, if there is one.
 *
 * `terminal` says that it is one, `advised` that a wager below the minimum was let pass.
 * @typedef {object} PlayerRow
 * @property {string} name
 * @property {number} seat
 * @property {number} chips
 * @property {number} staked
 * @property {number} owes
 * @property {number} idle
 * @property {[number, number] | null} personal
 * @property {number} overpaid
 * @property {HeldDevice | null} device
 * @property {boolean} terminal
 * @property {boolean} advised
 * @property {string} number
 */
/**
 * @typedef {object} Seating
 * @property {number} seats
 * @property {boolean} full
 * @property {number} idle_rounds
 * @property {string} idle_rule
 * @property {string} standing_rule
 * @property {string[]} may_stand
 * @property {Record<string, string>} excluded
 * @property {string} nominee_rule
 * @property {Record<string, string>} nominees
 */
/** A notice of other limits; `lawful_ms` is when they may be put up.
 * @typedef {object} Notice
 * @property {number} minimum
 * @property {number} maximum
 * @property {number} posted_ms
 * @property {number} lawful_ms
 * @property {number} from_ms
 */
/** A ground on which limits may be tightened, and whether it holds now.
 * @typedef {object} Ground
 * @property {string} name
 * @property {boolean} holds
 * @property {string} rule
 */
/** The sign's limits and how they change; `personal_above`: the rule that a player's own maximum is above it.
 * @typedef {object} LimitsShown
 * @property {string} personal_above
 * @property {Notice | null} notice
 * @property {number} minutes
 * @property {string} rule
 * @property {string[]} guarded
 * @property {Ground[]} grounds
 */
/** How many figures a differential has here: none, one or two.
 * @typedef {object} Differential
 * @property {number} figures
 * @property {string} rule
 */
/** What a closed table would be opened with again, as the command to open it is told.
 * @typedef {object} SignAgain
 * @property {number} minimum
 * @property {number | null} maximum
 * @property {number} chip
 * @property {number} increment
 * @property {[number, number] | null} differential
 * @property {number} seats
 * @property {boolean} multiples
 * @property {number} players_per_area
 * @property {string} area_cap
 * @property {boolean} refuse_unpayable
 * @property {string} supervisor
 * @property {Record<string, [number, number]>} kinds
 * @property {string[]} signs
 * @property {[number, number] | null} jackpot
 * @property {number | null} super_sevens
 */
/**
 * @typedef {object} Closing
 * @property {number} closes_ms
 * @property {number} minutes
 * @property {string} rule
 * @property {boolean} in_play
 * @property {number} posted_ms
 * @property {number} lawful_ms
 * @property {SignAgain | null} sign
 */
/** A wager that is decided and not settled: what is taken or paid, at which odds, and in which chips.
 *
 * `pays` is what the player gets beside the stake, after the `commission`; `chips` are kinds with their numbers.
 * @typedef {object} PaymentShown
 * @property {number} number
 * @property {string} by
 * @property {number} seat
 * @property {number} box
 * @property {number} hand
 * @property {string} on
 * @property {number} stake
 * @property {string} result
 * @property {string} odds
 * @property {number} pays
 * @property {number} commission
 * @property {number} returned
 * @property {[number, number][]} chips
 * @property {string} rule
 */
/** What may be ordered now although it is not due: by which word of the law, and by which roles.
 * @typedef {object} OrderOpen
 * @property {string} act
 * @property {string} by
 * @property {string} official
 * @property {string[]} roles
 * @property {string} rule
 */
/** What stands beside the result of a round in a list: when it ended, what was staked, and what became of it.
 * @typedef {object} RoundNote
 * @property {number} round
 * @property {number} at_ms
 * @property {number | null} staked
 * @property {boolean} irregular
 * @property {boolean} corrected
 * @property {boolean} disputed
 */
/** An irregularity of the round that was ruled on; `level` is the official who did.
 * @typedef {object} RulingShown
 * @property {number} number
 * @property {string} what
 * @property {string} call
 * @property {number | string} level
 * @property {string} rule
 */
/** An order that waits for its official: what is to be ordered, who may (at `least`), and who asked for it.
 * @typedef {object} AwaitedOrder
 * @property {number} order
 * @property {Record<string, any>} fact
 * @property {string} what
 * @property {string} official
 * @property {string[]} roles
 * @property {string} least
 * @property {string} person
 * @property {string} role
 * @property {string} rule
 */
/** A dispute: before which official it is, who may decide it now, and who would review what was decided.
 * @typedef {object} DisputeShown
 * @property {number} number
 * @property {string} complainant
 * @property {string} about
 * @property {string} before
 * @property {string[]} roles
 * @property {string} review
 * @property {string} decision
 * @property {boolean} resolved
 * @property {string} rule
 */
/**
 * @typedef {object} TroubleGround
 * @property {string} ground
 * @property {string} rule
 */
/** A measure against a player; `needs` is what must be told with it: an amount, or who takes over.
 * @typedef {object} Measure
 * @property {string} measure
 * @property {string} rule
 * @property {string} needs
 */
/** Grounds on which a round is invalidated, and measures; `contravened`: the rule by which others have them too.
 * @typedef {object} Trouble
 * @property {TroubleGround[]} grounds
 * @property {Measure[]} measures
 * @property {string} contravened
 */
/**
 * @typedef {object} SystemShown
 * @property {string} version
 * @property {string} approval
 */
/** A terminal as staff see it.
 * @typedef {object} TerminalRow
 * @property {string} name
 * @property {number} number
 * @property {boolean} active
 * @property {string} holder
 * @property {number} credits
 * @property {number} staked
 * @property {number} due
 * @property {boolean} locked
 * @property {boolean} confirmed
 * @property {number} minimum
 * @property {number} maximum
 * @property {number} increment
 * @property {number} aggregate
 * @property {string} approval
 */
/** What is to be done about a malfunction.
 * @typedef {object} Duty
 * @property {string} name
 * @property {boolean} done
 * @property {string} says
 * @property {string} rule
 */
/** A malfunction, of a terminal or of the system.
 * @typedef {object} CaseShown
 * @property {number} number
 * @property {string} terminal
 * @property {string} fault
 * @property {number[]} rounds
 * @property {boolean} closed
 * @property {Duty[]} duties
 */
/** The electronic game; `due` are cents that a correction left to somebody who was paid out, by terminal.
 *
 * `dues` are the same for each who played there: the terminal, a round that they played (0: not known), the cents.
 * @typedef {object} Electronic
 * @property {SystemShown} system
 * @property {number} most
 * @property {boolean} locked
 * @property {string[]} unconfirmed
 * @property {Record<string, number>} due
 * @property {[string, number, number][]} dues
 * @property {TerminalRow[]} terminals
 * @property {CaseShown[]} cases
 */
/**
 * @typedef {object} OnDuty
 * @property {string} name
 * @property {string} role
 * @property {number} at_ms
 */
/** Who of the staff did something here last, and since when the table is open.
 * @typedef {object} DutyRoster
 * @property {string} supervisor
 * @property {number} opened_ms
 * @property {OnDuty[]} people
 */
/** The lowest official for a command, and the rule that says so.
 * @typedef {object} Asks
 * @property {string} role
 * @property {string} rule
 */
/** A wager on the layout; players are shown their own, staff everybody's.
 *
 * `of` is the wager to which a choice added it, `at` the number that it went to, `markers` what lies beside it.
 * @typedef {object} WagerShown
 * @property {number} number
 * @property {string} on
 * @property {number} stake
 * @property {number} voided
 * @property {string} by
 * @property {number} box
 * @property {number} area
 * @property {boolean} mine
 * @property {number} hand
 * @property {number | null} of
 * @property {number} fee
 * @property {number | null} at
 * @property {string[]} markers
 */
/** What became of a wager of the last round.
 * @typedef {object} LastLine
 * @property {string} on
 * @property {string} result
 * @property {number} stake
 * @property {number} returned
 * @property {number} commission
 * @property {number} box
 * @property {number} hand
 * @property {number | null} at
 */
/** Who is looking; for a player the money, what is open to nobody else (`opens`), and what may be chosen.
 *
 * `number` is that of the player's own card, if there is one, `asked` says whether the choice that is due is this
 * player's, `may` what may be chosen apart from that, `costs` what each puts down (`double@3`), `boxes` are the
 * player's own with all cards, `orders` what the viewer may order, `duties` what a role asks of its holder.
 * @typedef {object} Me
 * @property {string} name
 * @property {string} role
 * @property {number} [seat]
 * @property {number} [chips]
 * @property {number} [staked]
 * @property {[number | null, number | null]} [limits]
 * @property {string} [number]
 * @property {LastLine[]} [last]
 * @property {string[]} [opens]
 * @property {boolean} [asked]
 * @property {Record<string, any>[]} [may]
 * @property {Record<string, number>} [costs]
 * @property {Record<string, any>[]} [boxes]
 * @property {Inscription[]} [orders]
 * @property {Inscription[]} [duties]
 */
/** One of the items that a terminal must show, and the rule that wants it.
 * @typedef {object} ShownItem
 * @property {any} value
 * @property {string} rule
 */
/**
 * @typedef {object} SlipView
 * @property {boolean} owed
 * @property {boolean} confirmed
 * @property {string} rule
 */
/** What became of a wager of a round that a terminal recalls.
 * @typedef {object} RecalledLine
 * @property {string} on
 * @property {number} stake
 * @property {string} result
 * @property {number} returned
 */
/** A round that a terminal can show again.
 * @typedef {object} RecalledRound
 * @property {number} round
 * @property {string[]} cards
 * @property {Record<string, any>} result
 * @property {RecalledLine[]} wagers
 * @property {number} won
 * @property {number} returned
 * @property {string} void
 * @property {string} rule
 */
/** What a terminal is told of itself, and nobody else is; the digest of its slip it makes of what it shows.
 *
 * `named`: it has a name of its own beside its number.
 * @typedef {object} TerminalShown
 * @property {number} number
 * @property {boolean} named
 * @property {string} holder
 * @property {boolean} active
 * @property {boolean} locked
 * @property {number} due
 * @property {string} approval
 * @property {number} denomination
 * @property {number[]} notes
 * @property {Record<string, ShownItem>} display
 * @property {Record<string, number>} held
 * @property {SlipView} slip
 * @property {RecalledRound[]} recall
 * @property {number} minimum
 * @property {number} maximum
 * @property {number | null} increment
 * @property {number | null} aggregate
 * @property {Record<string, [number | null, number | null]>} limits
 */
/** A table as one viewer may see it: what many see alike, joined with what is the viewer's own.
 * @typedef {object} TableView
 * @property {TableShown} table
 * @property {SignView} sign
 * @property {number} round
 * @property {BettingShown} betting
 * @property {DueShown} due
 * @property {Record<string, any>} layout
 * @property {string[]} offers
 * @property {Record<string, [number, number, string][]>} odds
 * @property {PayLine[]} scale
 * @property {Record<string, number[]>} totals
 * @property {Inscription[]} inscriptions
 * @property {Record<string, string>} sides
 * @property {Record<string, Inscription>} roles
 * @property {number[]} reds
 * @property {ShoeShown} shoe
 * @property {string[]} said
 * @property {Record<string, any>[]} history
 * @property {number} closes_ms
 * @property {number} opens_ms
 * @property {number} choice_ms
 * @property {number | null} pool
 * @property {PlayerRow[]} [players]
 * @property {Seating} [seating]
 * @property {LimitsShown} [limits]
 * @property {Differential} [differential]
 * @property {Closing} [closing]
 * @property {PaymentShown[]} [payments]
 * @property {OrderOpen[]} [orders]
 * @property {RoundNote[]} [notes]
 * @property {RulingShown[]} [rulings]
 * @property {AwaitedOrder[]} [awaited]
 * @property {DisputeShown[]} [disputes]
 * @property {Trouble} [trouble]
 * @property {Record<string, any>[]} [may]
 * @property {Electronic | null} [electronic]
 * @property {DutyRoster} [duty]
 * @property {Record<string, Asks>} [asks]
 * @property {Record<string, any>} [irregularities]
 * @property {string[]} [calls]
 * @property {WagerShown[]} wagers
 * @property {Me} me
 * @property {number} at_ms
 * @property {TerminalShown} [terminal]
 */

/** The ranks of the house, the lowest first: who may do what those below may do. */
export const LADDER = ["dealer", "game supervisor", "casino supervisor", "shift manager", "casino manager"];

/** Whether one official stands above another. */
export const isAbove = (role, other) => LADDER.indexOf(role) > LADDER.indexOf(other);
