// The value of every hand, the best play and the best chart of blackjack (nz1996, reading first_hand), in doubles.
//
// The yardstick for src/croupier/exact/blackjack, by the best way that is known: the dealer's hands are walked once for
// all first cards, for many player's hands side by side, and what split cards leave in the shoe is numbered so that
// nothing is walked twice; the rules are written in as constants instead of being asked of the game.  Prints the edges of
// the best play and of the best chart, and the seconds taken from an empty start.  benchmarks/blackjack_odds.py compiles
// and runs it.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>

namespace {

constexpr int KINDS = 10, LIMIT = 21, BUST = 22, STANDS_ON = 17, ENDINGS = 7, LANES = 8;
constexpr int ACE = 0, TEN = 9, NATURAL = ENDINGS - 1;
enum Choice { NONE = 0, STAND = 1, HIT = 2, DOUBLE = 4 };
enum Place { ONLY, FIRST, LATER };

using Cards = std::array<int, KINDS>;
using Shoe = std::array<double, KINDS>;
using Row = std::array<double, ENDINGS>;
using Pay = std::array<std::array<Row, BUST + 1>, 2>;

struct Worth { double best = 0, stand = 0, hit = 0, twice = 0; };
struct Entry { int row; double ways; };
struct Node { int symbol, used, depth, first, last; };

// Hands that become only each other; the last place is a bust.
struct Family {
    std::vector<int> listed, total;
    std::vector<Shoe> cards;
    std::vector<std::array<int, KINDS>> after;
    std::array<int, KINDS> pairs{};
    std::array<std::vector<int>, 4> rows;
};

uint64_t key_of(const Cards& cards) {
    uint64_t key = 0;
    for (int s = 0; s < KINDS; ++s) key |= static_cast<uint64_t>(cards[s]) << 6 * s;
    return key;
}

struct Hands {
    std::vector<Cards> cards;
    std::vector<int> size, total, soft;
    std::vector<std::array<int, KINDS>> child;
    std::array<int, KINDS> single{};
    Family all;
    std::vector<int> at;
    std::array<Family, KINDS> with;
    std::vector<Cards> gone;
};

int low(int symbol) { return symbol + 1; }

void make_family(const Hands& h, Family& family) {
    const int count = static_cast<int>(family.listed.size());
    std::vector<int> place(h.cards.size(), -1);
    for (int at = 0; at < count; ++at) place[family.listed[at]] = at;
    for (int hand : family.listed) {
        family.total.push_back(h.total[hand]);
        Shoe cards;
        std::array<int, KINDS> after;
        for (int s = 0; s < KINDS; ++s) {
            cards[s] = h.cards[hand][s];
            after[s] = h.child[hand][s] < 0 ? count : place[h.child[hand][s]];
        }
        family.cards.push_back(cards);
        family.after.push_back(after);
    }
}

Hands make_hands() {
    Hands h;
    std::array<std::vector<Cards>, LIMIT + 1> layers;
    layers[0].push_back(Cards{});
    std::unordered_map<uint64_t, int> place;
    place.reserve(8192);
    for (int total = 0; total <= LIMIT; ++total)
        for (const Cards& hand : std::vector<Cards>(layers[total])) {
            int last = 0;
            for (int s = 0; s < KINDS; ++s) if (hand[s]) last = s;
            for (int s = last; s < KINDS; ++s)
                if (total + low(s) <= LIMIT) {
                    Cards more = hand;
                    ++more[s];
                    layers[total + low(s)].push_back(more);
                }
        }
    for (int hard = 0; hard <= LIMIT; ++hard)
        for (const Cards& hand : layers[hard]) {
            place[key_of(hand)] = static_cast<int>(h.cards.size());
            int size = 0;
            for (int count : hand) size += count;
            const bool soft = hand[ACE] && hard + 10 <= LIMIT;
            h.cards.push_back(hand);
            h.size.push_back(size);
            h.soft.push_back(soft);
            h.total.push_back(soft ? hard + 10 : hard);
        }
    h.child.resize(h.cards.size());
    for (size_t at = 0; at < h.cards.size(); ++at)
        for (int s = 0; s < KINDS; ++s) {
            const auto found = place.find(key_of(h.cards[at]) + (uint64_t{1} << 6 * s));
            h.child[at][s] = found == place.end() ? -1 : found->second;
        }
    h.at.assign(h.cards.size(), -1);
    for (int s = 0; s < KINDS; ++s) h.single[s] = h.child[0][s];
    for (size_t at = 0; at < h.cards.size(); ++at)
        if (h.size[at] > 1) {
            h.at[at] = static_cast<int>(h.all.listed.size());
            h.all.listed.push_back(static_cast<int>(at));
            for (int s = 0; s < KINDS; ++s)
                if (h.cards[at][s]) h.with[s].listed.push_back(static_cast<int>(at));
        }
    make_family(h, h.all);
    for (Family& family : h.with) make_family(h, family);
    h.all.rows[0] = h.all.listed;
    // What split hands and the cards of their pair take; most of it is a hand itself, or met under another symbol.
    h.gone = h.cards;
    for (int s = 0; s < KINDS; ++s) {
        Family& family = h.with[s];
        for (int k = 0; k < KINDS; ++k)
            family.pairs[k] = static_cast<int>(std::lower_bound(family.listed.begin(), family.listed.end(), h.child[h.single[s]][k]) - family.listed.begin());
        for (int times = 0; times <= (s == ACE ? 1 : 3); ++times)
            for (int hand : family.listed) {
                Cards more = h.cards[hand];
                more[s] += times;
                const auto [found, fresh] = place.try_emplace(key_of(more), static_cast<int>(h.gone.size()));
                if (fresh) h.gone.push_back(more);
                family.rows[times].push_back(found->second);
            }
    }
    return h;
}

struct Tree {
    std::vector<Node> nodes;
    std::vector<Entry> entries;
};

// The dealer's whole hands, each behind the one it adds a card to: symbols are added from the highest to the lowest.
bool grow(const Hands& h, const std::vector<std::array<double, KINDS>>& ways, int hand, int last, int depth, Tree& tree) {
    const size_t here = tree.nodes.size(), kept = tree.entries.size();
    bool needed = false;
    if (depth) {
        tree.nodes.push_back(Node{last, h.cards[hand][last] - 1, depth, static_cast<int>(kept), 0});
        if (depth > 1 && h.total[hand] >= STANDS_ON)
            for (int up = 0; up < KINDS; ++up)
                if (ways[hand][up] > 0) {
                    const int end = depth == 2 && h.total[hand] == LIMIT ? NATURAL : h.total[hand] - STANDS_ON + 1;
                    tree.entries.push_back(Entry{up * ENDINGS + end, ways[hand][up]});
                }
        tree.nodes.back().last = static_cast<int>(tree.entries.size());
        needed = tree.entries.size() > kept;
    }
    for (int s = last; s >= 0; --s)
        if (h.child[hand][s] >= 0) needed = grow(h, ways, h.child[hand][s], s, depth + 1, tree) || needed;
    if (!needed && depth) tree.nodes.resize(here);
    return needed;
}

Tree make_tree(const Hands& h) {
    std::vector<std::array<double, KINDS>> ways(h.cards.size());
    for (int up = 0; up < KINDS; ++up) ways[h.single[up]][up] = 1.0;
    for (size_t at = 1; at < h.cards.size(); ++at)
        if (h.total[at] < STANDS_ON)
            for (int s = 0; s < KINDS; ++s)
                if (h.child[at][s] >= 0)
                    for (int up = 0; up < KINDS; ++up) ways[h.child[at][s]][up] += ways[at][up];
    Tree tree;
    grow(h, ways, 0, TEN, 0, tree);
    return tree;
}

using Table = std::vector<Row>;

// The dealer's chances for all first cards, from several shoes side by side.
void dealer_tables(const Tree& tree, const std::vector<Cards>& gone, const Shoe& shoe, std::array<Table, KINDS>& tables) {
    constexpr int DEEP = 24;
    alignas(64) double left[KINDS][LANES], order[DEEP][LANES], work[DEEP][LANES], rows[KINDS * ENDINGS][LANES], cards[LANES];
    for (Table& table : tables) table.resize(gone.size());
    for (size_t begin = 0; begin < gone.size(); begin += LANES) {
        const size_t here = std::min<size_t>(LANES, gone.size() - begin);
        bool held[LANES];
        for (size_t lane = 0; lane < LANES; ++lane) {
            const Cards& away = gone[begin + std::min(lane, here - 1)];
            held[lane] = true;
            cards[lane] = 0;
            for (int s = 0; s < KINDS; ++s) {
                held[lane] = held[lane] && shoe[s] >= away[s];
                cards[lane] += left[s][lane] = std::max(shoe[s] - away[s], 0.0);
            }
            work[0][lane] = order[0][lane] = 1.0;
            for (int k = 0; k + 1 < DEEP; ++k) order[k + 1][lane] = cards[lane] - k > 0.5 ? order[k][lane] / (cards[lane] - k) : 0.0;
        }
        for (auto& row : rows) std::fill(std::begin(row), std::end(row), 0.0);
        for (const Node& node : tree.nodes) {
            for (int lane = 0; lane < LANES; ++lane)
                work[node.depth][lane] = work[node.depth - 1][lane] * (left[node.symbol][lane] - node.used);
            if (node.first == node.last) continue;
            alignas(64) double leaf[LANES];
            for (int lane = 0; lane < LANES; ++lane) leaf[lane] = work[node.depth][lane] * order[node.depth][lane];
            for (int entry = node.first; entry < node.last; ++entry)
                for (int lane = 0; lane < LANES; ++lane) rows[tree.entries[entry].row][lane] += leaf[lane] * tree.entries[entry].ways;
        }
        for (int up = 0; up < KINDS; ++up)
            for (size_t lane = 0; lane < here; ++lane) {
                Row& row = tables[up][begin + lane];
                if (!held[lane] || left[up][lane] < 0.5) continue;
                const double factor = cards[lane] / left[up][lane];
                double rest = 1.0;
                for (int e = 1; e < ENDINGS; ++e) rest -= row[e] = rows[up * ENDINGS + e][lane] * factor;
                row[0] = rest;
            }
    }
}

double chance(const Shoe& left, double total, int symbol, int unseen) {
    const double plain = left[symbol] / total;
    if (unseen < 0) return plain;
    const double others = total - left[unseen];
    if (others <= 0 || total <= 1) return 0.0;
    return plain * (symbol == unseen ? others : others - 1.0) * total / ((total - 1.0) * others);
}

double mean(const Row& chances, const Row& pays) {
    double total = 0;
    for (int e = 0; e < ENDINGS; ++e) total += chances[e] * pays[e];
    return total;
}

struct Played {
    std::vector<int> choice;
    std::vector<Worth> worth;
    Shoe second{}, seconds{};
    double average() const {
        double total = 0;
        for (int s = 0; s < KINDS; ++s) total += second[s] * seconds[s];
        return total;
    }
};

struct Situation { Place place; int others; bool unseen; };
constexpr Situation SITUATIONS[] = {{FIRST, 1, false}, {FIRST, 2, false}, {LATER, 2, false}, {LATER, 1, true},
                                    {LATER, 2, true},  {LATER, 3, false}, {LATER, 1, false}};
enum { FIRST_OF_TWO, FIRST_OF_THREE, LATER_OF_THREE, SECOND, AFTER_SECOND, AFTER_KEPT, SECOND_OF_TWO, MANY };

struct Split {
    double worth = 0;
    std::array<Played, MANY> played;
};

struct Board {
    Hands h = make_hands();
    Shoe shoe{};
    double cards = 0;
    Tree tree = make_tree(h);
    std::array<Pay, 3> pay{};
    std::vector<int> options, open_all;
    std::array<std::vector<int>, KINDS> open;
    std::array<Table, KINDS> chances;

