package io.plimsoll.schemas;

import org.jspecify.annotations.Nullable;
import io.plimsoll.Exit;
import io.plimsoll.payload.Draw;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Conversions;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;

/** Avro's binary encoding. Records are written through Avro's encoder while they are generated. */
record AvroFormat(Schema schema, String label) implements SchemaFormat {
    /** Maximum depth of recursive records. */
    private static final int DEEPEST = 3;

    private static final long DAY_SECONDS = 86_400;

    /** Writes the value of one field. */
    private interface Node {
        void write(Draw draw, Encoder out) throws IOException;
    }

    static AvroFormat of(String text, Map<String, String> imports, String label) {
        try {
            Schema.Parser parser = new Schema.Parser();
            imports.values().forEach(parser::parse);
            return new AvroFormat(parser.parse(text), label);
        } catch (AvroRuntimeException e) {
            throw Exit.USAGE.because(e, "schemas.invalid", label, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Body body(Rules rules) {
        Node node = node(schema, "", rules, new ArrayDeque<>());
        if (node == null) {
            throw Exit.USAGE.because("schemas.endless", label);
        }
        Encoder[] encoder = {null};
        return (draw, sink) -> {
            if (encoder[0] == null) {
                encoder[0] = EncoderFactory.get().directBinaryEncoder(sink, null);
            }
            node.write(draw, encoder[0]);
        };
    }

    /** The node of a type; null for a type with endless recursion. */
    private @Nullable Node node(Schema type, String path, Rules rules, Deque<String> above) {
        LogicalType logical = type.getLogicalType();
        switch (type.getType()) {
            case RECORD:
                return record(type, path, rules, above);
            case UNION:
                return union(type, path, rules, above);
            case ARRAY:
                return blocks(node(type.getElementType(), path, rules, above), rules.elements(path), null);
            case MAP:
                return blocks(
                        node(type.getValueType(), Rules.path(path, "*"), rules, above),
                        rules.elements(path),
                        rules.texts(Rules.path(path, "key")));
            case ENUM:
                ToIntFunction<Draw> symbol = rules.symbols(path, type.getEnumSymbols());
                return (d, out) -> out.writeEnum(symbol.applyAsInt(d));
            case FIXED:
                return fixed(type, path, rules);
            case BYTES:
                return bytes(logical, path, rules);
            case STRING:
                return string(logical, path, rules);
            case INT:
                ToLongFunction<Draw> ints = rules.longs(path, Integer.MIN_VALUE, Integer.MAX_VALUE, usual(logical, true));
                return (d, out) -> out.writeInt((int) ints.applyAsLong(d));
            case LONG:
                ToLongFunction<Draw> longs = rules.longs(path, Long.MIN_VALUE, Long.MAX_VALUE, usual(logical, false));
                return (d, out) -> out.writeLong(longs.applyAsLong(d));
            case FLOAT:
                ToDoubleFunction<Draw> floats = rules.doubles(path, 0, 1000);
                return (d, out) -> out.writeFloat((float) floats.applyAsDouble(d));
            case DOUBLE:
                ToDoubleFunction<Draw> doubles = rules.doubles(path, 0, 1000);
                return (d, out) -> out.writeDouble(doubles.applyAsDouble(d));
            case BOOLEAN:
                ToIntFunction<Draw> booleans = rules.booleans(path);
                return (d, out) -> out.writeBoolean(booleans.applyAsInt(d) == 1);
            default:
                return (d, out) -> out.writeNull();
        }
    }

    private @Nullable Node record(Schema type, String path, Rules rules, Deque<String> above) {
        if (Collections.frequency(above, type.getFullName()) >= DEEPEST) {
            return null;
        }
        above.push(type.getFullName());
        List<@Nullable Node> nodes = new ArrayList<>();
        for (Schema.Field field : type.getFields()) {
            nodes.add(node(field.schema(), Rules.path(path, field.name()), rules, above));
        }
        above.pop();
        if (nodes.contains(null)) {
            return null;
        }
        Node[] fields = nodes.toArray(new Node[0]);
        return (d, out) -> {
            for (Node field : fields) {
                field.write(d, out);
            }
        };
    }

    /** A union. A rule applies to the first branch that is not null; without a rule, all branches are equally likely. */
    private @Nullable Node union(Schema type, String path, Rules rules, Deque<String> above) {
        boolean ruled = rules.concern(path);
        List<Integer> index = new ArrayList<>();
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < type.getTypes().size(); i++) {
            Schema branch = type.getTypes().get(i);
            Node node = ruled && branch.getType() == Schema.Type.NULL ? null : node(branch, path, rules, above);
            if (node != null && !(ruled && !nodes.isEmpty())) {
                nodes.add(node);
                index.add(i);
            }
        }
        if (nodes.isEmpty()) {
            return null;
        }
        return (d, out) -> {
            int pick = nodes.size() == 1 ? 0 : d.random.nextInt(nodes.size());
            out.writeIndex(index.get(pick));
            nodes.get(pick).write(d, out);
        };
    }

    /** A list, or a map with these keys; empty if its elements are endlessly recursive. */
    private static Node blocks(@Nullable Node element, ToIntFunction<Draw> sizes, @Nullable ToIntFunction<Draw> keys) {
        return (d, out) -> {
            int size = element == null ? 0 : sizes.applyAsInt(d);
            if (keys == null) {
                out.writeArrayStart();
            } else {
                out.writeMapStart();
            }
            out.setItemCount(size);
            for (int i = 0; element != null && i < size; i++) {
                out.startItem();
                if (keys != null) {
                    int length = keys.applyAsInt(d);
                    out.writeBytes(d.text, 0, length);
                }
                element.write(d, out);
            }
            if (keys == null) {
                out.writeArrayEnd();
            } else {
                out.writeMapEnd();
            }
        };
    }

    private static Node fixed(Schema type, String path, Rules rules) {
        int size = type.getFixedSize();
        if (type.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
            ToLongFunction<Draw> unscaled = rules.decimals(path, decimal.getPrecision(), decimal.getScale());
            return (d, out) -> {
                long value = unscaled.applyAsLong(d);
                byte[] bytes = new byte[size];
                for (int i = size - 1; i >= 0; i--) {
                    bytes[i] = (byte) value;
                    value >>= Byte.SIZE;
                }
                out.writeFixed(bytes);
            };
        }
        return (d, out) -> out.writeFixed(d.bytes(size));
    }

    private static Node bytes(LogicalType logical, String path, Rules rules) {
        if (logical instanceof LogicalTypes.Decimal decimal) {
            ToLongFunction<Draw> unscaled = rules.decimals(path, decimal.getPrecision(), decimal.getScale());
            return (d, out) ->
                    out.writeBytes(BigInteger.valueOf(unscaled.applyAsLong(d)).toByteArray());
        }
        ToIntFunction<Draw> lengths = rules.lengths(path);
        return (d, out) -> out.writeBytes(d.bytes(lengths.applyAsInt(d)));
    }

    private static Node string(LogicalType logical, String path, Rules rules) {
        if (logical != null && logical.getName().equals("uuid") && rules.at(path) == null) {
            return (d, out) -> {
                int length = d.uuid();
                out.writeBytes(d.text, 0, length);
            };
        }
        ToIntFunction<Draw> texts = rules.texts(path);
        // Text is encoded like its bytes in UTF-8.
        return (d, out) -> {
            int length = texts.applyAsInt(d);
            out.writeBytes(d.text, 0, length);
        };
    }

    private static ToLongFunction<Draw> usual(LogicalType logical, boolean ints) {
        String name = logical == null ? "" : logical.getName();
        return switch (name) {
            case "date" -> d -> d.epochNanos / 1_000_000_000 / DAY_SECONDS;
            case "time-millis" -> d -> d.random.nextLong(DAY_SECONDS * 1000);
            case "time-micros" -> d -> d.random.nextLong(DAY_SECONDS * 1_000_000);
            case "timestamp-millis", "local-timestamp-millis" -> d -> d.epochNanos / 1_000_000;
            case "timestamp-micros", "local-timestamp-micros" -> d -> d.epochNanos / 1000;
            case "timestamp-nanos", "local-timestamp-nanos" -> d -> d.epochNanos;
            default -> Rules.small(ints ? Integer.MIN_VALUE : Long.MIN_VALUE, ints ? Integer.MAX_VALUE : Long.MAX_VALUE);
        };
    }

    @Override
    public Decoder decoder() {
        GenericData data = new GenericData();
        data.addLogicalTypeConversion(new Conversions.DecimalConversion());
        GenericDatumReader<Object> reader = new GenericDatumReader<>(schema, schema, data);
        BinaryDecoder[] reused = {null};
        return new Decoder() {
            @Override
            public @Nullable Object decode(byte[] bytes, int from, int length) throws IOException {
                reused[0] = DecoderFactory.get().binaryDecoder(bytes, from, length, reused[0]);
                try {
                    Object value = reader.read(null, reused[0]);
                    if (!reused[0].isEnd()) {
                        throw new IOException("bytes after the record");
                    }
                    return value;
                } catch (RuntimeException e) {
                    throw new IOException(e);
                }
            }

            @Override
            public @Nullable Object child(Object parent, String name) {
                if (parent instanceof IndexedRecord record) {
                    Schema.Field field = record.getSchema().getField(name);
                    return field == null ? null : record.get(field.pos());
                }
                return parent instanceof Map<?, ?> map
                        ? map.entrySet().stream()
                                .filter(e -> e.getKey().toString().equals(name))
                                .findFirst()
                                .map(Map.Entry::getValue)
                                .orElse(null)
                        : null;
            }
        };
    }
}
