package io.plimsoll.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.ErrorCounts;
import io.plimsoll.measure.LatencyRecorder;
import io.plimsoll.measure.Replied;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.result.Json;
import io.plimsoll.result.ReplyFigures;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.ReplySpec;
import io.plimsoll.scenario.ReplySpec.Match;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for an application's replies to the records of one entry. A separate thread reads the reply topic from its end,
 * without a group. Latency counts from the due time of a record to its first reply; an unanswered record counts with
 * its waiting time. Sending threads call {@link #sent} and {@link #outcome}, the worker's thread everything else.
 */
public final class Replies implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration CLOSING = Duration.ofSeconds(1);
    private static final int MOST_LISTED = 10;
    private static final int OFFSET_BITS = 44;

    private final LoadContext context;
    private final ProducerSpec spec;
    private final ReplySpec reply;
    private final String part;
    private final Consumer<Sentence> notes;
    private final ReplyMark mark;
    private final ReplyLedger ledger;
    /** Whether this worker counts replies that belong to no record; only one worker does. */
    private final boolean countsStrangers;

    private final LatencyRecorder[] latency = {new LatencyRecorder(), new LatencyRecorder()};
    private final ErrorCounts[] counts = {new ErrorCounts(), new ErrorCounts()};
    private final Map<String, List<String>> examples = new TreeMap<>();
    private final Map<String, Long> found = new TreeMap<>();
    private @Nullable KafkaConsumer<byte[], byte[]> consumer;
    private @Nullable Thread thread;
    private volatile @Nullable TrialClock clock;
    private volatile boolean stop;
    private long waitUntilNanos;

    Replies(LoadContext context, ProducerSpec spec, Slice slice, String part, Consumer<Sentence> notes) {
        this.context = context;
        this.spec = spec;
        this.reply = spec.get(ProducerSpec.REPLY).orElseThrow();
        this.part = part;
        this.notes = notes;
        this.mark = new ReplyMark(reply, spec.record(), context.runTag(), part);
        Slice threads = new Slice(slice.from() * spec.threads(), slice.count() * spec.threads());
        this.ledger = new ReplyLedger(spec.totalThreads(), threads);
        this.countsStrangers = slice.from() == 0;
    }

    /** Seeks to the end of the reply topic. @throws io.plimsoll.PlimsollException on timeout */
    void prepare(Duration timeout) {
        Map<String, Object> properties = new HashMap<>(context.clientProperties());
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, context.runTag() + "-" + part + "-replies");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put("enable.metrics.push", "false");
        KafkaConsumer<byte[], byte[]> own = ClientProperties.client(
                part,
                properties,
                p -> new KafkaConsumer<>(p, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
        consumer = own;
        try {
            List<TopicPartition> partitions = own.partitionsFor(reply.topic(), timeout).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            Exit.CLUSTER.when(partitions.isEmpty(), "load.reply.noTopic", part, reply.topic());
            own.assign(partitions);
            own.seekToEnd(partitions);
            partitions.forEach(partition -> own.position(partition, timeout));
        } catch (KafkaException e) {
            throw KafkaErrors.explain(e, "read", KafkaErrors.topics(List.of(reply.topic())));
        }
        thread = Daemon.start("plimsoll-replies-" + part, () -> read(own));
    }

    void start(TrialClock trialClock) {
        clock = trialClock;
    }

    /** Marks a record before it is sent; the record then waits for its reply. */
    public long sent(int senderThread, ProducerRecord<byte[], byte[]> record, long dueNanos) {
        long number = ledger.sent(senderThread, dueNanos);
        mark.mark(record.headers(), number);
        counts(dueNanos).add(ReplyFigures.SENT, 1);
        return number;
    }

    public void outcome(long number, RecordMetadata metadata, @Nullable Exception failure) {
        if (failure != null) {
            ledger.failed(number);
        } else if (metadata.hasOffset()) {
            ledger.written(number, (long) metadata.partition() << OFFSET_BITS | metadata.offset());
        }
    }

    /** Reports that the client refused the last record of a thread. */
    public void refused(int senderThread) {
        ledger.refused(senderThread);
    }

    private ErrorCounts counts(long dueNanos) {
        return counts[clock().measured(dueNanos) ? 1 : 0];
    }

    private TrialClock clock() {
        return Objects.requireNonNull(clock);
    }

    private void read(KafkaConsumer<byte[], byte[]> from) {
        try {
            while (!stop) {
                for (ConsumerRecord<byte[], byte[]> answer : from.poll(POLL)) {
                    if (clock != null) {
                        accept(answer, System.nanoTime());
                    }
                }
            }
        } catch (WakeupException e) {
            // The thread was asked to stop.
        } catch (KafkaException e) {
            notes.accept(KafkaErrors.explain(e, "read", KafkaErrors.topics(List.of(reply.topic())))
                    .sentence());
        }
    }

    private void accept(ConsumerRecord<byte[], byte[]> answer, long nowNanos) {
        long number = mark.numberOf(answer);
        long due = number == ReplyMark.OTHERS ? ReplyLedger.UNTRACKED : ledger.answered(number);
        String place = answer.topic() + "-" + answer.partition() + "@" + answer.offset();
        if (due == ReplyLedger.UNSENT) {
            if (countsStrangers && clock().measured(nowNanos)) {
                odd(ReplyFigures.UNRELATED, place);
            }
        } else if (due == ReplyLedger.REPEATED) {
            if (clock().measured(nowNanos)) {
                odd(ReplyFigures.TWICE, number + " (" + place + ")");
            }
        } else if (due != ReplyLedger.UNTRACKED) {
            counts(due).add(ReplyFigures.ANSWERED, 1);
            latency[clock().measured(due) ? 1 : 0].recordNanos(nowNanos - due);
        }
    }

    /** Counts an anomaly. Called by the reading thread and, once that thread has ended, by the closing thread. */
    private void odd(String kind, String example) {
        counts[1].add(kind, 1);
        found.merge(kind, 1L, Long::sum);
        List<String> some = examples.computeIfAbsent(kind, k -> new ArrayList<>());
        if (some.size() < MOST_LISTED) {
            some.add(example);
        }
    }

    /**
     * Whether the wait is over: no record waits, the reading thread has ended, or the time limit since the first call
     * has passed.
     */
    boolean done() {
        if (waitUntilNanos == 0) {
            waitUntilNanos = System.nanoTime() + reply.patience().toNanos();
        }
        return ledger.owed() == 0 || System.nanoTime() > waitUntilNanos || thread == null || !thread.isAlive();
    }

    void read(boolean measured, Counts.Sum into) {
        into.add(Replied.COUNTS, counts[measured ? 1 : 0].drain())
                .add(Replied.TIMES, Map.of(ReplyFigures.LATENCY, latency[measured ? 1 : 0].drain()));
    }

    /** Counts a record that was due and never sent, and charges its waiting time. Call after {@link #close}. */
    void unsent(long dueNanos, long nowNanos) {
        counts(dueNanos).add(ReplyFigures.UNSENT, 1);
        latency[clock().measured(dueNanos) ? 1 : 0].recordNanos(nowNanos - dueNanos);
    }

    /** Charges missing replies with their waiting time, and reports the anomalies. */
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
            List<String> some = examples.getOrDefault(kind.getKey(), List.of());
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
        latency[clock().measured(due) ? 1 : 0].recordNanos(nowNanos - due);
        if (clock().measured(due)) {
            long place = ledger.place(number);
            String where = place < 0
                    ? ""
                    : ", " + String.join("|", spec.topics()) + "-" + (place >> OFFSET_BITS) + "@"
                            + (place & (1L << OFFSET_BITS) - 1);
            odd(
                    ReplyFigures.MISSING,
                    String.format(Locale.ROOT, "%d (+%.3f s%s)", number, (due - clock().startNanos()) / 1e9, where));
        }
    }

    /**
     * The records of an entry that wait for a reply. A record's number is {@code n × threads + thread}, where n counts
     * the records of its thread. A sent record that no longer waits was answered or, because too many failed records
     * waited, dropped. Memory is proportional to the waiting records. Thread-safe.
     */
    static final class ReplyLedger {
        /** No record with this number was sent. */
        static final long UNSENT = Long.MIN_VALUE;
        /** The record was already answered. */
        static final long REPEATED = Long.MIN_VALUE + 1;
        /** The record belongs to another worker, or is too old to be known. */
        static final long UNTRACKED = Long.MIN_VALUE + 2;

        static final long UNKNOWN_PLACE = -1;
        private static final long FAILED = -2;
        private static final int BLOCK = 1024;
        private static final int MOST_FAILED = 100_000;

        private final int threads;
        private final Slice here;
        private final long[] sent;
        private final Map<Long, Block> blocks = new HashMap<>();
        private final ArrayDeque<Long> failed = new ArrayDeque<>();
        /** Highest number of a record that was dropped while it waited for a reply. */
        private long forgotten = -1;

        private long owed;

        private static final class Block {
            private final boolean[] waits = new boolean[BLOCK];
            private final long[] dueNanos = new long[BLOCK];
            private final long[] places = new long[BLOCK];
            private int left;
        }

        /**
         * @param threads number of threads of the entry, over all workers
         * @param here threads of this worker
         */
        ReplyLedger(int threads, Slice here) {
            this.threads = threads;
            this.here = here;
            this.sent = new long[threads];
        }

        synchronized long sent(int thread, long dueNanos) {
            long number = sent[thread]++ * threads + thread;
            Block block = blocks.computeIfAbsent(number / BLOCK, b -> new Block());
            int at = (int) (number % BLOCK);
            block.waits[at] = true;
            block.dueNanos[at] = dueNanos;
            block.places[at] = UNKNOWN_PLACE;
            block.left++;
            owed++;
            return number;
        }

        synchronized void written(long number, long place) {
            if (waits(number)) {
                block(number).places[(int) (number % BLOCK)] = place;
            }
        }

        /** Reports that no reply is expected, although one can arrive if the record was written. */
        synchronized void failed(long number) {
            if (waits(number) && place(number) != FAILED) {
                written(number, FAILED);
                owed--;
                failed.add(number);
                if (failed.size() > MOST_FAILED) {
                    forget(failed.remove());
                }
            }
        }

        private void forget(long number) {
            if (waits(number)) {
                waitsNoMore(number);
                forgotten = Math.max(forgotten, number);
            }
        }

        private void waitsNoMore(long number) {
            Block block = block(number);
            block.waits[(int) (number % BLOCK)] = false;
            if (--block.left == 0) {
                blocks.remove(number / BLOCK);
            }
        }

        /** Reports that the last record of a thread failed before it was sent. */
        synchronized void refused(int thread) {
            failed((sent[thread] - 1) * threads + thread);
        }

        /** Returns the due time of the record, or {@link #UNSENT}, {@link #REPEATED} or {@link #UNTRACKED}. */
        synchronized long answered(long number) {
            int thread = (int) (Math.max(0, number) % threads);
            if (number >= 0 && (thread < here.from() || thread >= here.to())) {
                return UNTRACKED;
            }
            if (number < 0 || number / threads >= sent[thread]) {
                return UNSENT;
            }
            if (!waits(number)) {
                // Records that were dropped and records that were answered cannot be distinguished.
                return number <= forgotten ? UNTRACKED : REPEATED;
            }
            owed -= place(number) == FAILED ? 0 : 1;
            long due = dueNanos(number);
            waitsNoMore(number);
            return due;
        }

        /** The block of a record that waits. */
        private Block block(long number) {
            return Objects.requireNonNull(blocks.get(number / BLOCK));
        }

        private boolean waits(long number) {
            Block block = blocks.get(number / BLOCK);
            return block != null && block.waits[(int) (number % BLOCK)];
        }

        synchronized long owed() {
            return owed;
        }

        synchronized void waiting(LongConsumer each) {
            blocks.keySet().stream().sorted().forEach(b -> {
                for (long number = b * BLOCK; number < (b + 1) * BLOCK; number++) {
                    if (waits(number) && place(number) != FAILED) {
                        each.accept(number);
                    }
                }
            });
        }

        synchronized long dueNanos(long number) {
            return block(number).dueNanos[(int) (number % BLOCK)];
        }

        /** The partition and offset of a record, encoded; {@link #UNKNOWN_PLACE} if unknown. */
        synchronized long place(long number) {
            return block(number).places[(int) (number % BLOCK)];
        }
    }

    /** The number that a record and its reply share, in a header, the key or a JSON field. Usable by any thread. */
    static final class ReplyMark {
        /** The reply has no number, or an unknown one. */
        static final long NONE = -1;
        /** The reply belongs to another entry of this trial. */
        static final long OTHERS = -2;

        private static final Pattern SEQUENCE = Pattern.compile("\\$\\{sequence(?::([0-9]{1,18}))?}");
        private static final Pattern LAST_NUMBER = Pattern.compile("([0-9]{1,18})\\D*$");

        private final Match match;
        private final String name;
        private final KeySpec.Type type;
        private final String trial;
        private final String entry;
        /** Number that values give to the first record: N of {@code ${sequence:N}} in their template, or 0. */
        private final long first;

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

        void mark(Headers headers, long number) {
            if (match == Match.HEADER) {
                headers.add(name, (entry + number).getBytes(StandardCharsets.UTF_8));
            }
        }

        /**
         * The number of a reply's record; {@link #NONE} or {@link #OTHERS} if the reply belongs to no record of this
         * entry.
         */
        long numberOf(ConsumerRecord<byte[], byte[]> answer) {
            return switch (match) {
                case HEADER -> ofHeader(answer.headers().lastHeader(name));
                case KEY -> ofKey(answer.key());
                case FIELD -> ofField(answer.value());
            };
        }

        private long ofHeader(@Nullable Header header) {
            String mark =
                    header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
            if (mark.startsWith(entry)) {
                return lastNumber(mark.substring(entry.length()));
            }
            return mark.startsWith(trial) ? OTHERS : NONE;
        }

        private long ofKey(byte @Nullable [] key) {
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

        private long ofField(byte @Nullable [] value) {
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

        private static long lastNumber(String text) {
            Matcher number = LAST_NUMBER.matcher(text);
            return number.find() ? Long.parseLong(number.group(1)) : NONE;
        }
    }
}
