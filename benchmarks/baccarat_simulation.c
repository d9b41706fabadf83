/* Baccarat by whole shoes, hand-written in C, as fast as we can: sixteen shoes at once, to measure the kernel against.
 *
 * The tables come from the project (one file: pack, four, rest, burn), so both play by the same rules; words, mixing and
 * counting are written here once more.  With the same keys the counts must be the same.
 *
 *   gcc -O3 -march=native -o program baccarat_simulation.c
 *   program TABLES SIZE CLASSES CUT AFTER FIRST KEY0 KEY1 UNITS      prints: seconds, rounds, then the counts
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef unsigned __int128 u128;

#ifndef LANES
#define LANES 16
#endif

enum { DEAL = 6, WORDS_LOG = 24, MOST = 1024 + 64, ENDS = 64 };

static u64 key0, key1;

static inline u64 word(u64 counter) {
    u64 z = counter * 0x9E3779B97F4A7C15ull + key0;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z ^= key1;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static inline u64 number_below(u64 n, u64 *rest) {
    u128 product = (u128)*rest * n;
    *rest = (u64)product;
    return (u64)(product >> 64);
}

static inline int is_short(u64 rest, u64 product) { return rest < product && rest < (0 - product) % product; }

static inline void swap(uint8_t *cards, u64 a, u64 b) {
    uint8_t held = cards[a];
    cards[a] = cards[b];
    cards[b] = held;
}

/* Fill some places of a half-mixed pack with one word. */
static inline __attribute__((always_inline)) u64 mix(uint8_t *cards, u64 done, u64 left, int many, u64 counter) {
    u64 chosen[DEAL], product = 1, rest;
#pragma GCC unroll 6
    for (int i = 0; i < many; i++) product *= left - i;
    do {
        rest = word(counter++);
#pragma GCC unroll 6
        for (int i = 0; i < many; i++) chosen[i] = number_below(left - i, &rest);
    } while (__builtin_expect(is_short(rest, product), 0));
#pragma GCC unroll 6
    for (int i = 0; i < many; i++) swap(cards, done + i, done + i + chosen[i]);
    return counter;
}

/* The end of a coup, times four, plus the cards beyond four: the low halves of six bytes are put side by side. */
static inline unsigned coup(const uint8_t *c, const uint8_t *four, const uint8_t *rest) {
    u64 eight;
    memcpy(&eight, c, sizeof eight);
    eight &= 0x0F0F0F0F0F0Full;
    eight = (eight | eight >> 4) & 0x00FF00FF00FFull;
    unsigned mix = (eight | eight >> 8) & 0xFFFF;
    return rest[(unsigned)four[mix] << 8 | (unsigned)(eight >> 32)];
}

/* Fill six places of several half-mixed packs.  The words are made side by side, a number below n < 2^32 by two products
 * of halves, so that a vector holds a word of each pack; a word that is to be drawn again is so rare that its pack is
 * then mixed alone. */
static inline __attribute__((always_inline)) void mix_all(uint8_t (*cards)[MOST], u64 done, u64 left, u64 *counter) {
    u64 drawn[LANES], product = 1;
    uint32_t chosen[DEAL][LANES];
    for (int i = 0; i < LANES; i++) drawn[i] = word(counter[i]);
#pragma GCC unroll 6
    for (int k = 0; k < DEAL; k++) {
        u64 n = left - k;
        product *= n;
        for (int i = 0; i < LANES; i++) {
            u64 low = (drawn[i] & 0xFFFFFFFFull) * n, high = (drawn[i] >> 32) * n + (low >> 32);
            chosen[k][i] = (uint32_t)(high >> 32);
            drawn[i] = high << 32 | (low & 0xFFFFFFFFull);
        }
    }
    int again = 0;
    for (int i = 0; i < LANES; i++) again |= drawn[i] < product;
    if (__builtin_expect(again, 0)) {
        for (int i = 0; i < LANES; i++) counter[i] = mix(cards[i], done, left, DEAL, counter[i]);
        return;
    }
#pragma GCC unroll 6
    for (int k = 0; k < DEAL; k++)
#pragma GCC unroll 8
        for (int i = 0; i < LANES; i++) swap(cards[i], done + k, done + k + chosen[k][i]);
    for (int i = 0; i < LANES; i++) counter[i]++;
}

