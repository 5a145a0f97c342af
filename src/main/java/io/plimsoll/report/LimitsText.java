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
import io.plimsoll.scenario.SettingNames;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The bottleneck of a run, in paragraphs. */
final class LimitsText {
    private static final int MOST_SUSPECTS = 3;
    private static final double WORTH_TELLING = 0.15;
    private static final double SMALLEST_STAGE = 0.01;
    private static final double SMALLEST_SHARE = 0.01;

    private LimitsText() {}

    static List<Sentence> of(RunResult result) {
        if (!result.ceilings().isEmpty()) {
            boolean several = result.ceilings().size() > 1;
            return result.ceilings().stream()
                    .flatMap(c -> Stream.concat(
                            c.cause() == null ? Stream.of() : ofCeiling(c, several).stream(),
                            several ? Stream.of() : bounds(c.bounds()).stream()))
                    .toList();
        }
        List<TrialResult> trials = result.trials();
        if (trials.size() == 1) {
            Limits limits = trials.get(0).judgement().limits();
            return limits == null ? List.of() : whole(limits);
        }
        return Remarks.told(
                trials.stream().map(TrialResult::name).toList(),
                trials.stream()
                        .filter(t -> t.judgement().limits() != null)
                        .map(t -> new Remark(t.name(), first(t.judgement().limits(), List.of())))
                        .toList());
    }

    private static Sentence nothing() {
        return Sentence.of("report.limit.nothing");
    }

    private static Sentence first(Limits limits, List<?> evidence) {
        Suspect first = limits.first();
        return first == null ? nothing() : Sentence.of("report.limit.first", first.sentence(), evidence(evidence));
    }

    private static List<Sentence> whole(Limits limits) {
        List<Sentence> paragraphs = new ArrayList<>();
        Suspect first = limits.first();
        paragraphs.add(first(limits, first == null ? List.of() : first.evidence()));
        limits.causes().stream()
                .filter(s -> !s.equals(first) && s.score() >= WORTH_TELLING)
                .limit(MOST_SUSPECTS - 1L)
                .forEach(s -> paragraphs.add(Sentence.of("report.limit.lessLikely", s.sentence())));
        if (!limits.stages().isEmpty()) {
            paragraphs.add(stages(limits.stages()));
        }
        paragraphs.addAll(bounds(limits.bounds()));
        return paragraphs;
    }

    /** The resources nearest to their limits first; hardly used ones are left out. */
    private static List<Sentence> bounds(List<HostBound> bounds) {
        return bounds.stream()
                .filter(b -> b.share() >= SMALLEST_SHARE)
                .sorted(Comparator.comparingDouble(HostBound::share).reversed())
                .map(b -> Sentence.of("report.limit.bound", b.sentence()))
                .toList();
    }

    private static List<Sentence> ofCeiling(Ceiling c, boolean several) {
        Cause cause = c.cause();
        List<Sentence> first = new ArrayList<>();
        first.add(
                cause.named().limit() == null
                        ? nothing()
                        : Sentence.of("report.limit.first", cause.sentence(), evidence(cause.evidence())));
        if (cause.proof() != null) {
            first.add(cause.proof());
        }
        Sentence found = Sentence.joined(first);
        if (several) {
            return List.of(Sentence.of("report.limit.of", SettingNames.joined(c.parameters()), found));
        }
        List<Sentence> paragraphs = new ArrayList<>(List.of(found));
        cause.probes().forEach(p -> paragraphs.add(p.sentence()));
        cause.others().stream()
                .limit(MOST_SUSPECTS - 1L)
                .forEach(s -> paragraphs.add(Sentence.of("report.limit.lessLikelyBy", s.limit(), s.evidence())));
        if (!cause.stages().isEmpty()) {
            paragraphs.add(stages(cause.stages()));
        }
        return paragraphs;
    }

    private static Sentence evidence(List<?> evidence) {
        return evidence.isEmpty() ? Sentence.NONE : Sentence.of("report.limit.evidence", evidence);
    }

    /** Such as {@code A record's 12.1 ms: in the batch 4.0 ms (33 %) · broker: append 3.1 ms (26 %) · …}. */
    static Sentence stages(List<Stage> stages) {
        double whole = stages.stream().mapToDouble(Stage::ms).sum();
        return Sentence.of(
                "report.limit.stages",
                ms(whole),
                stages.stream()
                        .filter(s -> s.share() >= SMALLEST_STAGE)
                        .map(s -> Sentence.of("report.limit.stage", s.name(), ms(s.ms()), Units.percent(s.share())))
                        .toList());
    }

    private static String ms(double ms) {
        return String.format(Locale.ROOT, ms < 10 ? "%.1f ms" : "%.0f ms", ms);
    }
}