    explicit Board(int decks) {
        for (int s = 0; s < KINDS; ++s) cards += shoe[s] = decks * (s == TEN ? 16 : 4);
        pays();
        opens();
        dealer_tables(tree, h.gone, shoe, chances);
    }

    void pays() {
        for (int place = 0; place < 3; ++place)
            for (int twice = 0; twice < 2; ++twice)
                for (int total = 0; total <= BUST; ++total)
                    for (int e = 0; e < ENDINGS; ++e) {
                        const int dealer = e == 0 ? 0 : e == NATURAL ? BUST : STANDS_ON + e - 1;
                        double won = total == BUST ? -1 : total > dealer ? 1 : total == dealer ? 0 : -1;
                        won *= 1 + twice;
                        if (e == NATURAL && total < BUST) won = place == LATER ? 0 : -1;
                        pay[place][twice][total][e] = won;
                    }
    }

    int open_more(int hand) const { return h.total[hand] >= LIMIT ? 0 : h.total[hand] >= 12 ? STAND | HIT : HIT; }

    int open_two(int hand) const {
        const bool twice = !h.cards[hand][ACE] && h.total[hand] >= 9 && h.total[hand] <= 11;
        return open_more(hand) | (twice ? DOUBLE : 0);
    }

    void opens() {
        options.assign(h.cards.size(), 0);
        for (int hand : h.all.listed) options[hand] = h.size[hand] == 2 ? open_two(hand) : open_more(hand);
        for (int hand : h.all.listed) open_all.push_back(options[hand]);
        for (int s = 0; s < KINDS; ++s) {
            for (int hand : h.with[s].listed) open[s].push_back(options[hand]);
            if (s == ACE)
                for (int pair : h.with[s].pairs) open[s][pair] = 0;
        }
    }

