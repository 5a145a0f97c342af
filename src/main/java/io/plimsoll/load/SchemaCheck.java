package io.plimsoll.load;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Metric;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.payload.SchemaSupport;
import io.plimsoll.payload.SchemaSupport.Finding;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.SchemaSpec.Decoding;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decodes an evenly spread share of one member's records and counts decoding failures. Used by the member's thread. */
public final class SchemaCheck {
    private static final Map<Finding, Optional<Metric<Long>>> DEFECTS = Map.of(
            Finding.AS_EXPECTED, Optional.empty(),
            Finding.UNDECODABLE, Optional.of(Consumed.UNDECODABLE),
            Finding.UNKNOWN_SCHEMA, Optional.of(Consumed.UNKNOWN_SCHEMA),
            Finding.UNEXPECTED, Optional.of(Consumed.UNEXPECTED));

    private final SchemaSupport.Reader reader;
    private final Runnable unresolved;
    private final double share;
    private double due;

    private SchemaCheck(Decoding decoding, Runnable unresolved) {
        this.unresolved = unresolved;
        this.reader = SchemaSupport.get().open(decoding.schema()).reader(decoding.expect());
        this.share = decoding.decode();
        // The first record is part of the sample.
        this.due = 1 - share;
    }

    /**
     * The check of an entry; null if the entry decodes no records.
     * @param unresolved called for each record of the share that this process cannot decode
     */
    static @Nullable SchemaCheck of(ConsumerSpec spec, Runnable unresolved) {
        return spec.decoding()
                .filter(d -> d.decode() > 0)
                .map(d -> new SchemaCheck(d, unresolved))
                .orElse(null);
    }

    void take(ByteBuffer value, ReceiveMeter meter) {
        due += share;
        if (due >= 1) {
            due--;
            Finding finding = reader.read(value);
            if (finding == Finding.UNRESOLVED) {
                unresolved.run();
                return;
            }
            meter.decoded(DEFECTS.getOrDefault(finding, Optional.empty()));
            String schema = reader.schema();
            if (schema != null) {
                meter.count(schema, 1);
            }
        }
    }
}
