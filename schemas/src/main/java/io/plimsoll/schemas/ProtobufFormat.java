package io.plimsoll.schemas;

import org.jspecify.annotations.Nullable;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.squareup.wire.schema.Location;
import com.squareup.wire.schema.ProtoFile;
import com.squareup.wire.schema.Schema;
import com.squareup.wire.schema.SchemaLoader;
import com.squareup.wire.schema.internal.SchemaEncoder;
import com.squareup.wire.schema.internal.parser.ProtoParser;
import io.plimsoll.Exit;
import io.plimsoll.payload.Draw;
import io.plimsoll.payload.FieldValues;
import io.plimsoll.scenario.SchemaSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import okio.FileSystem;

/** Protobuf's encoding of one message of a file. Records are written through Protobuf's encoder while they are generated. */
record ProtobufFormat(Descriptor message) implements SchemaFormat {
    private static final String ROOT = "plimsoll-root.proto";
    private static final String TIMESTAMP = "google.protobuf.Timestamp";
    private static final int DEEPEST = 2;
    /** The tag of field 1 with text. */
    private static final int NAME_TAG = (1 << 3) | 2;
    private static final long UNSIGNED = 0xffff_ffffL;

    /** Writes one field, or omits it. */
    private interface Node {
        void write(Draw draw, CodedOutputStream out) throws IOException;
    }

    static ProtobufFormat of(String text, Map<String, String> imports, String message, String label) {
        try {
            FileDescriptor file = linked(text, imports);
            Exit.USAGE.when(file.getMessageTypes().isEmpty(), "schemas.noMessages", label);
            return new ProtobufFormat(
                    message.isEmpty()
                            ? file.getMessageTypes().get(0)
                            : named(file, message)
                                    .orElseThrow(() -> Exit.USAGE.because("schemas.noMessage", label, message)));
        } catch (DescriptorValidationException | IOException | IllegalStateException e) {
            throw Exit.USAGE.because(e, "schemas.invalid", label, String.valueOf(e.getMessage()));
        }
    }

    private static Optional<Descriptor> named(FileDescriptor file, String name) {
        return all(file.getMessageTypes())
                .filter(m -> m.getFullName().equals(name) || m.getName().equals(name))
                .findFirst();
    }

    private static Stream<Descriptor> all(List<Descriptor> messages) {
        return messages.stream().flatMap(m -> Stream.concat(Stream.of(m), all(m.getNestedTypes())));
    }

    /** The paths that a schema file imports, except paths of Protobuf's own files. */
    static List<String> imports(String text) {
        var file = ProtoParser.Companion.parse(Location.get(ROOT), text);
        return Stream.concat(file.getImports().stream(), file.getPublicImports().stream())
                .filter(path -> !path.startsWith("google/protobuf/"))
                .toList();
    }

