package io.plimsoll.payload;

/** Non-negative numbers as ASCII digits, without allocation. */
final class Decimal {
    static final int MAX_DIGITS = 19;

    static int digits(long number) {
        int digits = 1;
        for (long bound = 10; number >= bound; bound *= 10) {
            digits++;
            if (digits == MAX_DIGITS) {
                break; // The next bound exceeds the range of a long.
            }
        }
        return digits;
    }

    /** Writes the digits of a number; the last digit is at {@code end − 1}. */
    static void write(long number, byte[] to, int end) {
        long rest = number;
        int at = end;
        do {
            long tenth = rest / 10;
            to[--at] = (byte) ('0' + (rest - tenth * 10));
            rest = tenth;
        } while (rest > 0);
    }
}
