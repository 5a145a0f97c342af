package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.plimsoll.Exit;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.nullbroker.Misbehaving;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.Bound;
import io.plimsoll.result.Progress;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.Rate;
import io.plimsoll.testing.PlantedQuota;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A planted ceiling is found at its place. Loads above it never pass, on any busy machine, and the capacity lies
 * between the bounds of a search, even if it ended early. The trials have minimum length: {@code bench/known-ceilings}
 * does the same at full length.
 */
@Order(1)
class CeilingTruthTest {
    private static final double CAPACITY = 5_000;
    private static final double WITHIN_PERCENT = 5;
    /** A broker that waits for a CPU carries less than its configured capacity, never more. */
    private static final double STARVED = 0.85;

    @TempDir
    Path out;

    /** Maximum duration of a search. */
    private Duration most = Duration.ofSeconds(100);

    private RunResult search(String yaml, String bootstrapServers, double mostRate, String... slo) {
        CeilingRequest ceiling = new CeilingRequest(
                slo.length == 0
                        ? Optional.empty()
                        : Optional.of(
                                List.of(slo).stream().map(CheckParser::parse).toList()),
                Rate.Unit.RECORDS,
                1,
                mostRate > 0 ? OptionalDouble.of(mostRate) : OptionalDouble.empty(),
                0.05,
                Optional.of(most),
                new CeilingRequest.Lengths(Duration.ofSeconds(4), Duration.ZERO, 0),
                CeilingRequest.Extras.NONE);
        Run.Finished finished =
                new Run(Runs.request(yaml, bootstrapServers, out), Progress.NONE, Optional.of(ceiling)).execute();
        assertThat(finished.failure()).isNull();
        ResultSchema.assertValid(finished.result());
        ResultSchema.assertValid(finished.directory().resolve(RunDirectory.RESULT));
        return finished.result();
    }

    private static NullBroker nullBroker() {
        return NullBroker.start(new NullBrokerOptions().behaviour(Misbehaving.capacity(CAPACITY)));
    }

    private static double middle(Bound bound) {
        return (bound.lowerRecordsPerSecond() + bound.upperRecordsPerSecond()) / 2;
    }

    private static final String CAPACITY_YAML = """
        name: capacity
        topics: [{name: capacity}]
        producers: [{topic: capacity, record: {size: 100}, config: {buffer.memory: 2000000}}]
        warmup: 1s
        audit: false
        """;

    @Test
    void findsCapacityInRecordsPerSecond() {
        try (NullBroker broker = nullBroker()) {
            RunResult result = search(CAPACITY_YAML, broker.bootstrapServers(), 0);
            Ceiling ceiling = result.ceilings().get(0);
            // Some acknowledgments can belong to a backlog of the warm-up after a pause of the host.
            assertThat(ceiling.curve()).filteredOn(p -> p.passed()).allSatisfy(p -> assertThat(
                            p.offeredRecordsPerSecond())
                    .isLessThan(CAPACITY * (1 + WITHIN_PERCENT / 100)));
            if (found(result)) {
                assertThat(ceiling.course().end()).as(ceiling.toString()).isEqualTo(Ceiling.FOUND);
                assertThat(middle(ceiling.found().sustained()))
                        .isBetween(CAPACITY * STARVED, CAPACITY * (1 + WITHIN_PERCENT / 100));
                assertThat(ceiling.found().sustained().lowerBytesPerSecond())
                        .isCloseTo(100 * ceiling.found().sustained().lowerRecordsPerSecond(), withPercentage(0.1));
                assertThat(ceiling.found().withinSlo()).isNull();
                assertThat(ceiling.cause().proved()).isFalse();
                assertThat(ceiling.cause().stages()).isNotEmpty();
                assertThat(ceiling.curve()).anyMatch(p -> p.passed()).anyMatch(p -> !p.passed());
                assertThat(result.head().exitCode()).isEqualTo(Exit.PASSED.code());
            }
        }
    }