    Shoe left(int up, int symbol, int gone) const {
        Shoe found = shoe;
        found[up] -= 1;
        found[symbol] -= gone;
        return found;
    }

    double pair_chance(int up, int a, int b) const {
        const Shoe l = left(up, 0, 0);
        return (a == b ? 1 : 2) * l[a] * (l[b] - (a == b)) / ((cards - 1) * (cards - 2));
    }

    // What a hand brings that draws no more; an unseen card is weighed by the chances with one more of it gone.
    double stands(const Table& table, const std::vector<int>& rows, const std::vector<int>& more, int hand, double here, double number,
                  int unseen, const Row& pays) const {
        const double seen = mean(table[rows[hand]], pays);
        if (unseen < 0) return seen;
        const double part = here / number;
        return (seen - part * mean(table[more[hand]], pays)) / (1.0 - part);
    }

    void play(const Family& f, const std::vector<int>& open_to, const Table& table, int others, const Shoe& from, int unseen,
              const Pay& paid, bool follow, Played& out) const {
        const int bust = static_cast<int>(f.listed.size());
        const std::vector<int>&rows = f.rows[others], &more = f.rows[unseen < 0 ? others : others + 1];
        static thread_local std::vector<double> best;
        best.resize(bust + 1);
        best[bust] = paid[0][BUST][0];
        out.worth.resize(bust);
        if (!follow) out.choice.assign(bust, NONE);
        for (int hand = bust; hand-- > 0;) {
            Shoe l;
            double number = 0, least = 0, drawn = 0;
            for (int s = 0; s < KINDS; ++s) {
                l[s] = from[s] - f.cards[hand][s];
                number += l[s];
                least = std::min(least, l[s]);
                drawn += l[s] * best[f.after[hand][s]];
            }
            Worth& mine = out.worth[hand];
            mine = Worth{};
            best[hand] = 0;
            if (least < 0 || number <= 0) continue;
            const double here = unseen < 0 ? 0.0 : l[unseen];
            best[hand] = mine.best = mine.stand = stands(table, rows, more, hand, here, number, unseen, paid[0][f.total[hand]]);
            if (!open_to[hand]) { out.choice[hand] = NONE; continue; }
            double plain = 1.0 / number, odd = plain;
            if (unseen < 0) mine.hit = plain * drawn;
            else {
                odd = 1.0 / (number - 1.0);
                plain = odd * (number - here - 1.0) / (number - here);
                const double of_it = here * best[f.after[hand][unseen]];
                mine.hit = plain * (drawn - of_it) + odd * of_it;
            }
            if (open_to[hand] & DOUBLE)
                for (int s = 0; s < KINDS; ++s) {
                    const int after = f.after[hand][s];
                    const double share = l[s] * (s == unseen ? odd : plain);
                    if (share > 0)
                        mine.twice += share * (after == bust ? paid[1][BUST][0]
                                                             : stands(table, rows, more, after, here - (s == unseen), number - 1.0, unseen, paid[1][f.total[after]]));
                }
            if (!follow) {
                int said = open_to[hand] & STAND && !(mine.hit > mine.stand) ? STAND : HIT;
                if (open_to[hand] & DOUBLE && mine.twice > (said == HIT ? mine.hit : mine.stand)) said = DOUBLE;
                out.choice[hand] = said;
            }
            best[hand] = mine.best = out.choice[hand] == DOUBLE ? mine.twice : out.choice[hand] == HIT ? mine.hit : mine.stand;
        }
    }

