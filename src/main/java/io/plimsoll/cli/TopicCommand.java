package io.plimsoll.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.LineProducer;
import io.plimsoll.cluster.LogReader;
import io.plimsoll.cluster.LogReader.Start;
import io.plimsoll.cluster.Topics;
import io.plimsoll.cluster.Topics.TopicReport;
import io.plimsoll.report.ListText;
import io.plimsoll.result.Json;
import io.plimsoll.run.guards.ForeignCluster.ClusterGuard;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.text.Sentence;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll topic}: creates, lists, describes and deletes topics; and commands on their records. */
@Command(
        name = "topic",
        synopsisSubcommandLabel = "create|list|describe|delete",
        subcommands = {
            TopicCommand.Create.class,
            TopicCommand.ListTopics.class,
            TopicCommand.Describe.class,
            TopicCommand.Delete.class
        })
final class TopicCommand extends PlimsollCommand.Group {
    private static final Duration WAIT = Duration.ofSeconds(30);

    abstract static class OnTopics extends PlimsollCommand {
        @Mixin
        ClusterOptions cluster;

        /** Asks for consent before other clients' data is deleted. */
        ClusterGuard guard;

        abstract void run(Topics topics, PrintWriter out);

        void validate() {}

        @Override
        Exit perform() {
            validate();
            ClusterConnection connection = cluster.checkedConnection();
            try (Admin admin = connection.admin()) {
                guard = ClusterGuard.of(admin);
                run(new Topics(admin), out());
            }
            return Exit.PASSED;
        }
    }

    @Command(name = "create")
    static final class Create extends OnTopics {
        @Parameters(paramLabel = "NAME", descriptionKey = "argument.topic-create.name")
        String name;

        @Option(names = "--partitions", paramLabel = "N")
        Integer partitions;

        @Option(
                names = {"--replication", "--replication-factor"},
                paramLabel = "N")
        Short replication;

        @Option(names = "--config", paramLabel = "NAME=VALUE")
        Map<String, String> config = new LinkedHashMap<>();

        @Option(names = "--if-not-exists")
        boolean ifNotExists;

        @Override
        void validate() {
            expect(partitions == null || partitions > 0, "--partitions", partitions, "cli.a.positive");
            expect(replication == null || replication > 0, "--replication", replication, "cli.a.positive");
        }

        @Override
        void run(Topics topics, PrintWriter out) {
            if (ifNotExists && topics.lookup(Set.of(name)).get(name).isPresent()) {
                print("cli.topicThere", shape(topics));
                return;
            }
            Topics.unknownConfigs(config, "--config").forEach(text -> say("cli.warning", text));
            NewTopic topic = new NewTopic(name, Optional.ofNullable(partitions), Optional.ofNullable(replication));
            topics.create(List.of(topic.configs(config)), WAIT);
            print("cli.topicCreated", shape(topics));
        }

        private String shape(Topics topics) {
            TopicDescription topic = topics.describe(Set.of(name)).get(name);
            return name + " (partitions=" + topic.partitions().size() + ", replication="
                    + topic.partitions().get(0).replicas().size() + ")";
        }
    }

    @Command(name = "list")
    static final class ListTopics extends OnTopics {
        @Option(names = "--internal")
        boolean internal;

        @Override
        void run(Topics topics, PrintWriter out) {
            topics.names(internal).forEach(out::println);
        }
    }

    @Command(name = "describe")
    static final class Describe extends OnTopics {

        @Parameters(paramLabel = "NAME", arity = "1..*", descriptionKey = "argument.topic-describe.names")
        List<String> names = new ArrayList<>();

        @Option(names = "--json")
        boolean json;

        @Override
        void run(Topics topics, PrintWriter out) {
            List<TopicReport> reports = TopicReport.of(topics, new LinkedHashSet<>(names));
            if (json) {
                out.print(Json.pretty(reports));
            } else {
                reports.forEach(report -> print(report, out));
            }
        }

        private void print(TopicReport report, PrintWriter out) {
            print(
                    "cli.topicDescribed",
                    report.name(),
                    report.partitions().size(),
                    report.replication(),
                    report.records(),
                    known(report.bytes()),
                    report.internal() ? Sentence.of("cli.topicInternal") : Sentence.NONE);
            report.config().forEach((name, value) -> out.println("  " + name + "=" + value));
            List<List<Object>> rows = new ArrayList<>();
            for (TopicReport.Partition p : report.partitions()) {
                Object leader = p.leader() < 0 ? Sentence.of("cli.topicNoLeader") : p.leader();
                rows.add(List.of(
                        p.partition(),
                        leader,
                        ids(p.replicas()),
                        ids(p.inSync()),
                        known(p.earliestOffset()),
                        known(p.endOffset()),
                        known(p.bytes())));
            }
            out.print(ListText.of("cli.topicColumns", rows, look()));
        }

