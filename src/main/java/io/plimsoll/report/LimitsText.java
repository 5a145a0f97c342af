package io.plimsoll.report;

import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.Cause;
import io.plimsoll.result.HostBound;
import io.plimsoll.result.Limits;
import io.plimsoll.result.Limits.Stage;
import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.result.Remarks;
import io.plimsoll.result.Remarks.Remark;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What held a run back, in paragraphs. */
final class LimitsText {
    private static final int MOST_SUSPECTS = 3;
    private static final double WORTH_TELLING = 0.15;
    private static final double SMALLEST_STAGE = 0.01;
    private static final double SMALLEST_SHARE = 0.01;
    private static final String NOTHING =
            "Nothing stands out: no quota, thread, CPU, disk or network that was looked at is near its limit.";

    private LimitsText() {}

    /** Empty if there is nothing to explain. */
    static List<String> of(RunResult result) {
        if (!result.ceilings().isEmpty()) {
            List<String> paragraphs = new ArrayList<>();
            boolean several = result.ceilings().size() > 1;
            for (Ceiling c : result.ceilings()) {
                paragraphs.addAll(c.cause() == null ? List.of() : ofCeiling(c, several));
                paragraphs.addAll(several ? List.of() : bounds(c.bounds()));
            }
            return paragraphs;
        }
        List<TrialResult> trials = result.trials();
        if (trials.size() == 1) {
            return trials.get(0).judgement().limits() == null
                    ? List.of()
                    : whole(trials.get(0).judgement().limits());
        }
        return Remarks.told(
                        trials.stream().map(TrialResult::name).toList(),
                        trials.stream()
                                .filter(t -> t.judgement().limits() != null)
                                .map(t -> new Remark(
                                        t.name(),
                                        Sentence.verbatim(first(t.judgement().limits()))))
                                .toList())
                .stream()
                .map(Sentence::english)
                .toList();
    }

    private static String first(Limits limits) {
        Suspect first = limits.first();
        return first == null ? NOTHING : first.sentence().english();
    }

    private static List<String> whole(Limits limits) {
        List<String> paragraphs = new ArrayList<>();
        Suspect first = limits.first();
        paragraphs.add(first == null ? NOTHING : first.sentence() + evidence(first.evidence()));
        limits.causes().stream()
                .filter(s -> !s.equals(first) && s.score() >= WORTH_TELLING)
                .limit(MOST_SUSPECTS - 1L)
                .forEach(s -> paragraphs.add("Less likely: " + s.sentence()));
        if (!limits.stages().isEmpty()) {
            paragraphs.add(stages(limits.stages()));
        }
        paragraphs.addAll(bounds(limits.bounds()));
        return paragraphs;
    }

    /** What is nearest to its limit first; what is hardly used is left out. */
    private static List<String> bounds(List<HostBound> bounds) {
        return bounds.stream()
                .filter(b -> b.share() >= SMALLEST_SHARE)
                .sorted(Comparator.comparingDouble(HostBound::share).reversed())
                .map(b -> b.sentence().english())
                .toList();
    }

    private static List<String> ofCeiling(Ceiling c, boolean several) {
        Cause cause = c.cause();
        List<String> paragraphs = new ArrayList<>();
        String which = several
                ? c.parameters().entrySet().stream()
                                .map(e -> e.getKey().substring(e.getKey().lastIndexOf('.') + 1) + "=" + e.getValue())
                                .collect(Collectors.joining(" "))
                        + ": "
                : "";
        String proof = cause.proof() == null ? "" : " " + cause.proof();
        paragraphs.add(which
                + (cause.named().limit() == null ? NOTHING : cause.sentence() + evidence(cause.evidence()))
                + proof);
        if (!several) {
            cause.probes().forEach(p -> paragraphs.add(p.sentence().english()));
            cause.others().stream()
                    .limit(MOST_SUSPECTS - 1L)
                    .forEach(s -> paragraphs.add("Less likely: " + s.limit() + " (" + s.evidence() + ")."));
            if (!cause.stages().isEmpty()) {
                paragraphs.add(stages(cause.stages()));
            }
        }
        return paragraphs;
    }

    private static String evidence(List<Sentence> evidence) {
        return evidence.stream()
                .map(Sentence::english)
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(" · "), all -> all.isEmpty() ? "" : " (" + all + ")"));
    }

    /** Such as {@code A record's 12.1 ms: in the batch 4.0 ms (33 %) · broker: append 3.1 ms (26 %) · …}. */
    static String stages(List<Stage> stages) {
        double whole = stages.stream().mapToDouble(Stage::ms).sum();
        return "Where the " + ms(whole) + " of a record go: "
                + stages.stream()
                        .filter(s -> s.share() >= SMALLEST_STAGE)
                        .map(s -> s.name() + " " + ms(s.ms()) + " (" + Units.percent(s.share()) + ")")
                        .collect(Collectors.joining(" · "))
                + ".";
    }

    private static String ms(double ms) {
        return String.format(Locale.ROOT, ms < 10 ? "%.1f ms" : "%.0f ms", ms);
    }
}
