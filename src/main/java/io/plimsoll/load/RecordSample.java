package io.plimsoll.load;

import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.ProducerSpec;

/**
 * The nature of a producer entry's records, whoever sends them.
 *
 * @param stamped each value has room for its intended time
 * @param identifiable each value has room for an identity
 * @param payloadBytes mean key + value bytes
 */
public record RecordSample(boolean stamped, boolean identifiable, double payloadBytes) {

    /**
     * Samples the records of an entry; also tries its payload file and its rate.
     *
     * @param part such as {@code producers-0}
     * @throws io.plimsoll.PlimsollException {@link io.plimsoll.Exit#USAGE} if a payload file cannot be read or the rate
     *     cannot be kept
     */
    public static RecordSample of(LoadContext context, ProducerSpec spec, String part) {
        RecordGenerator sample =
                new ProducerLoad(context, spec, Slice.all(spec.clients()), part, WarmupEnd.after(0)).sample();
        return new RecordSample(sample.stamped(), sample.identifiable(), sample.meanPayloadBytes());
    }
}
