package io.plimsoll.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.result.Generator;
import io.plimsoll.result.GroupName;
import io.plimsoll.result.Json;
import io.plimsoll.result.Limits;
import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.result.TrialResult;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Recorded trials on real brokers with limits planted by {@code bench/known-limits} or {@code bench/blind-limits}, or by
 * another program with an open transaction: the first named cause is the planted one.
 */
class RecordedLimitsTest {
    @ParameterizedTest
    @CsvSource({
        "recompression, recompression, broker 1",
        "tiny, batches,",
        "rare, linger,",
        "standstill, standstill, broker 1",
        "sync, synchronous,",
        "transactions, transactions,",
        "fetchwait, fetchWait,",
        "uncommitted, transactions,",
        "far, far,",
        "late, replication, broker 2",
        "fifth, cpuQuota, broker 1",
        "collecting, gc, broker 1",
        "format, format, broker 1",
        "rack, slowBroker, broker 2",
        "shareLock, lockTime, group consumers[0] (share group)",
        "members, consumer, group consumers[0] (classic protocol)",
        "stoppedMember, stoppedMembers, group billing",
        "groupMembers, idleMembers, group billing",
        "groupWork, consumer, group billing",
        "groupHot, hotPartition, group ledger",
        "shareFailures, redelivery, group consumers[0] (share group)",
        "consumerQuota, quota, consumers",
        "heldBack, stall, orders-1",
        "openShort, openTransaction,",
        "busyDistance, latency,"
    })
    void namesPlantedLimitFirst(String recorded, String limit, String where) throws IOException {
        // Some were planted by faults of the scenario, which are named before their effects.
        Suspect first = Diagnosis.of(trial(recorded)).causes().stream()
                .filter(s -> !s.limit().key().equals("diagnose.cause.fault"))
                .findFirst()
                .orElseThrow();
        assertThat(first.score()).isGreaterThanOrEqualTo(Limits.NAMED);
        assertThat(first.limit().key()).isEqualTo("diagnose.cause." + limit);
        if (where != null) {
            assertThat(first.where().english()).isEqualTo(where);
        }
    }

    /** It had caught up by the end of the drain, and no check was made. */
    @Test
    void diagnosesGroupThatFellBehindWithinWindow() throws IOException {
        TrialResult trial = trial("members");
        assertThat(trial.consume().groups().get(0).lagAtEnd()).isZero();
        assertThat(Diagnosis.wanted(trial.with(new TrialResult.Judgement(List.of(), List.of(), null))))
                .isTrue();
    }

    /** Its readers report idle time, too, but have no group on the cluster. */
    @Test
    void namesNoProtocolOfRawEngine() throws IOException {
        JsonNode recorded = Json.MAPPER.valueToTree(trial("members"));
        ((ObjectNode) recorded.path("clients").path("consumers-0")).remove("commitShare");
        TrialResult raw = Json.MAPPER.treeToValue(recorded, TrialResult.class);
        TrialResult.Group group = raw.consume().groups().get(0);
        assertThat(GroupName.withProtocol(raw, group)).isEqualTo(Sentence.verbatim(group.id()));
    }

    @Test
    void namesKindAndEntityOfQuota() throws IOException {
        Suspect quota = Diagnosis.of(trial("consumerQuota")).causes().get(0);
        assertThat(quota.sentence().key()).isEqualTo("diagnose.says.quota");
        assertThat(quota.sentence().arguments().toString())
                .contains("consumer_byte_rate", "40000", "default client-id", "bytes");
    }

    /** One garbage collection in the drain after a window of 2 s. */
    @Test
    void gcShareRefersToItsCountingPeriod() {
        Generator generator = new Generator(
                new Generator.Cpu(5, 0.5, 1.0, null), new Generator.Ticks(0, 0, 0), 3, 0, false, null, null);
        assertThat(generator.gcShare()).isEqualTo(0.3);
    }

    private static TrialResult trial(String recorded) throws IOException {
        try (InputStream in = RecordedLimitsTest.class.getResourceAsStream("/diagnose/" + recorded + ".json")) {
            return Json.MAPPER.readValue(in, TrialResult.class);
        }
    }
}
