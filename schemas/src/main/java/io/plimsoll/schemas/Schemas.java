package io.plimsoll.schemas;

import java.util.Objects;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.payload.Draw;
import io.plimsoll.payload.SchemaSupport;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.scenario.SchemaSpec.Framing;
import io.plimsoll.scenario.SchemaSpec.Pinned;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Schemas from files and registries. A registry's schemas are cached: by version for a minute, by ID for the life of a
 * reader. Thread-safe.
 */
public final class Schemas implements SchemaSupport {
    private static final Map<SchemaSpec, Opened> RECENT = new ConcurrentHashMap<>();
    private static final long KEPT_NANOS = 60_000_000_000L;
    /** Number of versions of a subject that other processes get. */
    private static final int NEWEST = 20;

    /** Called by the {@link java.util.ServiceLoader}. */
    public Schemas() {}

    @Override
    public Schema open(SchemaSpec spec) {
        long now = System.nanoTime();
        if (!spec.file().isEmpty() && spec.registry().isEmpty()) {
            return opened(spec, now); // Not cached, because a file can change and is read quickly.
        }
        return RECENT.compute(
                spec, (s, before) -> before != null && now - before.sinceNanos < KEPT_NANOS ? before : opened(s, now));
    }

    private static Opened opened(SchemaSpec spec, long now) {
        Pinned pinned = spec.pinned().orElseGet(() -> found(spec));
        SchemaFormat format = SchemaFormat.of(pinned, spec.message(), spec.label());
        return new Opened(spec, pinned, format, now);
    }

    private static Pinned found(SchemaSpec spec) {
        Optional<Registry> registry = registry(spec);
        if (spec.file().isEmpty()) {
            return registry.orElseThrow().version(spec);
        }
        Pinned file = read(spec);
        if (registry.isEmpty()) {
            return file;
        }
        Optional<Long> id = registry.get().idOf(spec, file);
        Exit.USAGE.when(
                id.isEmpty() && !spec.register(), "schemas.notRegistered", spec.file(), spec.subject(), spec.registry());
        return new Pinned(file.type(), file.text(), file.imports(), id.orElse(-1L));
    }

    static Optional<Registry> registry(SchemaSpec spec) {
        return spec.registry().isEmpty() ? Optional.empty() : Optional.of(Registry.of(spec));
    }

