package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Observation.ObservationSum;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs of hours and days, in virtual time: folding loses no count, stays small, and slow problems are reported. */
@Order(1)
class SoakTest {
    /** Minutes of two seconds, kept for two minutes. */
    private static final Folding QUICK = new Folding(120 * Timelines.SECOND);

    /** The measurements by second of the trial; values that are not planted are normal. */
    private static final class Planted {
        private IntToDoubleFunction slower = s -> 1;
        private IntToDoubleFunction acknowledged = s -> 1;
        private IntToDoubleFunction heap = s -> 300e6;
        private IntToDoubleFunction files = s -> 400;
        private IntToDoubleFunction logs = s -> 5e9;
        private IntToDoubleFunction lag = s -> 3;
    }

    private static void play(int seconds, Planted planted, Consumer<TimelineEvent> into) {
        var plan = new TimelineEvent.TrialPlan(
                new TimelineEvent.Course(true, 10, seconds - 10, null, null),
                new TimelineEvent.Producing(1000, 32 << 20, "client", 1, null),
                new TimelineEvent.Consuming("client", 1, "intended time", null, false, null),
                null);
        Map<Long, Latencies> known = new HashMap<>();
        SplittableRandom random = new SplittableRandom(5);
        into.accept(Timelines.runStarted("soak"));
        into.accept(Timelines.trialStarted("soak", plan));
        long acknowledged = 0;
        for (int s = 0; s < seconds; s++) {
            double noise = 1 + 0.2 * random.nextDouble() + (random.nextInt(50) == 0 ? 4 : 0);
            long tenths = Math.round(10 * noise * planted.slower.applyAsDouble(s));
            Latencies response = known.computeIfAbsent(tenths, t -> Timelines.spread(20, 200 * t, 900 * t));
            long done = Math.round(500 * planted.acknowledged.applyAsDouble(s) * (0.99 + 0.02 * random.nextDouble()));
            acknowledged += done;
            Phase phase = s < 10 ? Phase.WARMUP : Phase.MEASURE;
            into.accept(new TimelineEvent.Measured(new Second(500, response)
                    .acknowledged(done)
                    .lag(s == 76 ? 900 : Math.round(planted.lag.applyAsDouble(s)))
                    .snapshot("soak", s, phase, plan)));
            double wobble = 1 + 0.05 * random.nextDouble();
            Map<String, Double> broker = new HashMap<>(Map.of(
                    "heapAfterCollection",
                    planted.heap.applyAsDouble(s) * wobble,
                    "openFiles",
                    planted.files.applyAsDouble(s) * wobble,
                    "followerLag",
                    s == 77 ? 900.0 : 3));
            broker.values().removeIf(v -> v.isNaN());
            observed(into, "broker 1", s, broker);
            observed(into, "cluster", s, Map.of("logBytes", planted.logs.applyAsDouble(s) * wobble));
        }
        into.accept(Timelines.trialEnded("soak", seconds - 10, acknowledged, 0));
    }

    private static void observed(Consumer<TimelineEvent> into, String what, int s, Map<String, Double> gauges) {
        into.accept(new TimelineEvent.Observed(
                "soak",
                new Observation(
                        what,
                        "jmx",
                        s * Timelines.SECOND,
                        (s + 1) * Timelines.SECOND,
                        Map.of("seconds", 1.0, "bytesIn", 2e4),
                        gauges)));
    }

    private static List<Sentence> said(Planted planted) {
        Fold fold = new Fold(QUICK);
        play(600, planted, fold::accept);
        return fold.trial("soak").judgement().warnings().stream()
                .filter(w -> w.key().startsWith("result.soak."))
                .toList();
    }

    private static String only(Planted planted) {
        List<Sentence> said = said(planted);
        assertThat(said).hasSize(1);
        assertThat(said.get(0).in(Language.ZH)).isNotEqualTo(said.get(0).english());
        return said.get(0).english();
    }

    @Test
    void reportsNothingForStableRun() {
        assertThat(said(new Planted())).isEmpty();
    }

