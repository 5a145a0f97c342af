package io.plimsoll.run;

import io.plimsoll.Secrets;
import io.plimsoll.result.PrivateFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.FileAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.filter.BurstFilter;
import org.apache.logging.log4j.core.layout.AbstractStringLayout;
import org.apache.logging.log4j.core.layout.PatternLayout;

/**
 * The diagnostics of a run's libraries, the Kafka clients above all, in a file of the run directory: warnings and
 * errors, since at lower levels the clients print their whole configuration. There is a most of them, since clients may
 * warn for hours of each batch that they send again. A file that cannot be written (a full disk) does not disturb the run. In a program of others that logs through another library than Log4j there is no such file.
 */
final class RunLog implements AutoCloseable {
    private static final int MOST_AT_ONCE = 10_000;
    private static final float MOST_A_SECOND = 1;
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSS}{UTC}Z %-5p %c{1} [%t] %m%n";

    /** Null where whoever runs this logs otherwise. */
    private final LoggerContext context;

    private final FileAppender appender;

    /** Begins to take down what is logged from now on; the file appears with its first line. */
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
                .setFilter(BurstFilter.newBuilder()
                        .setLevel(Level.ERROR)
                        .setMaxBurst(MOST_AT_ONCE)
                        .setRate(MOST_A_SECOND)
                        .build())
                .build();
        appender.start();
        root().addAppender(appender, Level.WARN, null);
        context.updateLoggers();
    }

    private LoggerConfig root() {
        return context.getConfiguration().getRootLogger();
    }

    /** What libraries say may hold anything. */
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
        if (context == null) {
            return;
        }
        root().removeAppender(appender.getName());
        context.updateLoggers();
        appender.stop();
    }
}
