package io.plimsoll.load.client;

import io.plimsoll.audit.PipelineAudit;
import io.plimsoll.audit.PipelineAudit.In;
import io.plimsoll.audit.PipelineAudit.Out;
import io.plimsoll.audit.PipelineAudit.Step;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.ConsumerKind;
import io.plimsoll.load.ConsumerKind.Entry;
import io.plimsoll.load.Consumers;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.RecordIntake;
import io.plimsoll.load.client.Forwarder.Pipe;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ConsumerSpec.Commit;
import io.plimsoll.scenario.Key;
import io.plimsoll.text.Sentence;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** The kind of consumers that also produce: they consume, transform and produce records. */
public final class PipelineKind implements LoadKind, ConsumerKind {
    static final Key<String> OUTPUT = Key.text("output").rule((entry, output) -> {
        boolean known = entry.topics().isEmpty() || entry.topics().containsKey(output);
        if (!output.isEmpty() && !known) {
            entry.problemAt("output", "load.pipelineOutputUnknown", output);
        }
    });

    static final Key<Boolean> TRANSACTIONAL = Key.choice("transactional", true, List.of(true, false), String::valueOf);

    static final Key<Map<String, String>> OUTPUT_CONFIG =
            Key.properties("outputConfig", "{linger.ms: 5}").noneByDefault();

    /** Settings that could bypass the guards and affect other clusters or clients. */
    private static final List<String> OWN = List.of("bootstrap.servers", "transactional.id");

    @Override
    public String name() {
        return "pipeline";
    }

    @Override
    public Set<String> writes(ConsumerSpec spec) {
        return Set.of(spec.get(OUTPUT));
    }

    @Override
    public List<Key<?>> consumerKeys() {
        return List.of(OUTPUT, TRANSACTIONAL, OUTPUT_CONFIG);
    }

    @Override
    public Consumers create(ConsumerKind.Entry entry) {
        return new PipelineConsumers(new ConsumerKind.Entry(
                entry.context(),
                own(entry.spec()),
                entry.slice(),
                entry.part(),
                entry.source(),
                null,
                entry.partitions()));
    }

    /**
     * Adapts the consumer settings: the {@link Forwarder} commits the offsets, and {@code read_committed} is the
     * default.
     */
    private static ConsumerSpec own(ConsumerSpec spec) {
        Map<String, String> config = new java.util.TreeMap<>(spec.config());
        config.putIfAbsent("isolation.level", "read_committed");
        return spec.with(ConsumerSpec.COMMIT, new Commit.None()).with(ConsumerSpec.CONFIG, config);
    }

    @Override
    public boolean readsCommitted(ConsumerSpec spec) {
        return true;
    }

    @Override
    public void check(ConsumerSpec spec, String part) {
        LoadKind.refuse(
                spec.get(OUTPUT).isEmpty() || spec.topics().contains(spec.get(OUTPUT)),
                part + ".output",
                "load.pipelineOutput");
        for (String own : OWN) {
            LoadKind.refuse(
                    spec.get(OUTPUT_CONFIG).containsKey(own), part + ".outputConfig." + own, "load.pipelineOwn");
        }
        ConsumerKind.checkBlocking(spec, part);
    }

    @Override
    public void tryOut(LoadContext context, ConsumerSpec spec, String part) {
        String group = groupId(context, spec, part, 0);
        ClientConsumers.tryOut(context, own(spec), group, part);
        ClientProperties.producer(output(context, spec, group, 0), part + ".outputConfig")
                .close(Duration.ZERO);
    }

    @Override
    public Map<String, String> outputConfig(ConsumerSpec spec) {
        return spec.get(OUTPUT_CONFIG);
    }

    /** The properties of the producer of one member. */
    private static Map<String, Object> output(LoadContext context, ConsumerSpec spec, String group, int member) {
        Map<String, Object> properties = new HashMap<>(context.clientProperties());
        properties.put("client.id", group + "-out-" + member);
        properties.put("enable.metrics.push", "false");
        if (spec.get(TRANSACTIONAL)) {
            properties.put("transactional.id", group + "-" + member);
        }
        properties.putAll(spec.get(OUTPUT_CONFIG));
        return properties;
    }

    @Override
    public boolean feedsAudit(boolean byBatch) {
        return false;
    }

    /** The pipelines of one entry: members that write their records to another topic, and the audit of that topic. */
    static final class PipelineConsumers extends ClientConsumers {
        /** Maximum number of audited records; the audit needs about 200 bytes of memory per record. */
        private static final long MOST_RECORDS = 1_000_000;

        private static final Duration READ_LIMIT = Duration.ofSeconds(60);

        private final Pipe pipe;
        private @Nullable ReceiveMeter meter;
        /** End offsets of the output topic before the first member reads; records below them belong to earlier runs. */
        private @Nullable Map<TopicPartition, Long> outputStarts;

