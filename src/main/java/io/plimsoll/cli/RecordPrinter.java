package io.plimsoll.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.plimsoll.cluster.LogReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Prints records as lines: the value byte by byte as it is, or JSON. */
final class RecordPrinter implements LogReader.Sink {

    enum Field {
        KEY,
        PARTITION,
        OFFSET,
        TIMESTAMP,
        HEADERS
    }

    private static final JsonFactory JSON = new JsonFactory();

    private final PrintStream out;
    private final Set<Field> fields;
    private final boolean json;
    /** The lines of a poll, so that they leave in one write. */
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
                writeJson(consumed);
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
        // A closed pipe, as behind "| head".
        return !out.checkError();
    }

    private void writeField(Field field, ConsumerRecord<byte[], byte[]> consumed) throws IOException {
        writeText(field.name().toLowerCase(Locale.ROOT) + "=");
        switch (field) {
            case KEY -> writeRaw(consumed.key());
            case PARTITION -> writeText(Integer.toString(consumed.partition()));
            case OFFSET -> writeText(Long.toString(consumed.offset()));
            case TIMESTAMP -> writeText(consumed.timestampType() + ":" + Instant.ofEpochMilli(consumed.timestamp()));
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

    private void writeJson(ConsumerRecord<byte[], byte[]> consumed) throws IOException {
        try (JsonGenerator generator = JSON.createGenerator(lines)) {
            generator.writeStartObject();
            generator.writeStringField("topic", consumed.topic());
            generator.writeNumberField("partition", consumed.partition());
            generator.writeNumberField("offset", consumed.offset());
            generator.writeNumberField("timestamp", consumed.timestamp());
            generator.writeStringField("timestampType", consumed.timestampType().toString());
            writeBytes(generator, "key", consumed.key());
            writeBytes(generator, "value", consumed.value());
            generator.writeArrayFieldStart("headers");
            for (Header header : consumed.headers()) {
                generator.writeStartObject();
                generator.writeStringField("name", header.key());
                writeBytes(generator, "value", header.value());
                generator.writeEndObject();
            }
            generator.writeEndArray();
            generator.writeEndObject();
        }
    }

    /** Written as a string where the bytes are one, else in Base64 under another name: nothing is changed silently. */
    private static void writeBytes(JsonGenerator generator, String name, byte[] bytes) throws IOException {
        if (bytes == null) {
            generator.writeNullField(name);
            return;
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            generator.writeStringField(name, text);
        } catch (CharacterCodingException e) {
            generator.writeStringField(name + "Base64", Base64.getEncoder().encodeToString(bytes));
        }
    }
}
