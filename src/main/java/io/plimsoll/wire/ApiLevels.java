package io.plimsoll.wire;

import io.plimsoll.Exit;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Request versions that the first bootstrap server to respond supports, by request, such as {@code InitProducerId}. */
public record ApiLevels(Map<String, Range> ranges) {
    private static final long PATIENCE_NANOS = 15_000_000_000L;
    /** Time between attempts, because a refused connection fails at once. */
    private static final long PAUSE_MILLIS = 100;

    /** Supported versions of one request; {@code ours} is the newest version of the client on the class path. */
    public record Range(int oldest, int newest, int ours) {
        /** Whether broker and client have a version in common. */
        public boolean usable() {
            return newest >= 0 && oldest <= ours;
        }
    }

    /** Queries a bootstrap server. Fails with {@link Exit#CLUSTER} if none responds within 15 s. */
    public static ApiLevels ask(Map<String, Object> clientProperties) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        try (RawNetwork network = new RawNetwork(clientProperties, "plimsoll-probe", -1, 10_000)) {
            for (int attempt = 0; ; attempt++) {
                RawLink link = network.bootstrap(attempt);
                while (!link.ready() && link.lastError() == null && System.nanoTime() < deadline) {
                    network.poll(20);
                }
                if (link.ready()) {
                    return new ApiLevels(ranges(link));
                }
                String error = Objects.requireNonNullElse(link.lastError(), "timeout");
                network.remove(link);
                Exit.CLUSTER.when(System.nanoTime() > deadline, "wire.noApiVersions", error);
                network.poll(PAUSE_MILLIS);
            }
        }
    }

    private static Map<String, Range> ranges(RawLink link) {
        Map<String, Range> ranges = new TreeMap<>();
        Objects.requireNonNull(link.versions, "not negotiated")
                .allSupportedApiVersions()
                .forEach((key, range) -> {
                    if (range.maxVersion() >= 0) {
                        ranges.put(key.name, new Range(range.minVersion(), range.maxVersion(), key.latestVersion()));
                    }
                });
        return ranges;
    }

    public boolean has(String request) {
        return ranges.containsKey(request) && ranges.get(request).usable();
    }
}
