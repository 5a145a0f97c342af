package io.plimsoll.load.share;

import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.LoadContext;
import io.plimsoll.scenario.ConsumerKeys;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.Quantities;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The keys of an entry with share groups, and what follows from them for clients and groups. */
final class ShareSettings {
    /** Whether members say of each record what becomes of it, or the next poll accepts all. */
    static final Key<String> ACKNOWLEDGE = Key.choice(
                    "acknowledge", "implicit", List.of("implicit", "explicit"), word -> word)
            .about(
                    "with `kind: share`: `implicit` (the next poll accepts what the last one returned) or `explicit` (each"
                            + " record is accepted, released or rejected)",
                    "用于 `kind: share`：`implicit`（下一次 poll 即接受上次返回的记录）或 `explicit`（逐条接受、释放或拒绝）");

    static final Key<Double> RELEASE = ratio("release")
            .about(
                    "with `acknowledge: explicit`: share of records that are released, to be delivered again",
                    "用于 `acknowledge: explicit`：被释放（将再次投递）的记录所占比例");

    static final Key<Double> REJECT = ratio("reject")
            .about(
                    "with `acknowledge: explicit`: share of records that are rejected for good",
                    "用于 `acknowledge: explicit`：被永久拒绝的记录所占比例");

    static final Key<Double> HOLD = ratio("hold")
            .about(
                    "with `kind: share`: share of records at which a member stops until the locks of all that it has in"
                            + " hand have timed out",
                    "用于 `kind: share`：成员在这一比例的记录处停住，直到其手中所有记录的锁超时");

    static final Key<Duration> LOCK = Key.duration("lock", Duration.ofSeconds(30))
            .byDefault("the cluster's own", "集群自身的设置")
            .about(
                    "with `kind: share`: `share.record.lock.duration.ms` of its groups, how long a member may keep a record",
                    "用于 `kind: share`：其组的 `share.record.lock.duration.ms`，成员可持有一条记录的时间");

    static final Key<Map<String, String>> GROUP_CONFIG = Key.properties(
                    "groupConfig", "{share.delivery.count.limit: 3}")
            .noneByDefault()
            .about(
                    "with `kind: share`: settings of its groups, which are taken back at the end, such as"
                            + " `share.delivery.count.limit`, `share.partition.max.record.locks` or `share.isolation.level`",
                    "用于 `kind: share`：其组的设置（结束时恢复），例如 `share.delivery.count.limit`、`share.partition.max.record.locks`"
                            + " 或 `share.isolation.level`");

    static final Key<Boolean> COUNT_MEMBERS = Key.flag("countMembers")
            .about(
                    "with `kind: share`: `events` of the result also count the records and bytes of each member",
                    "用于 `kind: share`：结果的 `events` 还按成员统计记录数和字节数");

    static final List<Key<?>> ALL = List.of(ACKNOWLEDGE, RELEASE, REJECT, HOLD, LOCK, GROUP_CONFIG, COUNT_MEMBERS);

    /** What a consumer of partitions is given and a share consumer refuses. */
    private static final List<String> NOT_FOR_SHARES = List.of("auto.offset.reset", "enable.auto.commit");

    private ShareSettings() {}

    private static Key<Double> ratio(String name) {
        return Key.scalar(name, Quantities.RATIO, 0.0, Quantities::ratio);
    }

    static boolean explicit(ConsumerSpec spec) {
        return spec.get(ACKNOWLEDGE).equals("explicit");
    }

    static Map<String, Object> client(LoadContext context, ConsumerSpec spec, String groupId, int member) {
        Map<String, Object> properties = ClientProperties.of(context, spec, groupId, member);
        NOT_FOR_SHARES.stream().filter(name -> !spec.config().containsKey(name)).forEach(properties::remove);
        // As Kafka's own tool names several: no two have one id.
        properties.computeIfPresent(
                "client.id", (name, id) -> spec.config().containsKey(name) ? id + "-" + (member + 1) : id);
        properties.putIfAbsent("share.acknowledgement.mode", spec.get(ACKNOWLEDGE));
        return properties;
    }

    /** The settings that a group is given. One that may be there already begins where it would without us. */
    static Map<String, String> group(ConsumerSpec spec) {
        Map<String, String> settings = new TreeMap<>();
        boolean latest = spec.start() instanceof ConsumerSpec.Start.Latest;
        if (!spec.get(ConsumerKeys.EXISTING_GROUP)) {
            settings.put("share.auto.offset.reset", latest ? "latest" : "earliest");
        }
        if (spec.settings().keys().contains(LOCK)) {
            settings.put(
                    "share.record.lock.duration.ms",
                    String.valueOf(spec.get(LOCK).toMillis()));
        }
        settings.putAll(spec.get(GROUP_CONFIG));
        return settings;
    }
}