        private static Object known(Long value) {
            return value == null ? Sentence.of("cli.topicUnknown") : value;
        }

        private static String ids(List<Integer> ids) {
            return ids.stream().map(String::valueOf).collect(Collectors.joining(","));
        }
    }

    @Command(name = "delete")
    static final class Delete extends OnTopics {
        @Parameters(paramLabel = "NAME", arity = "1..*", descriptionKey = "argument.topic-delete.names")
        List<String> names = new ArrayList<>();

        @Option(names = "--if-exists")
        boolean ifExists;

        @Option(names = "--yes")
        boolean yes;

        @Override
        void validate() {
            for (String name : names) {
                Exit.USAGE.when(!name.matches("[a-zA-Z0-9._-]+"), "cli.notATopicName", name);
            }
        }

        @Override
        void run(Topics topics, PrintWriter out) {
            Map<String, Optional<TopicDescription>> found = topics.lookup(new LinkedHashSet<>(names));
            // Check everything before the first deletion.
            found.forEach(this::requireDeletable);
            List<String> there = found.keySet().stream()
                    .filter(name -> found.get(name).isPresent())
                    .toList();
            guard.deleting(there).enforce(Asking.consent(this, yes));
            topics.delete(there, WAIT);
            found.forEach((name, topic) -> print(topic.isPresent() ? "cli.topicDeleted" : "cli.noTopic", name));
        }

        private void requireDeletable(String name, Optional<TopicDescription> topic) {
            Exit.USAGE.when(topic.isEmpty() && !ifExists, "cli.noTopicToDelete", name);
            Exit.USAGE.when(
                    name.startsWith("__") || (topic.isPresent() && topic.get().isInternal()),
                    "cli.internalTopic",
                    name);
        }
    }

    /** {@code plimsoll produce}: sends each line of standard input as a record. */
    @Command(name = "produce", customSynopsis = "plimsoll produce --topic=NAME --bootstrap-server=HOST:PORT [OPTIONS]")
    static final class ProduceCommand extends PlimsollCommand {
        private static final int FAILURES_SHOWN = 10;

        @Mixin
        ClusterOptions cluster;

        @Option(names = "--topic", required = true, paramLabel = "NAME")
        String topic;

        @ArgGroup
        Keys keys = new Keys();

        static final class Keys {
            @Option(names = "--key-separator", paramLabel = "S")
            String keySeparator;

            @Option(names = "--key", paramLabel = "K")
            String key;
        }

        @Option(names = "--partition", paramLabel = "P")
        Integer partition;

        @Option(names = "--acks", paramLabel = "all|1|0")
        String acks;

        private long failures;

        @Override
        Exit perform() throws IOException {
            Exit.USAGE.when(keys.keySeparator != null && keys.keySeparator.isEmpty(), "cli.emptyKeySeparator");
            LineProducer.Options options = new LineProducer.Options(
                    topic,
                    Optional.ofNullable(keys.keySeparator),
                    Optional.ofNullable(keys.key),
                    partition == null ? OptionalInt.empty() : OptionalInt.of(partition),
                    Optional.ofNullable(acks));
            LineProducer.Outcome outcome =
                    LineProducer.produce(cluster.checkedConnection(), options, System.in, (line, why) -> {
                        if (++failures <= FAILURES_SHOWN) {
                            say("cli.lineFailed", line, why.sentence());
                        }
                    });
            if (outcome.failed() > FAILURES_SHOWN) {
                say("cli.moreFailed", outcome.failed() - FAILURES_SHOWN);
            }
            tell(summary(outcome));
            return outcome.firstFailure().map(PlimsollException::exit).orElse(Exit.PASSED);
        }

        private Sentence summary(LineProducer.Outcome outcome) {
            List<Sentence> offsets = new ArrayList<>();
            outcome.offsets()
                    .forEach((partition, range) -> offsets.add(
                            Sentence.of("cli.offsetRange", topic + "-" + partition, range.first(), range.last())));
            return Sentence.of(
                    "cli.acknowledged",
                    outcome.acknowledged(),
                    outcome.lines(),
                    offsets.isEmpty() ? Sentence.NONE : Sentence.of("cli.offsets", offsets));
        }
    }

