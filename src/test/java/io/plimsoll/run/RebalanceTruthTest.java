package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.measure.HandOver;
import io.plimsoll.result.FaultResult.Rebalance;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.testing.Runs;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reported rebalance costs match interceptors in the members: each silence and each redelivered record. */
class RebalanceTruthTest {
    private static final double LONG_SECONDS = 1;

    @TempDir
    Path out;

    /** Logs deliveries with their times in the members' threads. */
    public static final class Witness implements ConsumerInterceptor<ByteBuffer, ByteBuffer> {
        private static final Map<String, Witnessed> ALL = new ConcurrentHashMap<>();

        private Witnessed seen;

        @Override
        public void configure(Map<String, ?> config) {
            seen = ALL.computeIfAbsent(Objects.toString(config.get("witness.id")), id -> new Witnessed());
        }

        @Override
        public ConsumerRecords<ByteBuffer, ByteBuffer> onConsume(ConsumerRecords<ByteBuffer, ByteBuffer> records) {
            long now = System.nanoTime();
            for (TopicPartition partition : records.partitions()) {
                records.records(partition).forEach(r -> seen.read(this, partition.toString(), r.offset(), now));
            }
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

        @Override
        public void close() {}
    }

    /** All records that one group has read. */
    private static final class Witnessed {
        private final Map<String, Long> last = new ConcurrentHashMap<>();
        private final Map<String, Witness> readers = new ConcurrentHashMap<>();
        private final Map<String, List<Double>> gaps = new ConcurrentHashMap<>();
        // A busy machine also causes gaps: the ones before a read by another member belong to a rebalance.
        private final Map<String, List<Double>> handedOver = new ConcurrentHashMap<>();
        private final Map<String, Set<Long>> offsets = new ConcurrentHashMap<>();
        private long again;

        synchronized void read(Witness reader, String partition, long offset, long nanos) {
            Long before = last.put(partition, nanos);
            Witness other = readers.put(partition, reader);
            if (before != null) {
                double gap = (nanos - before) / 1e9;
                gaps.computeIfAbsent(partition, p -> new ArrayList<>()).add(gap);
                if (other != reader) {
                    handedOver
                            .computeIfAbsent(partition, p -> new ArrayList<>())
                            .add(gap);
                }
            }
            if (!offsets.computeIfAbsent(partition, p -> new HashSet<>()).add(offset)) {
                again++;
            }
        }
    }

    private static boolean near(double silence, double witness) {
        return Math.abs(silence - witness) <= 0.05 * witness + 0.010;
    }

    @ParameterizedTest
    @CsvSource({
        "group.protocol, consumer",
        "partition.assignment.strategy, org.apache.kafka.clients.consumer.CooperativeStickyAssignor",
        "partition.assignment.strategy, org.apache.kafka.clients.consumer.RangeAssignor"
    })
    @Tag("nightly")
    @Timeout(240)
    void silencesAndRedeliveriesMatchMembers(String property, String value) {
        String id = UUID.randomUUID().toString();
        // With KIP-848, brokers define how long a killed member stays unnoticed: 45 s.
        boolean brokers = value.equals("consumer");
        Run.Finished finished = new Run(
                        Runs.request(
                                """
                                name: rebalances
                                topics: [{name: %s, partitions: 6}]
                                producers: [{topic: %s, rate: 2000/s, record: {size: 100}, config: {batch.size: 1}}]
                                consumers:
                                - topic: %s
                                  members: 3
                                  start: latest
                                  config: {%s: %s, interceptor.classes: %s, witness.id: %s}
                                warmup: 2s
                                duration: %s
                                faults:
                                - {at: 2s, joinMember: any}
                                - {at: 20s, leaveMember: any}
                                - {at: 32s, killMember: any, restartAfter: %s}
                                - {at: %s, rollMembers: any}
                                """.formatted(
                                                id,
                                                id,
                                                id,
                                                property,
                                                value,
                                                Witness.class.getName(),
                                                id,
                                                brokers ? "120s" : "75s",
                                                brokers ? "50s" : "12s",
                                                brokers ? "97s" : "52s"),
                                SharedLab.oneBroker().bootstrapServers(),
                                out,
                                brokers ? "warmup=2s" : "consumers.config.session.timeout.ms=6000"),
                        Progress.NONE)
                .execute();
        assertThat(finished.failure()).isNull();
        Witnessed witness = Witness.ALL.remove(id);
        RunResult result = finished.result();
        List<Rebalance> prices = result.trials().get(0).detail().faults().stream()
                .map(f -> f.rebalance())
                .toList();
        assertThat(prices).doesNotContainNull();
        assertThat(prices.stream().mapToLong(Rebalance::readAgain).sum()).isEqualTo(witness.again);
        assertThat(FigureCatalogue.value(result.trials().get(0), "fault.rebalance") / 1e6)
                .isCloseTo(
                        prices.stream()
                                .mapToDouble(Rebalance::longestSeconds)
                                .max()
                                .orElseThrow(),
                        within(1e-6));

        List<HandOver> told = handOvers(finished.directory());
        assertThat(told).isNotEmpty().allSatisfy(h -> assertThat(witness.gaps.get(h.partition()))
                .anyMatch(gap -> near((h.toNanos() - h.fromNanos()) / 1e9, gap)));
        witness.handedOver.forEach((partition, gaps) -> assertThat(gaps.stream().filter(g -> g > LONG_SECONDS))
                .allSatisfy(gap -> assertThat(told)
                        .anyMatch(h ->
                                h.partition().equals(partition) && near((h.toNanos() - h.fromNanos()) / 1e9, gap))));
        assertThat(prices).allSatisfy(p -> {
            assertThat(p.partitions()).isBetween(1, 6);
            assertThat(p.medianSeconds()).isLessThanOrEqualTo(p.silentSeconds());
            assertThat(p.longestSeconds()).isPositive().isLessThanOrEqualTo(p.silentSeconds());
            assertThat(p.stableSeconds()).isPositive();
        });
    }

    private static List<HandOver> handOvers(Path directory) {
        List<HandOver> all = new ArrayList<>();
        try (RunDirectory run = RunDirectory.open(directory);
                Stream<TimelineEvent> timeline = run.readTimeline()) {
            timeline.forEach(event -> {
                if (event instanceof TimelineEvent.HandedOver handed) {
                    all.addAll(handed.handOvers());
                }
            });
        }
        return all;
    }
}
