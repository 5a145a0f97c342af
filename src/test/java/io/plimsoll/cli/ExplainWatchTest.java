package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.result.Json;
import io.plimsoll.result.SlowMoment;
import io.plimsoll.testing.Said;
import io.plimsoll.watch.WatchStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code explain} shows the slow records of a watch as in a run, with the time of day. */
class ExplainWatchTest {
    private static final Instant BEGIN = Instant.parse("2026-05-04T12:00:00Z");

    @TempDir
    Path directory;

    private InProcess explain(List<SlowMoment> moments, String... options) throws Exception {
        WatchStatus status = new WatchStatus(
                WatchStatus.SCHEMA,
                new WatchStatus.Place(
                        "a-cluster", "plimsoll-watch", new WatchStatus.Audit(9, 9, 0, 0, 0, 0, 0, 0, 0), 0, 0),
                BEGIN,
                BEGIN.plusSeconds(60),
                0.999,
                List.of(1),
                List.of(),
                List.of(),
                List.of(),
                moments);
        Files.writeString(directory.resolve("status.json"), Json.pretty(status));
        String[] words = new String[2 + options.length];
        words[0] = "explain";
        words[1] = directory.toString();
        System.arraycopy(options, 0, words, 2, options.length);
        return InProcess.run(words);
    }

    private static SlowMoment at(double seconds, SlowMoment.Cause... causes) {
        return new SlowMoment(
                seconds,
                seconds + 0.7,
                "request",
                List.of(2),
                List.of("plimsoll-watch-1"),
                List.of("produce"),
                14,
                702_000,
                List.of(),
                List.of(causes));
    }

    @Test
    void showsTimeOfDayAndCauseOfMoment() throws Exception {
        SlowMoment first = at(12.3, new SlowMoment.Cause("quota", "broker 2", 12.3, 13, null, 0.8));
        String all = explain(List.of(first, at(40))).out().replaceAll("\\s+", " ");
        assertThat(all).contains("12:00:12.300 UTC", "quota throttling by broker 2", "12:00:40.000 UTC");
        assertThat(explain(List.of(first, at(40)), "--at", "40.2s").out())
                .contains("12:00:40.000 UTC")
                .doesNotContain("12:00:12");
        assertThat(explain(List.of()).out()).contains("plimsoll-watch").doesNotContain("UTC");
    }

    @Test
    void showsOnlyWorstMomentsUnlessTimeIsGiven() throws Exception {
        List<SlowMoment> many = IntStream.range(10, 18).mapToObj(i -> at(i)).toList();
        assertThat(explain(many).out())
                .contains("12:00:14.000")
                .doesNotContain("12:00:15")
                .containsPattern(Said.en("report.explain.more", 3, null));
        assertThat(explain(many, "--at", "17.2s").out())
                .contains("12:00:17.000")
                .doesNotContainPattern(Said.en("report.explain.more", null, null));
    }

    @Test
    void refusesOffsetBeyondLong() throws Exception {
        String record = "t-0:99999999999999999999";
        InProcess refused = explain(List.of(at(1)), "--record", record);
        assertThat(refused.err()).containsPattern(Said.en("cli.explain.noRecord", record));
        assertThat(refused.exit()).isEqualTo(Exit.USAGE.code());
    }

    @Test
    void refusesTrialOptionForWatch() throws Exception {
        assertThat(explain(List.of(), "--trial", "1").exit()).isEqualTo(Exit.USAGE.code());
    }
}
