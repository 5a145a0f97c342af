package io.plimsoll.extending;

import io.plimsoll.load.ConsumerKind;
import io.plimsoll.load.Consumers;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Key;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The kind of load that docs/contributing/extending.md adds: it reads like the raw kind, in small pieces. */
public final class TrickleKind implements LoadKind {
    public static final Key<Integer> PIECE = Key.count("piece", 1000, 1_000_000)
            .about("with `engine: trickle`: bytes that it asks for at a time", "用于 `engine: trickle`：每次请求的字节数");

    public static final Key<String> CLIENT_ID =
            Key.text("clientId").about("what the clients' ids begin with, for quotas", "client id 的前缀，用于配额");

    @Override
    public String name() {
        return "trickle";
    }

    @Override
    public boolean joinsGroups() {
        return false;
    }

    @Override
    public boolean calibrated() {
        return false;
    }

    @Override
    public Optional<ProducerKind> producers() {
        return Optional.of(LoadKind.producers("client"));
    }

    @Override
    public List<Key<?>> producerKeys() {
        return List.of(CLIENT_ID);
    }

    @Override
    public Optional<ConsumerKind> consumers() {
        return Optional.of(new Reading(LoadKind.consumers("raw")));
    }

    @Override
    public List<Key<?>> consumerKeys() {
        return List.of(PIECE);
    }

    private record Reading(ConsumerKind raw) implements ConsumerKind {
        @Override
        public Consumers create(Entry e) {
            Map<String, String> config = new TreeMap<>(e.spec().config());
            config.put("max.partition.fetch.bytes", e.spec().get(PIECE).toString());
            ConsumerSpec spec = e.spec().with(ConsumerSpec.CONFIG, config);
            return raw.create(new Entry(e.context(), spec, e.slice(), e.part(), e.source(), e.feed(), e.partitions()));
        }

        @Override
        public void check(ConsumerSpec spec, String part) {
            raw.check(spec, part);
        }

        @Override
        public void tryOut(LoadContext context, ConsumerSpec spec, String part) {
            raw.tryOut(context, spec, part);
        }

        @Override
        public boolean ownsOffsets() {
            return true;
        }

        @Override
        public boolean feedsAudit(boolean byBatch) {
            return raw.feedsAudit(byBatch);
        }
    }
}
