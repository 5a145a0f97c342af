package io.plimsoll.run;

import io.plimsoll.result.RunResult;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Version, commit, and date of this build. */
public final class ToolInfo {
    private static final Properties PROPERTIES = load("/plimsoll-version.properties");

    public static String version() {
        return PROPERTIES.getProperty("version", "unknown");
    }

    public static String commit() {
        return PROPERTIES.getProperty("commit", "unknown");
    }

    /** Version and commit, with the commit date if known. */
    public static String banner() {
        String date = PROPERTIES.getProperty("date", "").replaceFirst("T.*", "");
        return "plimsoll " + version() + " (" + commit() + (commit().equals("unknown") ? "" : ", " + date) + ")";
    }

    /** Version and commit; processes with equal builds use the same protocol. */
    public static String build() {
        return version() + " (" + commit() + ")";
    }

    public static RunResult.Tool ofRun() {
        return new RunResult.Tool(
                version(), commit(), kafka(), Runtime.version().toString());
    }

    /** The Kafka release on the class path, used by clients and lab brokers; {@code unknown} if the jar does not state it. */
    public static String kafka() {
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
