package io.plimsoll.run;

import io.plimsoll.Secrets;
import io.plimsoll.result.PrivateFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Filter;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.FileAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.filter.BurstFilter;
import org.apache.logging.log4j.core.layout.AbstractStringLayout;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.jspecify.annotations.Nullable;

/**
 * The log of a run, {@code plimsoll.log} in its directory, with everything that a bug report needs. It contains
 * Plimsoll's own decisions at level DEBUG and above, and the messages of libraries at WARN and above: at lower levels
 * the Kafka clients print their configurations and client IDs, which can come from a secret store. Each of the two
 * kinds is limited to a burst of 10,000 lines, followed by one line per second. Write errors, such as a full disk, do
 * not affect the run. Embedding programs without Log4j get no file.
 */
final class RunLog implements AutoCloseable {
    private static final int MAX_BURST = 10_000;
    private static final float LINES_PER_SECOND = 1;
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSS}{UTC}Z %-5p %c{1} [%t] %m%n";
    private static final Map<String, Level> LEVELS =
            Map.of(LogManager.ROOT_LOGGER_NAME, Level.WARN, "io.plimsoll", Level.DEBUG);

    /** Null if the embedding program uses another logging library. */
    private final @Nullable LoggerContext context;

    private final @Nullable FileAppender appender;

    /** Starts logging; the first message creates the file. */
    RunLog(Path file) {
        context = LogManager.getContext(false) instanceof LoggerContext ours ? ours : null;
        if (context == null) {
            appender = null;
            return;
        }
        appender = FileAppender.newBuilder()
                .setName(file.toString())
                .withFileName(file.toString())
                .withCreateOnDemand(true)
                .setIgnoreExceptions(true)
                .withFilePermissions(PrivateFiles.knownAt(file) ? PrivateFiles.FILE : null)
                .setLayout(new CleanLayout())
                .build();
        appender.start();
        // Concurrent runs in one JVM share the loggers, so each log also contains lines of the other runs.
        synchronized (RunLog.class) {
            LEVELS.forEach((name, level) -> logger(context, name, level).addAppender(appender, level, limit()));
            context.updateLoggers();
        }
    }

    private static Filter limit() {
        BurstFilter filter = BurstFilter.newBuilder()
                .setLevel(Level.ERROR)
                .setMaxBurst(MAX_BURST)
                .setRate(LINES_PER_SECOND)
                .build();
        filter.start();
        return filter;
    }

    private static LoggerConfig logger(LoggerContext context, String name, Level level) {
        Configuration configuration = context.getConfiguration();
        if (name.equals(LogManager.ROOT_LOGGER_NAME)) {
            return configuration.getRootLogger();
        }
        LoggerConfig known = configuration.getLoggers().get(name);
        if (known != null) {
            return known;
        }
        LoggerConfig made = new LoggerConfig(name, level, false);
        configuration.addLogger(name, made);
        return made;
    }

    /** Redacts secrets, because library messages can contain any text. */
    private static final class CleanLayout extends AbstractStringLayout {
        private final PatternLayout lines = PatternLayout.newBuilder()
                .withPattern(PATTERN)
                .withCharset(StandardCharsets.UTF_8)
                .build();

        CleanLayout() {
            super(StandardCharsets.UTF_8);
        }

        @Override
        public String toSerializable(LogEvent event) {
            return Secrets.clean(lines.toSerializable(event));
        }
    }

    @Override
    public void close() {
        if (context == null || appender == null) {
            return;
        }
        synchronized (RunLog.class) {
            LEVELS.forEach((name, level) -> logger(context, name, level).removeAppender(appender.getName()));
            context.updateLoggers();
        }
        appender.stop();
    }
}