    // The place of two cards among all hands.
    int two(int a, int b) const { return h.at[h.child[h.single[a]][b]]; }

    Played alone(int up, const std::vector<int>* choice = nullptr) const {
        Played out;
        if (choice) out.choice = *choice;
        play(h.all, open_all, chances[up], 0, left(up, 0, 0), -1, pay[ONLY], choice != nullptr, out);
        const int natural = two(ACE, TEN);
        out.worth[natural].best = 1.5 * (1.0 - chances[up][h.all.listed[natural]][NATURAL]);
        if (up == ACE) out.worth[natural].best = std::max(out.worth[natural].best, 1.0);
        return out;
    }

    void situation(int up, int symbol, const Situation& which, const std::vector<int>* choice, Played& out) const {
        const Family& family = h.with[symbol];
        if (choice) {
            out.choice.clear();
            for (size_t at = 0; at < family.listed.size(); ++at) out.choice.push_back((*choice)[h.at[family.listed[at]]]);
        }
        Shoe from = left(up, symbol, which.others);
        const int unseen = which.unseen ? symbol : -1;
        play(family, open[symbol], chances[up], which.others, from, unseen, pay[which.place], choice != nullptr, out);
        from[symbol] -= 1;
        double number = 0;
        for (double count : from) number += count;
        for (int s = 0; s < KINDS; ++s) {
            out.second[s] = chance(from, number, s, unseen);
            out.seconds[s] = out.worth[family.pairs[s]].best;
        }
    }

