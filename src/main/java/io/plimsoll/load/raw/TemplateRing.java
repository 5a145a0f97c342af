package io.plimsoll.load.raw;

import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.wire.BatchLayout;
import io.plimsoll.wire.Codec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The encoded batches of one kind of record, with different contents. Templates are reused in the order of their
 * release. An acquired template is not modified by the ring until it is released.
 *
 * <p>The ring builds at least {@value #TEMPLATES} templates, and more when all are in flight and memory permits. With
 * less memory, it holds as many as fit, and at least one.
 *
 * <p>An uncompressed batch serves any number of records up to its size. Compressed batches cannot be cut, so the ring
 * keeps templates per number of records, built on first use: {@value #TEMPLATES} for full batches, {@value
 * #PARTIAL_TEMPLATES} for each other number. When memory is exhausted, the least recently used number is evicted. Owned
 * by one thread.
 */
public final class TemplateRing {
    /** Minimum number of templates for full batches, if memory permits, so that disks and codecs see no repetition. */
    public static final int TEMPLATES = 64;

    private static final int PARTIAL_TEMPLATES = 16;

    private static final class Shelf {
        final ArrayDeque<BatchTemplate> free = new ArrayDeque<>();
        final int wanted;
        int built;
        long lastUse;

        Shelf(int wanted) {
            this.wanted = wanted;
        }
    }

    /** Safety margin on the estimated compression ratio, as in Kafka's producer. */
    private static final double COMPRESSION_MARGIN = 1.05;

    private static final long MAX_UNCOMPRESSED_BYTES = 1 << 24;
    private static final int ROUNDS = 3;

    private final RecordEncoder encoder;
    private final BatchShape shape;
    private final long memoryLimitBytes;
    /** Number of records in a full batch; with mixed sizes, one possible number. */
    private final int fullRecords;

    private final long fullBytes;
    /** Ratio of compressed to uncompressed size of a full batch. */
    private double ratio = 1;

    private @Nullable BatchTemplate last;
    /** Shelves by number of records; a single one if uncompressed. */
    private final Shelf[] shelves;

    private final List<Shelf> used = new ArrayList<>();

    long memoryBytes;

    private long uses;

    /**
     * Builds the templates for full batches.
     * @param generator owned by the ring
     * @param keys keys instead of the generator's, by due time; each is valid until the next call
     * @param runId as in the generator; not 0
     * @param epochNanos current time, used as the due time of keys and as the timestamp in text templates
     * @param memoryLimitBytes exceeded only by a single larger template
     */
    public TemplateRing(
            RecordGenerator generator,
            LongFunction<byte @Nullable []> keys,
            long runId,
            long epochNanos,
            BatchShape shape,
            long memoryLimitBytes) {
        this.encoder = new RecordEncoder(generator, keys, runId, epochNanos);
        this.shape = shape;
        this.memoryLimitBytes = memoryLimitBytes;
        encoder.encode(shape.maxRecords(), shape.batchBytes(), cuttable());
        if (!cuttable()) {
            sizeCompressed();
        }
        this.fullRecords = encoder.records();
        this.fullBytes = encoder.length();
        this.shelves = new Shelf[cuttable() ? 1 : fullRecords];
        Shelf full = shelf(fullRecords);
        while (full.built < full.wanted) {
            BatchTemplate template = build(full, fullRecords);
            if (template == null) {
                break;
            }
            full.free.add(template);
        }
    }

    /**
     * Number of records in the next batch, constant for equal record sizes. With compression, the number expected to
     * fit into {@code batch.size}, with the margin of Kafka's producer.
     */
    public int maxRecords() {
        BatchTemplate next = cuttable() ? shelves[0].free.peek() : null;
        return next == null ? fullRecords : next.maxRecords();
    }

    /** Mean bytes of a record within a batch, without the batch header; an estimate if compressed. */
    public double recordBytes() {
        return ratio * (fullBytes - BatchLayout.RECORDS) / fullRecords;
    }

    /**
     * @param wanted 1 or more
     * @return a batch of up to {@code wanted} records, to be stamped and sealed; null if all templates are in flight
     *     and the memory limit is reached
     */
    public @Nullable BatchTemplate acquire(int wanted) {
        if (wanted < 1) {
            throw new IllegalArgumentException("a batch of " + wanted + " records");
        }
        int records = Math.min(wanted, fullRecords);
        Shelf shelf = shelf(records);
        shelf.lastUse = ++uses;
        BatchTemplate template = null;
        if (shelf.built < shelf.wanted || shelf.free.isEmpty()) {
            template = build(shelf, records);
        }
        if (template == null) {
            template = shelf.free.poll();
        }
        if (template == null) {
            return null;
        }
        template.lend(this, wanted);
        return template;
    }

    /**
     * @param template acquired from this ring and no longer read
     * @throws IllegalStateException if it was already released, or belongs to another ring
     */
    public void release(BatchTemplate template) {
        template.takeBack(this);
        shelf(template.maxRecords()).free.add(template);
    }

    private Shelf shelf(int records) {
        int index = cuttable() ? 0 : records - 1;
        if (shelves[index] == null) {
            shelves[index] = new Shelf(records == fullRecords || cuttable() ? TEMPLATES : PARTIAL_TEMPLATES);
            used.add(shelves[index]);
        }
        return shelves[index];
    }

    private @Nullable BatchTemplate build(Shelf shelf, int records) {
        long expected = expectedBytes(records);
        boolean needed = shelf.free.isEmpty();
        while (memoryBytes > 0 && memoryBytes + expected > memoryLimitBytes) {
            if (!needed || !dropLeastNeeded(shelf)) {
                return null;
            }
        }
        BatchTemplate template = encoded(records);
        memoryBytes += template.memoryBytes();
        shelf.built++;
        return template;
    }

    /** Evicts a free template from the least recently used shelf other than {@code except}. */
    private boolean dropLeastNeeded(Shelf except) {
        Optional<Shelf> least = used.stream()
                .filter(shelf -> shelf != except && !shelf.free.isEmpty())
                .min(Comparator.comparingLong(shelf -> shelf.lastUse));
        least.ifPresent(shelf -> {
            memoryBytes -= shelf.free.remove().memoryBytes();
            shelf.built--;
        });
        return least.isPresent();
    }

    private boolean cuttable() {
        return shape.codec() == Codec.NONE;
    }

    private long expectedBytes(int records) {
        if (cuttable()) {
            return last == null ? fullBytes : last.memoryBytes();
        }
        return (long) Math.ceil(ratio * fullBytes / fullRecords * records) + BatchLayout.RECORDS;
    }

    /**
     * @param records exact number of records if compressed; otherwise ignored, because a template has all records that
     *     fit
     */
    private BatchTemplate encoded(int records) {
        if (cuttable()) {
            encoder.encode(shape.maxRecords(), shape.batchBytes(), true);
            BatchTemplate plain = BatchTemplate.plain(encoder, last);
            last = plain;
            return plain;
        }
        encoder.encode(records, Long.MAX_VALUE, false);
        byte[] batch = encoder.compressed(shape.codec(), shape.level());
        return BatchTemplate.compressed(encoder, shape.codec(), batch);
    }

    /** Finds the number of compressed records that fit; the compression ratio depends on that number. */
    private void sizeCompressed() {
        for (int round = 0; round < ROUNDS; round++) {
            int uncompressed = encoder.length() - BatchLayout.RECORDS;
            ratio = (double) (encoder.compressed(shape.codec(), shape.level()).length - BatchLayout.RECORDS)
                    / uncompressed;
            double room = (shape.batchBytes() - BatchLayout.RECORDS) / (ratio * COMPRESSION_MARGIN);
            long limit = (long) Math.min(room, MAX_UNCOMPRESSED_BYTES) + BatchLayout.RECORDS;
            encoder.encode(shape.maxRecords(), limit, false);
        }
    }
}