    /** {@code plimsoll consume}: prints the records of a topic. */
    @Command(name = "consume", customSynopsis = "plimsoll consume --topic=NAME --bootstrap-server=HOST:PORT [OPTIONS]")
    static final class ConsumeCommand extends PlimsollCommand {
        /** Maximum time to stop a reader: one poll, one commit, one close. */
        private static final Duration PATIENCE = Duration.ofSeconds(5);

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
            // The JVM halts after its hooks, and the count is not printed yet.
            return untilSignal(reader::stop, PATIENCE, () -> say("cli.consumerGoesOn", PATIENCE.toSeconds()), () -> {
                tell(summary(reader.read(new RecordPrinter(System.out, fields, json))));
                return Exit.PASSED;
            });
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

        /** Prints records as lines: the raw bytes of the value, or JSON. */
        static final class RecordPrinter implements LogReader.Sink {

            enum Field {
                KEY,
                PARTITION,
                OFFSET,
                TIMESTAMP,
                HEADERS
            }

            /** Unlike {@link Json}, it keeps secrets: the records are the user\'s. */
            private static final ObjectMapper JSON = new ObjectMapper();

            private final PrintStream out;
            private final Set<Field> fields;
            private final boolean json;
            /** Buffers the lines of a poll for a single write. */
            private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

            RecordPrinter(PrintStream out, Set<Field> fields, boolean json) {
                this.out = out;
                this.fields = fields;
                this.json = json;
            }

            @Override
            public void accept(ConsumerRecord<byte[], byte[]> consumed) {
                try {
                    if (json) {
                        writeText(JSON.writeValueAsString(object(consumed)));
                    } else {
                        for (Field field : fields) {
                            writeField(field, consumed);
                            lines.write('\t');
                        }
                        writeRaw(consumed.value());
                    }
                    lines.write('\n');
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public boolean endOfBatch() {
                out.write(lines.toByteArray(), 0, lines.size());
                lines.reset();
                // closed pipe, as with "| head"
                return !out.checkError();
            }

            private void writeField(Field field, ConsumerRecord<byte[], byte[]> consumed) throws IOException {
                writeText(field.name().toLowerCase(Locale.ROOT) + "=");
                switch (field) {
                    case KEY -> writeRaw(consumed.key());
                    case PARTITION -> writeText(Integer.toString(consumed.partition()));
                    case OFFSET -> writeText(Long.toString(consumed.offset()));
                    case TIMESTAMP ->
                        writeText(consumed.timestampType() + ":" + Instant.ofEpochMilli(consumed.timestamp()));
                    case HEADERS -> {
                        String comma = "";
                        for (Header header : consumed.headers()) {
                            writeText(comma + header.key() + ":");
                            writeRaw(header.value());
                            comma = ",";
                        }
                    }
                }
            }

            private void writeText(String text) throws IOException {
                lines.write(text.getBytes(StandardCharsets.UTF_8));
            }

            private void writeRaw(byte[] bytes) throws IOException {
                if (bytes == null) {
                    writeText("null");
                } else {
                    lines.write(bytes);
                }
            }

            private static Map<String, Object> object(ConsumerRecord<byte[], byte[]> consumed) {
                Map<String, Object> record = Json.object(
                        "topic", consumed.topic(),
                        "partition", consumed.partition(),
                        "offset", consumed.offset(),
                        "timestamp", consumed.timestamp(),
                        "timestampType", consumed.timestampType().toString());
                putBytes(record, "key", consumed.key());
                putBytes(record, "value", consumed.value());
                List<Map<String, Object>> headers = new ArrayList<>();
                for (Header header : consumed.headers()) {
                    headers.add(Json.object("name", header.key()));
                    putBytes(headers.get(headers.size() - 1), "value", header.value());
                }
                record.put("headers", headers);
                return record;
            }

            /** A string if the bytes are valid UTF-8, otherwise Base64 under another name. */
            private static void putBytes(Map<String, Object> record, String name, byte[] bytes) {
                try {
                    record.put(
                            name,
                            bytes == null
                                    ? null
                                    : StandardCharsets.UTF_8
                                            .newDecoder()
                                            .decode(ByteBuffer.wrap(bytes))
                                            .toString());
                } catch (CharacterCodingException e) {
                    record.put(name + "Base64", Base64.getEncoder().encodeToString(bytes));
                }
            }
        }
    }
}
