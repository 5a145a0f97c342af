package io.plimsoll.cluster;

import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ApiLevels;
import java.util.List;
import java.util.Locale;

/** Something that a cluster can do, or cannot: not all that speak Kafka's protocol speak all of it. */
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

    /** Whether a cluster understands all of them. */
    public boolean in(ApiLevels levels) {
        return requests.stream().allMatch(levels::has);
    }

    /** Its name for programs. */
    public String id() {
        String[] words = name().toLowerCase(Locale.ROOT).split("_");
        return words.length == 1
                ? words[0]
                : words[0] + words[1].substring(0, 1).toUpperCase(Locale.ROOT) + words[1].substring(1);
    }

    public Sentence label() {
        return Sentence.of("cluster.ability." + id());
    }

    /** What of this program is not to be had without it. */
    public Sentence use() {
        return Sentence.of("cluster.ability." + id() + ".use");
    }

    /** That it cannot be had there, and what therefore not either. */
    public Sentence missing() {
        return Sentence.of("cluster.abilityMissing", label(), requests, use());
    }
}
