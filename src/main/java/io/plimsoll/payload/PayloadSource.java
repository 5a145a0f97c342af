package io.plimsoll.payload;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.RecordSpec.Payload;
import java.util.List;

/** What the values of one producer entry are made from; loaded once, shared by its threads. Immutable. */
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
                return new Text(Template.parse(template.text()));
            } catch (IllegalArgumentException e) {
                throw new PlimsollException(Exit.USAGE, "record.payload.template: " + e.getMessage() + ".", e);
            }
        }
        boolean constant = payload instanceof Payload.Constant;
        double ratio = constant ? 0 : record.randomBytesRatio();
        // Without random bytes the region is never read.
        PayloadRegion region = ratio > 0
                ? PayloadRegion.forValuesOf(record.size(), seed, payload instanceof Payload.Letters)
                : new PayloadRegion(seed, 1);
        return new Block(region, record.size(), ratio);
    }

    /** @param producer of the identities; negative for values that carry a stamp at most */
    abstract ValueGenerator values(long seed, int threadIndex, int threadCount, long runId, int producer);

    private static final class Block extends PayloadSource {
        private final PayloadRegion region;
        private final int sizeBytes;
        private final double randomBytesRatio;

        Block(PayloadRegion region, int sizeBytes, double randomBytesRatio) {
            this.region = region;
            this.sizeBytes = sizeBytes;
            this.randomBytesRatio = randomBytesRatio;
        }

        @Override
        ValueGenerator values(long seed, int threadIndex, int threadCount, long runId, int producer) {
            double start = (double) threadIndex / threadCount;
            return new BlockValues(region, sizeBytes, randomBytesRatio, start, runId, producer);
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

    private static final class Text extends PayloadSource {
        private final Template template;

        Text(Template template) {
            this.template = template;
        }

        @Override
        ValueGenerator values(long seed, int threadIndex, int threadCount, long runId, int producer) {
            return new TemplateValues(template, seed);
        }
    }
}
