// The value of every hand, the best play and the best chart of blackjack (nz1996, reading first_hand), in doubles.
//
// The yardstick for src/croupier/odds/blackjack: the same sums over the same numbered hands, with the rules written in as
// constants instead of being asked of the game.  Prints the edges of the best play and of the best chart, and the
// seconds taken from an empty start.  benchmarks/blackjack_odds.py compiles and runs it.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
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
struct Node { int parent, symbol, used, end, drawn; double ways; };

struct Hands {
    std::vector<Cards> cards;
    std::vector<int> size, total, soft;
    std::vector<std::array<int, KINDS>> child;
    std::array<int, KINDS> single{};
    std::array<std::vector<int>, KINDS> with;
    std::vector<int> listed;
};

int low(int symbol) { return symbol + 1; }

Hands make_hands() {
    Hands h;
    std::array<std::vector<Cards>, LIMIT + 1> layers;
    layers[0].push_back(Cards{});
    std::map<Cards, int> place;
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
            place[hand] = static_cast<int>(h.cards.size());
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
            Cards more = h.cards[at];
            ++more[s];
            const auto found = place.find(more);
            h.child[at][s] = found == place.end() ? -1 : found->second;
        }
    for (int s = 0; s < KINDS; ++s) h.single[s] = h.child[0][s];
    for (size_t at = 0; at < h.cards.size(); ++at)
        if (h.size[at] > 1) {
            h.listed.push_back(static_cast<int>(at));
            for (int s = 0; s < KINDS; ++s)
                if (h.cards[at][s]) h.with[s].push_back(static_cast<int>(at));
        }
    return h;
}

std::vector<Node> make_tree(const Hands& h, int up) {
    const int n = static_cast<int>(h.cards.size());
    std::vector<double> ways(n, 0.0);
    ways[h.single[up]] = 1.0;
    for (int at = 1; at < n; ++at)
        if (ways[at] > 0 && h.total[at] < STANDS_ON)
            for (int s = 0; s < KINDS; ++s)
                if (h.child[at][s] >= 0) ways[h.child[at][s]] += ways[at];
    std::vector<int> parent(n, 0), symbol(n, 0), place(n, -1);
    for (int at = 0; at < n; ++at)
        for (int s = 0; s < KINDS; ++s) {
            const int after = h.child[at][s];
            if (after < 0) continue;
            int lowest = 0;
            while (!h.cards[after][lowest]) ++lowest;
            if (lowest == s) { parent[after] = at; symbol[after] = s; }
        }
    std::vector<char> leaf(n, 0), needed(n, 0);
    for (int at = 0; at < n; ++at) {
        const int hand = h.child[at][up];
        leaf[at] = hand >= 0 && ways[hand] > 0 && h.total[hand] >= STANDS_ON;
        for (int up_the_tree = at; leaf[at] && !needed[up_the_tree]; up_the_tree = parent[up_the_tree]) needed[up_the_tree] = 1;
    }
    needed[0] = 1;
    std::vector<Node> tree;
    for (int at = 0; at < n; ++at) {
        if (!needed[at]) continue;
        place[at] = static_cast<int>(tree.size());
        Node node{place[parent[at]], symbol[at], at ? h.cards[at][symbol[at]] - 1 : 0, 0, h.size[at], 0.0};
        if (leaf[at]) {
            const int hand = h.child[at][up];
            const bool natural = h.size[at] == 1 && h.total[hand] == 21 && (up == ACE || up == TEN);
            node.ways = ways[hand];
            node.end = natural ? NATURAL : h.total[hand] - STANDS_ON + 1;
        }
        tree.push_back(node);
    }
    return tree;
}

// The dealer's chances from several shoes side by side.
void dealer_rows(const std::vector<Node>& tree, const double (&left)[KINDS][LANES], double (&rows)[ENDINGS][LANES],
                 std::vector<std::array<double, LANES>>& work) {
    double order[16][LANES];
    for (int lane = 0; lane < LANES; ++lane) {
        double cards = 0;
        for (int s = 0; s < KINDS; ++s) cards += left[s][lane];
        order[0][lane] = 1.0;
        for (int k = 0; k < 15; ++k) order[k + 1][lane] = cards - k > 0.5 ? order[k][lane] / (cards - k) : 0.0;
    }
    for (auto& row : rows) std::fill(std::begin(row), std::end(row), 0.0);
    work[0].fill(1.0);
    for (size_t at = 1; at < tree.size(); ++at) {
        const Node& node = tree[at];
        for (int lane = 0; lane < LANES; ++lane)
            work[at][lane] = work[node.parent][lane] * (left[node.symbol][lane] - node.used);
        if (node.ways > 0)
            for (int lane = 0; lane < LANES; ++lane)
                rows[node.end][lane] += work[at][lane] * node.ways * order[node.drawn][lane];
    }
    for (int lane = 0; lane < LANES; ++lane) {
        double stood = 0;
        for (int e = 1; e < ENDINGS; ++e) stood += rows[e][lane];
        rows[0][lane] = 1.0 - stood;
    }
}

