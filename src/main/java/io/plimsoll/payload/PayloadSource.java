package io.plimsoll.payload;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import io.plimsoll.text.Sentence;
import java.util.List;

/** The material of the values of one producer entry; loaded once, shared by its threads. Immutable. */
public abstract sealed class PayloadSource {

    private PayloadSource() {}

    /**
     * Reads the payload file or parses the template, if the record asks for one.
     *
     * @throws PlimsollException (usage) if that fails
     */
    public static PayloadSource load(RecordSpec record, long seed) {
        Payload payload = record.payload();
        if (payload instanceof Payload.File file) {
            return new Pieces(PayloadFile.read(file.path(), file.delimiter()));
        } else if (payload instanceof Payload.Template template) {
            try {
                return new TemplateText(ValueTemplate.parse(template.text()));
            } catch (IllegalArgumentException e) {
                throw new PlimsollException(Exit.USAGE, Sentence.of("payload.template", e.getMessage()), e);
            }
        }
        if (payload instanceof Payload.Files files) {
            return new Pieces(PayloadFile.readWhole(files.paths()));
        }
        return made(record, seed);
    }

    private static PayloadSource made(RecordSpec record, long seed) {
        Payload payload = record.payload();
        boolean constant = payload instanceof Payload.Constant;
        double ratio = constant ? 0 : record.randomBytesRatio();
        PayloadRegion region = region(record, ratio, seed);
        if (record.mix().isEmpty()) {
            return new Block(region, record.size(), ratio, record.pool());
        }
        List<Block> blocks = record.mix().stream()
                .map(s -> new Block(region, s.size(), ratio, record.pool()))
                .toList();
        return new Mix(
                blocks, record.mix().stream().mapToDouble(WeightedSize::weight).toArray());
    }

    private static PayloadRegion region(RecordSpec record, double ratio, long seed) {
        boolean letters = record.payload() instanceof Payload.Letters;
        if (ratio == 0) {
            return new PayloadRegion(seed, 1); // Never read.
        }
        if (record.pool() == 0) {
            return PayloadRegion.forValuesOf(record.size(), seed, letters);
        }
        long bytes = (long) record.pool() * record.size();
        if (bytes > PayloadFile.MAX_BYTES) {
            throw new PlimsollException(
                    Exit.USAGE,
                    Sentence.of(
                            "payload.poolTooLarge", record.pool(), record.size(), PayloadFile.MAX_BYTES / 1_000_000));
        }
        return PayloadRegion.of(seed, (int) Math.max(1, bytes), letters);
    }

    /** @param producer of the identities; negative for values that carry a stamp at most */
    abstract ValueGenerator values(long seed, int threadIndex, int threadCount, long runId, int producer);

    private static final class Block extends PayloadSource {
        private final PayloadRegion region;
        private final int sizeBytes;
        private final double randomBytesRatio;
        private final int pool;

        Block(PayloadRegion region, int sizeBytes, double randomBytesRatio, int pool) {
            this.region = region;
            this.sizeBytes = sizeBytes;
            this.randomBytesRatio = randomBytesRatio;
            this.pool = pool;
        }

        @Override
        ValueGenerator values(long seed, int threadIndex, int threadCount, long runId, int producer) {
            return pool == 0
                    ? new BlockValues(
                            region, sizeBytes, randomBytesRatio, (double) threadIndex / threadCount, runId, producer)
                    : BlockValues.ofPool(region, sizeBytes, randomBytesRatio, pool, seed, runId, producer);
        }
    }

    private static final class Mix extends PayloadSource {
        private final List<Block> blocks;
        private final double[] weights;

        Mix(List<Block> blocks, double[] weights) {
            this.blocks = blocks;
            this.weights = weights;
        }

        @Override
        ValueGenerator values(long seed, int threadIndex, int threadCount, long runId, int producer) {
            ValueGenerator[] each = blocks.stream()
                    .map(block -> block.values(seed, threadIndex, threadCount, runId, producer))
                    .toArray(ValueGenerator[]::new);
            return new MixValues(each, weights, seed);
        }
    }

    private static final class Pieces extends PayloadSource {
        private final List<byte[]> pieces;

        Pieces(List<byte[]> pieces) {
            this.pieces = pieces;
        }

        @Override
        ValueGenerator values(long seed, int threadIndex, int threadCount, long runId, int producer) {
            return new PieceValues(pieces, seed);
        }
    }

    private static final class TemplateText extends PayloadSource {
        private final ValueTemplate template;

        TemplateText(ValueTemplate template) {
            this.template = template;
        }

        @Override
        ValueGenerator values(long seed, int threadIndex, int threadCount, long runId, int producer) {
            return new TemplateValues(template, seed);
        }
    }
}