    private static Pinned read(SchemaSpec spec) {
        Path file = Path.of(spec.file());
        // The root directory has no name.
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        String type = Optional.ofNullable(SchemaFormat.TYPES.get(name.substring(name.lastIndexOf('.') + 1)))
                .orElseThrow(() -> Exit.USAGE.because("schemas.fileType", spec.file()));
        Exit.USAGE.when(!Files.exists(file), "schemas.noFile", spec.file());
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            Map<String, String> imports = type.equals("PROTOBUF")
                    ? ProtobufFormat.readImports(Objects.requireNonNull(file.toAbsolutePath().getParent()), text)
                    : Map.of();
            return new Pinned(type, text, imports, -1);
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "schemas.fileNotRead", spec.file(), String.valueOf(e.getMessage()));
        } catch (IllegalStateException e) { // A syntax error, from the parser of Protobuf.
            throw Exit.USAGE.because(e, "schemas.invalid", spec.file(), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void register(SchemaSpec spec) {
        if (open(spec).pinned().id() < 0) {
            Registry.of(spec).register(spec, read(spec));
            RECENT.remove(spec);
        }
    }

    @Override
    public List<SchemaSpec> withId(SchemaSpec registry, long id) {
        return Registry.of(registry).withId(id, registry).stream()
                .filter(found -> SchemaSpec.isVersion(found.version()))
                .toList();
    }

    @Override
    public List<SchemaSpec> versions(SchemaSpec registered) {
        return Registry.of(registered).versions(registered).stream()
                .filter(found -> found.version().matches("[1-9][0-9]{0,8}"))
                .sorted(Comparator.comparing((SchemaSpec found) -> -Integer.parseInt(found.version())))
                .limit(NEWEST)
                .toList();
    }

    private static byte[] prefix(Framing framing, SchemaFormat format, long id) {
        byte[] extra = framing == Framing.CONFLUENT ? format.messageIndexes() : format.messageReference();
        return switch (framing) {
            case NONE -> new byte[0];
            case CONFLUENT -> ByteBuffer.allocate(1 + Integer.BYTES + extra.length)
                    .put((byte) 0)
                    .putInt((int) Math.max(0, id))
                    .put(extra)
                    .array();
            case APICURIO -> ByteBuffer.allocate(1 + Long.BYTES + extra.length)
                    .put((byte) 0)
                    .putLong(Math.max(0, id))
                    .put(extra)
                    .array();
        };
    }

    /** A schema that was read. */
    private record Opened(SchemaSpec spec, Pinned pinned, SchemaFormat format, long sinceNanos) implements Schema {
        @Override
        public Writer writer(long seed, int threadIndex, int threadCount) {
            Rules rules = new Rules(spec.fields());
            Version first = version(rules, "");
            Optional<Version> next = spec.evolve()
                    .map(e -> get(e.to()).version(rules, "@" + Quantities.text(e.at())));
            // A rule can belong to a field that only one version has.
            rules.requireUsed(spec.label());
            long at = spec.evolve().map(e -> e.at().toNanos()).orElse(Long.MAX_VALUE);
            return new FramedWriter(first, next.orElse(first), at, new Draw(seed), threadIndex, threadCount);
        }

        private Version version(Rules rules, String since) {
            return new Version(format.body(rules), prefix(spec.framing(), format, pinned.id()), name() + since);
        }

        /** The name under which records with this schema are counted. */
        String name() {
            return SchemaSpec.COUNTED + (pinned.id() < 0 ? spec.label() : String.valueOf(pinned.id()));
        }

        private static Opened get(SchemaSpec spec) {
            return (Opened) SchemaSupport.get().open(spec);
        }

        @Override
        public Reader reader(Map<String, String> expect) {
            return new FramedReader(
                    this,
                    expect.entrySet().stream()
                            .map(e -> Condition.of(e.getKey(), e.getValue()))
                            .toList());
        }
    }

    private record Version(SchemaFormat.Body body, byte[] prefix, String name) {}

    private static final class FramedWriter implements Writer {
        private final Version first;
        private final Version next;
        private final long nextNanos;
        private final Draw draw;
        private final int threadIndex;
        private final int threadCount;
        private final Draw.Sink sink = new Draw.Sink();
        private Version version;

        FramedWriter(Version first, Version next, long nextNanos, Draw draw, int threadIndex, int threadCount) {
            this.first = first;
            this.next = next;
            this.nextNanos = nextNanos;
            this.draw = draw;
            this.threadIndex = threadIndex;
            this.threadCount = threadCount;
            this.version = first;
        }

        @Override
        public boolean evolves() {
            return nextNanos < Long.MAX_VALUE;
        }

        @Override
        public String at(long nanos) {
            version = nanos < nextNanos ? first : next;
            return version.name;
        }

        @Override
        public byte[] next(long sequence, long epochNanos) {
            draw.number = threadIndex + sequence * threadCount;
            draw.epochNanos = epochNanos;
            sink.clear();
            sink.write(version.prefix, 0, version.prefix.length);
            try {
                version.body.write(draw, sink);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return sink.taken();
        }
    }

    /** Decodes framed records with the schemas of their IDs. Owned by one thread. */
    private static final class FramedReader implements Reader {
        private final Opened own;
        private final List<Condition> conditions;
        /** Schemas by the IDs in records. */
        private final Map<Long, Optional<Known>> known = new HashMap<>();
        /** The schemas of records without an id. */
        private final List<Known> unframed = new ArrayList<>();
        /** Index of the schema that decoded the last record. */
        private int likely;
        private @Nullable Known last;
        private byte[] bytes = new byte[1 << 10];

        private record Known(SchemaFormat.Decoder decoder, String name) {}

        FramedReader(Opened own, List<Condition> conditions) {
            this.own = own;
            this.conditions = conditions;
            own.spec.versions().map(v -> v.equals(own.spec) ? own : Opened.get(v)).forEach(version -> {
                Known each = new Known(version.format.decoder(), version.name());
                known.put(version.pinned.id(), Optional.of(each));
                unframed.add(each);
            });
        }

        @Override
        public @Nullable String schema() {
            boolean alone = own.spec.framing() == Framing.NONE && unframed.size() == 1;
            return last == null || alone ? null : last.name;
        }

        @Override
        public Finding read(ByteBuffer value) {
            last = null;
            if (value == null) {
                return Finding.UNDECODABLE;
            }
            int length = value.remaining();
            if (length > bytes.length) {
                bytes = new byte[2 * length];
            }
            value.get(value.position(), bytes, 0, length);
            Framing framing = own.spec.framing();
            if (framing == Framing.NONE) {
                return unframed(length);
            }
            int idBytes = framing == Framing.CONFLUENT ? Integer.BYTES : Long.BYTES;
            int from = 1 + idBytes;
            if (length < from || bytes[0] != 0) {
                return Finding.UNKNOWN_SCHEMA;
            }
            last = known.computeIfAbsent(id(idBytes), this::byId).orElse(null);
            if (last == null) {
                return own.spec.registry().isEmpty() ? Finding.UNRESOLVED : Finding.UNKNOWN_SCHEMA;
            }
            return decoded(last, framing, from, length);
        }

        private Finding unframed(int length) {
            for (int i = 0; i < unframed.size(); i++) {
                int at = (likely + i) % unframed.size();
                Finding found = decoded(unframed.get(at), Framing.NONE, 0, length);
                if (found != Finding.UNDECODABLE) {
                    likely = at;
                    last = unframed.get(at);
                    return found;
                }
            }
            return Finding.UNDECODABLE;
        }

        private long id(int idBytes) {
            ByteBuffer framed = ByteBuffer.wrap(bytes);
            return idBytes == Integer.BYTES ? framed.getInt(1) & 0xffff_ffffL : framed.getLong(1);
        }

        private Optional<Known> byId(long id) {
            try {
                return own.spec.further().stream()
                        .filter(other -> other.id() == id)
                        .findFirst()
                        .or(() -> registry(own.spec)
                                .flatMap(registry -> registry.byId(id, own.spec, own.pinned.type())))
                        .map(pinned -> SchemaFormat.of(pinned, own.spec.message(), own.spec.label()))
                        .map(format -> new Known(format.decoder(), SchemaSpec.COUNTED + id));
            } catch (PlimsollException e) {
                if (e.exit() != Exit.USAGE) {
                    throw e;
                }
                return Optional.empty(); // A schema without the message, for example.
            }
        }

        private Finding decoded(Known schema, Framing framing, int from, int length) {
            try {
                Object read = framing == Framing.NONE
                        ? schema.decoder.decode(bytes, 0, length)
                        : schema.decoder.decodeAfterId(framing, bytes, from, length - from);
                return conditions.stream().allMatch(c -> c.holds(schema.decoder, read))
                        ? Finding.AS_EXPECTED
                        : Finding.UNEXPECTED;
            } catch (IOException e) {
                return Finding.UNDECODABLE;
            }
        }
    }
}