    /** Writes the schema to a temporary directory, because the parser reads only files. */
    private static FileDescriptor linked(String text, Map<String, String> imports)
            throws IOException, DescriptorValidationException {
        Path directory = Files.createTempDirectory("plimsoll-proto");
        try {
            Files.writeString(directory.resolve(ROOT), text);
            for (Map.Entry<String, String> each : imports.entrySet()) {
                Path file = directory.resolve(each.getKey()).normalize();
                if (!file.startsWith(directory)) {
                    throw new IOException(each.getKey());
                }
                Files.createDirectories(file.getParent());
                Files.writeString(file, each.getValue());
            }
            SchemaLoader loader = new SchemaLoader(FileSystem.SYSTEM);
            loader.initRoots(List.of(Location.get(directory.toString())), List.of());
            return linked(ROOT, loader.loadSchema(), new HashMap<>());
        } finally {
            delete(directory);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileDescriptor linked(String path, Schema schema, Map<String, FileDescriptor> known)
            throws IOException, DescriptorValidationException {
        FileDescriptor before = known.get(path);
        if (before != null) {
            return before;
        }
        ProtoFile file = schema.protoFile(path);
        if (file == null) {
            throw new IOException("no file " + path);
        }
        List<FileDescriptor> below = new ArrayList<>();
        for (String imported : file.getImports()) {
            below.add(linked(imported, schema, known));
        }
        for (String imported : file.getPublicImports()) {
            below.add(linked(imported, schema, known));
        }
        FileDescriptorProto encoded =
                FileDescriptorProto.parseFrom(new SchemaEncoder(schema).encode(file).toByteArray());
        FileDescriptor made = FileDescriptor.buildFrom(encoded, below.toArray(new FileDescriptor[0]));
        known.put(path, made);
        return made;
    }

    /** The indexes of the message; {@code [0]}, the first message of the file, is written as a single zero. */
    @Override
    public byte[] messageIndexes() {
        List<Integer> indexes = new ArrayList<>();
        for (Descriptor at = message; at != null; at = at.getContainingType()) {
            indexes.add(0, at.getIndex());
        }
        if (indexes.equals(List.of(0))) {
            return new byte[] {0};
        }
        return written(out -> {
            out.writeSInt32NoTag(indexes.size());
            for (int index : indexes) {
                out.writeSInt32NoTag(index);
            }
        });
    }

    /** The message reference, {@code message Ref { string name = 1; }}, with its length. */
    @Override
    public byte[] messageReference() {
        byte[] ref = written(out -> out.writeString(1, message.getFullName()));
        return written(out -> {
            out.writeUInt32NoTag(ref.length);
            out.writeRawBytes(ref);
        });
    }

    /** Reads {@link #messageIndexes}; the message can be another message of the file. */
    private Descriptor indexed(CodedInputStream in) throws IOException {
        int count = in.readSInt32();
        Descriptor found = at(message.getFile().getMessageTypes(), count == 0 ? 0 : in.readSInt32());
        for (int i = 1; i < count; i++) {
            found = at(found.getNestedTypes(), in.readSInt32());
        }
        return found;
    }

    private static Descriptor at(List<Descriptor> messages, int index) throws IOException {
        if (index < 0 || index >= messages.size()) {
            throw new IOException("no message with index " + index);
        }
        return messages.get(index);
    }

    /** Reads {@link #messageReference}; the message can be another message of the file. */
    private Descriptor referenced(CodedInputStream in) throws IOException {
        String name = message.getFullName();
        int limit = in.pushLimit(in.readRawVarint32());
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == NAME_TAG) {
                name = in.readString();
            } else {
                in.skipField(tag);
            }
        }
        in.popLimit(limit);
        if (name.equals(message.getFullName()) || name.equals(message.getName())) {
            return message;
        }
        Optional<Descriptor> other = named(message.getFile(), name);
        if (other.isEmpty()) {
            throw new IOException("no message " + name);
        }
        return other.get();
    }

    private interface Writing {
        void to(CodedOutputStream out) throws IOException;
    }

