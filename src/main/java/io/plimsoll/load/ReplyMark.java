package io.plimsoll.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.result.Json;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.ReplySpec;
import io.plimsoll.scenario.ReplySpec.Match;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** What a record and the answer to it have in common: its number, in a header, in the key or in a field of JSON. Any thread. */
final class ReplyMark {
    /** The answer has no number, or one that is nobody's here. */
    static final long NONE = -1;
    /** The answer is one to another entry of this trial. */
    static final long OTHERS = -2;

    private static final Pattern SEQUENCE = Pattern.compile("\\$\\{sequence(?::([0-9]{1,18}))?}");
    private static final Pattern LAST_NUMBER = Pattern.compile("([0-9]{1,18})\\D*$");

    private final Match match;
    private final String name;
    private final KeySpec.Type type;
    private final String trial;
    private final String entry;
    /** The number of the first record where values count from there on. */
    private final long first;

    /**
     * @param trial begins the marks of all entries of the trial in headers
     * @param part the entry
     */
    ReplyMark(ReplySpec reply, RecordSpec record, String trial, String part) {
        this.match = reply.match();
        this.name = reply.name();
        this.trial = trial + "-";
        this.entry = trial + "-" + part + "-";
        KeySpec key = record.key() instanceof KeySpec.Padded padded ? padded.numbers() : record.key();
        this.type = key instanceof KeySpec.Sequential numbers ? numbers.type() : KeySpec.Type.STRING;
        Matcher sequence = SEQUENCE.matcher(record.payload() instanceof Payload.Template t ? t.text() : "");
        this.first = sequence.find() && sequence.group(1) != null ? Long.parseLong(sequence.group(1)) : 0;
    }

    /** Marks a record where it has no mark of its own. */
    void mark(Headers headers, long number) {
        if (match == Match.HEADER) {
            headers.add(name, (entry + number).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The number of the record that an answer is to, {@link #NONE} or {@link #OTHERS}. */
    long numberOf(ConsumerRecord<byte[], byte[]> answer) {
        return switch (match) {
            case HEADER -> ofHeader(answer.headers().lastHeader(name));
            case KEY -> ofKey(answer.key());
            case FIELD -> ofField(answer.value());
        };
    }

    private long ofHeader(Header header) {
        String mark =
                header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
        if (mark.startsWith(entry)) {
            return lastNumber(mark.substring(entry.length()));
        }
        return mark.startsWith(trial) ? OTHERS : NONE;
    }

    private long ofKey(byte[] key) {
        if (key == null) {
            return NONE;
        }
        return switch (type) {
            case INTEGER ->
                key.length == Integer.BYTES
                        ? Integer.toUnsignedLong(ByteBuffer.wrap(key).getInt())
                        : NONE;
            case BYTES -> key.length == Long.BYTES ? ByteBuffer.wrap(key).getLong() : NONE;
            case STRING -> lastNumber(new String(key, StandardCharsets.UTF_8));
        };
    }

    private long ofField(byte[] value) {
        try {
            JsonNode field = value == null ? null : Json.MAPPER.readTree(value);
            for (String step : name.split("\\.")) {
                field = field == null ? null : field.get(step);
            }
            long number = field == null ? NONE : lastNumber(field.asText());
            return number < first ? NONE : number - first;
        } catch (IOException e) {
            return NONE;
        }
    }

    /** Whatever stands before it: a field may be {@code order-17}. */
    private static long lastNumber(String text) {
        Matcher number = LAST_NUMBER.matcher(text);
        return number.find() ? Long.parseLong(number.group(1)) : NONE;
    }
}
