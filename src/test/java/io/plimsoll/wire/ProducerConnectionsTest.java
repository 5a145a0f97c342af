package io.plimsoll.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;

/** Reports which versions of Kafka's client {@link ProducerConnections} supports, each in its own class loader. */
class ProducerConnectionsTest {
    /** The nightly build copies the other versions to this directory. */
    private static final Path OTHERS = Path.of("target", "kafka-clients");

    static Stream<Path> others() throws Exception {
        try (Stream<Path> jars = Files.list(OTHERS)) {
            return jars.filter(jar -> jar.toString().endsWith(".jar")).sorted().toList().stream();
        }
    }

    private static URL origin(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    private static void connectsBeforeTheFirstRecord(URL client) throws Exception {
        URL[] path = {client, origin(ProducerConnections.class), origin(EarlyConnector.class), origin(Logger.class)};
        List<List<Long>> connectionsAndRecords = new ArrayList<>();
        try (NullBroker broker = NullBroker.start(new NullBrokerOptions().topic("early", 3));
                URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
            Runnable look = () -> connectionsAndRecords.add(
                    List.of(broker.stats().connections(), broker.stats().records()));
            @SuppressWarnings("unchecked")
            Consumer<Map<String, Runnable>> connector =
                    (Consumer<Map<String, Runnable>>) loader.loadClass(EarlyConnector.class.getName())
                            .getConstructor(String.class)
                            .newInstance(broker.bootstrapServers());
            Thread.currentThread().setContextClassLoader(loader);
            connector.accept(Map.of("opened", look, "sent", look));
        } finally {
            Thread.currentThread().setContextClassLoader(ProducerConnectionsTest.class.getClassLoader());
        }
        // One connection to the bootstrap server and one to the leader, and no further one for the record.
        assertThat(connectionsAndRecords).containsExactly(List.of(2L, 0L), List.of(2L, 1L));
    }

    @Test
    void fitsBundledClient() throws Exception {
        connectsBeforeTheFirstRecord(origin(KafkaProducer.class));
    }

    @Test
    @Tag("nightly")
    void nightlyBuildHasOtherClients() throws Exception {
        assertThat(others()).hasSize(3);
    }

    @Tag("nightly")
    @ParameterizedTest
    @MethodSource("others")
    void fitsOtherClient(Path jar) throws Exception {
        connectsBeforeTheFirstRecord(jar.toUri().toURL());
    }

    @Test
    void reportsIncompatibleProducer() {
        // An incompatible object: errors arrive through the future, so that the run can continue.
        assertThatThrownBy(ProducerConnections.open(null, List.of())::get)
                .hasCauseInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("is built differently");
    }
}
