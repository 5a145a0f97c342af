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
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Generates and decodes values that have a schema. A module implements it as a {@link ServiceLoader service}.
 * Thread-safe.
 */
public interface SchemaSupport {
    /**
     * Reads a schema from its file or registry. Schemas are cached by ID, and for a short time by version.
     * @throws PlimsollException ({@code USAGE}) for an invalid schema or rule, ({@code CLUSTER}) if the registry does
     *     not respond
     */
    Schema open(SchemaSpec spec);

    /** Adds the schema to its registry, unless it already exists. This requires consent. */
    void register(SchemaSpec spec);

    /**
     * The subjects and versions that have the schema with this ID.
     * @param registry any schema of the registry, with the framing of the ID
     * @throws PlimsollException ({@code CLUSTER}) if the registry does not respond
     */
    List<SchemaSpec> withId(SchemaSpec registry, long id);

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
        return spec.with(each -> get().open(each).pinned());
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
        /** @param value the bytes between position and limit, which do not change; can be null */
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
        /** Decodable, but a condition is false. */
        UNEXPECTED
    }
}
