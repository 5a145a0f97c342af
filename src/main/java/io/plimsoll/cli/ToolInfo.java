package io.plimsoll.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Version and commit of this build. */
final class ToolInfo {
    private static final Properties PROPERTIES = load("/plimsoll-version.properties");

    private ToolInfo() {}

    static String version() {
        return PROPERTIES.getProperty("version", "unknown");
    }

    static String commit() {
        return PROPERTIES.getProperty("commit", "unknown");
    }

    /** Of the Kafka client on the class path. */
    static String kafkaClientVersion() {
        return load("/kafka/kafka-version.properties").getProperty("version", "unknown");
    }

    private static Properties load(String resource) {
        Properties properties = new Properties();
        try (InputStream in = ToolInfo.class.getResourceAsStream(resource)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return properties;
    }
}