    @Test
    void reportsDecayAndLeaksWithFigures() {
        Planted leak = new Planted();
        leak.heap = s -> 300e6 + 0.5e6 * s;
        assertThat(only(leak))
                .containsPattern(Said.en("result.soak.steadily", Sentence.of("result.soak.heap", 1)))
                .containsPattern("from 31\\d MB to 61\\d MB in 9 min \\d\\d s \\(\\+1\\.8\\d* GB");
        Planted files = new Planted();
        files.files = s -> 400 + s / 4;
        assertThat(only(files))
                .contains("open files of broker 1 changed steadily from 4")
                .contains("to 5");
        Planted logs = new Planted();
        logs.logs = s -> 5e9 + 1e7 * s;
        assertThat(only(logs))
                .containsPattern(Said.en("result.soak.steadily", Sentence.of("result.soak.logs")))
                .contains("from 5");
        Planted decay = new Planted();
        decay.acknowledged = s -> 1 - 0.2 * s / 600;
        assertThat(only(decay))
                .containsPattern(Said.en("result.soak.steadily", Sentence.of("result.soak.share"), "100 %"));
        Planted step = new Planted();
        step.files = s -> s < 400 ? 400 : 600;
        assertThat(only(step))
                .containsPattern(Said.en("result.soak.step", Sentence.of("result.soak.files", 1)))
                .containsPattern("from 41\\d to 61\\d after 6 min \\d+ s");
        Planted slower = new Planted();
        slower.slower = s -> s < 300 ? 1 : 2;
        assertThat(said(slower).stream().map(Sentence::english))
                .hasSize(2)
                .allMatch(t -> Said.en("result.soak.step").matcher(t).matches())
                .allMatch(t ->
                        t.contains("response time") && t.matches(".*from \\S+ ms to \\S+ ms after 4 min [45]\\d s.*"));
    }

    /** A heap is known from its first collection on, which may be hours after the start. */
    @Test
    void reportsTrendOnlyWhileFigureIsKnown() {
        Planted leak = new Planted();
        leak.heap = s -> s < 300 ? Double.NaN : 300e6 + 1e6 * (s - 300);
        assertThat(only(leak))
                .containsPattern(Said.en("result.soak.steadily", Sentence.of("result.soak.heap", 1)))
                .containsPattern("from 3\\d\\d MB to 6\\d\\d MB in 4 min 5\\d s \\(\\+3\\.[5-7]\\d* GB");
        Planted step = new Planted();
        step.heap = s -> s < 300 ? Double.NaN : s < 500 ? 300e6 : 500e6;
        assertThat(only(step))
                .containsPattern(Said.en("result.soak.step"))
                .containsPattern("from 3\\d\\d MB to 5\\d\\d MB after 8 min \\d+ s");
    }

    /** The live values, and the later values of the folded timeline. */
    @Test
    void foldedTimelineGivesSameResult(@TempDir Path temp) throws IOException {
        Check check = CheckParser.parse("produce.response.p99 < 10ms for 95% of seconds");
        Fold seen = new Fold(QUICK);
        seen.expect(List.of(check));
        Fold unfolded = new Fold(new Folding(Long.MAX_VALUE / 2));
        unfolded.expect(List.of(check));
        List<TimelineEvent> notes = new ArrayList<>();
        try (RunDirectory directory = RunDirectory.attach(temp, QUICK)) {
            play(601, new Planted(), event -> {
                TimelineEvent to = event instanceof TimelineEvent.TrialEnded e ? seen.endOf(e, List.of(check)) : event;
                directory.append(to);
                seen.accept(to);
                unfolded.accept(
                        event instanceof TimelineEvent.TrialEnded e ? unfolded.endOf(e, List.of(check)) : event);
                if (to instanceof TimelineEvent.Measured m && m.snapshot().sequence() % 50 == 3) {
                    TimelineEvent note = new TimelineEvent.Note(
                            Timelines.START, "soak", "info", Sentence.verbatim("n" + notes.size()));
                    notes.add(note);
                    directory.append(note);
                }
            });
            try (Stream<TimelineEvent> timeline = directory.readTimeline()) {
                List<TimelineEvent> events = timeline.toList();
                assertThat(events.stream().filter(TimelineEvent.Note.class::isInstance))
                        .isEqualTo(notes);
                // The last two minutes by second, and up to one further minute until they are folded together.
                assertThat(events.stream().filter(TimelineEvent.Measured.class::isInstance))
                        .hasSizeBetween(120 + 210, 180 + 241);
                Fold read = new Fold(QUICK);
                events.forEach(read::accept);
                JsonNode live = Json.MAPPER.readTree(Json.line(seen.result()));
                assertThat(Json.MAPPER.readTree(Json.line(read.result()))).isEqualTo(live);
            }
            assertThat(RunDirectory.isBeingWritten(temp)).isTrue();
        }
        TrialResult folded = seen.trial("soak");
        TrialResult whole = unfolded.trial("soak");
        assertThat(folded.produce()).isEqualTo(whole.produce());
        assertThat(folded.judgement().checks()).isEqualTo(whole.judgement().checks());
        assertThat(folded.observed().brokers()).isEqualTo(whole.observed().brokers());
        // The maximum of any second, including one that is folded with other seconds.
        assertThat(FigureCatalogue.value(folded, "consume.lag", Check.Dimension.COUNT))
                .isEqualTo(FigureCatalogue.value(whole, "consume.lag", Check.Dimension.COUNT))
                .hasValue(900);
        assertThat(folded.detail().seconds()).hasSizeBetween(330, 421);
        assertThat(folded.detail().seconds().stream()
                        .mapToDouble(TrialResult.Second::length)
                        .sum())
                .isEqualTo(601);
        try (Stream<Path> files = Files.list(temp)) {
            assertThat(files).hasSize(1);
        }
    }