    /**
     * Whether the search has an answer. On a busy machine its time can run out; its bounds must contain the capacity
     * anyway.
     */
    private static boolean found(RunResult result) {
        Ceiling ceiling = result.ceilings().get(0);
        Bound sustained = ceiling.found().sustained();
        if (sustained != null && sustained.lowerRecordsPerSecond() != null) {
            assertThat(sustained.lowerRecordsPerSecond()).isLessThan(CAPACITY * (1 + WITHIN_PERCENT / 100));
        }
        if (sustained != null && sustained.upperRecordsPerSecond() != null && sustained.classified()) {
            assertThat(sustained.upperRecordsPerSecond()).isGreaterThan(CAPACITY * STARVED);
        }
        return ceiling.course().end().equals(Ceiling.FOUND) && !ceiling.course().generatorLimited();
    }

    @Test
    @Tag("nightly")
    void reportsMaxRateIfClusterSustainsIt() {
        try (NullBroker broker = nullBroker()) {
            RunResult result =
                    search(CAPACITY_YAML, broker.bootstrapServers(), CAPACITY / 2, "produce.response.p99 < 2s");
            Ceiling ceiling = result.ceilings().get(0);
            assertThat(ceiling.course().end()).as(ceiling.toString()).isEqualTo(Ceiling.MOST_REACHED);
            assertThat(ceiling.found().sustained().lowerRecordsPerSecond()).isEqualTo(CAPACITY / 2);
            assertThat(ceiling.found().sustained().upperRecordsPerSecond()).isNull();
            assertThat(ceiling.found().withinSlo().lowerRecordsPerSecond()).isEqualTo(CAPACITY / 2);
            assertThat(result.verdict().sentence().english()).containsPattern(Said.en("result.carriesAll"));
            assertThat(result.head().exitCode()).isEqualTo(Exit.PASSED.code());
        }
    }

    /** Ground truth: records received in overloaded trials. Processing takes longer on a busy host. */
    @Test
    @Tag("nightly")
    @Timeout(600)
    void findsCeilingOfConsumerWork() {
        String yaml = """
            name: work
            topics: [{name: work, partitions: 6}]
            producers: [{topic: work, record: {size: 100}}]
            consumers: [{topic: work, members: 3, work: {each: 8ms}}]
            warmup: 1s
            audit: false
            """;
        most = Duration.ofMinutes(5);
        RunResult result = search(yaml, SharedLab.oneBroker().bootstrapServers(), 3_000);
        double received = result.trials().stream()
                .flatMap(t -> t.consume().groups().stream())
                .filter(g -> g.pace().isBehind())
                .mapToDouble(g -> g.pace().receivedPerSecond())
                .max()
                .orElseThrow();
        Ceiling ceiling = result.ceilings().get(0);
        Bound sustained = ceiling.found().sustained();
        assertThat(received).isLessThan(3 / 0.008 * 1.05);
        assertThat(sustained.lowerRecordsPerSecond()).as("%s", sustained).isLessThan(1.1 * received);
        if (ceiling.course().end().equals(Ceiling.FOUND)) {
            assertThat(sustained.upperRecordsPerSecond()).as("%s", sustained).isGreaterThan(0.9 * received);
            assertThat(ceiling.cause().sentence().key()).isEqualTo("diagnose.says.work");
        }
    }

    @Test
    @Tag("nightly")
    @Timeout(900)
    void findsQuotaInBytesPerSecond() throws Exception {
        // A short window exhausts the burst credit sooner.
        try (Lab lab = PlantedQuota.lab(1)) {
            String yaml = """
                name: quota
                topics: [{name: quota}]
                producers: [{topic: quota, record: {size: 1KB}, config: {buffer.memory: 2000000}}]
                warmup: 4s
                audit: true
                """;
            // Up to 16 seconds per trial, and on a busy host many are repeated.
            most = Duration.ofMinutes(9);
            RunResult result = search(yaml, lab.bootstrapServers(), 0);
            Ceiling ceiling = result.ceilings().get(0);
            assertThat(ceiling.course().end()).as(ceiling.toString()).isEqualTo(Ceiling.FOUND);
            assertThat(middle(ceiling.found().sustained()) * PlantedQuota.wireBytesPerRecord(result))
                    .isCloseTo(PlantedQuota.BYTES_PER_SECOND, withPercentage(WITHIN_PERCENT));
            assertThat(ceiling.remarks()).extracting(Sentence::key).contains("run.quotas");
        }
    }
}
