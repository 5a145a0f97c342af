package io.plimsoll.schemas;

import io.plimsoll.Exit;
import io.plimsoll.payload.Draw;
import io.plimsoll.payload.Rules;
import io.plimsoll.payload.SchemaSupport;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.scenario.SchemaSpec.Framing;
import io.plimsoll.scenario.SchemaSpec.Pinned;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Schemas from files and registries. Schemas by id are kept, by version for a minute. Thread-safe. */
public final class Schemas implements SchemaSupport {
    private static final Map<SchemaSpec, Opened> RECENT = new ConcurrentHashMap<>();
    private static final long KEPT_NANOS = 60_000_000_000L;

    /** Called by the {@link java.util.ServiceLoader}. */
    public Schemas() {}

    @Override
    public Schema open(SchemaSpec spec) {
        long now = System.nanoTime();
        if (!spec.file().isEmpty() && spec.registry().isEmpty()) {
            return opened(spec, now); // A file may change, and is read quickly.
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
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        String type = SchemaFormat.TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        Exit.USAGE.when(type == null, "schemas.fileType", spec.file());
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            Map<String, String> imports = type.equals("PROTOBUF")
                    ? ProtobufFormat.readImports(file.toAbsolutePath().getParent(), text)
                    : Map.of();
            return new Pinned(type, text, imports, -1);
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "schemas.fileNotRead", spec.file(), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void register(SchemaSpec spec) {
        if (open(spec).pinned().id() < 0) {
            Registry.of(spec).register(spec, read(spec));
            RECENT.remove(spec);
        }
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
            SchemaFormat.Body body = format.body(rules);
            rules.requireUsed(spec.label());
            byte[] prefix = prefix(spec.framing(), format, pinned.id());
            Draw draw = new Draw(seed);
            Draw.Sink sink = new Draw.Sink();
            return (sequence, epochNanos) -> {
                draw.number = threadIndex + sequence * threadCount;
                draw.epochNanos = epochNanos;
                sink.clear();
                sink.write(prefix, 0, prefix.length);
                try {
                    body.write(draw, sink);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return sink.taken();
            };
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

    /** Decodes framed records by the schemas of their ids. Owned by one thread. */
    private static final class FramedReader implements Reader {
        private final Opened own;
        private final List<Condition> conditions;
        private final Map<Long, Optional<SchemaFormat>> formats = new HashMap<>();
        private final Map<SchemaFormat, SchemaFormat.Decoder> decoders = new HashMap<>();
        private byte[] bytes = new byte[1 << 10];

        FramedReader(Opened own, List<Condition> conditions) {
            this.own = own;
            this.conditions = conditions;
            formats.put(own.pinned.id(), Optional.of(own.format));
        }

        @Override
        public Finding read(ByteBuffer value) {
            if (value == null) {
                return Finding.UNDECODABLE;
            }
            int length = value.remaining();
            if (length > bytes.length) {
                bytes = new byte[2 * length];
            }
            value.get(value.position(), bytes, 0, length);
            Framing framing = own.spec.framing();
            int idBytes = framing == Framing.CONFLUENT ? Integer.BYTES : Long.BYTES;
            int from = framing == Framing.NONE ? 0 : 1 + idBytes;
            if (length < from || (from > 0 && bytes[0] != 0)) {
                return Finding.UNKNOWN_SCHEMA;
            }
            Optional<SchemaFormat> format =
                    framing == Framing.NONE ? Optional.of(own.format) : formats.computeIfAbsent(id(idBytes), this::byId);
            return format.map(f -> decoded(f, framing, from, length)).orElse(Finding.UNKNOWN_SCHEMA);
        }

        private long id(int idBytes) {
            ByteBuffer framed = ByteBuffer.wrap(bytes);
            return idBytes == Integer.BYTES ? framed.getInt(1) & 0xffff_ffffL : framed.getLong(1);
        }

        private Optional<SchemaFormat> byId(long id) {
            return registry(own.spec)
                    .flatMap(registry -> registry.byId(id, own.spec, own.pinned.type()))
                    .map(pinned -> SchemaFormat.of(pinned, own.spec.message(), own.spec.label()));
        }

        private Finding decoded(SchemaFormat format, Framing framing, int from, int length) {
            SchemaFormat.Decoder decoder = decoders.computeIfAbsent(format, SchemaFormat::decoder);
            try {
                int at = framing == Framing.NONE ? 0 : from + format.skip(framing, bytes, from, length - from);
                Object read = decoder.decode(bytes, at, length - at);
                return conditions.stream().allMatch(c -> c.holds(decoder, read))
                        ? Finding.AS_EXPECTED
                        : Finding.UNEXPECTED;
            } catch (IOException e) {
                return Finding.UNDECODABLE;
            }
        }
    }
}
