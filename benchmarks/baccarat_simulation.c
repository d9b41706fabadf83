/* Baccarat by whole shoes, hand-written in C: the same algorithm as the kernel, to measure it against.
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

enum { DEAL = 6, WORDS_LOG = 24, MOST = 1024, ENDS = 64 };

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

static inline unsigned coup(const uint8_t *c, const uint8_t *four, const uint8_t *rest) {
    unsigned mix = (c[0] & 15) | (c[1] & 15) << 4 | (c[2] & 15) << 8 | (c[3] & 15) << 12;
    return rest[(unsigned)four[mix] << 8 | (c[4] & 15) | (c[5] & 15) << 4];
}

static int64_t play(const uint8_t *pack, int size, const uint8_t *four, const uint8_t *rest, const uint8_t *burn,
                    int cut, int after, int first, u64 units, int64_t *counts) {
    uint8_t cards[MOST];
    int64_t played = 0;
    int needed = cut + 3 * DEAL < size ? cut + 3 * DEAL : size;
    for (u64 shoe = 0; shoe < units; shoe++) {
        memcpy(cards, pack, size);
        u64 counter = shoe << WORDS_LOG;
        int done = 0;
        for (; done < needed && size - done >= DEAL; done += DEAL) counter = mix(cards, done, size - done, DEAL, counter);
        for (; done < needed; done++) counter = mix(cards, done, size - done, 1, counter);
        int left = -1; int64_t at = burn[cards[0]];
        while (at <= cut - DEAL) {
            unsigned found = coup(cards + at, four, rest);
            counts[found >> 2]++;
            at += 4 + (found & 3);
            played++;
        }
        while (left != 0) {
            unsigned found = coup(cards + at, four, rest);
            int used = 4 + (found & 3);
            counts[found >> 2]++;
            if (left > 0) left--;
            else if (at == cut) left = first;
            else if (at < cut && cut < at + used) left = after;
            at += used;
            played++;
        }
    }
    return played;
}

int main(int argc, char **argv) {
    if (argc != 10) return 2;
    int size = atoi(argv[2]), classes = atoi(argv[3]);
    size_t length = size + 65536 + classes * 256 + 256;
    uint8_t *tables = malloc(length);
    FILE *file = fopen(argv[1], "rb");
    if (!file || size > MOST || fread(tables, 1, length, file) != length) return 2;
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
