package io.plimsoll.load.raw;

import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.wire.BatchLayout;
import io.plimsoll.wire.Codec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The encoded batches of one kind of record, each with other content, handed out in turn: the one that was released
 * longest ago comes first. One that is handed out is not touched until it is released.
 *
 * <p>At least {@value #TEMPLATES} are built, more when all are in flight, as long as the memory suffices. Where the
 * memory does not suffice for so many (at 128 MB: batches above 2 MB), there are as many as it
 * holds, and at least one.
 *
 * <p>A batch that is not compressed serves any number of records up to its own. Compressed bytes cannot be cut, so there
 * the ring has templates for each number that was asked for, built from fresh records when first needed: up to
 * {@value #TEMPLATES} for full batches, up to {@value #PARTIAL_TEMPLATES} for each other number. When the memory is used
 * up, the number that was not needed for longest gives way.
 *
 * <p>Owned by one thread.
 */
public final class TemplateRing {
    /** So many full batches are built at least, if the memory suffices: no disk and no codec sees a repetition. */
    public static final int TEMPLATES = 64;

    private static final int PARTIAL_TEMPLATES = 16;

    /** Templates that serve the same numbers of records. */
    private static final class Shelf {
        final ArrayDeque<BatchTemplate> free = new ArrayDeque<>();
        final int wanted;
        int built;
        long lastUse;

        Shelf(int wanted) {
            this.wanted = wanted;
        }
    }

    /** Kafka's producer takes compressed records to become so much larger than those before. */
    private static final double COMPRESSION_MARGIN = 1.05;

    /** However well records compress, a batch has no more than this before compression. */
    private static final long MAX_UNCOMPRESSED_BYTES = 1 << 24;

    private static final int ROUNDS = 3;

    private final RecordEncoder encoder;
    private final BatchShape shape;
    private final long memoryLimitBytes;
    /** How many records a batch holds; if their sizes differ, one of the possible numbers. */
    private final int fullRecords;

    private final long fullBytes;
    /** The size of a full batch, compressed to uncompressed. */
    private double ratio = 1;

    /** The one that was made last, if not compressed. */
    private BatchTemplate last;
    /** The templates by their number of records; those of the full batch alone if not compressed. */
    private final Shelf[] shelves;
    /** The shelves with templates, in no order. */
    private final List<Shelf> used = new ArrayList<>();

    /** Held by all templates, in flight or not. */
    long memoryBytes;

    private long uses;

    /**
     * Builds the templates for full batches.
     *
     * @param generator no one else's from here on
     * @param keys of the records, instead of the generator's; each is valid until the next
     * @param runId as the generator has it; not 0
     * @param epochNanos when this is; what texts show as their timestamp
     * @param memoryLimitBytes for all templates; exceeded only by a single template that is larger
     */
    public TemplateRing(
            RecordGenerator generator,
            Supplier<byte[]> keys,
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
     * How many records the next batch can hold: always the same if they are of one size. Of a compressed batch: as many
     * as are expected to fit {@code batch.size} when compressed, with the margin that Kafka's producer leaves.
     */
    public int maxRecords() {
        BatchTemplate next = cuttable() ? shelves[0].free.peek() : null;
        return next == null ? fullRecords : next.maxRecords();
    }

    /** Mean bytes of a record in its batch, without the batch's header; an estimate if compressed. */
    public double recordBytes() {
        return ratio * (fullBytes - BatchLayout.RECORDS) / fullRecords;
    }

    /**
     * @param wanted 1 or more
     * @return a batch of {@code wanted} records, or of fewer if it holds no more; its content is unspecified until it is
     *     stamped and sealed. Null when all templates are in flight and there is no memory for another
     */
    public BatchTemplate acquire(int wanted) {
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
     * @param template acquired from this ring, and read by no one any more
     * @throws IllegalStateException if it was released before, or is of another ring
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

    /** Null if there is no memory for one. */
    private BatchTemplate build(Shelf shelf, int records) {
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

    /** A free template of the number of records that was not asked for for longest. */
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

    /** Whether the first records of a batch can be sent as a smaller one. */
    private boolean cuttable() {
        return shape.codec() == Codec.NONE;
    }

    /** About what the next template will take. */
    private long expectedBytes(int records) {
        if (cuttable()) {
            return last == null ? fullBytes : last.memoryBytes();
        }
        return (long) Math.ceil(ratio * fullBytes / fullRecords * records) + BatchLayout.RECORDS;
    }

    /** @param records exactly so many if compressed; otherwise as many as fit */
    private BatchTemplate encoded(int records) {
        if (cuttable()) {
            encoder.encode(shape.maxRecords(), shape.batchBytes(), true);
            last = BatchTemplate.plain(encoder, last);
            return last;
        }
        encoder.encode(records, Long.MAX_VALUE, false);
        byte[] batch = encoder.compressed(shape.codec(), shape.level());
        return BatchTemplate.compressed(encoder, shape.codec(), batch);
    }

    /** Finds how many records fit when compressed: what they compress to depends on how many there are. */
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
