package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.LogReader;
import io.plimsoll.cluster.LogReader.Start;
import io.plimsoll.run.guards.ClusterGuard;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plimsoll consume}: prints the records of a topic. */
@Command(
        name = "consume",
        customSynopsis = "plimsoll consume --topic=NAME --bootstrap-server=HOST:PORT[,...] [OPTIONS]")
final class ConsumeCommand extends PlimsollCommand {
    /** The time that a reader needs at most to end: one poll, one commit, one close. */
    private static final long STOP_SECONDS = 5;

    @Mixin
    ClusterOptions cluster;

    @Option(names = "--topic", required = true, paramLabel = "NAME")
    String topic;

    @ArgGroup
    From from = new From();

    static final class From {
        @Option(names = "--from-beginning")
        boolean beginning;

        @Option(names = "--offset", paramLabel = "N|earliest|latest|TIME")
        String offset = "latest";
    }

    @Option(names = "--partition", paramLabel = "P")
    Integer partition;

    @Option(names = "--max", paramLabel = "N")
    Long max;

    @Option(names = "--timeout", paramLabel = "D")
    String timeout;

    @Option(names = "--group", paramLabel = "G")
    String group;

    @Option(names = "--print", paramLabel = "FIELD", split = ",")
    Set<RecordPrinter.Field> fields = new LinkedHashSet<>();

    @Option(names = "--json")
    boolean json;

    @Override
    Exit perform() {
        expect(max == null || max >= 1, "--max", max, "cli.a.positive");
        LogReader.Options options = new LogReader.Options(
                topic,
                start(),
                partition == null ? OptionalInt.empty() : OptionalInt.of(partition),
                max == null ? OptionalLong.empty() : OptionalLong.of(max),
                Optional.ofNullable(timeout).map(text -> read("--timeout", text, Quantities::durationOrZero)),
                Optional.ofNullable(group));
        ClusterConnection connection = cluster.checkedConnection();
        if (group != null) {
            try (Admin admin = connection.admin()) {
                ClusterGuard.of(admin).joining(group).enforce(LoadLimits.Consent.NONE);
            }
        }
        LogReader reader = new LogReader(connection, options);
        CountDownLatch ended = new CountDownLatch(1);
        Thread onInterrupt = new Thread(() -> stopAndWait(reader, ended), "stop");
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        try {
            RecordPrinter printer = new RecordPrinter(System.out, fields, json);
            LogReader.Outcome outcome = reader.read(printer);
            tell(summary(outcome).in(language()));
            return Exit.PASSED;
        } finally {
            ended.countDown();
            RunInterrupt.removeHook(onInterrupt);
        }
    }

    private void stopAndWait(LogReader reader, CountDownLatch ended) {
        reader.stop();
        try {
            // The JVM halts when its hooks are done, and the count is not printed yet.
            if (!ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                say(Sentence.of("cli.consumerGoesOn", STOP_SECONDS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Sentence summary(LogReader.Outcome outcome) {
        Sentence asked = max == null ? Sentence.NONE : Sentence.of("cli.askedFor", max);
        return outcome.end() == LogReader.End.TIMEOUT
                ? Sentence.of("cli.readInTime", outcome.read(), asked, timeout)
                : Sentence.of("cli.read", outcome.read());
    }

    private Start start() {
        String offset = from.beginning ? "earliest" : from.offset.strip();
        if (offset.equalsIgnoreCase("earliest")) {
            return new Start.Earliest();
        }
        if (offset.equalsIgnoreCase("latest")) {
            return new Start.Latest();
        }
        if (offset.matches("[0-9]{1,18}")) {
            return new Start.At(Long.parseLong(offset));
        }
        try {
            return new Start.Since(Instant.from(OffsetDateTime.parse(offset)));
        } catch (DateTimeParseException e) {
            throw Exit.USAGE.because(e, "cli.notAnOffset", offset);
        }
    }
}
