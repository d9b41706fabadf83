// The optimum of Caribbean stud over all deals of a full deck, written plainly in C++ for comparison.
//
// The same method as croupier.odds.caribbean_stud: a sweep over all hands from the lowest value to the highest keeps,
// for every set of one to four cards, how many of the dealer's hands contain it; inclusion and exclusion then gives
// for each of 134,459 hands and every up card how many of the dealer's hands do not qualify, are lower, or are equal.
// The ranking of hands is this program's own.
//
// Prints the net in antes, the deals, the deals that are bet on, and the seconds taken.  An argument is what a royal
// flush pays (250).

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

constexpr int CARDS = 52;
constexpr int HAND = 5;
constexpr int64_t ONE_EQUAL = 1, ONE_BELOW = int64_t{1} << 21, ONE_NO_HAND = int64_t{1} << 42, FIELD = ONE_BELOW - 1;

enum Class { ODD_CARDS, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH };
constexpr int PAYS[] = {1, 1, 2, 3, 4, 5, 7, 20, 50, 250};

using Hand = std::array<uint8_t, HAND>;  // cards by rank (0 is the two, 12 the ace) and then suit: rank * 4 + suit

int64_t choose[HAND + 1][CARDS + 1];
int64_t starts[HAND + 2];

void prepare() {
    for (int n = 0; n <= CARDS; ++n) {
        choose[0][n] = 1;
        for (int k = 1; k <= HAND; ++k) choose[k][n] = n == 0 ? 0 : choose[k - 1][n - 1] + choose[k][n - 1];
    }
    starts[1] = 0;
    for (int k = 1; k <= HAND; ++k) starts[k + 1] = starts[k] + choose[k][CARDS];
}

// The class in the highest digit, then the ranks that decide within it, in base 16.
int32_t value_of(const Hand& hand) {
    int counts[13] = {}, groups[HAND], kinds = 0;
    bool suited = true;
    for (int card : hand) {
        ++counts[card / 4];
        suited = suited && card % 4 == hand[0] % 4;
    }
    for (int size = 4; size >= 1; --size)
        for (int rank = 12; rank >= 0; --rank)
            if (counts[rank] == size) groups[kinds++] = rank;
    int kind = ODD_CARDS;
    if (kinds == 5) {
        const bool wheel = groups[0] == 12 && groups[1] == 3;
        const bool straight = wheel || groups[0] - groups[4] == 4;
        if (straight) {
            kind = !suited ? STRAIGHT : groups[0] == 12 && !wheel ? ROYAL_FLUSH : STRAIGHT_FLUSH;
            groups[0] = wheel ? 3 : groups[0];
            kinds = 1;
        } else if (suited) {
            kind = FLUSH;
        }
    } else if (kinds == 4) {
        kind = PAIR;
    } else if (kinds == 3) {
        kind = counts[groups[0]] == 3 ? THREE : TWO_PAIRS;
    } else {
        kind = counts[groups[0]] == 4 ? FOUR : FULL_HOUSE;
    }
    int32_t value = kind;
    for (int i = 0; i < HAND; ++i) value = value * 16 + (i < kinds ? groups[i] : 0);
    return value;
}

int class_of(int32_t value) { return value >> 20; }

// Of the hands that differ by an exchange of suits only, the one whose sets of ranks fall from suit to suit counts.
int weight_of(const Hand& hand) {
    int held[4] = {}, orders = 24, same = 1;
    for (int card : hand) held[card % 4] |= 1 << card / 4;
    for (int suit = 1; suit < 4; ++suit) {
        if (held[suit - 1] < held[suit]) return 0;
        same = held[suit - 1] == held[suit] ? same + 1 : 1;
        orders /= same;
    }
    return orders;
}

void put_in(std::vector<int64_t>& table, const Hand& hand, int64_t unit) {
    for (int i = 0; i < HAND; ++i) {
        const int64_t one = choose[1][hand[i]];
        table[one] += unit;
        for (int j = i + 1; j < HAND; ++j) {
            const int64_t two = one + choose[2][hand[j]];
            table[starts[2] + two] += unit;
            for (int k = j + 1; k < HAND; ++k) {
                const int64_t three = two + choose[3][hand[k]];
                table[starts[3] + three] += unit;
                for (int m = k + 1; m < HAND; ++m) table[starts[4] + three + choose[4][hand[m]]] += unit;
            }
        }
    }
}

int64_t one_hand(int dealer, int value) {
    if (dealer < 0) return ONE_NO_HAND;
    if (dealer < value) return ONE_BELOW;
    return dealer == value ? ONE_EQUAL : 0;
}

