/* Caribbean stud, hand-written in C: the same algorithm as the kernel, to measure it against.
 *
 * The tables come from the project, so both play by the same rules and strategies; words, mixing, play and counting are
 * written here once more.  With the same keys the counts must be the same.  Sessions are left out.
 *
 *   gcc -O3 -march=native -o program stud_simulation.c
 *   program TABLES BINS KEY0 KEY1 UNITS      prints: seconds, rounds, then the counts
 *
 * TABLES holds, for each table of the kernel in order, its length and its numbers, all as 64-bit integers.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef int64_t i64;
typedef unsigned __int128 u128;

enum { WORDS_LOG = 24, TABLES = 16, CARDS = 52, PATTERNS = 6188, PAIRS = 91, STRIDE = 16, MOST_BOXES = 9 };
enum { FOLDED, NO_HAND, HIGHER, EQUAL, LOWER, ENDS };
enum { BOXES, UP, SESSION, WIDTH, SESSIONS_AT, TOGETHER_AT, JACKPOT_AT, PRIZES, LEAST, READY };

static u64 key0, key1, counter;
static uint8_t cards[CARDS], *pack, *pair, *class_of;
static uint16_t *four, *five;
static int16_t *value_of;
static i64 *shape, *slots, *where, *strategy_of, *blocks, *prize_of, *steps, *counts;
static u64 *bets, *detail;

static inline u64 word(u64 at) {
    u64 z = at * 0x9E3779B97F4A7C15ull + key0;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z ^= key1;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static inline int is_short(u64 rest, u64 product) { return rest < product && rest < (0 - product) % product; }

/* Fill some places of a half-mixed pack with one word. */
static inline void mix(u64 done, u64 left, int many) {
    u64 chosen[6], product = 1, rest;
    for (int i = 0; i < many; i++) product *= left - i;
    do {
        rest = word(counter++);
        for (int i = 0; i < many; i++) {
            u128 wide = (u128)rest * (left - i);
            rest = (u64)wide;
            chosen[i] = (u64)(wide >> 64);
        }
    } while (is_short(rest, product));
    for (int i = 0; i < many; i++) {
        uint8_t held = cards[done + i];
        cards[done + i] = cards[done + i + chosen[i]];
        cards[done + i + chosen[i]] = held;
    }
}

static inline int pattern_of(const i64 *at) {
    unsigned a = cards[at[0]], b = cards[at[1]], c = cards[at[2]], d = cards[at[3]], e = cards[at[4]];
    unsigned one = pair[(a >> 2) * STRIDE + (b >> 2)], other = pair[(c >> 2) * STRIDE + (d >> 2)];
    int pattern = five[four[one * PAIRS + other] * STRIDE + (e >> 2)];
    return (((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & 3) == 0 ? pattern + PATTERNS : pattern;
}

static __attribute__((noinline)) int suits_of(const i64 *at) {
    uint8_t hand[5];
    int suits = 0;
    for (int i = 0; i < 5; i++) {
        uint8_t card = cards[at[i]];
        int last = i;
        for (; last > 0 && hand[last - 1] > card; last--) hand[last] = hand[last - 1];
        hand[last] = card;
    }
    for (int i = 0; i < 5; i++) suits |= (hand[i] & 3) << 2 * i;
    return suits;
}

static void play_round(void) {
    int boxes = shape[BOXES], needed = 5 * (boxes + 1), done = 0;
    i64 prize[MOST_BOXES], won = 0, prizes = shape[PRIZES];
    memcpy(cards, pack, CARDS);
    for (; done < needed && CARDS - done >= 6; done += 6) mix(done, CARDS - done, 6);
    for (; done < needed; done++) mix(done, CARDS - done, 1);
    int dealers = value_of[pattern_of(slots + 5 * boxes)], up = cards[shape[UP]];
    for (int box = 0; box < boxes; box++) {
        int pattern = pattern_of(slots + 5 * box), mine = value_of[pattern], end = FOLDED;
        i64 row = strategy_of[box] * 2 * PATTERNS + pattern;
        u64 chosen = bets[row];
        if (where[row] >= 0) chosen = detail[where[row] + suits_of(slots + 5 * box)];
        if (chosen >> up & 1) {
            if (dealers < shape[LEAST]) end = NO_HAND;
            else if (mine > dealers) end = HIGHER;
            else end = mine == dealers ? EQUAL : LOWER;
        }
        int kind = class_of[mine];
        counts[blocks[box] + kind * ENDS + end]++;
        prize[box] = end != FOLDED ? prize_of[kind] : -1;
        if (prize[box] >= 0) won = steps[won * prizes + prize[box]];
    }
    if (shape[JACKPOT_AT] < 0) return;
    if (won == 0) counts[shape[JACKPOT_AT]] += boxes;
    else
        for (int box = 0; box < boxes; box++)
            counts[shape[JACKPOT_AT] + (prize[box] >= 0 ? 1 + won * prizes + prize[box] : 0)]++;
}

#define NARROWED(name, type)                                                                 \
    static type *name(const i64 *from, i64 length) {                                         \
        type *made = aligned_alloc(64, (length * sizeof(type) + 63) / 64 * 64);              \
        for (i64 i = 0; i < length; i++) made[i] = (type)from[i];                            \
        return made;                                                                         \
    }
NARROWED(bytes, uint8_t)
NARROWED(shorts, uint16_t)

int main(int argc, char **argv) {
    i64 *table[TABLES], length[TABLES];
    FILE *file = argc == 6 ? fopen(argv[1], "rb") : NULL;
    if (!file) return 2;
    for (int i = 0; i < TABLES; i++) {
        if (fread(length + i, 8, 1, file) != 1) return 2;
        table[i] = malloc(length[i] * 8);
        if (fread(table[i], 8, length[i], file) != (size_t)length[i]) return 2;
    }
    fclose(file);
    if (table[1][BOXES] > MOST_BOXES || table[1][READY] || table[1][SESSION]) return 2;
    pack = bytes(table[0], length[0]), shape = table[1], slots = table[2], pair = bytes(table[3], length[3]);
    four = shorts(table[4], length[4]), five = shorts(table[5], length[5]);
    value_of = (int16_t *)shorts(table[6], length[6]), class_of = bytes(table[7], length[7]);
    bets = (u64 *)table[8], where = table[9], detail = (u64 *)table[10], strategy_of = table[11], blocks = table[12];
    prize_of = table[13], steps = table[14];
    i64 bins = atoll(argv[2]);
    u64 units = strtoull(argv[5], 0, 10);
    key0 = strtoull(argv[3], 0, 10), key1 = strtoull(argv[4], 0, 10);
    counts = calloc(bins, 8);
    struct timespec begin, finish;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (u64 unit = 0; unit < units; unit++) counter = unit << WORDS_LOG, play_round();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &finish);
    printf("%.6f %ld", (finish.tv_sec - begin.tv_sec) + 1e-9 * (finish.tv_nsec - begin.tv_nsec), (long)units);
    for (i64 i = 0; i < bins; i++) printf(" %ld", (long)counts[i]);
    puts("");
    return 0;
}
