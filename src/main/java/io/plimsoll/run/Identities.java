package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.load.ProducerKind.Identity;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import io.plimsoll.scenario.Scenario;

/** Tells whether the records of a scenario can be told apart, and by what. */
final class Identities {
    private Identities() {}

    /** True if every record of the scenario can be known; otherwise an audit can only count. */
    static boolean inAll(Scenario scenario, LoadContext context) {
        return scenario.producers().stream()
                .noneMatch(spec -> ProducerKind.marksOf(context, spec).identity() == Identity.NONE);
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
        if (generated && small && ProducerKind.marksOf(context, spec).identity() == Identity.NONE) {
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
        boolean byBatch = scenario.producers().stream()
                .anyMatch(p -> ProducerKind.marksOf(context, p).identity() == Identity.BATCH);
        return !transactional && LoadKind.consumers(spec.engine()).feedsAudit(byBatch);
    }
}
