package io.plimsoll.perf.capture.shape;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import io.plimsoll.perf.capture.shape.TopicShape.Keys;
import io.plimsoll.perf.capture.shape.TopicShape.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;

/** Tallies lengths, key hashes and schema IDs of sampled batches and records, without contents. Owned by one thread. */
public final class TopicTally {
    private static final int STEPS = 32;

    public final KeyTally keys;
    public final SchemaTally keySchemas = new SchemaTally();
    public final SchemaTally valueSchemas = new SchemaTally();
    private final Sizes values = new Sizes();
    private double headers;
    private double nameBytes;
    private double headerBytes;
    private final Sizes batchSizes = new Sizes();
    private double batches;
    private double batchRecords;
    private double batchBytes;
    private double plain;
    private final Map<String, Long> codecs = new TreeMap<>();

    /** @param mostKeys maximum number of keys with exact counts */
    public TopicTally(int mostKeys) {
        keys = new KeyTally(mostKeys);
    }

    /** Frequencies of sizes: exact up to 1,023 bytes, and above that rounded by at most 0.2 %; means are exact. */
    static final class Sizes {
        private static final int DIGITS = 10;
        /** Count and sum of sizes that differ by less than 0.2 %. */
        private final TreeMap<Integer, long[]> cells = new TreeMap<>();

        long count;
        private long sum;

        void add(int size) {
            int shift = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(size) - DIGITS);
            long[] cell = cells.computeIfAbsent(size >> shift << shift, s -> new long[2]);
            cell[0]++;
            cell[1] += size;
            count++;
            sum += size;
        }

        double mean() {
            return TopicShape.share(sum, count);
        }

        /**
         * About {@code most} steps with equal shares; a size with a larger share is its own step, so that a small
         * number of distinct sizes stays exact.
         */
        List<Step> steps(int most) {
            List<Step> steps = new ArrayList<>();
            long[] open = new long[2];
            for (long[] cell : cells.values()) {
                boolean alone = cells.size() <= most || cell[0] * most >= count;
                if (open[0] > 0 && (alone || open[0] * most >= count)) {
                    steps.add(step(open));
                    open = new long[2];
                }
                open[0] += cell[0];
                open[1] += cell[1];
            }
            if (open[0] > 0) {
                steps.add(step(open));
            }
            return steps;
        }

        private Step step(long[] cell) {
            return new Step((int) Math.round((double) cell[1] / cell[0]), TopicShape.share(cell[0], count));
        }
    }

    /**
     * @param bytes of the value; negative for a null value
     * @param held bytes of header values
     */
    public void record(int bytes, int headerCount, int names, int held) {
        values.add(Math.max(0, bytes));
        headers += headerCount;
        nameBytes += names;
        headerBytes += held;
    }

    /**
     * @param bytes on the wire, header included
     * @param byOffset whether the batch was found by an offset within it; large batches are then found more often
     */
    public void batch(String codec, int records, int bytes, int plainBytes, boolean byOffset) {
        double weight = byOffset ? 1.0 / Math.max(1, records) : 1;
        batches += weight;
        batchRecords += weight * records;
        batchBytes += weight * bytes;
        plain += weight * plainBytes;
        batchSizes.add(bytes);
        codecs.merge(codec, 1L, Long::sum);
    }

    public TopicShape shape(
            String topic, TopicShape.Layout layout, long[] stretches, double stretchSeconds, long[] partitions) {
        double all = Arrays.stream(partitions).sum();
        String codec = codecs.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("none");
        return new TopicShape(
                topic,
                layout,
                TopicShape.RateCurve.of(stretches, stretchSeconds),
                new TopicShape.Values(
                        values.steps(STEPS),
                        values.mean(),
                        TopicShape.share(headers, values.count),
                        TopicShape.share(nameBytes, headers),
                        TopicShape.share(headerBytes, headers)),
                keys.shape(),
                Arrays.stream(partitions)
                        .mapToObj(r -> all == 0 ? 1.0 / partitions.length : TopicShape.share(r, all))
                        .toList(),
                new TopicShape.Batches(
                        codec,
                        TopicShape.share(batchRecords, batches),
                        TopicShape.share(batchBytes, batches),
                        batchSizes.steps(100).stream()
                                .mapToInt(Step::bytes)
                                .max()
                                .orElse(0),
                        TopicShape.share(batchBytes, plain),
                        0),
                values.count,
                keySchemas.ids(),
                valueSchemas.ids());
    }

    /**
     * Estimates the number and frequencies of keys from their hashes. The number of distinct keys is exact while all
     * fit, then an UltraLogLog estimate (O. Ertl, 2024; standard error 1.2 %). Beyond that limit, frequent keys are
     * found with the algorithm of J. Misra and D. Gries (1982): all counts are lowered by their median, which bounds
     * the error of a count.
     *
     * <p>Zipf's law with n keys and exponent s follows from two moments of N records that do not depend on the order of
     * keys: the number of distinct keys, {@code Σ 1 − exp(−N·p)}, and the probability that two records share one of the
     * m most frequent keys, {@code Σ p²}, unbiased from counts c as {@code Σ c(c−1) / N(N−1)}. For each s, the first
     * gives n; the second then gives s. Owned by one thread.
     */
    public static final class KeyTally {
        private static final int PRECISION = 12;
        private static final int SHOWN = 50;
        /** Counts are accepted if they exceed their error by this factor. */
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
                long median = counts.values().stream()
                        .sorted()
                        .skip(most / 2)
                        .findFirst()
                        .orElseThrow();
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

        /** The estimated exponent; 0 if uniform keys explain the counts equally well. */
        private static double exponent(double records, double seen, double[] falling) {
            double same = Arrays.stream(falling)
                    .map(count -> count * (count - 1) / records / Math.max(1, records - 1))
                    .sum();
            double alike = keysFor(0, records, seen);
            // The number of equal pairs expected with uniform keys bounds the effect of chance.
            double chance = 3 / Math.sqrt(Math.max(1, records * records / (2 * alike)));
            double excess = same * alike * alike / Math.min(Math.max(1, falling.length), alike) - 1;
            if (seen < 2 || excess < Math.max(LEAST_EXCESS, chance)) {
                return 0;
            }
            double s = solve(0, 3, e -> {
                double n = keysFor(e, records, seen);
                double total = sum(n, rank -> Math.pow(rank, -e));
                double ranks = Math.min(falling.length, n);
                // If the exponent is too high, no number of keys yields that many distinct keys.
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

        /** The root of an increasing function, by bisection. */
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
                // A fractional n includes a fraction of its last rank.
                sum += Math.min(1, n - k + 1) * ofRank.applyAsDouble(k);
            }
            double from = Math.log(EXACT_RANKS + 0.5);
            double width = (Math.log(n + 0.5) - from) / POINTS;
            for (int i = 0; i < POINTS && n > EXACT_RANKS; i++) {
                double rank = Math.exp(from + (i + 0.5) * width);
                // The interval contains rank · 2 sinh(width / 2) ranks.
                sum += ofRank.applyAsDouble(rank) * rank * 2 * Math.sinh(width / 2);
            }
            return sum;
        }
    }
}
