package io.plimsoll.run;

import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.Cause;
import io.plimsoll.result.Ceiling.Probe;
import io.plimsoll.result.Limits;
import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the cause of a ceiling from suspects and from trials that changed what they are suspected of. */
final class CeilingCause {
    private CeilingCause() {}

    /** @param probes empty if none were made */
    static Cause of(Limits limits, List<Probe> probes) {
        Optional<Suspect> proved = proved(limits, probes);
        Suspect first = proved.orElse(limits.first());
        List<Ceiling.Suspect> others = limits.causes().stream()
                .filter(s -> !s.equals(first) && s.score() >= Limits.NAMED / 2)
                .map(s -> new Ceiling.Suspect(
                        s.where() == null ? s.limit() : Sentence.of("diagnose.causeAt", s.limit(), s.where()),
                        Sentence.of("diagnose.figures", s.evidence())))
                .toList();
        return new Cause(
                new Ceiling.Named(first == null ? null : first.limit(), first == null ? null : first.where()),
                proved.isPresent(),
                first == null ? List.of() : first.evidence(),
                others,
                first == null ? null : first.sentence(),
                limits.stages(),
                probes,
                probes.isEmpty() ? null : proof(proved, probes));
    }

    /** The likeliest of those that a change lifts which moved the ceiling. */
    private static Optional<Suspect> proved(Limits limits, List<Probe> probes) {
        return limits.causes().stream()
                .filter(s -> s.score() >= Limits.NAMED / 2)
                .filter(s -> moving(s, probes).findAny().isPresent())
                .findFirst();
    }

    private static Stream<Probe> moving(Suspect suspect, List<Probe> probes) {
        return probes.stream()
                .filter(p -> p.moved() && p.limits().contains(suspect.limit().english()));
    }

    private static Sentence proof(Optional<Suspect> proved, List<Probe> probes) {
        return proved.flatMap(s -> moving(s, probes).findFirst())
                .map(p -> Sentence.of("run.proved", p.factor()))
                .orElse(Sentence.of("run.notProved"));
    }
}