void look_up(int64_t* found, const std::vector<int64_t>& table, const Hand& hand, const std::vector<int16_t>& dealer,
             int value) {
    std::fill(found, found + CARDS, 0);
    for (int subset = 0; subset < 31; ++subset) {
        int chosen[HAND] = {}, k = 0;
        for (int i = 0; i < HAND; ++i)
            if (subset >> i & 1) chosen[k++] = hand[i];
        int64_t number = k < 4 ? starts[k + 1] : 0;
        for (int i = 0; i < k; ++i) number += choose[i + 2][chosen[i]];
        int first = 0;
        for (int before = 0; before <= k; ++before) {
            const int last = before < k ? chosen[before] : CARDS;
            const int64_t* term = choose[before + 1];
            const int64_t* part = table.data() + number;
            if (k == 4)
                for (int up = first; up < last; ++up) found[up] += one_hand(dealer[number + term[up]], value);
            else if (k % 2)
                for (int up = first; up < last; ++up) found[up] -= part[term[up]];
            else
                for (int up = first; up < last; ++up) found[up] += part[term[up]];
            if (before < k) {
                number += choose[before + 1][last] - choose[before + 2][last];
                first = last + 1;
            }
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const auto begin = std::chrono::steady_clock::now();
    const int64_t royal = argc > 1 ? std::atoll(argv[1]) : PAYS[ROYAL_FLUSH];
    prepare();

    std::vector<Hand> hands;
    std::vector<int32_t> values;
    hands.reserve(choose[HAND][CARDS]);
    values.reserve(choose[HAND][CARDS]);
    for (int e = 4; e < CARDS; ++e)
        for (int d = 3; d < e; ++d)
            for (int c = 2; c < d; ++c)
                for (int b = 1; b < c; ++b)
                    for (int a = 0; a < b; ++a) {
                        hands.push_back({uint8_t(a), uint8_t(b), uint8_t(c), uint8_t(d), uint8_t(e)});
                        values.push_back(value_of(hands.back()));
                    }

    // Values become numbers from 0 up; those with which the dealer does not qualify become -1.
    std::vector<int32_t> distinct(values);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    const int32_t ace_king = ((ODD_CARDS * 16 + 12) * 16 + 11) * 4096;
    std::vector<int16_t> number_of(10 << 20, -1), dealer(hands.size());
    for (size_t i = 0; i < distinct.size(); ++i) number_of[distinct[i]] = int16_t(i);
    std::vector<uint32_t> first_of(distinct.size() + 1, 0), order(hands.size());
    for (int32_t value : values) ++first_of[number_of[value] + 1];
    std::partial_sum(first_of.begin(), first_of.end(), first_of.begin());
    for (size_t i = 0; i < hands.size(); ++i) {
        dealer[i] = values[i] < ace_king ? -1 : number_of[values[i]];
        order[first_of[number_of[values[i]]]++] = uint32_t(i);
    }

    std::vector<int64_t> table(starts[HAND], 0);
    for (size_t i = 0; i < hands.size(); ++i)
        if (dealer[i] < 0) put_in(table, hands[i], ONE_NO_HAND);

    const int64_t every = choose[4][CARDS - 6];
    int64_t net = 0, deals = 0, bet = 0, found[CARDS];
    for (size_t first = 0, last; first < order.size(); first = last) {
        const int value = dealer[order[first]];
        for (last = first; last < order.size() && dealer[order[last]] == value; ++last)
            if (value >= 0) put_in(table, hands[order[last]], ONE_EQUAL);
        for (size_t i = first; i < last; ++i) {
            const Hand& hand = hands[order[i]];
            const int weight = weight_of(hand);
            if (weight == 0) continue;
            look_up(found, table, hand, dealer, value);
            const int kind = class_of(values[order[i]]);
            const int64_t pays = kind == ROYAL_FLUSH ? royal : PAYS[kind];
            for (int up = 0; up < CARDS; ++up) {
                if (std::find(hand.begin(), hand.end(), up) != hand.end()) continue;
                const int64_t no_hand = found[up] >> 42, higher = found[up] >> 21 & FIELD, equal = found[up] & FIELD;
                const int64_t lower = every - no_hand - higher - equal;
                const int64_t worth = no_hand + higher * (1 + 2 * pays) - 3 * lower;
                deals += weight * every;
                net += weight * std::max(worth, -every);
                if (worth > -every) bet += weight * every;
            }
        }
        if (value >= 0)
            for (size_t i = first; i < last; ++i) put_in(table, hands[order[i]], ONE_BELOW - ONE_EQUAL);
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    std::printf("%lld %lld %lld %.3f\n", (long long)net, (long long)deals, (long long)bet, taken.count());
    return 0;
}
