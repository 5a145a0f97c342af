package io.plimsoll.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.Replies.ReplyMark;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.ReplySpec;
import io.plimsoll.scenario.ReplySpec.Match;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Replies are matched to records by header, key, or field, amid unrelated records. */
class ReplyMarkTest {
    private static ReplyMark mark(Match match, String name, RecordSpec record) {
        return new ReplyMark(
                new ReplySpec("results", match, name, Duration.ofSeconds(1)), record, "run-1", "producers-0");
    }

    private static ConsumerRecord<byte[], byte[]> answer(byte[] key, String value) {
        return new ConsumerRecord<>("results", 0, 0, key, value == null ? null : bytes(value));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void matchesReplyByHeader() {
        ReplyMark mark = mark(Match.HEADER, "id", RecordSpec.DEFAULT);
        ConsumerRecord<byte[], byte[]> answer = answer(null, null);
        assertThat(mark.numberOf(answer)).isEqualTo(ReplyMark.NONE);
        mark.mark(answer.headers(), 42);
        assertThat(mark.numberOf(answer)).isEqualTo(42);
        answer.headers().add("id", bytes("run-1-producers-1-42"));
        assertThat(mark.numberOf(answer)).isEqualTo(ReplyMark.OTHERS);
        answer.headers().add("id", bytes("run-2-producers-0-42"));
        assertThat(mark.numberOf(answer)).isEqualTo(ReplyMark.NONE);
    }

    @Test
    void matchesReplyByTypedKey() {
        ReplyMark text = mark(Match.KEY, "", RecordSpec.DEFAULT);
        assertThat(text.numberOf(answer(bytes("0042"), null))).isEqualTo(42);
        assertThat(text.numberOf(answer(null, null))).isEqualTo(ReplyMark.NONE);
        assertThat(text.numberOf(answer(bytes("abc"), null))).isEqualTo(ReplyMark.NONE);
        ReplyMark whole = mark(
                Match.KEY, "", RecordSpec.DEFAULT.with(RecordSpec.KEY, new KeySpec.Sequential(KeySpec.Type.INTEGER)));
        assertThat(whole.numberOf(answer(ByteBuffer.allocate(4).putInt(42).array(), null)))
                .isEqualTo(42);
        assertThat(whole.numberOf(answer(bytes("42"), null))).isEqualTo(ReplyMark.NONE);
    }

    @Test
    void matchesReplyByNestedFieldWithSequenceOffset() {
        RecordSpec record = RecordSpec.DEFAULT.with(
                RecordSpec.PAYLOAD, new RecordSpec.Payload.Template("{\"order\": {\"id\": \"no-${sequence:1000}\"}}"));
        ReplyMark mark = mark(Match.FIELD, "order.id", record);
        assertThat(mark.numberOf(answer(null, "{\"order\": {\"id\": \"no-1042\"}}")))
                .isEqualTo(42);
        assertThat(mark.numberOf(answer(null, "{\"order\": {\"id\": 1042}}"))).isEqualTo(42);
        assertThat(mark.numberOf(answer(null, "{\"order\": {\"id\": 42}}"))).isEqualTo(ReplyMark.NONE);
        assertThat(mark.numberOf(answer(null, "{\"order\": 1}"))).isEqualTo(ReplyMark.NONE);
        assertThat(mark.numberOf(answer(null, "no JSON"))).isEqualTo(ReplyMark.NONE);
        assertThat(mark.numberOf(answer(null, null))).isEqualTo(ReplyMark.NONE);
    }
}
