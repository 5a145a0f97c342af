package io.plimsoll.load.client;

import io.plimsoll.audit.PipelineAudit.Step;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.BoundedClose;
import io.plimsoll.load.RecordIntake;
import io.plimsoll.load.Waiter;
import io.plimsoll.load.Work;
import io.plimsoll.measure.ReceiveMeter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records that a member of a pipeline has read. With transactions, each poll is one transaction that
 * includes the group's offsets. Otherwise the records are sent before their offsets are committed. Used by the member's
 * thread.
 */
final class Forwarder {
    /** Name of the header that identifies the input record, the writer and the transaction of an output record. */
    static final String HEADER = "plimsoll-step";

    /** Offset of the entry's mark in the header. */
    static final int MARK_AT = 4 + 8 + 4 + 8 + 8 + 4;

    static final int HEADER_BYTES = MARK_AT + 8;

    /**
     * State shared by all members of an entry.
     * @param mark of this entry in its output, because several entries can have the same output
     * @param inputs number of each input partition within the entry
     * @param aborted receives the transactions that members know to be aborted; thread-safe
     */
    record Pipe(
            long mark, String output, boolean transactional, Map<TopicPartition, Integer> inputs, Set<Step> aborted) {
        Pipe {
            inputs = new HashMap<>(inputs);
        }

        /** The number of an input partition; the next free number for a partition that was added during the run. */
        int number(TopicPartition input) {
            synchronized (inputs) {
                return inputs.computeIfAbsent(input, p -> inputs.size());
            }
        }
    }

    /** Pause in ns after a failure; otherwise the records would be read again immediately. */
    private static final long BACK_OFF_NANOS = 100_000_000;

    private final Consumer<ByteBuffer, ByteBuffer> consumer;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Pipe pipe;
    private final int member;
    private final ReceiveMeter meter;
    private final @Nullable Work work;
    private final Waiter waiter;
    private @Nullable Producer<byte[], byte[]> producer;
    private long incarnation;
    private long transactions;

    Forwarder(
            Consumer<ByteBuffer, ByteBuffer> consumer,
            Supplier<Producer<byte[], byte[]>> producers,
            Pipe pipe,
            int member,
            RecordIntake intake,
            Waiter waiter) {
        this.consumer = consumer;
        this.producers = producers;
        this.pipe = pipe;
        this.member = member;
        this.meter = intake.meter();
        this.work = intake.work();
        this.waiter = waiter;
    }

    /**
     * @param hanging returns whether the member must hang in the middle of its work
     * @param over returns whether the member must end
     * @return false if the records must be read again
     */
    boolean forward(ConsumerRecords<ByteBuffer, ByteBuffer> records, BooleanSupplier hanging, BooleanSupplier over) {
        Step step = null;
        try {
            Producer<byte[], byte[]> writer = producer;
            if (writer == null) {
                writer = producers.get();
                producer = writer;
                incarnation = waiter.nanoTime();
                if (pipe.transactional) {
                    writer.initTransactions();
                }
            }
            step = new Step(member, incarnation, transactions++, records.count());
            return write(writer, records, step, hanging, over);
        } catch (WakeupException | InterruptException e) {
            throw e;
        } catch (ProducerFencedException | InvalidProducerEpochException e) {
            meter.count("fenced", 1);
            drop();
        } catch (KafkaException e) {
            meter.failed("pipeline." + KafkaErrors.kind(e));
            if (step == null) {
                // After this error, the producer accepts only a repetition of the failed call, so it is replaced.
                drop();
            } else {
                abort(step);
            }
        }
        waiter.park(BACK_OFF_NANOS);
        return false;
    }

    private boolean write(
            Producer<byte[], byte[]> to,
            ConsumerRecords<ByteBuffer, ByteBuffer> records,
            Step step,
            BooleanSupplier hanging,
            BooleanSupplier over) {
        if (pipe.transactional) {
            to.beginTransaction();
        }
        List<Future<RecordMetadata>> sent = new ArrayList<>(records.count());
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        boolean failed = false;
        if (work != null) {
            work.begin(records.count());
        }
        for (TopicPartition partition : records.partitions()) {
            for (ConsumerRecord<ByteBuffer, ByteBuffer> record : records.records(partition)) {
                if (work != null && !work.next()) {
                    return abort(step);
                }
                failed |= work != null && work.failed();
                sent.add(to.send(output(record, partition, step)));
                next.put(partition, new OffsetAndMetadata(record.offset() + 1));
            }
        }
        while (hanging.getAsBoolean()) {
            waiter.park(10_000_000);
        }
        if (failed) {
            meter.count("workFailures", 1);
            return abort(step);
        }
        if (pipe.transactional) {
            to.sendOffsetsToTransaction(next, consumer.groupMetadata());
            commit(to, over);
        } else {
            to.flush();
            sent.forEach(Forwarder::check);
            consumer.commitSync(next);
        }
        meter.committed(1);
        return true;
    }

    /**
     * Repeats a commit that timed out, because it may have succeeded. If the records were read again instead, they
     * would be written twice.
     */
    private void commit(Producer<byte[], byte[]> to, BooleanSupplier over) {
        while (true) {
            try {
                to.commitTransaction();
                return;
            } catch (TimeoutException e) {
                if (over.getAsBoolean()) {
                    throw e;
                }
                meter.failed("pipeline." + KafkaErrors.kind(e));
            }
        }
    }

    private static void check(Future<RecordMetadata> sent) {
        try {
            sent.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private ProducerRecord<byte[], byte[]> output(
            ConsumerRecord<ByteBuffer, ByteBuffer> record, TopicPartition partition, Step step) {
        // The producer rejects negative timestamps.
        Long time = record.timestamp() < 0 ? null : Long.valueOf(record.timestamp());
        ProducerRecord<byte[], byte[]> output = new ProducerRecord<>(
                pipe.output, null, time, bytes(record.key()), bytes(record.value()), record.headers());
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        header.putInt(pipe.number(partition)).putLong(record.offset());
        header.putInt(step.member())
                .putLong(step.incarnation())
                .putLong(step.transaction())
                .putInt(step.size())
                .putLong(pipe.mark);
        output.headers().remove(HEADER).add(HEADER, header.array());
        return output;
    }

    private static byte @Nullable [] bytes(@Nullable ByteBuffer from) {
        if (from == null) {
            return null;
        }
        byte[] bytes = new byte[from.remaining()];
        from.duplicate().get(bytes);
        return bytes;
    }

    private boolean abort(Step step) {
        try {
            if (pipe.transactional && producer != null) {
                producer.abortTransaction();
                meter.count("aborted", 1);
                pipe.aborted.add(step);
            }
        } catch (KafkaException | IllegalStateException e) {
            drop();
        }
        return false;
    }

    private void drop() {
        if (producer != null) {
            BoundedClose.closeAtOnce(producer);
            producer = null;
        }
    }

    /** Ends the writer without ending its transaction, like a killed process. */
    void end() {
        drop();
    }
}
