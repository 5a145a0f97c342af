package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.ProducerKind.Identity;
import io.plimsoll.load.RecordSample;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import io.plimsoll.scenario.Scenario;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Tells whether the records of a scenario can be told apart, and by what. */
final class Identities {
    private Identities() {}

    private static Identity of(ProducerSpec spec, LoadContext context) {
        ProducerConfig config =
                ClientProperties.parseProducer(ClientProperties.of(context, spec, "producers", 0), "producers");
        return LoadKind.producers(spec.engine())
                .marks(RecordSample.of(context, spec, "producers"), config)
                .identity();
    }

    /** True if every record of the scenario can be known; otherwise an audit can only count. */
    static boolean inAll(Scenario scenario, LoadContext context) {
        return scenario.producers().stream().noneMatch(spec -> of(spec, context) == Identity.NONE);
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the records are made by us and too small */
    static void check(ProducerSpec spec, String part, LoadContext context) {
        int size = spec.record().mix().stream()
                .mapToInt(WeightedSize::size)
                .min()
                .orElse(spec.record().size());
        boolean small = size < io.plimsoll.payload.Identity.BYTES;
        Payload payload = spec.record().payload();
        boolean generated = payload instanceof Payload.Random || payload instanceof Payload.Constant;
        if (generated && small && of(spec, context) == Identity.NONE) {
            throw Exit.USAGE.because(
                    "run.recordsTooSmall",
                    part,
                    io.plimsoll.payload.Identity.BYTES,
                    size,
                    LoadKind.producers(spec.engine()).smallRecordAdvice());
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
        boolean byBatch = scenario.producers().stream().anyMatch(p -> of(p, context) == Identity.BATCH);
        return !transactional && LoadKind.consumers(spec.engine()).feedsAudit(byBatch);
    }
}
