package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.Format.percent;
import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The rule that docs/contributing/extending.md adds, and its sentences about a trial. */
public final class AddedRules {
    private static final Rule<BrokerEvidence> CONVERSION = Rule.named("conversion", e -> e.most("conversions"))
            .where(TrialEvidence::produces)
            .heldBack(0.9)
            .lowered(0.8, Confounder.HOST_FULL)
            .provedBy(Perturbation.BATCH_SIZE)
            .judged((e, broker) -> {
                double share = broker.get("conversions") / Math.max(1, broker.get("messagesIn", 0));
                return Finding.at(broker.name(), ramp(share, 0.1, 0.5))
                        .says("diagnose.says.conversion", broker.name(), percent(share))
                        .with("diagnose.conversions", Units.rate(broker.get("conversions")));
            });

    private AddedRules() {}

    /**
     * Its sentences in each language if a broker converts half of the received records, or if no broker reports it.
     *
     * @param told whether brokers report it
     */
    public static List<String> said(boolean told) {
        Planted planted = new Planted();
        if (told) {
            planted.brokers.get(0).put("conversions", 500.0);
            planted.brokers.get(0).put("messagesIn", 1000.0);
        }
        List<Suspect> suspects = new ArrayList<>();
        List<Sentence> notAvailable = new ArrayList<>();
        CONVERSION.ask(new TrialEvidence(planted.trial()), suspects, notAvailable);
        Stream<Sentence> all = Stream.concat(
                suspects.stream()
                        .flatMap(s ->
                                Stream.of(s.limit(), s.sentence(), s.evidence().get(0))),
                notAvailable.stream());
        return all.flatMap(s -> Stream.of(Language.values()).map(s::in)).toList();
    }
}
