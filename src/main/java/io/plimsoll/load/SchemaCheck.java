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
    private final double share;
    private double due;

    private SchemaCheck(Decoding decoding) {
        this.reader = SchemaSupport.get().open(decoding.schema()).reader(decoding.expect());
        this.share = decoding.decode();
        // The first record is part of the sample.
        this.due = 1 - share;
    }

    /** The check of an entry; null if the entry decodes no records. */
    public static @Nullable SchemaCheck of(ConsumerSpec spec) {
        return spec.decoding().filter(d -> d.decode() > 0).map(SchemaCheck::new).orElse(null);
    }

    void take(ByteBuffer value, ReceiveMeter meter) {
        due += share;
        if (due >= 1) {
            due--;
            meter.decoded(DEFECTS.getOrDefault(reader.read(value), Optional.empty()));
            String schema = reader.schema();
            if (schema != null) {
                meter.count(schema, 1);
            }
        }
    }
}
