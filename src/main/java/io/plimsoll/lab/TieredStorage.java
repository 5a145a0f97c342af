package io.plimsoll.lab;

import io.plimsoll.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A second tier for the brokers of a lab: Kafka's own {@code LocalTieredStorage}, which Kafka's tests use in the place of an
 * object store. It copies closed segments into a directory. So the way through the broker is the real one, and the store
 * itself as near as a disk can be.
 */
final class TieredStorage {
    private static final String EVERY_MILLIS = "1000";

    private TieredStorage() {}

    /**
     * Properties of the brokers, above which those of the user win.
     *
     * @param store directory of the second tier
     * @throws io.plimsoll.PlimsollException if the class is not part of this build
     */
    static Map<String, String> config(int brokers, Path store, Map<String, String> overrides) throws IOException {
        Map<String, String> config = new HashMap<>();
        config.put("remote.log.storage.system.enable", "true");
        config.put(
                "remote.log.storage.manager.class.name",
                "org.apache.kafka.server.log.remote.storage.LocalTieredStorage");
        config.put(
                "remote.log.storage.manager.class.path",
                jar(BrokerFiles.libraries().resolve("tiered")));
        config.put("rsm.config.dir", store.toAbsolutePath().toString());
        config.put("remote.log.metadata.manager.listener.name", "PLAINTEXT");
        config.put("rlmm.config.remote.log.metadata.topic.replication.factor", Integer.toString(Math.min(3, brokers)));
        config.put("rlmm.config.remote.log.metadata.topic.num.partitions", "4");
        // By default a segment waits half a minute to be copied, and five to be deleted here.
        config.put("remote.log.manager.task.interval.ms", EVERY_MILLIS);
        config.put("log.retention.check.interval.ms", EVERY_MILLIS);
        config.put("log.initial.task.delay.ms", EVERY_MILLIS);
        config.putAll(overrides);
        return config;
    }

    private static String jar(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            try (Stream<Path> jars = Files.list(directory)) {
                return jars.map(Path::toString)
                        .findFirst()
                        .orElseThrow(() -> Exit.INTERNAL.because("lab.noTieredStorage", directory));
            }
        }
        throw Exit.INTERNAL.because("lab.noTieredStorage", directory);
    }
}