    Split split(int up, int symbol, const std::vector<int>* choice = nullptr) const {
        Split out;
        const auto go = [&](int which) -> const Played& {
            // Without a blackjack of the dealer the place of a hand makes no difference.
            if (which == LATER_OF_THREE && up != ACE && up != TEN) return out.played[which] = out.played[FIRST_OF_THREE];
            situation(up, symbol, SITUATIONS[which], choice, out.played[which]);
            return out.played[which];
        };
        const Played& one = go(FIRST_OF_TWO);
        if (symbol == ACE) { out.worth = one.average() + go(SECOND_OF_TWO).average(); return out; }
        const double three = go(FIRST_OF_THREE).average() + 2 * go(LATER_OF_THREE).average();
        const auto second = [&](const Played& hand, const Played& after) {
            const double more = 2 * after.average() - hand.seconds[symbol];
            return hand.average() + (choice || more > 0 ? hand.second[symbol] * more : 0.0);
        };
        const double pair = one.second[symbol];
        const double others = one.average() - pair * one.seconds[symbol] + (1 - pair) * second(go(SECOND), go(AFTER_SECOND));
        double again = three;
        if (!choice) again = std::max(three, one.seconds[symbol] + second(out.played[LATER_OF_THREE], go(AFTER_KEPT)));
        out.worth = pair * again + others;
        return out;
    }
};

// The search for the best column of a chart; entries: hit on hard totals, on soft ones, double, split.
struct Search {
    const Board& b;
    int up;
    static constexpr int WIDE = LIMIT + 1, SIZE = 3 * WIDE + KINDS;
    using Entries = std::array<int, SIZE>;
    using Gains = std::array<double, SIZE>;
    std::vector<double> first;

