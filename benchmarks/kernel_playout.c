/* The playout of lostcities.kernel.playout in C, over the same rows and rules, with the same random
 * numbers: it must come to the same scores. The benchmark compiles it and runs it beside Numba's. */

#include <stdint.h>
#include <string.h>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

typedef uint64_t word;

enum { HAND, OPEN, LAID, KNOWN, WAGERS, SEAT };
enum { MOVER = 10, LAY, CLOSED, NEXT, RUN, PLY, RNG };
enum { PILES = 20, DECK = 27, WORDS = 40, DECK_END = 72 };
enum { COLOURS, HAND_SIZE, OWN_DISCARD, STALL };
enum { SCORES = 16 };

static inline word mix(word z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline word popcount(word w) { return (word)__builtin_popcountll(w); }

#if defined(__BMI2__)
static inline word select_bit(word w, word n) {
    return (word)__builtin_ctzll(_pdep_u64((word)1 << n, w));
}
#else
static inline word select_bit(word w, word n) {
    for (; n; n--) w &= w - 1;
    return (word)__builtin_ctzll(w);
}
#endif

static inline word colour_of(word face) { return face * 205 >> 11; }

static inline word deck_card(const word *row, word place) {
    return row[DECK + (place >> 3)] >> ((place & 7) << 3) & 255;
}

static int laid_score(const int32_t *rules, word laid, word counts) {
    int total = 0;
    for (int c = 0; c < rules[COLOURS]; c++) {
        word numbers = laid >> (10 * c + 1) & 511;
        total += rules[SCORES + (numbers << 2 | (counts >> (8 * c + 2) & 3))];
    }
    return total;
}

/* Play a round that waits for a lay to its end; how far seat 0 is ahead. */
static int playout(word *row, const int32_t *rules) {
    word mover = row[MOVER], *mine = row + SEAT * mover, *theirs = row + SEAT * (1 - mover);
    word hand = mine[HAND], open = mine[OPEN], laid = mine[LAID], wagers = mine[WAGERS];
    word hand2 = theirs[HAND], open2 = theirs[OPEN], laid2 = theirs[LAID], wagers2 = theirs[WAGERS];
    word filled = 1, closing = rules[OWN_DISCARD] ? 0 : ~(word)0;
    word limit = rules[STALL] > 0 ? (word)rules[STALL] : (word)1 << 63;
    word state = row[RNG], place = row[NEXT], run = row[RUN], ply = row[PLY];
    for (int c = 0; c < rules[COLOURS]; c++) filled |= (word)(row[PILES + 1 + c] != 0) << (c + 1);
    do {
        state += 0x9E3779B97F4A7C15u;
        word bits = mix(state);
        word plays = hand & open, could_play = popcount(plays);
        word n = (bits >> 32) * (could_play + popcount(hand)) >> 32;
        word discard = n >= could_play, discarding = 0 - discard;
        word face = select_bit(plays ^ ((plays ^ hand) & discarding), n - (could_play & discarding));
        word colour = colour_of(face), first = colour * 10, shift = colour << 3;
        word bit = (word)1 << face, is_wager = face == first;
        wagers -= is_wager << shift;
        word more = is_wager & ((wagers >> shift & 3) != 0);
        hand &= ~(bit & (more - 1));
        laid |= bit & ~discarding;
        wagers += (is_wager & ~discarding) << (shift + 2);
        open &= ~(((bit << 1) - ((word)1 << first)) & (is_wager - 1) & ~discarding);
        word pile = row[PILES + 1 + colour];
        row[PILES + 1 + colour] = pile ^ ((pile ^ (pile << 4 | (face - first + 1))) & discarding);
        word own = discard << 1 << colour;
        filled |= own;
        word options = filled & ~(own & closing);
        word draw = select_bit(options, (bits & 0xFFFFFFFFu) * popcount(options) >> 32);
        word from_deck = draw == 0;
        pile = row[PILES + draw];
        word rest = pile >> 4;
        row[PILES + draw] = rest;
        filled &= ~((word)(rest == 0) << draw) | 1;
        word taken = (draw - 1) * 10 + (pile & 15) - 1;
        face = taken ^ ((taken ^ deck_card(row, place)) & (0 - from_deck));
        colour = colour_of(face);
        hand |= (word)1 << face;
        wagers += (word)(face == colour * 10) << (colour << 3);
        place += from_deck;
        run = (run + 1) & (from_deck - 1);
        ply++;
        word swap;
        swap = hand, hand = hand2, hand2 = swap;
        swap = open, open = open2, open2 = swap;
        swap = laid, laid = laid2, laid2 = swap;
        swap = wagers, wagers = wagers2, wagers2 = swap;
    } while (place != DECK_END && run < limit);
    int ahead = laid_score(rules, laid, wagers) - laid_score(rules, laid2, wagers2);
    row[PLY] = ply;
    return (mover ^ (ply & 1)) ? -ahead : ahead;
}

/* Play every dealt round to its end; the sum of leads and, in *turns, of turns. */
int64_t play_all(const word *rows, int64_t count, const int32_t *rules, int64_t *turns) {
    word row[WORDS];
    int64_t total = 0;
    *turns = 0;
    for (int64_t i = 0; i < count; i++) {
        memcpy(row, rows + WORDS * i, sizeof row);
        total += playout(row, rules);
        *turns += (int64_t)row[PLY];
    }
    return total;
}
