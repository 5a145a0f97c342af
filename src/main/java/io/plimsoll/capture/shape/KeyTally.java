package io.plimsoll.capture.shape;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import io.plimsoll.capture.shape.TopicShape.Keys;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/**
 * How many different keys there are and how often they come, from hashes of the keys alone. The number of those seen is
 * exact as long as all fit, then an UltraLogLog's (O. Ertl, 2024; standard error 1.2 %). Of more keys than fit, the
 * frequent are found as by J. Misra and D. Gries (1982): all counts are lowered by their median, which bounds how much
 * a count is short.
 *
 * <p>Zipf's law with n keys and exponent s is found by two moments of N records that do not depend on the order of keys,
 * which no sample tells: the number of different keys, {@code Σ 1 − exp(−N·p)}, and the probability that two records have
 * the same one of the m most frequent keys, {@code Σ p²}, unbiased from counts c as {@code Σ c(c−1) / N(N−1)}. For each s
 * the first gives n; the second then gives s. Owned by one thread.
 */
public final class KeyTally {
    private static final int PRECISION = 12;
    private static final int SHOWN = 50;
    /** Counts that may be short by less than an eighth. */
    private static final int TRUSTED = 8;

    private static final double FRESH = 0.97;
    private static final double MOST_KEYS = 1e12;
    private static final double LEAST_EXPONENT = 0.15;
    private static final double LEAST_EXCESS = 0.03;
    private static final int EXACT_RANKS = 64;
    private static final int POINTS = 120;

    private final int most;
    private final UltraLogLog distinct = UltraLogLog.create(PRECISION);
    private final TopicTally.Sizes sizes = new TopicTally.Sizes();
    private final Map<Long, Long> counts = new HashMap<>();
    private long lowered;
    private long none;

    KeyTally(int most) {
        this.most = most;
    }

    public void none() {
        none++;
    }

    /** @param hash 64 bits, evenly distributed */
    public void add(long hash, int keyBytes) {
        sizes.add(keyBytes);
        distinct.add(hash);
        counts.merge(hash, 1L, Long::sum);
        if (counts.size() > most) {
            long median =
                    counts.values().stream().sorted().skip(most / 2).findFirst().orElseThrow();
            lowered += median;
            counts.replaceAll((key, count) -> count - median);
            counts.values().removeIf(count -> count <= 0);
        }
    }

    Keys shape() {
        long records = sizes.count;
        if (records == 0) {
            return Keys.NONE;
        }
        double seen = lowered == 0 ? counts.size() : Math.max(counts.size(), distinct.getDistinctCountEstimate());
        double[] falling = counts.values().stream()
                .filter(count -> count >= TRUSTED * lowered)
                .mapToDouble(count -> -count - lowered / 2)
                .sorted()
                .map(count -> -count)
                .toArray();
        boolean fresh = seen >= FRESH * records && records > 1;
        double s = fresh ? 0 : exponent(records, seen, falling);
        long keys = Math.round(fresh ? seen : keysFor(s, records, seen));
        return new Keys(
                TopicShape.share(records, records + none),
                sizes.mean(),
                fresh,
                keys,
                TopicShape.share(s, 1),
                Arrays.stream(falling)
                        .limit(SHOWN)
                        .mapToObj(count -> TopicShape.share(count, records))
                        .toList());
    }

    /** 0 where alike keys would do, as far as this many records tell. */
    private static double exponent(double records, double seen, double[] falling) {
        double same = Arrays.stream(falling)
                .map(count -> count * (count - 1) / records / Math.max(1, records - 1))
                .sum();
        double alike = keysFor(0, records, seen);
        // The expected pairs of uniform keys bound the effect of chance.
        double chance = 3 / Math.sqrt(Math.max(1, records * records / (2 * alike)));
        double excess = same * alike * alike / Math.min(Math.max(1, falling.length), alike) - 1;
        if (seen < 2 || excess < Math.max(LEAST_EXCESS, chance)) {
            return 0;
        }
        double s = solve(0, 3, e -> {
            double n = keysFor(e, records, seen);
            double total = sum(n, rank -> Math.pow(rank, -e));
            double ranks = Math.min(falling.length, n);
            // With too high an exponent no number of keys shows so many.
            return n > MOST_KEYS / 2 ? 1 : sum(ranks, rank -> Math.pow(rank, -2 * e)) / (total * total) - same;
        });
        return s < LEAST_EXPONENT ? 0 : s;
    }

    /** The number of keys that yields the given number of distinct keys seen. */
    private static double keysFor(double s, double records, double seen) {
        double keys = Math.exp(solve(Math.log(Math.max(1, seen)), Math.log(MOST_KEYS), logarithm -> {
            double n = Math.exp(logarithm);
            double total = sum(n, rank -> Math.pow(rank, -s));
            return sum(n, rank -> -Math.expm1(-records * Math.pow(rank, -s) / total)) - seen;
        }));
        return keys < seen * 1.001 ? seen : keys;
    }

    /** Where a rising function is 0, by halving. */
    public static double solve(double least, double most, DoubleUnaryOperator rising) {
        double low = least;
        double high = most;
        for (int i = 0; i < 30; i++) {
            double middle = (low + high) / 2;
            boolean above = rising.applyAsDouble(middle) > 0;
            high = above ? middle : high;
            low = above ? low : middle;
        }
        return (low + high) / 2;
    }

    /** The sum over the first n ranks: the first ones exactly, the rest as an integral over the logarithm of the rank. */
    private static double sum(double n, DoubleUnaryOperator ofRank) {
        double sum = 0;
        for (int k = 1; k <= EXACT_RANKS && k - 1 < n; k++) {
            // A number that is not whole has a part of its last rank.
            sum += Math.min(1, n - k + 1) * ofRank.applyAsDouble(k);
        }
        double from = Math.log(EXACT_RANKS + 0.5);
        double width = (Math.log(n + 0.5) - from) / POINTS;
        for (int i = 0; i < POINTS && n > EXACT_RANKS; i++) {
            double rank = Math.exp(from + (i + 0.5) * width);
            // So many ranks lie in this stretch of logarithms.
            sum += ofRank.applyAsDouble(rank) * rank * 2 * Math.sinh(width / 2);
        }
        return sum;
    }
}