    Search(const Board& board, int card) : b(board), up(card), first(board.h.all.listed.size() + 1, 0.0) {
        for (int x = 0; x < KINDS; ++x)
            for (int y = x; y < KINDS; ++y)
                if (x != ACE || y != TEN) first[b.two(x, y)] = b.pair_chance(up, x, y);
    }

    int entry(int hand) const { return b.h.soft[hand] * WIDE + b.h.total[hand]; }
    bool free(int hand) const { return (b.options[hand] & (STAND | HIT)) == (STAND | HIT); }

    std::vector<int> choices(const Entries& entries) const {
        std::vector<int> choice;
        for (int hand : b.h.all.listed) {
            int said = entries[entry(hand)] || !(b.options[hand] & STAND) ? HIT : STAND;
            if (b.options[hand] & DOUBLE && entries[2 * WIDE + b.h.total[hand]]) said = DOUBLE;
            choice.push_back(b.options[hand] ? said : NONE);
        }
        return choice;
    }

    // Adds what turning each entry over gains, from the chances of the first hands in reach.
    void weigh(Gains& gains, const Entries& entries, const Family& f, const Played& played, const Shoe& from, int unseen,
               std::vector<double>& reach) const {
        for (size_t at_hand = 0; at_hand < f.listed.size(); ++at_hand) {
            const int choice = played.choice[at_hand], hand = f.listed[at_hand];
            const double now = reach[at_hand];
            if (now <= 0 || choice == NONE) continue;
            const Worth& worth = played.worth[at_hand];
            if (free(hand) && choice != DOUBLE) {
                const int at = entry(hand);
                gains[at] += (entries[at] ? -1 : 1) * now * (worth.hit - worth.stand);
            }
            if (b.options[hand] & DOUBLE) {
                const int at = 2 * WIDE + b.h.total[hand];
                const bool hits = entries[entry(hand)] || !(b.options[hand] & STAND);
                gains[at] += (entries[at] ? -1 : 1) * now * (worth.twice - (hits ? worth.hit : worth.stand));
            }
            if (choice != HIT) continue;
            Shoe l;
            double number = 0;
            for (int s = 0; s < KINDS; ++s) number += l[s] = from[s] - f.cards[at_hand][s];
            for (int s = 0; s < KINDS; ++s) reach[f.after[at_hand][s]] += now * chance(l, number, s, unseen);
        }
    }

    double weighed(const Entries& entries, Gains& gains) const {
        gains.fill(0.0);
        const std::vector<int> choice = choices(entries);
        const Played alone = b.alone(up, &choice);
        std::vector<double> reach = first;
        double worth = 0;
        for (int symbol = 0; symbol < KINDS; ++symbol) {
            const Split split = b.split(up, symbol, &choice);
            const int at = 3 * WIDE + symbol, hand = b.two(symbol, symbol);
            const double more = first[hand] * (split.worth - alone.worth[hand].best);
            gains[at] = entries[at] ? -more : more;
            if (!entries[at]) continue;
            worth += first[hand] * split.worth;
            reach[hand] = 0;
            weigh_split(gains, entries, split, symbol);
        }
        for (size_t at = 0; at < alone.worth.size(); ++at) worth += reach[at] * alone.worth[at].best;
        worth += b.pair_chance(up, ACE, TEN) * alone.worth[b.two(ACE, TEN)].best;
        weigh(gains, entries, b.h.all, alone, b.left(up, 0, 0), -1, reach);
        return worth;
    }

