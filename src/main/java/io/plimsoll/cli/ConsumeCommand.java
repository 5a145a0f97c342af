package io.plimsoll.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.LogReader;
import io.plimsoll.cluster.LogReader.Start;
import io.plimsoll.result.Json;
import io.plimsoll.run.guards.ForeignCluster.ClusterGuard;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.text.Sentence;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plimsoll consume}: prints the records of a topic. */
@Command(name = "consume", customSynopsis = "plimsoll consume --topic=NAME --bootstrap-server=HOST:PORT [OPTIONS]")
final class ConsumeCommand extends PlimsollCommand {
    /** Maximum time to stop a reader: one poll, one commit, one close. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** An escape in a format. Unlike Java, kcat also has {@code \x} with a hexadecimal code. */
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:x([0-9a-fA-F]{1,2})|.)", Pattern.DOTALL);

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

    /** Stops at the offset that was the end of each partition at the start, as kcat does. */
    @Option(names = "--to-end")
    boolean toEnd;

    @Option(names = "--group", paramLabel = "G")
    String group;

    @Option(names = "--print", paramLabel = "FIELD", split = ",")
    Set<RecordPrinter.Field> fields = new LinkedHashSet<>();

    @Option(names = "--json")
    boolean json;

    /** Format string as in kcat, with additional tokens for the fields of Kafka's own tool. */
    @Option(names = "--format", hidden = true, paramLabel = "TEXT")
    String format;

    @Override
    Exit perform() {
        expect(max == null || max >= 1, "--max", max, "cli.a.positive");
        require(!toEnd || group == null, "cli.notTogether", "--to-end", "--group");
        String unescaped = unescapedFormat();
        LogReader.Options options = new LogReader.Options(
                topic,
                start(),
                partition == null ? OptionalInt.empty() : OptionalInt.of(partition),
                max == null ? OptionalLong.empty() : OptionalLong.of(max),
                Optional.ofNullable(timeout).map(text -> read("--timeout", text, Quantities::durationOrZero)),
                Optional.ofNullable(group),
                toEnd);
        ClusterConnection connection = cluster.checkedConnection();
        if (group != null) {
            try (Admin admin = connection.admin()) {
                ClusterGuard.of(admin).joining(group).enforce(LoadLimits.Consent.NONE);
            }
        }
        LogReader reader = new LogReader(connection, options);
        if (!reader.skipped().isEmpty()) {
            say("cli.partitionsSkipped", reader.skipped().size(), Sentence.list(reader.skipped(), 20));
        }
        // Otherwise the JVM would halt after its shutdown hooks, before the count is printed.
        return Daemon.untilSignal(reader::stop, PATIENCE, () -> say("cli.consumerGoesOn", PATIENCE.toSeconds()), () -> {
            tell(summary(reader.read(new RecordPrinter(System.out, fields, json, unescaped))));
            return reader.skipped().isEmpty() ? Exit.PASSED : Exit.CLUSTER;
        });
    }

    /** The format with a character for each byte, since an escape can be any byte; null without a format. */
    private @Nullable String unescapedFormat() {
        try {
            return format == null
                    ? null
                    : unescaped(new String(format.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException e) {
            throw mistake("cli.notAFormat", format);
        }
    }

    /** @throws IllegalArgumentException if an escape is unknown */
    static String unescaped(String format) {
        return ESCAPE.matcher(format)
                .replaceAll(escape -> Matcher.quoteReplacement(
                        escape.group(1) == null
                                ? escape.group()
                                : String.format(Locale.ROOT, "\\%03o", Integer.parseInt(escape.group(1), 16))))
                .translateEscapes();
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
        if (offset.matches("-?[0-9]{1,18}")) {
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

        /** Unlike {@link Json}, it does not redact secrets, because the records belong to the user. */
        private static final ObjectMapper JSON = new ObjectMapper();

        private final PrintStream out;
        private final Set<Field> fields;
        private final boolean json;
        private final @Nullable String format;
        /** Collects the lines of a poll for a single write. */
        private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

        /** @param format with a character for each byte; null for lines */
        RecordPrinter(PrintStream out, Set<Field> fields, boolean json, @Nullable String format) {
            this.format = format;
            this.out = out;
            this.fields = fields;
            this.json = json;
        }

        @Override
        public void accept(ConsumerRecord<byte[], byte[]> consumed) {
            try {
                if (format != null) {
                    writeFormatted(format, consumed);
                    return;
                }
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
            // The pipe is closed, as with "| head".
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
                case HEADERS -> writeHeaders(consumed, ":");
            }
        }

        private void writeFormatted(String format, ConsumerRecord<byte[], byte[]> consumed) throws IOException {
            for (int i = 0; i < format.length(); i++) {
                if (format.charAt(i) != '%' || i + 1 == format.length()) {
                    lines.write(format.charAt(i));
                    continue;
                }
                byte[] key = consumed.key();
                byte[] value = consumed.value();
                switch (format.charAt(++i)) {
                    case 'k' -> writeRaw(key == null ? new byte[0] : key);
                    case 's' -> writeRaw(value == null ? new byte[0] : value);
                    case 'q' -> writeRaw(key);
                    case 'v' -> writeRaw(value);
                    case 'K' -> writeText(String.valueOf(key == null ? -1 : key.length));
                    case 'S' -> writeText(String.valueOf(value == null ? -1 : value.length));
                    case 't' -> writeText(consumed.topic());
                    case 'p' -> writeText(String.valueOf(consumed.partition()));
                    case 'o' -> writeText(String.valueOf(consumed.offset()));
                    case 'T' -> writeText(String.valueOf(consumed.timestamp()));
                    case 'y' -> writeText(consumed.timestampType().toString());
                    case 'h' -> writeHeaders(consumed, "=");
                    case 'H' -> {
                        writeText(consumed.headers().iterator().hasNext() ? "" : "NO_HEADERS");
                        writeHeaders(consumed, ":");
                    }
                    default -> lines.write(format.charAt(i));
                }
            }
        }

        private void writeHeaders(ConsumerRecord<byte[], byte[]> consumed, String between) throws IOException {
            String comma = "";
            for (Header header : consumed.headers()) {
                writeText(comma + header.key() + between);
                writeRaw(header.value());
                comma = ",";
            }
        }

        private void writeText(String text) throws IOException {
            lines.write(text.getBytes(StandardCharsets.UTF_8));
        }

        private void writeRaw(byte @Nullable [] bytes) throws IOException {
            if (bytes == null) {
                writeText("null");
            } else {
                lines.write(bytes);
            }
        }

        private static Map<String, @Nullable Object> object(ConsumerRecord<byte[], byte[]> consumed) {
            Map<String, @Nullable Object> record = Json.object(
                    "topic", consumed.topic(),
                    "partition", consumed.partition(),
                    "offset", consumed.offset(),
                    "timestamp", consumed.timestamp(),
                    "timestampType", consumed.timestampType().toString());
            putBytes(record, "key", consumed.key());
            putBytes(record, "value", consumed.value());
            List<Map<String, @Nullable Object>> headers = new ArrayList<>();
            for (Header header : consumed.headers()) {
                headers.add(Json.object("name", header.key()));
                putBytes(headers.get(headers.size() - 1), "value", header.value());
            }
            record.put("headers", headers);
            return record;
        }

        /** Adds the bytes as a string if they are valid UTF-8, otherwise as Base64 under another name. */
        private static void putBytes(Map<String, @Nullable Object> record, String name, byte @Nullable [] bytes) {
            try {
                CharsetDecoder strict = StandardCharsets.UTF_8.newDecoder();
                record.put(
                        name,
                        bytes == null
                                ? null
                                : strict.decode(ByteBuffer.wrap(bytes)).toString());
            } catch (CharacterCodingException e) {
                record.put(name + "Base64", Base64.getEncoder().encodeToString(bytes));
            }
        }
    }
}
