package io.plimsoll.cluster;

import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ApiLevels;
import java.util.List;
import java.util.Locale;

/** An optional capability of a cluster; Kafka-compatible systems can lack parts of the protocol. */
public enum Ability {
    TOPICS("CreateTopics", "DeleteTopics"),
    PRODUCE("Produce"),
    IDEMPOTENCE("InitProducerId"),
    TRANSACTIONS("InitProducerId", "AddPartitionsToTxn", "EndTxn"),
    COMPRESSION("Produce"),
    FETCH("Fetch", "ListOffsets"),
    GROUPS("FindCoordinator", "JoinGroup", "SyncGroup", "Heartbeat", "OffsetCommit"),
    CONSUMER_GROUPS("ConsumerGroupHeartbeat"),
    SHARE_GROUPS("ShareGroupHeartbeat", "ShareFetch", "ShareAcknowledge"),
    TIMESTAMPS("DescribeConfigs"),
    CONFIGS("DescribeConfigs", "IncrementalAlterConfigs"),
    LIMITS("DescribeConfigs"),
    LOG_DIRS("DescribeLogDirs"),
    QUOTAS("DescribeClientQuotas", "AlterClientQuotas"),
    REASSIGNMENT("AlterPartitionReassignments", "ListPartitionReassignments"),
    ELECTION("ElectLeaders"),
    CONTROLLERS("DescribeQuorum"),
    FEATURES("UpdateFeatures"),
    ACLS("DescribeAcls"),
    TELEMETRY("GetTelemetrySubscriptions");

    private final List<String> requests;

    Ability(String... requests) {
        this.requests = List.of(requests);
    }

    public List<String> requests() {
        return requests;
    }

    /** Whether the cluster supports all required requests. */
    public boolean in(ApiLevels levels) {
        return requests.stream().allMatch(levels::has);
    }

    /** The identifier of this ability in output for scripts. */
    public String id() {
        String[] words = name().toLowerCase(Locale.ROOT).split("_");
        return words.length == 1
                ? words[0]
                : words[0] + words[1].substring(0, 1).toUpperCase(Locale.ROOT) + words[1].substring(1);
    }

    public Sentence label() {
        return Sentence.of("cluster.ability." + id());
    }

    /** The features of Plimsoll that need this ability. */
    public Sentence use() {
        return Sentence.of("cluster.ability." + id() + ".use");
    }

    /** The message that the cluster lacks this ability, with the consequence. */
    public Sentence missing() {
        return Sentence.of("cluster.abilityMissing", label(), requests, use());
    }
}