/* One coup of one shoe: the place moves on, and the shoe's own histogram counts the end. */
static inline __attribute__((always_inline)) u64 dealt(const uint8_t *cards, u64 at, const uint8_t *four,
                                                       const uint8_t *rest, u64 *counts) {
    unsigned found = coup(cards + at, four, rest);
    counts[found >> 2]++;
    return at + 4 + (found & 3);
}

/* Several shoes at once: while one waits for its tables, the others go on.  They are mixed six cards each in turn. */
static int64_t play(const uint8_t *pack, int size, const uint8_t *four, const uint8_t *rest, const uint8_t *burn,
                    int cut, int after, int first, u64 units, int64_t *counts) {
    static uint8_t cards[LANES][MOST];
    static u64 ends[LANES][ENDS];
    int64_t played = 0;
    int needed = cut + 3 * DEAL < size ? cut + 3 * DEAL : size;
    for (u64 shoe = 0; shoe < units; shoe += LANES) {
        int lanes = units - shoe < LANES ? (int)(units - shoe) : LANES;
        u64 counter[LANES], at[LANES], most = 0;
        for (int i = 0; i < LANES; i++) memcpy(cards[i], pack, size), counter[i] = (shoe + i) << WORDS_LOG;
        int done = 0;
        for (; done < needed && size - done >= DEAL; done += DEAL)
            mix_all(cards, done, size - done, counter);
        for (; done < needed; done++)
            for (int i = 0; i < LANES; i++) counter[i] = mix(cards[i], done, size - done, 1, counter[i]);
        for (int i = 0; i < LANES; i++) at[i] = burn[cards[i][0]], most = at[i] > most ? at[i] : most;
        while (lanes == LANES && most + DEAL <= (u64)cut) {
            most = 0;
            played += LANES;
#pragma GCC unroll 16
            for (int i = 0; i < LANES; i++) {
                at[i] = dealt(cards[i], at[i], four, rest, ends[i]);
                most = at[i] > most ? at[i] : most;
            }
        }
        for (int i = 0; i < lanes; i++) {
            for (int left = -1; left != 0; played++) {
                int before = (int)at[i];
                at[i] = dealt(cards[i], at[i], four, rest, ends[i]);
                if (left > 0) left--;
                else if (before == cut) left = first;
                else if (before < cut && cut < (int)at[i]) left = after;
            }
        }
    }
    for (int i = 0; i < LANES; i++)
        for (int end = 0; end < ENDS; end++) counts[end] += ends[i][end];
    return played;
}

int main(int argc, char **argv) {
    if (argc != 10) return 2;
    int size = atoi(argv[2]), classes = atoi(argv[3]);
    size_t length = size + 65536 + classes * 256 + 256;
    uint8_t *tables = malloc(length);
    FILE *file = fopen(argv[1], "rb");
    if (!file || size > 1024 || fread(tables, 1, length, file) != length) return 2;
    fclose(file);
    key0 = strtoull(argv[7], 0, 10), key1 = strtoull(argv[8], 0, 10);
    const uint8_t *four = tables + size, *rest = four + 65536, *burn = rest + classes * 256;
    int64_t counts[ENDS] = {0};
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    int64_t played = play(tables, size, four, rest, burn, atoi(argv[4]), atoi(argv[5]), atoi(argv[6]),
                          strtoull(argv[9], 0, 10), counts);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    printf("%.6f %ld", (end.tv_sec - begin.tv_sec) + 1e-9 * (end.tv_nsec - begin.tv_nsec), (long)played);
    for (int i = 0; i < ENDS; i++) printf(" %ld", (long)counts[i]);
    puts("");
    return 0;
}
