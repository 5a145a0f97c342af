package io.plimsoll.result;

import io.plimsoll.Exit;
import io.plimsoll.result.RunResult.Verdict;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;

/**
 * What a run that searched for ceilings comes to. Its trials are meant to fail beyond the ceiling, so that they do not
 * count; what the audit found in any of them does. Pure.
 */
final class CeilingVerdicts {
    private CeilingVerdicts() {}

    static Exit exit(List<TrialResult> trials, List<Ceiling> ceilings) {
        if (lost(trials)) {
            return Exit.AUDIT_FAILED;
        }
        if (ceilings.stream().anyMatch(c -> c.course().end().equals(Ceiling.NOTHING_PASSES))) {
            return Exit.CHECK_FAILED;
        }
        boolean answered = ceilings.stream()
                .allMatch(c -> c.course().end().equals(Ceiling.FOUND)
                        || c.course().end().equals(Ceiling.MOST_REACHED));
        return answered ? Exit.PASSED : Exit.INVALID_MEASUREMENT;
    }

    private static boolean lost(List<TrialResult> trials) {
        return trials.stream().anyMatch(t -> Verdicts.violated(t.audit()));
    }

    static Verdict of(List<TrialResult> trials, List<Ceiling> ceilings, List<Sentence> notes) {
        return new Verdict(
                exit(trials, ceilings) == Exit.PASSED,
                Verdicts.withDamage(trials, CeilingSentences.of(ceilings)),
                remarks(ceilings, notes));
    }

    /** @param reason why the run did not do all it was asked for, without a full stop */
    static Verdict cutShort(List<TrialResult> trials, List<Ceiling> ceilings, Sentence reason, List<Sentence> notes) {
        return new Verdict(
                false,
                Verdicts.withDamage(trials, Sentence.of("result.untilThen", reason, CeilingSentences.of(ceilings))),
                remarks(ceilings, notes));
    }

    private static List<Sentence> remarks(List<Ceiling> ceilings, List<Sentence> notes) {
        List<Sentence> all = new ArrayList<>(notes);
        for (Ceiling c : ceilings) {
            String name = CeilingSentences.name(c.parameters());
            c.remarks().forEach(r -> all.add(ceilings.size() == 1 ? r : Sentence.of("result.ofOne", name, r)));
        }
        return List.copyOf(all);
    }
}