using Table = std::vector<Row>;

void dealer_table(const std::vector<Node>& tree, const Hands& h, const Shoe& shoe, const std::vector<int>& listed, Table& table) {
    static thread_local std::vector<std::array<double, LANES>> work;
    work.resize(tree.size());
    double left[KINDS][LANES], rows[ENDINGS][LANES];
    for (size_t start = 0; start < listed.size(); start += LANES) {
        const size_t here = std::min<size_t>(LANES, listed.size() - start);
        bool held[LANES];
        for (size_t lane = 0; lane < LANES; ++lane) {
            held[lane] = true;
            const Cards& cards = h.cards[listed[start + std::min(lane, here - 1)]];
            for (int s = 0; s < KINDS; ++s) {
                left[s][lane] = std::max(shoe[s] - cards[s], 0.0);
                held[lane] = held[lane] && shoe[s] >= cards[s];
            }
        }
        dealer_rows(tree, left, rows, work);
        for (size_t lane = 0; lane < here; ++lane)
            for (int e = 0; e < ENDINGS; ++e) table[listed[start + lane]][e] = held[lane] ? rows[e][lane] : 0.0;
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
    std::vector<std::vector<Node>> trees;
    std::array<Pay, 3> pay{};
    std::vector<int> options;
    std::array<Table, KINDS> known;
    std::array<std::array<std::array<Table, 3>, KINDS>, KINDS> shifted;
    std::array<std::array<std::array<Table, 2>, KINDS>, KINDS> mixed;

    explicit Board(int decks) {
        for (int s = 0; s < KINDS; ++s) cards += shoe[s] = decks * (s == TEN ? 16 : 4);
        for (int up = 0; up < KINDS; ++up) trees.push_back(make_tree(h, up));
        pays();
        opens();
        for (int up = 0; up < KINDS; ++up) tables(up);
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
        for (int hand : h.listed) options[hand] = h.size[hand] == 2 ? open_two(hand) : open_more(hand);
    }

    std::vector<int> split_options(int symbol) const {
        std::vector<int> open = options;
        if (symbol == ACE)
            for (int s = 0; s < KINDS; ++s) open[h.child[h.single[ACE]][s]] = 0;
        return open;
    }

    Shoe left(int up, int symbol, int gone) const {
        Shoe found = shoe;
        found[up] -= 1;
        found[symbol] -= gone;
        return found;
    }

    void tables(int up) {
        known[up].resize(h.cards.size());
        dealer_table(trees[up], h, left(up, 0, 0), h.listed, known[up]);
        for (int symbol = 0; symbol < KINDS; ++symbol) {
            const int most = symbol == ACE ? 1 : 3;
            for (int times = 1; times <= most; ++times) {
                Table& table = shifted[up][symbol][times - 1];
                table.resize(h.cards.size());
                std::vector<int> rest;
                for (int hand : h.with[symbol]) {
                    int same = hand;
                    for (int k = 0; k < times && same >= 0; ++k) same = h.child[same][symbol];
                    if (same >= 0) table[hand] = known[up][same];
                    else rest.push_back(hand);
                }
                dealer_table(trees[up], h, left(up, symbol, times), rest, table);
            }
            for (int times = 1; times < most; ++times) mix(up, symbol, times);
        }
    }

    void mix(int up, int symbol, int times) {
        Table& table = mixed[up][symbol][times - 1];
        table.resize(h.cards.size());
        const Shoe gone = left(up, symbol, times);
        for (int hand : h.with[symbol]) {
            double total = 0;
            for (int s = 0; s < KINDS; ++s) total += gone[s] - h.cards[hand][s];
            const double part = (gone[symbol] - h.cards[hand][symbol]) / total;
            for (int e = 0; e < ENDINGS; ++e)
                table[hand][e] = (shifted[up][symbol][times - 1][hand][e] - part * shifted[up][symbol][times][hand][e]) / (1.0 - part);
        }
    }

    double pair_chance(int up, int a, int b) const {
        const Shoe l = left(up, 0, 0);
        return (a == b ? 1 : 2) * l[a] * (l[b] - (a == b)) / ((cards - 1) * (cards - 2));
    }

    void play(const std::vector<int>& listed, const std::vector<int>& open, const Table& dealer, const Shoe& from, int unseen,
              const Pay& paid, bool follow, Played& out) const {
        out.worth.assign(h.cards.size(), Worth{});
        if (!follow) out.choice.assign(h.cards.size(), NONE);
        for (size_t index = listed.size(); index-- > 0;) {
            const int hand = listed[index];
            Shoe l;
            double number = 0;
            bool held = true;
            for (int s = 0; s < KINDS; ++s) {
                l[s] = from[s] - h.cards[hand][s];
                number += l[s];
                held = held && l[s] >= 0;
            }
            if (!held || number <= 0) continue;
            Worth& mine = out.worth[hand];
            mine.best = mine.stand = mean(dealer[hand], paid[0][h.total[hand]]);
            if (!open[hand]) { out.choice[hand] = NONE; continue; }
            for (int s = 0; s < KINDS; ++s) {
                const double share = chance(l, number, s, unseen);
                if (share <= 0) continue;
                const int after = h.child[hand][s];
                mine.hit += share * (after >= 0 ? out.worth[after].best : paid[0][BUST][0]);
                if (open[hand] & DOUBLE) mine.twice += share * mean(dealer[after], paid[1][h.total[after]]);
            }
            if (!follow) {
                int best = open[hand] & STAND ? STAND : HIT;
                if (mine.hit > mine.stand) best = HIT;
                if (!(open[hand] & STAND)) best = HIT;
                if (open[hand] & DOUBLE && mine.twice > (best == HIT ? mine.hit : mine.stand)) best = DOUBLE;
                out.choice[hand] = best;
            }
            mine.best = out.choice[hand] == DOUBLE ? mine.twice : out.choice[hand] == HIT ? mine.hit : mine.stand;
        }
    }

    Played alone(int up, const std::vector<int>* choice = nullptr) const {
        Played out;
        if (choice) out.choice = *choice;
        play(h.listed, options, known[up], left(up, 0, 0), -1, pay[ONLY], choice != nullptr, out);
        const int natural = h.child[h.single[ACE]][TEN];
        out.worth[natural].best = 1.5 * (1.0 - known[up][natural][NATURAL]);
        if (up == ACE) out.worth[natural].best = std::max(out.worth[natural].best, 1.0);
        return out;
    }

    Played situation(int up, int symbol, const Situation& which, const std::vector<int>& open, const std::vector<int>* choice) const {
        Played out;
        if (choice) out.choice = *choice;
        const Table& dealer = (which.unseen ? mixed[up][symbol][which.others - 1] : shifted[up][symbol][which.others - 1]);
        Shoe from = left(up, symbol, which.others);
        const int unseen = which.unseen ? symbol : -1;
        play(h.with[symbol], open, dealer, from, unseen, pay[which.place], choice != nullptr, out);
        from[symbol] -= 1;
        double number = 0;
        for (double count : from) number += count;
        for (int s = 0; s < KINDS; ++s) {
            out.second[s] = chance(from, number, s, unseen);
            out.seconds[s] = out.worth[h.child[h.single[symbol]][s]].best;
        }
        return out;
    }

    Split split(int up, int symbol, const std::vector<int>* choice = nullptr) const {
        Split out;
        const std::vector<int> open = split_options(symbol);
        const auto go = [&](int which) -> const Played& {
            return out.played[which] = situation(up, symbol, SITUATIONS[which], open, choice);
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

    Search(const Board& board, int card) : b(board), up(card), first(board.h.cards.size(), 0.0) {
        for (int x = 0; x < KINDS; ++x)
            for (int y = x; y < KINDS; ++y)
                if (x != ACE || y != TEN) first[b.h.child[b.h.single[x]][y]] = b.pair_chance(up, x, y);
    }

    int entry(int hand) const { return b.h.soft[hand] * WIDE + b.h.total[hand]; }
    int pair(int symbol) const { return b.h.child[b.h.single[symbol]][symbol]; }
    bool free(int hand) const { return (b.options[hand] & (STAND | HIT)) == (STAND | HIT); }

    std::vector<int> choices(const Entries& entries) const {
        std::vector<int> choice(b.h.cards.size(), NONE);
        for (int hand : b.h.listed) {
            if (!b.options[hand]) continue;
            choice[hand] = entries[entry(hand)] || !(b.options[hand] & STAND) ? HIT : STAND;
            if (b.options[hand] & DOUBLE && entries[2 * WIDE + b.h.total[hand]]) choice[hand] = DOUBLE;
        }
        return choice;
    }

    void spread(const std::vector<int>& listed, const std::vector<int>& choice, const Shoe& from, int unseen, std::vector<double>& reach) const {
        for (int hand : listed) {
            if (reach[hand] <= 0 || choice[hand] != HIT) continue;
            Shoe l;
            double number = 0;
            for (int s = 0; s < KINDS; ++s) number += l[s] = from[s] - b.h.cards[hand][s];
            for (int s = 0; s < KINDS; ++s)
                if (b.h.child[hand][s] >= 0) reach[b.h.child[hand][s]] += reach[hand] * chance(l, number, s, unseen);
        }
    }

    void weigh(Gains& gains, const Entries& entries, const Played& played, const std::vector<int>& listed, const std::vector<double>& reach) const {
        for (int hand : listed) {
            const int choice = played.choice[hand];
            if (reach[hand] <= 0 || choice == NONE) continue;
            const Worth& worth = played.worth[hand];
            if (free(hand) && choice != DOUBLE) {
                const int at = entry(hand);
                gains[at] += (entries[at] ? -1 : 1) * reach[hand] * (worth.hit - worth.stand);
            }
            if (b.options[hand] & DOUBLE) {
                const int at = 2 * WIDE + b.h.total[hand];
                const bool hits = entries[entry(hand)] || !(b.options[hand] & STAND);
                gains[at] += (entries[at] ? -1 : 1) * reach[hand] * (worth.twice - (hits ? worth.hit : worth.stand));
            }
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
            const int at = 3 * WIDE + symbol, hand = pair(symbol);
            const double more = first[hand] * (split.worth - alone.worth[hand].best);
            gains[at] = entries[at] ? -more : more;
            if (!entries[at]) continue;
            worth += first[hand] * split.worth;
            reach[hand] = 0;
            weigh_split(gains, entries, split, symbol);
        }
        for (int hand : b.h.listed) worth += reach[hand] * alone.worth[hand].best;
        worth += b.pair_chance(up, ACE, TEN) * alone.worth[b.h.child[b.h.single[ACE]][TEN]].best;
        spread(b.h.listed, alone.choice, b.left(up, 0, 0), -1, reach);
        weigh(gains, entries, alone, b.h.listed, reach);
        return worth;
    }

    void weigh_split(Gains& gains, const Entries& entries, const Split& split, int symbol) const {
        const double q = split.played[FIRST_OF_TWO].second[symbol];
        struct Part { int which; double weight, pairs; };
        std::vector<Part> parts{{FIRST_OF_TWO, 1, 1}, {SECOND_OF_TWO, 1, 1}};
        if (symbol != ACE)
            parts = {{FIRST_OF_TWO, 1, 0}, {FIRST_OF_THREE, q, 1}, {LATER_OF_THREE, 2 * q, 1}, {SECOND, 1 - q, 0},
                     {AFTER_SECOND, 2 * (1 - q) * split.played[SECOND].second[symbol], 1}};
        for (const Part& part : parts) {
            const Played& played = split.played[part.which];
            std::vector<double> reach(b.h.cards.size(), 0.0);
            for (int s = 0; s < KINDS; ++s)
                reach[b.h.child[b.h.single[symbol]][s]] = first[pair(symbol)] * part.weight * played.second[s] * (s == symbol ? part.pairs : 1.0);
            const Situation& which = SITUATIONS[part.which];
            spread(b.h.with[symbol], played.choice, b.left(up, symbol, which.others), which.unseen ? symbol : -1, reach);
            weigh(gains, entries, played, b.h.with[symbol], reach);
        }
    }

    Entries start(const Played& alone, const std::array<Split, KINDS>& splits) const {
        Gains sums{};
        Entries entries{};
        for (int hand : b.h.listed) {
            const Worth& worth = alone.worth[hand];
            const double weight = first[hand] + 1e-9;
            if (free(hand)) sums[entry(hand)] += weight * (worth.hit - worth.stand);
            else if (b.options[hand] & HIT) entries[entry(hand)] = 1;
            if (b.options[hand] & DOUBLE) sums[2 * WIDE + b.h.total[hand]] += weight * (worth.twice - worth.hit);
        }
        for (int at = 0; at < 3 * WIDE; ++at) entries[at] |= sums[at] > 0;
        for (int symbol = 0; symbol < KINDS; ++symbol)
            entries[3 * WIDE + symbol] = splits[symbol].worth > alone.worth[pair(symbol)].best;
        return entries;
    }

    double best(const Played& alone, const std::array<Split, KINDS>& splits) const {
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
        std::array<Split, KINDS> splits;
        double worth = 0;
        for (int a = 0; a < KINDS; ++a) {
            splits[a] = board.split(up, a);
            for (int b = a; b < KINDS; ++b) {
                double value = alone.worth[board.h.child[board.h.single[a]][b]].best;
                if (a == b) value = std::max(value, splits[a].worth);
                worth += board.pair_chance(up, a, b) * value;
            }
        }
        best += board.shoe[up] / board.cards * worth;
        chart += board.shoe[up] / board.cards * Search(board, up).best(alone, splits);
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    std::printf("%.17g %.17g %.6f\n", -best, -chart, taken.count());
}
