package io.plimsoll.payload;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.SchemaSpec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Generates and decodes values that have a schema. A module implements it as a {@link ServiceLoader service}.
 * Thread-safe.
 */
public interface SchemaSupport {
    /**
     * Maximum total length, in characters, of the schemas that are sent to another process for decoding: a message has
     * at most 1 MiB.
     */
    int MOST_FURTHER_CHARS = 200_000;

    /**
     * Reads a schema from its file or registry. Schemas are cached by ID, and for a short time by version.
     * @throws PlimsollException ({@code USAGE}) for an invalid schema or rule, ({@code CLUSTER}) if the registry does
     *     not respond
     */
    Schema open(SchemaSpec spec);

    /** Adds the schema to its registry, unless it already exists. This requires the user's consent. */
    void register(SchemaSpec spec);

    /**
     * The subjects and versions that have the schema with this ID.
     * @param registry any schema of the registry; its framing determines the kind of ID
     * @throws PlimsollException ({@code CLUSTER}) if the registry does not respond
     */
    List<SchemaSpec> withId(SchemaSpec registry, long id);

    /**
     * The newest versions of the subject in its registry, newest first.
     * @throws PlimsollException ({@code CLUSTER}) if the registry does not respond
     */
    List<SchemaSpec> versions(SchemaSpec registered);

    /** @throws PlimsollException ({@code USAGE}) if the module is not installed */
    static SchemaSupport get() {
        return ServiceLoader.load(SchemaSupport.class, SchemaSupport.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> Exit.USAGE.because("payload.noSchemas"));
    }

    /** The schemas that the producers of a plan register. */
    static Set<SchemaSpec> toRegister(Plan plan) {
        return plan.trials().stream()
                .flatMap(trial -> trial.scenario().producers().stream())
                .flatMap(producer -> producer.record().schemas().stream())
                .filter(SchemaSpec::register)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The schema with its content included, for other processes. */
    static SchemaSpec pinned(SchemaSpec spec) {
        return pinned(spec, List.of());
    }

    /**
     * The schema of received records with its content included, for other processes. Since these cannot query the
     * registry for the IDs in records, the contents of the producers' schemas and of other versions of the subject are
     * included, too, up to {@value #MOST_FURTHER_CHARS} characters.
     * @param sent schemas of the producers of these records
     */
    static SchemaSpec pinnedForReading(SchemaSpec spec, List<SchemaSpec> sent) {
        if (spec.registry().isEmpty() || spec.framing() == SchemaSpec.Framing.NONE) {
            return pinned(spec);
        }
        Stream<SchemaSpec> here = sent.stream().filter(each -> each.registry().equals(spec.registry()));
        return pinned(spec, Stream.concat(here, get().versions(spec).stream()).toList());
    }

    private static SchemaSpec pinned(SchemaSpec spec, List<SchemaSpec> candidates) {
        SchemaSupport support = get();
        Set<SchemaSpec.Pinned> further = new LinkedHashSet<>();
        int left = MOST_FURTHER_CHARS;
        for (SchemaSpec each : candidates) {
            try {
                SchemaSpec.Pinned content = support.open(each).pinned();
                left -= further.contains(content) ? 0 : content.length();
                if (left >= 0) {
                    further.add(content);
                }
            } catch (PlimsollException e) {
                // The other process cannot decode records with an invalid schema, either.
                if (e.exit() != Exit.USAGE) {
                    throw e;
                }
            }
        }
        return spec.with(each -> support.open(each).pinned(), List.copyOf(further));
    }

    /** A schema that was read. */
    interface Schema {
        /** The values of one thread; equal arguments give equal values. */
        Writer writer(long seed, int threadIndex, int threadCount);

        /** @param expect conditions by path, such as {@code "> 0"} */
        Reader reader(Map<String, String> expect);

        /** The content of the schema; the ID is negative if the registry does not have it yet. */
        SchemaSpec.Pinned pinned();

        /** The type, ID and checksum of the schema, for the settings of a result. */
        default String description() {
            SchemaSpec.Pinned content = pinned();
            CRC32C crc = new CRC32C();
            crc.update(content.text().getBytes(StandardCharsets.UTF_8));
            String id = content.id() < 0 ? "" : " id " + content.id();
            return String.format("%s%s crc32c %08x", content.type(), id, crc.getValue());
        }
    }

    /** Encodes values. Owned by one thread. */
    interface Writer extends PayloadSource.ValueMaker {
        /** The next encoded value, with its framing; valid until the next call, read-only. */
        @Override
        byte[] next(long sequence, long epochNanos);

        /** Whether values change to another schema version. */
        boolean evolves();

        /**
         * Switches to the version that applies at this time after the start of the measured window; before the first
         * call, the first version applies.
         * @return the name under which records of the version are counted: {@link SchemaSpec#COUNTED}, then the
         *     version's ID or file, and for the second version also {@code @} and the time of the change
         */
        String at(long nanos);
    }

    /** Decodes values. Owned by one thread. */
    interface Reader {
        /** @param value decoded from its position to its limit, without changing them; can be null */
        Finding read(ByteBuffer value);

        /** The name of the last value's schema, as in {@link Writer#at} without a time; null if it has no known schema ID. */
        @Nullable
        String schema();
    }

    /** The result of decoding. */
    enum Finding {
        AS_EXPECTED,
        UNDECODABLE,
        UNKNOWN_SCHEMA,
        /** Not decoded, because this process has neither the schema with this ID nor the registry. */
        UNRESOLVED,
        /** Decodable, but at least one expected condition is false. */
        UNEXPECTED
    }
}
