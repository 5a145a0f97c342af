package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.AuditResult.GroupAudit;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Share groups on a real broker: deliveries are counted exactly, and no record remains. */
@Order(1)
class ShareGroupTest {
    private static final String PLANTED = """
        name: share
        topics: [{name: share-planted, partitions: 2}]
        producers: [{topic: share-planted, rate: 500/s, records: 2000, record: {size: 100}}]
        consumers:
          - kind: share
            topic: share-planted
            members: 3
            acknowledge: explicit
            release: 10%
            reject: 2%
            hold: 0.3%
            lock: 3s
            groupConfig: {share.delivery.count.limit: 3}
            config: {max.poll.records: 5, share.acquire.mode: record_limit}
        warmup: 0s
        audit: true
        """;

    @TempDir
    Path out;

    private static long count(TrialResult trial, String event) {
        return trial.consume().events().getOrDefault(event, 0L);
    }

    @Test
    void countsDeliveriesExactly() throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        RunResult result = Runs.run(PLANTED, servers, out);
        TrialResult trial = result.trials().get(0);
        Map<String, Long> events = trial.consume().events();
        assertThat(count(trial, "delivery.1")).as(events.toString()).isEqualTo(2000);
        // At the end each of three members may hold the five records of a poll.
        assertThat(count(trial, "accepted")
                        + count(trial, "released")
                        + count(trial, "rejected")
                        + count(trial, "refused"))
                .as(events.toString())
                .isBetween(count(trial, "deliveries") - 3 * 5, count(trial, "deliveries"));
        assertThat(count(trial, "lockTimeouts")).as(events.toString()).isEqualTo(count(trial, "heldTooLong"));
        assertThat(count(trial, "rejected")).isPositive();
        GroupAudit group = trial.audit().groups().get(0);
        assertThat(group.skipped()).as("never delivered").isZero();
        assertThat(group.givenUp()).isEqualTo(count(trial, "archived"));
        // Each record was accepted at least once, or given up.
        assertThat(trial.consume().volume().records() - group.processedTwice() + group.givenUp())
                .as(events.toString())
                .isBetween(2000 - count(trial, "refused"), 2000 + count(trial, "lockTimeouts"));
        assertThat(FigureCatalogue.value(trial, "share.rejects", Dimension.COUNT))
                .hasValue(count(trial, "rejected"));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            assertThat(admin.listGroups().all().get())
                    .as("%s", result.verdict().warnings())
                    .noneMatch(g -> g.groupId().equals(group.group()));
        }
    }

    @Test
    void ratesCoverOnlyMeasuredWindow() {
        TrialResult trial = Runs.run("""
            name: window
            topics: [{name: share-window, partitions: 2}]
            producers: [{topic: share-window, rate: 1000/s, record: {size: 100}}]
            consumers:
              - {kind: share, topic: share-window, members: 2, acknowledge: explicit, release: 10%}
            duration: 2s
            warmup: 4s
            """, SharedLab.oneBroker().bootstrapServers(), out)
                .trials()
                .get(0);
        long records = trial.consume().volume().records();
        // It excludes a warm-up of twice the length; the cluster confirms shortly after the work is done.
        assertThat(records).isBetween(1_500L, 3_500L);
        assertThat(count(trial, "accepted")).isBetween(records - records / 5, records + records / 5);
        double deliveries = FigureCatalogue.value(trial, "share.deliveries", Dimension.RECORDS_PER_SECOND)
                .orElseThrow();
        double released = FigureCatalogue.value(trial, "share.released", Dimension.RECORDS_PER_SECOND)
                .orElseThrow();
        double consumed = trial.consume().volume().recordsPerSecond();
        assertThat(deliveries).isBetween(consumed + 0.5 * released, consumed + 2 * released);
        assertThat(deliveries)
                .isLessThanOrEqualTo(count(trial, "deliveries") / trial.course().measuredSeconds());
        assertThat(trial.consume().times().neverReceived()).isZero();
        // Poll durations and the slowest member are in the client figures.
        assertThat(trial.observed().clients().get("consumers-0").get("polls")).isPositive();
    }

    @Tag("nightly")
    @Test
    void deliversAllRecordsDespiteTwentyKills() {
        StringBuilder faults = new StringBuilder("faults:\n");
        for (int i = 0; i < 20; i++) {
            faults.append("  - {at: ").append(2000 + 900 * i).append("ms, killMember: any, restartAfter: 500ms}\n");
        }
        String yaml = """
            name: kills
            topics: [{name: share-kills, partitions: 3}]
            producers: [{topic: share-kills, rate: 300/s, record: {size: 100}}]
            consumers: [{kind: share, topic: share-kills, members: 4, work: {each: 5ms}, idleTimeout: 40s}]
            duration: 22s
            warmup: 0s
            audit: true
            """ + faults;
        TrialResult trial = Runs.run(yaml, SharedLab.oneBroker().bootstrapServers(), out)
                .trials()
                .get(0);
        GroupAudit group = trial.audit().groups().get(0);
        // The trial's end waits for locks and sessions of killed members.
        assertThat(group.skipped()).isZero();
        assertThat(trial.consume().groups().get(0).lagAtEnd()).isZero();
        assertThat(count(trial, "deliveries") - count(trial, "delivery.1"))
                .as("what the killed had in hand came again")
                .isPositive();
        assertThat(trial.consume().volume().records() - group.processedTwice()).isLessThanOrEqualTo(6600);
    }
}