        PipelineConsumers(Entry entry) {
            super(entry);
            Map<TopicPartition, Integer> inputs = new HashMap<>();
            int[] counts = entry.partitions().apply(spec.topics());
            for (int t = 0; t < counts.length; t++) {
                for (int p = 0; p < counts[t]; p++) {
                    inputs.put(new TopicPartition(spec.topics().get(t), p), inputs.size());
                }
            }
            this.pipe = new Pipe(
                    hash(ByteBuffer.wrap((context.runTag() + "-" + part).getBytes(StandardCharsets.UTF_8))),
                    spec.get(PipelineKind.OUTPUT),
                    spec.get(PipelineKind.TRANSACTIONAL),
                    inputs,
                    ConcurrentHashMap.newKeySet());
        }

        @Override
        Forwarder forwarder(KafkaConsumer<ByteBuffer, ByteBuffer> consumer, RecordIntake intake, int member) {
            meter = intake.meter();
            if (outputStarts == null) {
                try (KafkaConsumer<ByteBuffer, ByteBuffer> reader = reader("read_uncommitted")) {
                    outputStarts = outputEnds(reader);
                } catch (KafkaException e) {
                    consumer.close();
                    throw KafkaErrors.explain(e, "read", KafkaErrors.topics(List.of(pipe.output())));
                }
            }
            Map<String, Object> properties =
                    output(context, spec, intake.group().id(), member);
            return new Forwarder(
                    consumer, () -> ClientProperties.producer(properties, part), pipe, member, intake, waiter);
        }

        @Override
        protected void end() {
            super.end();
            ReceiveMeter counts = meter;
            if (counts == null) {
                return;
            }
            if (groups.size() != 1 || groups.get(0).spread()) {
                unaudited(counts, Sentence.of("load.pipelineOfSeveral"));
                return;
            }
            try {
                PipelineAudit audit = readBack();
                if (audit == null) {
                    unaudited(counts, Sentence.of("load.pipelineTooLong", MOST_RECORDS));
                    return;
                }
                counts.count("pipeline.inputs", audit.inputs());
                counts.count("pipeline.left", audit.left());
                audit.findings().forEach(finding -> {
                    String name = finding.anomaly().word();
                    counts.count("pipeline." + name, finding.records());
                    note(Sentence.of(
                            "load.pipelineFinding", name, finding.records(), String.join(" | ", finding.example())));
                });
            } catch (KafkaException e) {
                unaudited(
                        counts,
                        KafkaErrors.explain(e, "read", KafkaErrors.topics(List.of(pipe.output())))
                                .sentence());
            }
        }

        /** Disables the audit for all pipelines of the run: it covers all of them or none. */
        private void unaudited(ReceiveMeter counts, Sentence why) {
            counts.count("pipeline.unaudited", 1);
            note(why);
        }

        private @Nullable PipelineAudit readBack() {
            PipelineAudit audit = new PipelineAudit();
            pipe.aborted().forEach(audit::aborted);
            try (KafkaConsumer<ByteBuffer, ByteBuffer> committed = reader("read_committed");
                    KafkaConsumer<ByteBuffer, ByteBuffer> all = reader("read_uncommitted")) {
                Map<TopicPartition, Long> starts = Objects.requireNonNullElse(outputStarts, Map.of());
                Map<TopicPartition, Long> ends = all.endOffsets(pipe.inputs().keySet());
                if (sum(ends, this::firstInput) + sum(outputEnds(all), p -> starts.getOrDefault(p, 0L))
                        > MOST_RECORDS) {
                    return null;
                }
                for (Map.Entry<TopicPartition, OffsetAndMetadata> each :
                        all.committed(pipe.inputs().keySet()).entrySet()) {
                    if (each.getValue() != null) {
                        audit.passed(pipe.number(each.getKey()), each.getValue().offset());
                    }
                }
                // Read after the committed offsets, because a slow member can still write.
                Map<TopicPartition, Long> outputEnds = outputEnds(all);
                for (Map.Entry<TopicPartition, Long> input : ends.entrySet()) {
                    int number = pipe.number(input.getKey());
                    audit.open(input.getKey().toString(), end(committed, input.getKey()), input.getValue());
                    long first = firstInput(input.getKey());
                    Set<Long> shown = offsets(committed, input.getKey(), first);
                    for (ConsumerRecord<ByteBuffer, ByteBuffer> record :
                            read(all, input.getKey(), first, input.getValue())) {
                        audit.input(new In(
                                number,
                                record.offset(),
                                hash(record.key()),
                                id(number, record.offset()),
                                hash(record.value()),
                                shown.contains(record.offset())));
                    }
                }
                List<TopicPartition> outputs = new ArrayList<>(outputEnds.keySet());
                outputs.sort(Comparator.comparingInt(TopicPartition::partition));
                for (TopicPartition partition : outputs) {
                    long end = outputEnds.getOrDefault(partition, 0L);
                    long start = starts.getOrDefault(partition, 0L);
                    long stable = end(committed, partition);
                    audit.open(partition.toString(), stable, end);
                    Set<Long> shown = offsets(committed, partition, start);
                    for (ConsumerRecord<ByteBuffer, ByteBuffer> record : read(all, partition, start, end)) {
                        ByteBuffer header = header(record);
                        if (header != null && header.getLong(Forwarder.MARK_AT) != pipe.mark()) {
                            // A pipeline of another entry wrote it.
                            continue;
                        }
                        Out out = out(record, header, shown.contains(record.offset()));
                        if (record.offset() < stable) {
                            audit.output(out);
                        } else {
                            audit.held(out);
                        }
                    }
                }
            }
            return audit;
        }

