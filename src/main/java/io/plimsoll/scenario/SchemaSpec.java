package io.plimsoll.scenario;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The schema of keys or values, and the rules by which its fields are generated.
 *
 * @param file path of the schema; empty to read it from the registry
 * @param message name of the Protobuf message; empty for the first message
 * @param version {@code latest} or a number
 * @param config settings of the connection to the registry; references are resolved where they are used
 * @param fields rules by path, such as {@code customer.country}
 * @param pinned the schema itself, for processes that have neither the file nor the registry
 * @param further other schemas that received records can have, for the same processes
 * @param evolve the next version, if records change to it during the run
 */
public record SchemaSpec(
        String file,
        String message,
        String registry,
        String subject,
        String version,
        Framing framing,
        boolean register,
        Map<String, String> config,
        Map<String, Field> fields,
        Optional<Pinned> pinned,
        List<Pinned> further,
        Optional<Evolution> evolve) {
    /** Prefix of the names of events that count records by the id or file of their schema. */
    public static final String COUNTED = "schema.";

    public SchemaSpec {
        config = Map.copyOf(config);
        fields = Map.copyOf(fields);
        further = List.copyOf(further);
    }

    /** This schema and its next version, each with its content and label instead of a file or registry. */
    public SchemaSpec with(Function<SchemaSpec, Pinned> content, List<Pinned> more) {
        Optional<Evolution> next = evolve.map(e -> new Evolution(e.at(), e.to().with(content, List.of())));
        return new SchemaSpec(
                "",
                message,
                "",
                subject.isEmpty() ? file : subject,
                file.isEmpty() ? version : "",
                framing,
                false,
                Map.of(),
                fields,
                Optional.of(content.apply(this)),
                more,
                next);
    }

    /** A schema in a registry. */
    public static SchemaSpec registered(
            String registry, Framing framing, String subject, String version, Map<String, String> config) {
        return new SchemaSpec(
                "",
                "",
                registry,
                subject,
                version,
                framing,
                false,
                config,
                Map.of(),
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    /** Another schema of the same registry. */
    public SchemaSpec named(String other, String itsVersion) {
        return registered(registry, framing, other, itsVersion, config);
    }

    /** @throws InvalidValueException if the text is not the address of a registry */
    public static String address(String text) {
        InvalidValueException.unexpected(!text.matches("https?://[^/\\s@]+(/\\S*)?"), "scenario.a.url", text);
        // Java's HTTP client rejects addresses without a valid host name.
        InvalidValueException.unexpected(host(text) == null, "scenario.a.hostUrl", text);
        return text.replaceFirst("/+$", "");
    }

    private static @Nullable String host(String address) {
        try {
            return URI.create(address).getHost();
        } catch (IllegalArgumentException e) {
            throw InvalidValueException.expected("scenario.a.url", address);
        }
    }

    /** Whether this text is a valid version in a scenario. */
    public static boolean isVersion(String text) {
        return text.matches("latest|[1-9][0-9]{0,8}");
    }

    /** This schema and its next version, if any. */
    public Stream<SchemaSpec> versions() {
        return Stream.concat(Stream.of(this), evolve.stream().map(Evolution::to));
    }

    /** A label for display, without settings. */
    public String label() {
        return file.isEmpty() ? (subject + " " + version).strip() : file;
    }

    /** The bytes before each encoded record. */
    public enum Framing {
        NONE,
        /** A zero byte and the schema id in 4 bytes; for Protobuf, also the indexes of the message. */
        CONFLUENT,
        /** A zero byte and the global id in 8 bytes; for Protobuf, also the name of the message. */
        APICURIO
    }

    /** @param at time from the start of the measured window to the first record of the version */
    public record Evolution(Duration at, SchemaSpec to) {}

    /** @param type {@code AVRO}, {@code PROTOBUF} or {@code JSON} */
    public record Pinned(String type, String text, Map<String, String> imports, long id) {
        /** Number of characters of the schema and its imports. */
        public int length() {
            return text.length()
                    + imports.values().stream().mapToInt(String::length).sum();
        }
    }

    /** The rule for the values of a field, or of a placeholder in a template. */
    public sealed interface Field {
        /** Uniformly distributed numbers; both bounds are inclusive. */
        record Between(double low, double high) implements Field {}

        /** @param weights weights in the order of the values */
        record OneOf(List<String> values, List<Double> weights) implements Field {}

        /** Consecutive integers from {@code first}, across all threads of the entry. */
        record Sequence(long first) implements Field {}

        /** The current time; {@code unit} is {@code s}, {@code ms}, {@code us} or {@code ns} since 1970, or {@code iso} for text. */
        record Now(String unit) implements Field {
            public static final Now ISO = new Now("iso");
        }

        /** Random UUIDs of version 4, as text. */
        record Uuid() implements Field {}

        /** Fills a value up to its size; only in templates. */
        record Padding() implements Field {}

        /** A number of characters in a text, of bytes, or of list elements; both bounds are inclusive. */
        record Size(int least, int most) implements Field {}
    }

    /**
     * The check of received values.
     *
     * @param decode share of the records that are decoded, 0 to 1
     * @param expect conditions such as {@code "> 0"} by path
     */
    public record Decoding(SchemaSpec schema, double decode, Map<String, String> expect) {
        public Decoding {
            expect = Map.copyOf(expect);
        }
    }
}
