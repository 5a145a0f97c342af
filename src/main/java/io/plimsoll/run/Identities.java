package io.plimsoll.run;

import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.load.ProducerKind.Identity;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.util.Optional;

/** Determines whether a scenario's records carry identities. */
final class Identities {
    private Identities() {}

    /** Whether every record of the scenario is identifiable; otherwise an audit can only count. */
    static boolean inAll(Scenario scenario, LoadContext context) {
        return scenario.producers().stream()
                .noneMatch(spec -> ProducerKind.marksOf(context, spec).identity() == Identity.NONE);
    }

    /**
     * A notice that an entry's records carry no identity, so the audit compares counts with end offsets.
     *
     * @param part the entry, such as {@code producers[0]}
     */
    static Optional<Sentence> missing(ProducerSpec spec, String part, LoadContext context) {
        if (ProducerKind.marksOf(context, spec).identity() != Identity.NONE) {
            return Optional.empty();
        }
        Payload payload = spec.record().payload();
        boolean made = !(payload instanceof Payload.File
                || payload instanceof Payload.Files
                || payload instanceof Payload.Template);
        int smallest = spec.record().mix().stream()
                .mapToInt(WeightedSize::size)
                .min()
                .orElse(spec.record().size());
        Sentence reason = made && smallest < io.plimsoll.payload.Identity.BYTES
                ? Sentence.of("run.tooSmallForIdentity", smallest, io.plimsoll.payload.Identity.BYTES)
                : made ? Sentence.of("run.noIdentity") : Sentence.of("run.givenValues");
        return Optional.of(Sentence.of("run.auditByEnds", part, reason));
    }

    /** Whether the first group of this entry reads every record, so that it can feed the audit. */
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