        private Map<TopicPartition, Long> outputEnds(Consumer<?, ?> asked) {
            return asked.endOffsets(asked.partitionsFor(pipe.output()).stream()
                    .map(info -> new TopicPartition(pipe.output(), info.partition()))
                    .toList());
        }

        /** Offset of the first input record that the group reads; earlier records belong to earlier runs. */
        private long firstInput(TopicPartition input) {
            return groups.get(0).firstPosition(input);
        }

        private static long sum(Map<TopicPartition, Long> ends, ToLongFunction<TopicPartition> start) {
            return ends.entrySet().stream()
                    .mapToLong(end -> end.getValue() - start.applyAsLong(end.getKey()))
                    .sum();
        }

        private KafkaConsumer<ByteBuffer, ByteBuffer> reader(String isolation) {
            Map<String, Object> properties =
                    ClientProperties.of(context, spec, groups.get(0).id(), spec.members());
            properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
            properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
            properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "10000");
            return create(properties, part);
        }

        private static long end(KafkaConsumer<?, ?> reader, TopicPartition partition) {
            return Objects.requireNonNull(reader.endOffsets(List.of(partition)).get(partition));
        }

        private static long beginning(KafkaConsumer<?, ?> reader, TopicPartition partition) {
            return Objects.requireNonNull(
                    reader.beginningOffsets(List.of(partition)).get(partition));
        }

        private static Set<Long> offsets(
                KafkaConsumer<ByteBuffer, ByteBuffer> reader, TopicPartition partition, long start) {
            Set<Long> offsets = new HashSet<>();
            read(reader, partition, start, end(reader, partition)).forEach(record -> offsets.add(record.offset()));
            return offsets;
        }

        private static List<ConsumerRecord<ByteBuffer, ByteBuffer>> read(
                KafkaConsumer<ByteBuffer, ByteBuffer> reader, TopicPartition partition, long start, long end) {
            List<ConsumerRecord<ByteBuffer, ByteBuffer>> records = new ArrayList<>();
            reader.assign(List.of(partition));
            // Deleted records cannot be read.
            reader.seek(partition, Math.max(start, beginning(reader, partition)));
            long deadline = System.nanoTime() + READ_LIMIT.toNanos();
            while (reader.position(partition) < end && System.nanoTime() < deadline) {
                reader.poll(Duration.ofMillis(100)).forEach(records::add);
            }
            if (reader.position(partition) < end) {
                throw new TimeoutException(
                        partition + " could not be read to its end within " + READ_LIMIT.toSeconds() + " s");
            }
            return records;
        }

        /** The header of a record that a pipeline wrote; null for other records. */
        private static @Nullable ByteBuffer header(ConsumerRecord<ByteBuffer, ByteBuffer> record) {
            Header header = record.headers().lastHeader(Forwarder.HEADER);
            return header == null || header.value().length != Forwarder.HEADER_BYTES
                    ? null
                    : ByteBuffer.wrap(header.value());
        }

        private static Out out(
                ConsumerRecord<ByteBuffer, ByteBuffer> record, @Nullable ByteBuffer header, boolean shown) {
            Step step = null;
            long id = -1;
            if (header != null) {
                id = id(header.getInt(), header.getLong());
                step = new Step(header.getInt(), header.getLong(), header.getLong(), header.getInt());
            }
            return new Out(
                    record.partition(), record.offset(), hash(record.key()), id, hash(record.value()), step, shown);
        }

        private static long id(int partition, long offset) {
            return (long) partition << 44 | offset;
        }

        private static long hash(@Nullable ByteBuffer bytes) {
            if (bytes == null) {
                return 0;
            }
            CRC32C crc = new CRC32C();
            crc.update(bytes.duplicate());
            return crc.getValue() | 1L << 40;
        }
    }
}
