package io.plimsoll.perf.capture.shape;

import io.plimsoll.perf.capture.shape.SchemaTally.SchemaIds;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The properties of a topic and its load, without record contents. Immutable; shares are 0 to 1.
 *
 * @param partitions share of each partition, by number
 * @param seen sampled records; if 0, values, keys and batches are unknown
 */
public record TopicShape(
        String topic,
        Layout layout,
        RateCurve rate,
        Values values,
        Keys keys,
        List<Double> partitions,
        Batches batches,
        long seen,
        SchemaIds keySchemas,
        SchemaIds valueSchemas) {
    private static final MathContext DIGITS = new MathContext(4);
    private static final double EVEN = 0.03;
    private static final int ENOUGH = 1000;

    public TopicShape {
        // Captures made by earlier versions do not have these fields.
        keySchemas = keySchemas == null ? SchemaIds.NONE : keySchemas;
        valueSchemas = valueSchemas == null ? SchemaIds.NONE : valueSchemas;
    }

    public record Layout(int replication, TreeMap<String, String> config) {}

    /** A size, and the average share of the records with this size. */
    public record Step(int bytes, double share) {}

    /** Values and headers in bytes, as means except for the ascending sizes; a record without a value has size 0. */
    public record Values(List<Step> sizes, double bytes, double headers, double nameBytes, double headerBytes) {
        double ofHeaders() {
            return headers * (nameBytes + headerBytes);
        }

        /** The largest distance between two distributions of sizes (Kolmogorov–Smirnov). */
        double apart(Values other) {
            return Stream.concat(sizes.stream(), other.sizes.stream())
                    .mapToDouble(step -> Math.abs(upTo(step.bytes) - other.upTo(step.bytes)))
                    .max()
                    .orElse(0);
        }

        private double upTo(int size) {
            return sizes.stream()
                    .mapToDouble(s -> s.bytes <= size ? s.share : 0)
                    .sum();
        }
    }

    /**
     * @param presence share of records with a key
     * @param bytes mean length
     * @param fresh whether almost every record has a unique key, so that their number is unknown
     * @param count estimated number of distinct keys; the number of keys seen if {@code fresh}
     * @param exponent estimated exponent of Zipf's law; 0 for uniform keys
     * @param top descending shares of the most frequent keys; empty if none stands out
     */
    public record Keys(double presence, double bytes, boolean fresh, long count, double exponent, List<Double> top) {
        static final Keys NONE = new Keys(0, 0, false, 0, 0, List.of());

        /** Half the sum of the differences in share of the frequent keys by rank, plus the difference for all remaining keys. */
        double apart(Keys other) {
            boolean comparable = !top.isEmpty() && !other.top.isEmpty();
            int ranks = comparable ? Math.min(top.size(), other.top.size()) : Math.max(top.size(), other.top.size());
            return fresh == other.fresh ? TopicShape.apart(ranked(ranks), other.ranked(ranks)) : 1;
        }

        /**
         * Shares of the most frequent keys by rank, and of all remaining keys. Without frequent keys, all keys are
         * assumed equally frequent.
         */
        private List<Double> ranked(int ranks) {
            double alike = count == 0 ? 0 : 1.0 / Math.max(count, ranks);
            List<Double> shares = top.isEmpty() ? Collections.nCopies(ranks, alike) : top.subList(0, ranks);
            double rest = 1 - shares.stream().mapToDouble(s -> s).sum();
            return Stream.concat(shares.stream(), Stream.of(rest)).toList();
        }

        /** The probability that two records have the same key, if all keys outside the frequent ones are equally frequent. */
        private double same() {
            double rest = 1 - top.stream().mapToDouble(s -> s).sum();
            return top.stream().mapToDouble(s -> s * s).sum() + rest * rest / Math.max(1, count - top.size());
        }
    }

    /**
     * Record batches; records and bytes on the wire are means.
     *
     * @param codec the most frequent codec
     * @param fullBytes mean size of the largest 1 % of the batches
     * @param ratio compressed ÷ uncompressed bytes
     * @param producers number of recent producers, counted by producer ID; 0 if unknown
     */
    public record Batches(String codec, double records, double bytes, int fullBytes, double ratio, int producers) {}

    /**
     * Whether partitions are skewed beyond the effect of keys. If two records share a key with probability P, keys
     * spread at random over n partitions cause a mean skew of {@code 0.4 √(P (n − 1))}; a skew of more than twice this
     * value is significant.
     */
    boolean skewed() {
        double natural = keys.presence > 0.5 ? 0.8 * Math.sqrt(keys.same() * (partitions.size() - 1)) : 0;
        return seen >= ENOUGH && skew() > Math.max(EVEN, natural);
    }

    /** The partitions with records, grouped by share: shares in a group differ by at most about 20 %. */
    Collection<List<Integer>> likePartitions() {
        return IntStream.range(0, partitions.size())
                .boxed()
                .filter(p -> partitions.get(p) > 0)
                .collect(Collectors.groupingBy(p -> Math.round(5 * Math.log(partitions.get(p)))))
                .values();
    }

    /** Half the sum of the absolute differences from equal shares. */
    double skew() {
        double even = 1.0 / partitions.size();
        return partitions.stream().mapToDouble(s -> Math.abs(s - even)).sum() / 2;
    }

    /** Half the sum of the absolute differences, position by position. */
    static double apart(List<Double> a, List<Double> b) {
        return IntStream.range(0, Math.max(a.size(), b.size()))
                        .mapToDouble(i -> Math.abs((i < a.size() ? a.get(i) : 0) - (i < b.size() ? b.get(i) : 0)))
                        .sum()
                / 2;
    }

    TopicShape as(String name, RateCurve curve) {
        return new TopicShape(name, layout, curve, values, keys, partitions, batches, seen, keySchemas, valueSchemas);
    }

    public TopicShape by(int producers) {
        Batches b = batches;
        Batches counted = new Batches(b.codec, b.records, b.bytes, b.fullBytes, b.ratio, producers);
        return new TopicShape(topic, layout, rate, values, keys, partitions, counted, seen, keySchemas, valueSchemas);
    }

    /** The share, rounded to four digits, which is finer than the precision of a sample; 0 if {@code all} is 0. */
    static double share(double of, double all) {
        return all == 0 ? 0 : new BigDecimal(of / all, DIGITS).doubleValue();
    }

    static String text(double number) {
        return new BigDecimal(Math.max(number, 1e-9), DIGITS)
                .stripTrailingZeros()
                .toPlainString();
    }

    /**
     * Records per second over time. Immutable.
     *
     * @param amplitude of a daily curve, relative to the mean, 0 to 1; 0 without a daily curve
     * @param steps consecutive rates if the rate is neither constant nor a daily curve
     */
    public record RateCurve(double mean, double amplitude, List<Double> steps, double stepSeconds) {
        static final double DAY_SECONDS = 86_400;
        private static final double ALMOST_A_DAY = 0.9 * DAY_SECONDS;
        /** Rates with less relative variation count as constant. */
        private static final double STEADY = 0.1;

        /** Minimum share of the variance that a daily curve must explain. */
        private static final double EXPLAINED = 0.9;

        static RateCurve of(long[] records, double stretchSeconds) {
            double[] rates =
                    Arrays.stream(records).mapToDouble(r -> r / stretchSeconds).toArray();
            double mean = TopicShape.share(Arrays.stream(rates).sum(), rates.length);
            double sine = 0;
            double cosine = 0;
            double variance = 0;
            for (int i = 0; i < rates.length; i++) {
                double angle = 2 * Math.PI * (i + 0.5) * stretchSeconds / DAY_SECONDS;
                sine += 2 * (rates[i] - mean) * Math.sin(angle) / rates.length;
                cosine += 2 * (rates[i] - mean) * Math.cos(angle) / rates.length;
                variance += (rates[i] - mean) * (rates[i] - mean) / rates.length;
            }
            // Poisson noise of independent records is not a change of the rate.
            if (Math.sqrt(Math.max(0, variance - mean / stretchSeconds)) <= STEADY * mean) {
                return new RateCurve(mean, 0, List.of(), 0);
            }
            double amplitude = Math.hypot(sine, cosine);
            boolean day = rates.length >= 8 && rates.length * stretchSeconds >= ALMOST_A_DAY;
            if (day && amplitude * amplitude / 2 >= EXPLAINED * variance) {
                return new RateCurve(mean, Math.min(1, TopicShape.share(amplitude, mean)), List.of(), 0);
            }
            List<Double> steps =
                    Arrays.stream(rates).mapToObj(r -> TopicShape.share(r, 1)).toList();
            return new RateCurve(mean, 0, steps, stretchSeconds);
        }

        double busy() {
            double squares = steps.stream().mapToDouble(r -> r * r).sum();
            double sum = steps.stream().mapToDouble(r -> r).sum();
            return steps.isEmpty() ? mean * (1 + amplitude * amplitude / 2) : TopicShape.share(squares, sum);
        }

        RateCurve plus(RateCurve other) {
            List<Double> sums = IntStream.range(0, steps.size())
                    .mapToObj(i -> TopicShape.share(steps.get(i) + other.steps.get(i), 1))
                    .toList();
            return new RateCurve(mean + other.mean, amplitude, sums, stepSeconds);
        }
    }

    /**
     * The difference in one figure between a captured load and its replay.
     *
     * @param distance 0 to 1 for shares and distributions, otherwise relative to the captured value
     * @param bound maximum accepted distance
     */
    public record Fidelity(
            String topic, String figure, double captured, double replayed, double distance, double bound) {
        public boolean within() {
            return distance <= bound;
        }

        /** Compares the records of a topic and of its replay. Rates are not compared, because the replay sets them. */
        public static List<Fidelity> of(TopicShape was, TopicShape is) {
            String topic = was.topic;
            double sizes = was.values.apart(is.values);
            double keyed = Math.abs(was.keys.presence - is.keys.presence);
            double keys = was.keys.presence > 0 ? was.keys.apart(is.keys) : 0;
            double partitions = was.skewed()
                    ? TopicShape.apart(was.partitions, is.partitions)
                    : TopicShape.apart(falling(was.partitions), falling(is.partitions));
            double ratio = Math.abs(was.batches.ratio - is.batches.ratio);
            return List.of(
                    new Fidelity(topic, "sizes", was.values.bytes, is.values.bytes, sizes, 0.05),
                    new Fidelity(topic, "keyed", was.keys.presence, is.keys.presence, keyed, 0.02),
                    new Fidelity(topic, "keys", was.keys.count, is.keys.count, keys, 0.1),
                    new Fidelity(topic, "partitions", was.skew(), is.skew(), partitions, 0.1),
                    relative(topic, "batchBytes", was.batches.bytes, is.batches.bytes, 0.35),
                    relative(topic, "batchRecords", was.batches.records, is.batches.records, 0.35),
                    new Fidelity(topic, "ratio", was.batches.ratio, is.batches.ratio, ratio, 0.1),
                    relative(topic, "headerBytes", was.values.ofHeaders(), is.values.ofHeaders(), 0.02));
        }

        /** The shares in descending order: if keys determine the partitions, the partition numbers are irrelevant. */
        private static List<Double> falling(List<Double> shares) {
            return shares.stream().sorted(Collections.reverseOrder()).toList();
        }

        private static Fidelity relative(String topic, String figure, double was, double is, double bound) {
            return new Fidelity(
                    topic, figure, was, is, was == is ? 0 : Math.abs(was - is) / Math.max(1e-9, was), bound);
        }
    }
}
