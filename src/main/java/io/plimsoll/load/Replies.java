package io.plimsoll.load;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.ErrorCounts;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.LatencyRecorder;
import io.plimsoll.measure.Replied;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.result.ReplyFigures;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.ReplySpec;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Waits for an application's answers to the records of one entry: a thread of its own reads the topic on which they come,
 * without a group, from its end on. Latency is from when a record was due until its first answer is here, and of one that
 * is never answered at least the time that it was waited for. {@link #sent} and {@link #outcome} are for sending threads;
 * all else is called by the worker's thread.
 */
public final class Replies implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration CLOSING = Duration.ofSeconds(1);
    /** More examples of what went wrong nobody reads. */
    private static final int MOST_LISTED = 10;

    private static final int OFFSET_BITS = 44;

    private final LoadContext context;
    private final ProducerSpec spec;
    private final ReplySpec reply;
    private final String part;
    private final Consumer<Sentence> notes;
    private final ReplyMark mark;
    private final ReplyLedger ledger;
    /** Strangers' answers are counted by one of several workers. */
    private final boolean countsStrangers;

    private final LatencyRecorder[] latency = {new LatencyRecorder(), new LatencyRecorder()};
    private final ErrorCounts[] counts = {new ErrorCounts(), new ErrorCounts()};
    private final Map<String, List<String>> examples = new TreeMap<>();
    private final Map<String, Long> found = new TreeMap<>();
    private KafkaConsumer<byte[], byte[]> consumer;
    private Thread thread;
    private volatile TrialClock clock;
    private volatile boolean stop;
    private long waitUntilNanos;

    Replies(LoadContext context, ProducerSpec spec, Slice slice, String part, Consumer<Sentence> notes) {
        this.context = context;
        this.spec = spec;
        this.reply = spec.reply().orElseThrow();
        this.part = part;
        this.notes = notes;
        this.mark = new ReplyMark(reply, spec.record(), context.runTag(), part);
        Slice threads = new Slice(slice.from() * spec.threads(), slice.count() * spec.threads());
        this.ledger = new ReplyLedger(spec.totalThreads(), threads);
        this.countsStrangers = slice.from() == 0;
    }

    /** Stands at the end of the topic. @throws io.plimsoll.PlimsollException if it cannot be read in time */
    void prepare(Duration timeout) {
        Map<String, Object> properties = new HashMap<>(context.clientProperties());
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, context.runTag() + "-" + part + "-replies");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put("enable.metrics.push", "false");
        consumer = ClientProperties.client(
                part,
                properties,
                p -> new KafkaConsumer<>(p, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
        try {
            List<TopicPartition> partitions = consumer.partitionsFor(reply.topic(), timeout).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            Exit.CLUSTER.when(partitions.isEmpty(), "load.reply.noTopic", part, reply.topic());
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            partitions.forEach(partition -> consumer.position(partition, timeout));
        } catch (KafkaException e) {
            throw KafkaErrors.explain(e, "read", KafkaErrors.topics(List.of(reply.topic())));
        }
        thread = Daemon.start("plimsoll-replies-" + part, this::read);
    }

    void start(TrialClock trialClock) {
        clock = trialClock;
    }

    /** Marks a record that is handed over now, and waits for its answer from now on. */
    public long sent(int senderThread, ProducerRecord<byte[], byte[]> record, long dueNanos) {
        long number = ledger.sent(senderThread, dueNanos);
        mark.mark(record.headers(), number);
        counts(dueNanos).add(ReplyFigures.SENT, 1);
        return number;
    }

    /** What became of a record. */
    public void outcome(long number, RecordMetadata metadata, Exception failure) {
        if (failure != null) {
            ledger.failed(number);
        } else if (metadata.hasOffset()) {
            ledger.written(number, (long) metadata.partition() << OFFSET_BITS | metadata.offset());
        }
    }

    /** The client has not taken the last record of a thread. */
    public void refused(int senderThread) {
        ledger.refused(senderThread);
    }

    private ErrorCounts counts(long dueNanos) {
        return counts[clock.measured(dueNanos) ? 1 : 0];
    }

    private void read() {
        try {
            while (!stop) {
                for (ConsumerRecord<byte[], byte[]> answer : consumer.poll(POLL)) {
                    if (clock != null) {
                        accept(answer, System.nanoTime());
                    }
                }
            }
        } catch (WakeupException e) {
            // asked to stop
        } catch (KafkaException e) {
            notes.accept(KafkaErrors.explain(e, "read", KafkaErrors.topics(List.of(reply.topic())))
                    .sentence());
        }
    }

    private void accept(ConsumerRecord<byte[], byte[]> answer, long nowNanos) {
        long number = mark.numberOf(answer);
        long due = number == ReplyMark.OTHERS ? ReplyLedger.ELSEWHERE : ledger.answered(number);
        String place = answer.topic() + "-" + answer.partition() + "@" + answer.offset();
        if (due == ReplyLedger.NOBODY) {
            if (countsStrangers && clock.measured(nowNanos)) {
                odd(ReplyFigures.TO_NOBODY, place);
            }
        } else if (due == ReplyLedger.AGAIN) {
            if (clock.measured(nowNanos)) {
                odd(ReplyFigures.TWICE, number + " (" + place + ")");
            }
        } else if (due != ReplyLedger.ELSEWHERE) {
            counts(due).add(ReplyFigures.ANSWERED, 1);
            latency[clock.measured(due) ? 1 : 0].recordNanos(nowNanos - due);
        }
    }

    /** Only the reading thread, and who closes once that has ended. */
    private void odd(String kind, String example) {
        counts[1].add(kind, 1);
        found.merge(kind, 1L, Long::sum);
        List<String> some = examples.computeIfAbsent(kind, k -> new ArrayList<>());
        if (some.size() < MOST_LISTED) {
            some.add(example);
        }
    }

    /** Whether no record waits any more, or they have waited long enough since the first call. */
    boolean done() {
        if (waitUntilNanos == 0) {
            waitUntilNanos = System.nanoTime() + reply.patience().toNanos();
        }
        return ledger.owed() == 0 || System.nanoTime() > waitUntilNanos || !thread.isAlive();
    }

    /** Adds what happened since the last reading. */
    void read(boolean measured, Counts.Sum into) {
        Histogram taken = Latencies.newHistogram();
        latency[measured ? 1 : 0].drainInto(taken);
        into.add(Replied.COUNTS, counts[measured ? 1 : 0].drain())
                .add(Replied.TIMES, Map.of(ReplyFigures.LATENCY, Latencies.of(taken)));
    }

    /** A record was due and never handed over; after {@link #close}. */
    void unsent(long dueNanos, long nowNanos) {
        latency[clock.measured(dueNanos) ? 1 : 0].recordNanos(nowNanos - dueNanos);
    }

    /** Gives up on answers that are missing, charging each with the time it was waited for, and says what was found. */
    @Override
    public void close() {
        if (consumer == null || stop) {
            return;
        }
        stop = true;
        consumer.wakeup();
        if (thread != null) {
            Daemon.join(thread, CLOSING.toMillis());
        }
        if (thread == null || !thread.isAlive()) {
            consumer.close(CloseOptions.timeout(CLOSING));
        }
        if (clock == null) {
            return;
        }
        long now = System.nanoTime();
        ledger.waiting(number -> missing(number, now));
        for (Map.Entry<String, Long> kind : found.entrySet()) {
            List<String> some = examples.get(kind.getKey());
            String more = kind.getValue() > some.size() ? ", …" : "";
            notes.accept(Sentence.of(
                    "load.reply." + kind.getKey(),
                    Units.count(kind.getValue()),
                    String.join(", ", some) + more,
                    reply.topic()));
        }
    }

    private void missing(long number, long nowNanos) {
        long due = ledger.dueNanos(number);
        latency[clock.measured(due) ? 1 : 0].recordNanos(nowNanos - due);
        if (clock.measured(due)) {
            long place = ledger.place(number);
            String where = place < 0
                    ? ""
                    : ", " + String.join("|", spec.topics()) + "-" + (place >> OFFSET_BITS) + "@"
                            + (place & (1L << OFFSET_BITS) - 1);
            odd(
                    ReplyFigures.MISSING,
                    String.format(Locale.ROOT, "%d (+%.3f s%s)", number, (due - clock.startNanos()) / 1e9, where));
        }
    }
}
