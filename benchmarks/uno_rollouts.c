/* Random continuations of a game of UNO: the algorithm of src/ludometer/games/uno/kernel.py, written in C to measure that
 * against (benchmarks/uno.py). Same arguments, same luck, same results. */

#include <stdint.h>
#include <string.h>

typedef uint64_t u64;
typedef int64_t i64;

enum { CARD, COLOUR, CHALLENGE, DRAWN, DREW };
enum { WILD = 52, DRAW = 54, KEEP = 55, UNITS = 2520, SEATS = 10, CARDS = 108, MOST_ACTIONS = 64 };

#define GOLDEN 0x9E3779B97F4A7C15ULL
#define COLOUR_SET 0x1FFFULL
#define RANK_SET (1ULL | 1ULL << 13 | 1ULL << 26 | 1ULL << 39)
#define WILDS (3ULL << 52)

static inline u64 mixed(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static inline u64 below(u64 stream, u64 n) { return ((mixed(stream) >> 32) * n) >> 32; }

static inline void add(u64 *hand, int card) {
    u64 bit = 1ULL << card, twice = hand[0] & bit, thrice = hand[1] & twice;
    hand[0] |= bit;
    hand[1] |= twice;
    if (thrice) {
        thrice <<= 2;
        twice = hand[0] & thrice;
        hand[0] |= thrice;
        hand[1] |= twice;
    }
}

static inline i64 around(i64 seat, i64 seats) {
    while (seat < 0) seat += seats;
    while (seat >= seats) seat -= seats;
    return seat;
}

i64 uno_run(const i64 *numbers, const u64 *hands, const i64 *sizes, const i64 *slot_seats, const u64 *slot_barred,
            const uint8_t *cards, const i64 *actions, i64 first, i64 rollouts, u64 seed, i64 *units, i64 *products,
            i64 *last, i64 total, i64 slots, i64 count) {
    const i64 seats = numbers[0], mover = numbers[2], shuffled = numbers[8], skips = numbers[9];
    const i64 may_play = numbers[10], effect = numbers[11], asked = numbers[12];
    u64 dealt[2 * SEATS], held[2 * SEATS];
    i64 dealt_sizes[SEATS], left[SEATS], gains[MOST_ACTIONS], decisions = 0;
    uint8_t order[CARDS];
    for (i64 number = first; number < first + rollouts; number++) {
        u64 stream = mixed(seed + GOLDEN * (u64)(number + 1));
        u64 deals = mixed(stream + GOLDEN);
        stream = mixed(stream + 2 * GOLDEN);
        memcpy(dealt, hands, 2 * seats * sizeof *dealt);
        memcpy(dealt_sizes, sizes, seats * sizeof *dealt_sizes);
        memcpy(order, cards, total);
        for (i64 k = 0; k < slots; k++) {
            const u64 barred = slot_barred[k];
            i64 j = k + (i64)below(deals += GOLDEN, total - k);
            for (int tries = 1; tries < 32 && (barred >> order[j] & 1); tries++)
                j = k + (i64)below(deals += GOLDEN, total - k);
            if (barred >> order[j] & 1) {
                i64 fitting = 0;
                for (i64 m = k; m < total; m++) fitting += !(barred >> order[m] & 1);
                if (fitting > 0) {
                    i64 skip = (i64)below(deals += GOLDEN, fitting);
                    for (i64 m = k; m < total; m++)
                        if (!(barred >> order[m] & 1) && skip-- == 0) j = m;
                }
            }
            const int card = order[j];
            order[j] = order[k];
            order[k] = card;
            add(dealt + 2 * slot_seats[k], card);
            dealt_sizes[slot_seats[k]]++;
        }
        i64 emptied0 = -1;
        for (i64 k = 0; k < seats; k++)
            if (dealt_sizes[k] == 0) emptied0 = k;
        i64 known = shuffled ? slots : total;
        for (i64 index = 0; index < count; index++) {
            memcpy(held, dealt, 2 * seats * sizeof *held);
            memcpy(left, dealt_sizes, seats * sizeof *left);
            i64 colour = numbers[1], direction = numbers[3], phase = numbers[4], before = numbers[5], four = numbers[6];
            i64 drawn = numbers[7], following = mover, action = actions[index], place = slots, taker = 0, taking = 0;
            i64 emptied = emptied0, winner = -1;
            u64 fits = numbers[13], choices = stream;
            for (;;) {
                if (taking > 0) {
                    int card = 0;
                    for (; taking > 0 && place < total; taking--) {
                        if (place == known) {
                            const i64 j = known + (i64)below(deals += GOLDEN, total - known);
                            card = order[j];
                            order[j] = order[known];
                            order[known++] = card;
                        }
                        card = order[place++];
                        add(held + 2 * taker, card);
                        left[taker]++;
                    }
                    if (place == total) break;
                    if (phase == DREW) {
                        phase = CARD;
                        if (fits >> card & 1) {
                            phase = DRAWN;
                            drawn = card;
                            following = taker;
                        }
                    }
                }
                taking = 0;
                if (emptied >= 0 && phase == CARD) {
                    winner = emptied;
                    break;
                }
                const i64 player = following;
                if (action < 0) {
                    if (phase == CARD) {
                        u64 playable = held[2 * player] & fits;
                        if (playable) {
                            const int several = __builtin_popcountll(playable);
                            decisions++;
                            if (several > 1)
                                for (u64 k = below(choices += GOLDEN, several); k; k--) playable &= playable - 1;
                            action = __builtin_ctzll(playable);
                        } else {
                            action = DRAW;
                            decisions += asked;
                        }
                    } else {
                        const u64 random = mixed(choices += GOLDEN);
                        decisions++;
                        if (phase == COLOUR)
                            action = (i64)(random >> 62);
                        else if (phase == CHALLENGE)
                            action = 1 - (i64)(random >> 63);
                        else
                            action = random >> 63 ? KEEP : drawn;
                    }
                }
                if (phase == CARD || phase == DRAWN) {
                    if (action >= DRAW) {
                        following = player + direction;
                        phase = CARD;
                        if (action == DRAW) {
                            taker = player;
                            taking = 1;
                            if (may_play) phase = DREW;
                        }
                    } else {
                        u64 bit = 1ULL << action;
                        if (action >= WILD && (held[2 * player] & bit << 2)) bit <<= 2;
                        const u64 twice = held[2 * player + 1] & bit;
                        held[2 * player + 1] ^= twice;
                        held[2 * player] ^= bit ^ twice;
                        if (--left[player] == 0) {
                            if (!effect) {
                                winner = player;
                                break;
                            }
                            emptied = player;
                        }
                        if (action >= WILD) {
                            before = colour;
                            four = action - WILD;
                            phase = COLOUR;
                        } else {
                            phase = CARD;
                            colour = action / 13;
                            const i64 rank = action - 13 * colour;
                            fits = COLOUR_SET << 13 * colour | RANK_SET << rank | WILDS;
                            following = player + direction;
                            if (rank >= 10) {
                                if (rank == 10) {
                                    following += direction;
                                } else if (rank == 12) {
                                    taker = around(following, seats);
                                    taking = 2;
                                    following += direction;
                                } else if (skips) {
                                    following += direction;
                                } else {
                                    direction = -direction;
                                    following = player + direction;
                                }
                            }
                        }
                    }
                } else if (phase == COLOUR) {
                    colour = action;
                    fits = COLOUR_SET << 13 * colour | WILDS;
                    following = player + direction;
                    phase = four ? CHALLENGE : CARD;
                } else {
                    const i64 accused = around(player - direction, seats);
                    phase = CARD;
                    if (action && (held[2 * accused] & COLOUR_SET << 13 * before)) {
                        taker = accused;
                        taking = 4;
                        following = player;
                    } else {
                        taker = player;
                        taking = action ? 6 : 4;
                        following = player + direction;
                    }
                }
                following = around(following, seats);
                action = -1;
            }
            i64 *won = units + index * seats;
            if (winner >= 0) {
                won[winner] += UNITS;
                gains[index] = winner == mover ? UNITS : 0;
            } else {
                i64 smallest = left[0], sharing = 0;
                for (i64 k = 0; k < seats; k++) {
                    if (left[k] < smallest) {
                        smallest = left[k];
                        sharing = 1;
                    } else if (left[k] == smallest) {
                        sharing++;
                    }
                }
                for (i64 k = 0; k < seats; k++)
                    if (left[k] == smallest) won[k] += UNITS / sharing;
                gains[index] = left[mover] == smallest ? UNITS / sharing : 0;
            }
        }
        for (i64 k = 0; k < count; k++)
            if (gains[k])
                for (i64 m = 0; m <= k; m++) products[k * count + m] += gains[k] * gains[m];
    }
    memcpy(last, left, seats * sizeof *last);
    return decisions;
}
