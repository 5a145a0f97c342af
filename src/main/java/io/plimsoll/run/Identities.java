package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.client.ClientProducers;
import io.plimsoll.payload.Identity;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import io.plimsoll.scenario.Scenario;
import org.apache.kafka.clients.producer.ProducerConfig;

/** By what the records of a scenario can be told apart. */
final class Identities {
    private Identities() {}

    private enum Kind {
        /** In each value. */
        RECORD,
        /** Kafka's own producer id and sequence in the header of each batch. */
        BATCH,
        NONE
    }

    private static Kind of(ProducerSpec spec, LoadContext context) {
        try (ClientProducers sample = new ClientProducers(context, spec, "producers", 0)) {
            boolean room = sample.identifiable();
            if (spec.engine() == Engine.CLIENT) {
                return room ? Kind.RECORD : Kind.NONE;
            }
            ProducerConfig config =
                    ClientProperties.parseProducer(ClientProperties.of(context, spec, "producers", 0), "producers");
            if (room && config.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG).equals("none")) {
                return Kind.RECORD;
            }
            return config.getBoolean(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG) ? Kind.BATCH : Kind.NONE;
        }
    }

    /** True if every record of the scenario can be known; otherwise an audit can only count. */
    static boolean inAll(Scenario scenario, LoadContext context) {
        return scenario.producers().stream().noneMatch(spec -> of(spec, context) == Kind.NONE);
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the records are made by us and too small */
    static void check(ProducerSpec spec, String part, LoadContext context) {
        int size = spec.record().mix().stream()
                .mapToInt(WeightedSize::size)
                .min()
                .orElse(spec.record().size());
        boolean small = size < Identity.BYTES;
        Payload payload = spec.record().payload();
        boolean generated = payload instanceof Payload.Random || payload instanceof Payload.Constant;
        if (generated && small && of(spec, context) == Kind.NONE) {
            String raw = spec.engine() == Engine.RAW
                    ? ", or set enable.idempotence: true in its config, by which its batches are known"
                    : ", or use engine: raw, whose batches are known by Kafka's own sequences";
            throw new PlimsollException(
                    Exit.USAGE,
                    part + ".record.size: audit: true needs " + Identity.BYTES + " bytes in each value for an identity,"
                            + " and " + size + " are asked for; make records larger" + raw
                            + ", or set audit: false");
        }
    }

    /** Whether the audit can read along with the first group of this entry, which sees all there is. */
    static boolean feeds(Scenario scenario, ConsumerSpec spec, LoadContext context) {
        if (context.trail() == null
                || !context.trail().reads()
                || spec.records().isPresent()
                || spec.oneTopicEach()) {
            return false;
        }
        boolean transactional =
                scenario.producers().stream().anyMatch(p -> p.transactions().enabled());
        boolean byBatch = scenario.producers().stream().anyMatch(p -> of(p, context) == Kind.BATCH);
        return !transactional && (!byBatch || spec.engine() == Engine.RAW);
    }
}
