package io.plimsoll.capture.shape;

import io.plimsoll.capture.shape.TopicShape.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Takes a sample of a topic's batches and records: lengths and hashes, no contents. Owned by one thread. */
public final class TopicTally {
    /** Steps of the size distribution. */
    private static final int STEPS = 32;

    public final KeyTally keys;
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

    /** @param mostKeys that are counted one by one */
    public TopicTally(int mostKeys) {
        keys = new KeyTally(mostKeys);
    }

    /** How often sizes came: exact up to 1023, above that within 0.2 % of each, and with exact means. */
    static final class Sizes {
        private static final int DIGITS = 10;
        /** Of sizes that differ by less than a thousandth, how many and their sum. */
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

        /** About so many steps of like shares; a size that comes so often stands alone: few different ones are exact. */
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
     * A record's value and headers, in bytes.
     *
     * @param bytes negative for a record without a value
     */
    public void record(int bytes, int headerCount, int names, int held) {
        values.add(Math.max(0, bytes));
        headers += headerCount;
        nameBytes += names;
        headerBytes += held;
    }

    /**
     * A batch.
     *
     * @param bytes on the wire, header included
     * @param plainBytes the same, uncompressed
     * @param byOffset it was found by an offset in it, as often as it has records: it weighs the less
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

    /** @param stretches records of the topic in each stretch of the window */
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
                values.count);
    }
}