    /** The lag grows both in folded minutes and in the seconds after them. */
    @Test
    void foldedTimelineGivesSamePace(@TempDir Path temp) throws IOException {
        Planted slow = new Planted();
        slow.lag = s -> 50.0 * Math.max(0, s - 350);
        Fold seen = new Fold(QUICK);
        Fold read = new Fold(QUICK);
        try (RunDirectory directory = RunDirectory.attach(temp, QUICK)) {
            play(601, slow, event -> {
                directory.append(event);
                seen.accept(event);
            });
            try (Stream<TimelineEvent> timeline = directory.readTimeline()) {
                timeline.forEachOrdered(read::accept);
            }
        }
        GroupPace live = GroupPace.of(seen.trial("soak")).get("readers");
        GroupPace later = GroupPace.of(read.trial("soak")).get("readers");
        assertThat(live.outcome()).isEqualTo(GroupPace.FELL_BEHIND).isEqualTo(later.outcome());
        assertThat(later.behindPerSecond()).isCloseTo(live.behindPerSecond(), withPercentage(1));
    }

    /** The same for observed groups. */
    @Test
    void foldedObservationsGiveSamePace() {
        GroupsFold seconds = new GroupsFold();
        GroupsFold folded = new GroupsFold();
        ObservationSum minute = new ObservationSum();
        for (int s = 0; s < 600; s++) {
            Observation second = new Observation(
                    GroupsFold.GROUP + "readers",
                    "admin",
                    s * Timelines.SECOND,
                    (s + 1) * Timelines.SECOND,
                    Map.of("seconds", 1.0, "produced", 1000.0),
                    Map.of("settled", 100.0 * Math.max(0, s - 460)));
            seconds.accept(second);
            minute.add(second);
            if (s >= 420) {
                folded.accept(second);
            } else if (s % 60 == 59) {
                folded.accept(minute.together(second.what(), second.source()));
                minute = new ObservationSum();
            }
        }
        assertThat(seconds.groups().get(0)).containsEntry(GroupPace.PACE, GroupPace.KEPT_UP);
        assertThat(folded.groups().get(0)).containsEntry(GroupPace.PACE, GroupPace.KEPT_UP);
    }

    @Test
    void minuteKeepsLeastLagOfItsSeconds() {
        List<Snapshot> seconds = Stream.of(4L, 2L, 6L)
                .map(least -> new Second(20, Timelines.latencies(20, 1000))
                        .lag(9)
                        .leastLag(least)
                        .snapshot("soak", 0, Phase.MEASURE, Timelines.plan(true)))
                .toList();
        SnapshotSum minute = new SnapshotSum(seconds.get(0), Folding.USUAL);
        seconds.subList(1, 3).forEach(minute::add);
        assertThat(minute.snapshot().whole().get(Consumed.LEAST_LAG)).isEqualTo(Map.of("readers", 2L));
    }

