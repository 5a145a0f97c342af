package io.plimsoll.run;

import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.Cause;
import io.plimsoll.result.Ceiling.Probe;
import io.plimsoll.result.Limits;
import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** From suspects, and trials that changed what they are suspected of, to the cause of a ceiling. */
final class CeilingCause {
    private CeilingCause() {}

    /** @param probes empty if none were made */
    static Cause of(Limits limits, List<Probe> probes) {
        Optional<Suspect> proved = proved(limits, probes);
        Suspect first = proved.orElse(limits.first());
        List<io.plimsoll.result.Ceiling.Suspect> others = new ArrayList<>();
        limits.causes().stream()
                .filter(s -> !s.equals(first) && s.score() >= Limits.NAMED / 2)
                .forEach(s -> others.add(new io.plimsoll.result.Ceiling.Suspect(
                        s.where() == null ? s.limit() : s.limit() + ", " + s.where(),
                        String.join(" · ", s.evidence()))));
        return new Cause(
                new Ceiling.Named(first == null ? null : first.limit(), first == null ? null : first.where()),
                proved.isPresent(),
                first == null ? List.of() : first.evidence(),
                others,
                first == null ? null : first.sentence(),
                limits.stages(),
                probes,
                proof(proved, probes));
    }

    /** The likeliest of those that a change lifts which moved the ceiling. */
    private static Optional<Suspect> proved(Limits limits, List<Probe> probes) {
        return limits.causes().stream()
                .filter(s -> s.score() >= Limits.NAMED / 2)
                .filter(s ->
                        probes.stream().anyMatch(p -> p.moved() && p.limits().contains(s.limit())))
                .findFirst();
    }

    private static Sentence proof(Optional<Suspect> proved, List<Probe> probes) {
        if (probes.isEmpty()) {
            return null;
        }
        return proved.map(s -> Sentence.of(
                        "run.proved",
                        probes.stream()
                                .filter(p -> p.moved() && p.limits().contains(s.limit()))
                                .findFirst()
                                .map(Probe::factor)
                                .orElseThrow()))
                .orElseGet(() -> Sentence.of("run.notProved"));
    }
}