    private static byte[] written(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            writing.to(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @Override
    public Body body(Rules rules) {
        Node node = message(message, "", rules, new ArrayDeque<>());
        CodedOutputStream[] out = {null};
        return (draw, sink) -> {
            if (out[0] == null) {
                out[0] = CodedOutputStream.newInstance(sink, 1 << 10);
            }
            node.write(draw, out[0]);
            out[0].flush();
        };
    }

    private static Node message(Descriptor type, String path, Rules rules, Deque<String> above) {
        if (type.getFullName().equals(TIMESTAMP)) {
            SchemaSpec.Field rule = rules.at(path);
            if (rule != null && !(rule instanceof SchemaSpec.Field.Now)) {
                throw FieldValues.mismatch(path, "timestamp");
            }
            return (d, out) -> {
                out.writeInt64(1, d.epochNanos / 1_000_000_000);
                out.writeInt32(2, (int) (d.epochNanos % 1_000_000_000));
            };
        }
        above.push(type.getFullName());
        List<Node> nodes = new ArrayList<>();
        Map<OneofDescriptor, List<Node>> choices = new LinkedHashMap<>();
        Map<OneofDescriptor, Node> ruled = new HashMap<>();
        for (FieldDescriptor field : type.getFields()) {
            String at = Rules.path(path, field.getName());
            Node node = field(field, at, rules, above);
            OneofDescriptor choice = field.getRealContainingOneof();
            if (node != null && choice == null) {
                nodes.add(node);
            } else if (node != null) {
                choices.computeIfAbsent(choice, c -> new ArrayList<>()).add(node);
                if (rules.concern(at)) {
                    ruled.put(choice, node);
                }
            }
        }
        above.pop();
        choices.forEach((choice, all) -> nodes.add(
                ruled.containsKey(choice)
                        ? ruled.get(choice)
                        : (d, out) -> all.get(d.random.nextInt(all.size())).write(d, out)));
        Node[] fields = nodes.toArray(new Node[0]);
        return (d, out) -> {
            for (Node field : fields) {
                field.write(d, out);
            }
        };
    }

    /** The node of a field; null for a recursive message, which is omitted. */
    private static @Nullable Node field(FieldDescriptor field, String path, Rules rules, Deque<String> above) {
        if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                && Collections.frequency(above, field.getMessageType().getFullName()) >= DEEPEST) {
            return null;
        }
        ToIntFunction<Draw> elements = field.isRepeated() ? rules.elements(path) : null;
        Node one = single(field, path, rules, above);
        return elements == null
                ? one
                : (d, out) -> {
                    for (int left = elements.applyAsInt(d); left > 0; left--) {
                        one.write(d, out);
                    }
                };
    }

    private static Node single(FieldDescriptor field, String path, Rules rules, Deque<String> above) {
        int n = field.getNumber();
        return switch (field.getType()) {
            case INT32, SINT32, SFIXED32, UINT32, FIXED32 -> whole32(field, path, rules);
            case INT64, SINT64, SFIXED64, UINT64, FIXED64 -> whole64(field, path, rules);
            case FLOAT -> {
                ToDoubleFunction<Draw> floats = rules.doubles(path, 0, 1000);
                yield (d, out) -> out.writeFloat(n, (float) floats.applyAsDouble(d));
            }
            case DOUBLE -> {
                ToDoubleFunction<Draw> doubles = rules.doubles(path, 0, 1000);
                yield (d, out) -> out.writeDouble(n, doubles.applyAsDouble(d));
            }
            case BOOL -> {
                ToIntFunction<Draw> booleans = rules.booleans(path);
                yield (d, out) -> out.writeBool(n, booleans.applyAsInt(d) == 1);
            }
            case ENUM -> {
                List<EnumValueDescriptor> all = field.getEnumType().getValues();
                ToIntFunction<Draw> symbol = rules.symbols(
                        path, all.stream().map(EnumValueDescriptor::getName).toList());
                yield (d, out) -> out.writeEnum(n, all.get(symbol.applyAsInt(d)).getNumber());
            }
            case STRING -> {
                ToIntFunction<Draw> texts = rules.texts(path);
                // Text is encoded like its bytes in UTF-8.
                yield (d, out) -> {
                    int length = texts.applyAsInt(d);
                    out.writeByteArray(n, d.text, 0, length);
                };
            }
            case BYTES -> {
                ToIntFunction<Draw> lengths = rules.lengths(path);
                yield (d, out) -> out.writeByteArray(n, d.bytes(lengths.applyAsInt(d)));
            }
            case MESSAGE -> {
                Node nested = message(field.getMessageType(), path, rules, above);
                Draw.Sink sink = new Draw.Sink();
                CodedOutputStream into = CodedOutputStream.newInstance(sink, 1 << 8);
                yield (d, out) -> {
                    sink.clear();
                    nested.write(d, into);
                    into.flush();
                    out.writeByteArray(n, sink.bytes(), 0, sink.length());
                };
            }
            case GROUP -> {
                Node nested = message(field.getMessageType(), path, rules, above);
                yield (d, out) -> {
                    out.writeTag(n, 3);
                    nested.write(d, out);
                    out.writeTag(n, 4);
                };
            }
        };
    }

    private static Node whole32(FieldDescriptor field, String path, Rules rules) {
        int n = field.getNumber();
        boolean unsigned = field.getType() == FieldDescriptor.Type.UINT32
                || field.getType() == FieldDescriptor.Type.FIXED32;
        long least = unsigned ? 0 : Integer.MIN_VALUE;
        long most = unsigned ? UNSIGNED : Integer.MAX_VALUE;
        ToLongFunction<Draw> numbers = rules.longs(path, least, most, Rules.small(least, most));
        return switch (field.getType()) {
            case SINT32 -> (d, out) -> out.writeSInt32(n, (int) numbers.applyAsLong(d));
            case SFIXED32, FIXED32 -> (d, out) -> out.writeFixed32(n, (int) numbers.applyAsLong(d));
            case UINT32 -> (d, out) -> out.writeUInt32(n, (int) numbers.applyAsLong(d));
            default -> (d, out) -> out.writeInt32(n, (int) numbers.applyAsLong(d));
        };
    }

    private static Node whole64(FieldDescriptor field, String path, Rules rules) {
        int n = field.getNumber();
        boolean unsigned = field.getType() == FieldDescriptor.Type.UINT64
                || field.getType() == FieldDescriptor.Type.FIXED64;
        long least = unsigned ? 0 : Long.MIN_VALUE;
        ToLongFunction<Draw> numbers = rules.longs(path, least, Long.MAX_VALUE, Rules.small(0, Long.MAX_VALUE));
        return switch (field.getType()) {
            case SINT64 -> (d, out) -> out.writeSInt64(n, numbers.applyAsLong(d));
            case SFIXED64, FIXED64 -> (d, out) -> out.writeFixed64(n, numbers.applyAsLong(d));
            default -> (d, out) -> out.writeInt64(n, numbers.applyAsLong(d));
        };
    }

    private static DynamicMessage read(Descriptor type, CodedInputStream in) throws IOException {
        DynamicMessage read = DynamicMessage.parseFrom(type, in);
        if (!read.getUnknownFields().asMap().isEmpty()) {
            throw new IOException("fields that the message does not have");
        }
        return read;
    }

    @Override
    public Decoder decoder() {
        return new Decoder() {
            @Override
            public Object decode(byte[] bytes, int from, int length) throws IOException {
                return read(message, CodedInputStream.newInstance(bytes, from, length));
            }

            @Override
            public Object decodeAfterId(SchemaSpec.Framing framing, byte[] bytes, int from, int length)
                    throws IOException {
                CodedInputStream in = CodedInputStream.newInstance(bytes, from, length);
                return read(framing == SchemaSpec.Framing.CONFLUENT ? indexed(in) : referenced(in), in);
            }

            @Override
            public @Nullable Object child(Object parent, String name) {
                if (!(parent instanceof Message read)) {
                    return null;
                }
                FieldDescriptor field = read.getDescriptorForType().findFieldByName(name);
                boolean there = field != null && (field.isRepeated() || !field.hasPresence() || read.hasField(field));
                return there ? read.getField(field) : null;
            }
        };
    }

    /** The imported files that a schema file needs, by path. */
    static Map<String, String> readImports(Path directory, String text) throws IOException {
        Map<String, String> all = new LinkedHashMap<>();
        Deque<String> open = new ArrayDeque<>(imports(text));
        while (!open.isEmpty()) {
            String path = open.pop();
            if (!all.containsKey(path)) {
                String below = Files.readString(directory.resolve(path), StandardCharsets.UTF_8);
                all.put(path, below);
                open.addAll(imports(below));
            }
        }
        return all;
    }
}
