package io.plimsoll.diagnose;

import io.plimsoll.text.Sentence;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** All rules. Of causes with equal scores, that of the earlier rule is named first. */
final class Rules {
    static final List<Rule<?>> ALL = Stream.of(
                    ClientRules.RULES,
                    GeneratorRules.RULES,
                    PlacementRules.RULES,
                    NetworkRules.RULES,
                    BrokerRules.RULES,
                    DiskRules.RULES,
                    ConsumerRules.RULES)
            .<Rule<?>>flatMap(Collection::stream)
            .toList();

    private Rules() {}

    /** The changes that would lift a cause, or at least ease it; the most telling first. */
    static List<Perturbation> proofs(Sentence cause) {
        return ALL.stream()
                .filter(r -> r.cause().equals(cause))
                .flatMap(r -> r.proofs.stream())
                .distinct()
                .toList();
    }

    /** The causes that a change would lift, as they are called in results. */
    static List<String> liftedBy(Perturbation change) {
        return ALL.stream()
                .filter(r -> r.proofs.contains(change))
                .map(r -> r.cause().english())
                .distinct()
                .toList();
    }
}
