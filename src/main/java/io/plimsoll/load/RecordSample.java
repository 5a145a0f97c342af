package io.plimsoll.load;

import io.plimsoll.payload.PayloadSource;
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
        RecordGenerator generator = generator(context, spec);
        double payloadBytes = generator.meanPayloadBytes();
        RecordSample sample = new RecordSample(generator.stamped(), generator.identifiable(), payloadBytes);
        ProducerLoad.of(context, spec, Slice.all(spec.clients()), part, generator, 0);
        return sample;
    }

    private static RecordGenerator generator(LoadContext context, ProducerSpec spec) {
        PayloadSource payload = PayloadSource.load(spec.record(), context.seed());
        return RecordGenerator.of(spec.record(), context.seed(), 0, 1, context.runId(), payload);
    }
}
