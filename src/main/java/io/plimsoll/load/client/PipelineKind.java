package io.plimsoll.load.client;

import io.plimsoll.load.ConsumerKind;
import io.plimsoll.load.Consumers;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.scenario.ConsumerKeys;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ConsumerSpec.Commit;
import io.plimsoll.scenario.Key;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The kind of consumers that also produce: consume, transform, produce. */
public final class PipelineKind implements LoadKind, ConsumerKind {
    static final Key<String> OUTPUT = Key.text("output").rule((entry, output) -> {
        boolean known = entry.topics().isEmpty() || entry.topics().containsKey(output);
        if (!output.isEmpty() && !known) {
            entry.problemAt("output", "load.pipelineOutputUnknown", output);
        }
    });

    static final Key<Boolean> TRANSACTIONAL = Key.choice("transactional", true, List.of(true, false), String::valueOf);

    static final Key<Map<String, String>> OUTPUT_CONFIG =
            Key.properties("outputConfig", "{linger.ms: 5}").noneByDefault();

    /** Settings that could reach other clusters or clients behind the guards. */
    private static final List<String> OWN = List.of("bootstrap.servers", "transactional.id");

    @Override
    public String name() {
        return "pipeline";
    }

    @Override
    public Set<String> writes(ConsumerSpec spec) {
        return Set.of(spec.get(OUTPUT));
    }

    @Override
    public List<Key<?>> consumerKeys() {
        return List.of(OUTPUT, TRANSACTIONAL, OUTPUT_CONFIG);
    }

    @Override
    public Consumers create(ConsumerKind.Entry entry) {
        return new PipelineConsumers(new ConsumerKind.Entry(
                entry.context(),
                own(entry.spec()),
                entry.slice(),
                entry.part(),
                entry.source(),
                null,
                entry.partitions()));
    }

    /** Outputs carry the offsets, and reads are committed by default. */
    private static ConsumerSpec own(ConsumerSpec spec) {
        Map<String, String> config = new java.util.TreeMap<>(spec.config());
        config.putIfAbsent("isolation.level", "read_committed");
        return spec.with(ConsumerKeys.COMMIT, new Commit.None()).with(ConsumerKeys.CONFIG, config);
    }

    @Override
    public boolean readsCommitted(ConsumerSpec spec) {
        return true;
    }

    @Override
    public void check(ConsumerSpec spec, String part) {
        if (spec.get(OUTPUT).isEmpty() || spec.topics().contains(spec.get(OUTPUT))) {
            throw LoadKind.refused(part + ".output", "load.pipelineOutput");
        }
        for (String own : OWN) {
            if (spec.get(OUTPUT_CONFIG).containsKey(own)) {
                throw LoadKind.refused(part + ".outputConfig." + own, "load.pipelineOwn");
            }
        }
        ConsumerKind.checkBlocking(spec, part);
    }

    @Override
    public void tryOut(LoadContext context, ConsumerSpec spec, String part) {
        ClientConsumers.tryOut(context, own(spec), groupId(context, spec, part, 0), part);
    }

    @Override
    public boolean feedsAudit(boolean byBatch) {
        return false;
    }
}