    void weigh_split(Gains& gains, const Entries& entries, const Split& split, int symbol) const {
        const double q = split.played[FIRST_OF_TWO].second[symbol];
        struct Part { int which; double weight, pairs; };
        std::vector<Part> parts{{FIRST_OF_TWO, 1, 1}, {SECOND_OF_TWO, 1, 1}};
        if (symbol != ACE)
            parts = {{FIRST_OF_TWO, 1, 0}, {FIRST_OF_THREE, q, 1}, {LATER_OF_THREE, 2 * q, 1}, {SECOND, 1 - q, 0},
                     {AFTER_SECOND, 2 * (1 - q) * split.played[SECOND].second[symbol], 1}};
        const Family& family = b.h.with[symbol];
        std::vector<double> reach(family.listed.size() + 1);
        for (const Part& part : parts) {
            const Played& played = split.played[part.which];
            std::fill(reach.begin(), reach.end(), 0.0);
            for (int s = 0; s < KINDS; ++s)
                reach[family.pairs[s]] = first[b.two(symbol, symbol)] * part.weight * played.second[s] * (s == symbol ? part.pairs : 1.0);
            const Situation& which = SITUATIONS[part.which];
            weigh(gains, entries, family, played, b.left(up, symbol, which.others), which.unseen ? symbol : -1, reach);
        }
    }

    Entries start(const Played& alone, const std::array<double, KINDS>& splits) const {
        Gains sums{};
        Entries entries{};
        for (size_t at = 0; at < b.h.all.listed.size(); ++at) {
            const int hand = b.h.all.listed[at];
            const Worth& worth = alone.worth[at];
            const double weight = first[at] + 1e-9;
            if (free(hand)) sums[entry(hand)] += weight * (worth.hit - worth.stand);
            else if (b.options[hand] & HIT) entries[entry(hand)] = 1;
            if (b.options[hand] & DOUBLE) sums[2 * WIDE + b.h.total[hand]] += weight * (worth.twice - worth.hit);
        }
        for (int at = 0; at < 3 * WIDE; ++at) entries[at] |= sums[at] > 0;
        for (int symbol = 0; symbol < KINDS; ++symbol)
            entries[3 * WIDE + symbol] = splits[symbol] > alone.worth[b.two(symbol, symbol)].best;
        return entries;
    }

    double best(const Played& alone, const std::array<double, KINDS>& splits) const {
        Entries entries = start(alone, splits);
        Gains gains;
        double worth = weighed(entries, gains);
        for (int round = 0; round < 200; ++round) {
            if (*std::max_element(gains.begin(), gains.end()) <= 1e-15) break;
            Entries next = entries;
            for (int at = 0; at < SIZE; ++at) next[at] ^= gains[at] > 1e-15;
            Gains fresh;
            double found = weighed(next, fresh);
            if (found <= worth) {
                next = entries;
                next[std::max_element(gains.begin(), gains.end()) - gains.begin()] ^= 1;
                found = weighed(next, fresh);
            }
            entries = next, gains = fresh, worth = found;
        }
        return worth;
    }
};

}  // namespace

int main(int argc, char** argv) {
    const int decks = argc > 1 ? std::atoi(argv[1]) : 8;
    const auto begun = std::chrono::steady_clock::now();
    const Board board(decks);
    double best = 0, chart = 0;
    for (int up = 0; up < KINDS; ++up) {
        const Played alone = board.alone(up);
        std::array<double, KINDS> splits;
        double worth = 0;
        for (int a = 0; a < KINDS; ++a) {
            splits[a] = board.split(up, a).worth;
            for (int b = a; b < KINDS; ++b) {
                double value = alone.worth[board.two(a, b)].best;
                if (a == b) value = std::max(value, splits[a]);
                worth += board.pair_chance(up, a, b) * value;
            }
        }
        best += board.shoe[up] / board.cards * worth;
        chart += board.shoe[up] / board.cards * Search(board, up).best(alone, splits);
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    std::printf("%.17g %.17g %.6f\n", -best, -chart, taken.count());
}