    @Test
    void reportsRecurringWarningOnce() {
        Fold fold = new Fold();
        fold.accept(Timelines.runStarted("soak"));
        for (int i = 0; i < 500; i++) {
            Sentence text = Sentence.of("observe.cannotBeObserved", "broker " + i % 2, "jmx", "Connection reset");
            fold.accept(new TimelineEvent.Note(Timelines.START, null, "warning", text));
        }
        assertThat(fold.end(Timelines.START).verdict().warnings()).hasSize(2);
        assertThat(fold.result().verdict().warnings()).hasSize(2);
    }

    /** A histogram takes 150 kB of memory, and a day has 86,400 seconds. */
    @Test
    void keepsNoHistogramPerSecond() throws InterruptedException {
        FaultsFold faults = new FaultsFold(true);
        faults.accept(new TimelineEvent.FaultMark(
                null,
                "soak",
                0,
                new TimelineEvent.Deed(0, "kill", Sentence.verbatim("kill broker 1"), 1),
                TimelineEvent.FaultState.ASKED,
                null));
        BacklogFold backlog = new BacklogFold(Map.of("late", List.of("soak")), false);
        List<WeakReference<Latencies>> seen = new ArrayList<>();
        for (int s = 0; s < 100; s++) {
            Latencies response = Timelines.spreadOf(20, 1000 + s, 9000);
            seen.add(new WeakReference<>(response));
            Snapshot snapshot = new Second(20, response).snapshot("soak", s, Phase.MEASURE, Timelines.plan(true));
            faults.accept(snapshot);
            backlog.accept(snapshot, Map.of("soak-0", 20L));
        }
        List<WeakReference<Latencies>> older = seen.subList(0, 90);
        for (int i = 0; i < 200 && older.stream().anyMatch(r -> r.get() != null); i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(older).allMatch(r -> r.get() == null);
        assertThat(faults.results(null, Timelines.START)).hasSize(1);
        assertThat(backlog.result(50.0)).isNotNull();
    }

    @Test
    void responseBelongsToFaultUntilNextOne() {
        ResponseAround around = new ResponseAround(true);
        Latencies usual = Timelines.spread(20, 1000, 1000);
        Latencies slow = Timelines.spread(20, 50_000, 50_000);
        int next = 7205;
        for (int s = 0; s < 7300; s++) {
            if (s == 10 || s == next) {
                around.begin(s * Timelines.SECOND);
            }
            Latencies response = s == next || s == 6000 ? slow : usual;
            around.accept(new Second(20, response).snapshot("soak", s, Phase.MEASURE, Timelines.plan(true)));
        }
        FaultResult.Response first =
                around.around(10 * Timelines.SECOND, 20 * Timelines.SECOND, next * Timelines.SECOND);
        assertThat(first.during().max()).isBetween(1000L, 1001L);
        assertThat(first.after().p50()).isBetween(1000L, 1001L);
        assertThat(first.after().max()).isBetween(50_000L, 50_050L);
        FaultResult.Response second =
                around.around(next * Timelines.SECOND, (next + 1) * Timelines.SECOND, Long.MAX_VALUE);
        assertThat(second.during().p50()).isBetween(50_000L, 50_050L);
        assertThat(second.after().max()).isBetween(1000L, 1001L);
    }

    @Test
    @Tag("nightly")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void dayOfDataStaysSmall(@TempDir Path temp) throws IOException {
        Fold fold = new Fold();
        long start = System.nanoTime();
        long timeline;
        try (RunDirectory directory = RunDirectory.attach(temp)) {
            play(86_400, new Planted(), event -> {
                directory.append(event);
                fold.accept(event);
            });
            directory.writeResult(fold.result());
            timeline = Files.size(temp.resolve(RunDirectory.TIMELINE));
        }
        TrialResult trial = fold.trial("soak");
        System.out.printf(
                "A day: timeline %,d bytes, result %,d bytes, %d entries, %.0f s%n",
                timeline,
                Files.size(temp.resolve(RunDirectory.RESULT)),
                trial.detail().seconds().size(),
                (System.nanoTime() - start) / 1e9);
        assertThat(trial.detail().seconds().stream()
                        .mapToDouble(TrialResult.Second::length)
                        .sum())
                .isEqualTo(86_400);
        assertThat(Files.size(temp.resolve(RunDirectory.RESULT))).isLessThan(3_000_000);
        assertThat(Files.size(temp.resolve(RunDirectory.TIMELINE))).isLessThan(50_000_000);
    }
}
