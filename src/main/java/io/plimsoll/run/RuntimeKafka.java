package io.plimsoll.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The Kafka release on our class path: that of the client, and of the lab's brokers. */
public final class RuntimeKafka {
    private RuntimeKafka() {}

    /** The version, such as {@code 4.3.1}; {@code unknown} if the client's jar does not say. */
    public static String version() {
        try (InputStream in = RuntimeKafka.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
