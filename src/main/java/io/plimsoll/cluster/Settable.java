package io.plimsoll.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.common.config.ConfigResource;

/** Changeable settings of topics or brokers, with their original values in {@code back}. Confined to one thread. */
public record Settable(
        Admin admin, List<ConfigResource> resources, Map<ConfigResource, Collection<AlterConfigOp>> back) {
    private static final String DOING = "change settings of";

    /** @param names topic names or broker ids */
    public static Settable of(Admin admin, boolean brokers, Collection<String> names) {
        ConfigResource.Type type = brokers ? ConfigResource.Type.BROKER : ConfigResource.Type.TOPIC;
        return new Settable(
                admin,
                names.stream().map(name -> new ConfigResource(type, name)).toList(),
                new HashMap<>());
    }

    public void set(Map<String, String> values) {
        Map<ConfigResource, Config> before =
                Answers.await(admin.describeConfigs(resources).all(), DOING, names());
        Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
        for (ConfigResource resource : resources) {
            Collection<AlterConfigOp> there = new ArrayList<>();
            Collection<AlterConfigOp> wanted = new ArrayList<>();
            values.forEach((name, value) -> {
                ConfigEntry old = before.get(resource).get(name);
                boolean own = old != null
                        && (old.source() == ConfigSource.DYNAMIC_TOPIC_CONFIG
                                || old.source() == ConfigSource.DYNAMIC_BROKER_CONFIG);
                there.add(new AlterConfigOp(
                        new ConfigEntry(name, own ? old.value() : null), own ? OpType.SET : OpType.DELETE));
                wanted.add(new AlterConfigOp(new ConfigEntry(name, value), OpType.SET));
            });
            back.put(resource, there);
            changes.put(resource, wanted);
        }
        Answers.await(admin.incrementalAlterConfigs(changes).all(), DOING, names());
    }

    /** Restores the original values. */
    public void restore() {
        Answers.await(admin.incrementalAlterConfigs(back).all(), DOING, names());
    }

    private String names() {
        return String.join(", ", resources.stream().map(ConfigResource::name).toList());
    }
}
