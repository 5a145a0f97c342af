package io.plimsoll.schemas;

import org.jspecify.annotations.Nullable;
import io.plimsoll.PlimsollException;
import io.plimsoll.payload.Draw;
import io.plimsoll.scenario.SchemaSpec;
import java.io.IOException;
import java.util.Map;

/** A schema in one of the schema languages. Immutable; thread-safe. */
interface SchemaFormat {
    /** Encodes records into a sink. Owned by one thread. */
    interface Body {
        void write(Draw draw, Draw.Sink out) throws IOException;
    }

    /** Decodes records. Owned by one thread. */
    interface Decoder {
        /**
         * @return a decoded value, for {@link #child}
         * @throws IOException if the bytes do not conform to the schema
         */
        @Nullable Object decode(byte[] bytes, int from, int length) throws IOException;

        /** Like {@link #decode}, for the bytes after the schema ID. They can begin with the name of the message. */
        default @Nullable Object decodeAfterId(SchemaSpec.Framing framing, byte[] bytes, int from, int length)
                throws IOException {
            return decode(bytes, from, length);
        }

        /** A field of a decoded value; null if it is missing. */
        @Nullable Object child(Object parent, String name);
    }

    /** @throws PlimsollException ({@code USAGE}) for rules that do not match the schema */
    Body body(Rules rules);

    Decoder decoder();

    /** The bytes after the schema ID in Confluent's framing. */
    default byte[] messageIndexes() {
        return new byte[0];
    }

    /** The bytes after the schema ID in Apicurio's framing. */
    default byte[] messageReference() {
        return new byte[0];
    }

    /** @throws PlimsollException ({@code USAGE}) for an invalid schema */
    static SchemaFormat of(SchemaSpec.Pinned schema, String message, String label) {
        return switch (schema.type()) {
            case "AVRO" -> AvroFormat.of(schema.text(), schema.imports(), label);
            case "PROTOBUF" -> ProtobufFormat.of(schema.text(), schema.imports(), message, label);
            default -> JsonFormat.of(schema.text(), label);
        };
    }

    /** Schema types by file name extension. */
    Map<String, String> TYPES = Map.of("avsc", "AVRO", "proto", "PROTOBUF", "json", "JSON");
}
