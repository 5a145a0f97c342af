package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.ReplySpec.Match;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The key {@code reply} of an entry of {@code producers}. */
final class ReplyKeys {
    /** Spring copies it from a record to its answer without being asked to. */
    private static final Mark BY_HEADER = new Mark(Match.HEADER, "kafka_correlationId");

    private static final Key<String> TOPIC = Key.text("topic").required();
    private static final Key<String> HEADER = Key.text("header");
    private static final Key<String> FIELD = Key.text("field");
    private static final Key<Mark> MATCH = new Forms<Mark>()
            .word("header", BY_HEADER)
            .word("key", new Mark(Match.KEY, ""))
            .word("field", new Mark(Match.FIELD, "id"))
            .form(HEADER, name -> new Mark(Match.HEADER, name))
            .form(FIELD, name -> new Mark(Match.FIELD, name))
            .key(
                    "match",
                    Sentence.or(List.of("header", "key", "field", "{header: my-id}", "{field: order.id}")),
                    BY_HEADER,
                    Mark.class);
    private static final Key<Duration> WAIT = Key.duration("wait", Duration.ofSeconds(10));

    static final Key<Optional<ReplySpec>> REPLY = Key.<Optional<ReplySpec>>of(
                    "reply",
                    Section.of("{topic: results, match: header}", TOPIC, MATCH, WAIT),
                    Optional.empty(),
                    (entry, key) -> entry.below(key)
                            .map(r -> Optional.of(new ReplySpec(
                                    r.get(TOPIC),
                                    r.get(MATCH).match(),
                                    r.get(MATCH).name(),
                                    r.get(WAIT)))),
                    Optional.class,
                    ReplySpec.class)
            .noneByDefault()
            .shown(reply -> reply.map(ReplySpec::topic).orElse(""))
            .rule((entry, reply) -> reply.ifPresent(r -> check(entry, r)));

    private record Mark(Match match, String name) {}

    private ReplyKeys() {}

    private static void check(EntryReading entry, ReplySpec reply) {
        boolean known = entry.topics().isEmpty() || entry.topics().containsKey(reply.topic());
        if (!known || entry.get(ProducerKeys.TOPIC).contains(reply.topic())) {
            entry.problemAt("reply", "scenario.replyTopic", Texts.quoted(reply.topic()));
        }
        RecordSpec record = entry.get(ProducerKeys.RECORD);
        KeySpec key = record.key() instanceof KeySpec.Padded padded ? padded.numbers() : record.key();
        if (reply.match() == Match.KEY && !(key instanceof KeySpec.Sequential)) {
            entry.problemAt("reply", "scenario.replyKey");
        }
        boolean numbered = record.payload() instanceof Payload.Template template
                && template.text().contains("${sequence");
        boolean oneThread = entry.get(ProducerKeys.CLIENTS) * entry.get(ProducerKeys.THREADS) == 1;
        if (reply.match() == Match.FIELD && !(numbered && oneThread)) {
            entry.problemAt("reply", "scenario.replyField");
        }
        if (entry.get(ProducerKeys.TRANSACTIONS).abortRatio() > 0) {
            entry.problemAt("reply", "scenario.replyAborted");
        }
    }
}
