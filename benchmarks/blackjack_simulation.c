/* Blackjack by whole shoes, hand-written in C: the same algorithm as the kernel, to measure it against.
 *
 * The tables come from the project, so both play by the same rules and strategies; words, mixing, play and counting are
 * written here once more.  With the same keys the counts must be the same.  Sessions are left out.
 *
 *   gcc -O3 -march=native -o program blackjack_simulation.c
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

enum { WORDS_LOG = 24, TABLES = 14, MOST_BOXES = 16, MOST_CARDS = 1024 };
enum { STAND, HIT, DOUBLE, SPLIT };
enum { FIRST_OF_TWO = 1, FIRST_OF_THREE, KEPT, SECOND, AFTER_SECOND, AFTER_KEPT, LATER_OF_THREE, VARIANTS };
enum { INSURE = 1, EVEN_MONEY };
enum { ONE = 1, TWO, TWO_SUITED, THREE, THREE_SUITED };
enum { SYMBOL = 15, SYMBOLS = 16, FIGURE = 64 };
enum {
    BOXES, BURNED, CUT, SESSION, WIDTH, SESSIONS_AT, TOGETHER_AT, NATURAL, BUST, ENDS, TOTALS, NATURALS_AT,
    EVEN_MONEY_AT, SPLIT_AT, SPLIT_WIDTH, INSURANCE_AT, SEVENS_AT, READY
};

typedef struct {
    int number;
    int lives;
    int doubled[3];
    int total[3];
} Made;

static u64 key0, key1, counter;
static uint8_t shoe[MOST_CARDS];
static int size, mixed, start;
static uint8_t *pack, *place, *choice, *early, *dealer;
static uint16_t *two, *child;
static uint32_t *alone;
static i64 *shape, *split, *offers, *pay, *blocks, *counts;
static int states, bust, ends, totals;

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
        uint8_t held = shoe[done + i];
        shoe[done + i] = shoe[done + i + chosen[i]];
        shoe[done + i + chosen[i]] = held;
    }
}

static inline void mix_up_to(int wanted) {
    while (mixed < wanted && size - mixed >= 6) mix(mixed, size - mixed, 6), mixed += 6;
    while (mixed < wanted && mixed < size) mix(mixed, size - mixed, 1), mixed++;
}

static __attribute__((noinline)) int more(int at) {
    if (at == size) {
        uint8_t old[MOST_CARDS];
        if (start <= 0) exit(3);
        memcpy(old, shoe, size);
        memcpy(shoe, old + start, size - start);
        memcpy(shoe + size - start, old, start);
        at = mixed = size - start;
        start = -1;
    }
    mix_up_to(at + 1);
    return at;
}

static inline int draw(int *at) {
    if (*at >= mixed) *at = more(*at);
    return shoe[(*at)++];
}

static __attribute__((noinline)) int play_split(int at, int symbol, const i64 *rows, Made *made) {
    int number = 2, which = 0, again = 0, kept = 0, lives = 0;
    memset(made, 0, sizeof *made);
    while (which < number) {
        int variant = number == 2 ? FIRST_OF_TWO : FIRST_OF_THREE;
        if (which > 0 && number == 2) variant = kept ? KEPT : SECOND;
        else if (which > 0) variant = again ? LATER_OF_THREE : kept ? AFTER_KEPT : AFTER_SECOND;
        const uint8_t *row = choice + rows[variant];
        int card = draw(&at) & SYMBOL;
        unsigned hand = two[symbol * SYMBOLS + card];
        int act = row[hand];
        if (act == SPLIT) {
            number++;
            again = which == 0;
            continue;
        }
        if (which == 0) kept = card == symbol;
        while (act == HIT || act == DOUBLE) {
            hand = child[hand * SYMBOLS + (draw(&at) & SYMBOL)];
            made->doubled[which] = act == DOUBLE;
            act = act == DOUBLE ? STAND : row[hand];
        }
        lives |= place[hand] != bust;
        made->total[which] = place[hand];
        which++;
    }
    made->number = number, made->lives = lives;
    return at;
}

static __attribute__((noinline)) i64 split_bin(const Made *made, int end) {
    i64 stakes = 0, brings = 0, width = shape[SPLIT_WIDTH];
    int lives = 0;
    for (int which = 0; which < made->number; which++) {
        int where = which == 0 ? 1 : lives ? 2 : 3;
        brings += pay[((where * 2 + made->doubled[which]) * totals + made->total[which]) * ends + end];
        stakes += 1 + made->doubled[which];
        lives |= made->total[which] != bust;
    }
    return (stakes - 2) * width + width / 2 + brings;
}

static inline int sevens_of(int first, int second, int third) {
    if (!(second & FIGURE)) return ONE;
    if (!(third & FIGURE)) return first == second ? TWO_SUITED : TWO;
    return first == second && first == third ? THREE_SUITED : THREE;
}

static int play_round(int at) {
    int boxes = shape[BOXES], firsts[MOST_BOXES], seconds[MOST_BOXES], thirds[MOST_BOXES], twos[MOST_BOXES];
    int codes[MOST_BOXES], depends = 0, natural = shape[NATURAL];
    static Made made[MOST_BOXES];
    for (int box = 0; box < boxes; box++) firsts[box] = draw(&at);
    int up = draw(&at) & SYMBOL;
    for (int box = 0; box < boxes; box++) seconds[box] = draw(&at);
    for (int box = 0; box < boxes; box++) {
        unsigned hand = two[(firsts[box] & SYMBOL) * SYMBOLS + (seconds[box] & SYMBOL)];
        twos[box] = hand, thirds[box] = 0;
        if ((int)hand == natural) {
            int paid = (offers[up] & 2) && early[(box * SYMBOLS + up) * states + hand] == EVEN_MONEY;
            codes[box] = paid ? shape[EVEN_MONEY_AT] : shape[NATURALS_AT] + up * ends;
            continue;
        }
        const uint8_t *row = choice + alone[box * SYMBOLS + up];
        int act = row[hand], code = 0;
        if (act == SPLIT) {
            int symbol = firsts[box] & SYMBOL;
            codes[box] = -1;
            at = play_split(at, symbol, split + ((box * SYMBOLS + up) * SYMBOLS + symbol) * VARIANTS, made + box);
            depends |= made[box].lives;
            continue;
        }
        if (act != STAND) {
            int card = draw(&at);
            thirds[box] = card;
            hand = child[hand * SYMBOLS + (card & SYMBOL)];
            if (act == DOUBLE) code = totals;
            else while (row[hand] != STAND) hand = child[hand * SYMBOLS + (draw(&at) & SYMBOL)];
        }
        depends |= place[hand] != bust;
        codes[box] = (code + place[hand]) * ends;
    }
    int second = draw(&at) & SYMBOL, end = dealer[dealer[up] * SYMBOLS + second];
    if (depends) while (end >= ends) end = dealer[end * SYMBOLS + (draw(&at) & SYMBOL)];
    else if (end != ends - 1) end = 0;
    for (int box = 0; box < boxes; box++) {
        i64 *block = counts + blocks[box];
        if (codes[box] < 0) block[shape[SPLIT_AT] + split_bin(made + box, end)]++;
        else block[codes[box] + end]++;
        if (offers[up] & 1) {
            int taken = early[(box * SYMBOLS + up) * states + twos[box]] == INSURE;
            block[shape[INSURANCE_AT] + 2 * taken + offers[SYMBOLS + second]]++;
        }
        if (shape[SEVENS_AT] >= 0) {
            int sevens = firsts[box] & FIGURE ? sevens_of(firsts[box], seconds[box], thirds[box]) : 0;
            block[shape[SEVENS_AT] + sevens]++;
        }
    }
    return at;
}

static i64 play(u64 units) {
    i64 rounds = 0;
    int cut = shape[CUT];
    for (u64 unit = 0; unit < units; unit++) {
        counter = unit << WORDS_LOG;
        memcpy(shoe, pack, size);
        mixed = start = 0;
        mix_up_to(cut);
        for (int at = shape[BURNED]; at < cut && start >= 0; rounds++) {
            start = at;
            at = play_round(at);
        }
    }
    return rounds;
}

#define NARROWED(name, type)                                                                 \
    static type *name(const i64 *from, i64 length) {                                         \
        type *made = aligned_alloc(64, (length * sizeof(type) + 63) / 64 * 64);              \
        for (i64 i = 0; i < length; i++) made[i] = (type)from[i];                            \
        return made;                                                                         \
    }
NARROWED(bytes, uint8_t)
NARROWED(shorts, uint16_t)
NARROWED(words, uint32_t)

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
    size = length[0], states = length[4];
    if (size > MOST_CARDS || table[1][BOXES] > MOST_BOXES || table[1][READY] || table[1][SESSION]) return 2;
    pack = bytes(table[0], length[0]), shape = table[1];
    two = shorts(table[2], length[2]), child = shorts(table[3], length[3]);
    place = bytes(table[4], length[4]), choice = bytes(table[5], length[5]), alone = words(table[6], length[6]);
    split = table[7], early = bytes(table[8], length[8]), offers = table[9], dealer = bytes(table[10], length[10]);
    pay = table[11], blocks = table[12];
    bust = shape[BUST], ends = shape[ENDS], totals = shape[TOTALS];
    i64 bins = atoll(argv[2]);
    key0 = strtoull(argv[3], 0, 10), key1 = strtoull(argv[4], 0, 10);
    counts = calloc(bins, 8);
    struct timespec begin, finish;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    i64 rounds = play(strtoull(argv[5], 0, 10));
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &finish);
    printf("%.6f %ld", (finish.tv_sec - begin.tv_sec) + 1e-9 * (finish.tv_nsec - begin.tv_nsec), (long)rounds);
    for (i64 i = 0; i < bins; i++) printf(" %ld", (long)counts[i]);
    puts("");
    return 0;
}
