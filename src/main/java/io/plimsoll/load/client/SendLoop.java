package io.plimsoll.load.client;

import io.plimsoll.load.DueTimes;
import io.plimsoll.load.ProducerTrail;
import io.plimsoll.measure.SendMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.SendMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Header;

/**
 * One sending thread: takes the next intended time, waits for it, hands the record over. It never skips a record
 * because it is late, and never moves an intended time.
 */
final class SendLoop implements Runnable {
    /** Longest sleep in one piece, so that a request to stop is seen. */
    private static final long MAX_PARK_NANOS = Duration.ofMillis(100).toNanos();

    private static final long SHORT_WAIT_NANOS = Duration.ofMillis(50).toNanos();
    private static final long LONG_WAIT_NANOS = Duration.ofMillis(100).toNanos();

    /**
     * What the thread is to do.
     *
     * @param onlyTopic index of the one topic that all records go to; -1: they go to all topics in turn
     * @param timestamps set each record's timestamp to its intended time (for records too small for a stamp)
     * @param intercepted the client's configuration names code that may change records on their way
     * @param partitions to which the records go in turn; empty: key or partitioner decide
     * @param trail takes the outcome of each record; null without an audit by identities
     */
    record Task(
            List<String> topics,
            int onlyTopic,
            DueTimes times,
            SendMode mode,
            boolean timestamps,
            boolean intercepted,
            RecordGenerator generator,
            List<Header> headers,
            List<Integer> partitions,
            ProducerTrail trail) {}

    private final ProducerClient client;
    private final SendMeter sends;
    private final Task task;
    private final TransactionPacer transactions;
    private final CountDownLatch started;
    private final Consumer<String> notes;
    private volatile TrialClock clock;
    private volatile boolean stop;
    private volatile Thread thread;
    private volatile boolean done;

    private final Records records;
    private long sequence;
    private int topicIndex;

    SendLoop(
            ProducerClient client,
            SendMeter sends,
            Task task,
            TransactionPacer transactions,
            CountDownLatch started,
            Consumer<String> notes) {
        this.client = client;
        this.sends = sends;
        this.task = task;
        this.transactions = transactions;
        this.started = started;
        this.notes = notes;
        this.records = new Records(
                task.topics(),
                task.onlyTopic() >= 0,
                task.partitions(),
                task.headers(),
                !task.intercepted() && !task.timestamps());
        this.topicIndex = Math.max(0, task.onlyTopic());
    }

    void start(TrialClock trialClock) {
        clock = trialClock;
    }

    /** Ends as soon as possible; a blocked send is interrupted. */
    void stop() {
        stop = true;
        Thread running = thread;
        if (running != null && !done) {
            running.interrupt();
        }
    }

    boolean done() {
        return done;
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        long[] due = {Long.MAX_VALUE};
        try {
            started.await();
            if (clock != null) {
                task.times().start(clock);
                if (task.times().closedLoop()) {
                    closedLoop();
                } else {
                    openLoop(due);
                }
                transactions.end();
            }
        } catch (InterruptedException | InterruptException e) {
            // asked to stop
        } catch (KafkaException | IllegalStateException e) {
            notes.accept("a producer ended early: " + e.getMessage());
        } finally {
            Thread.interrupted();
            chargeBacklog(due[0]);
            done = true;
        }
    }

    private void closedLoop() throws InterruptedException {
        waitUntil(clock.startNanos());
        // One look at the clock a record: on a virtual machine each takes 50 ns, a twentieth of what a record costs.
        long now = System.nanoTime();
        while (!stop && task.times().claim(1, now) > 0) {
            now = afterTransaction(now);
            send(now, now);
            transactions.afterRecord();
            now = System.nanoTime();
        }
    }

    private void openLoop(long[] due) throws InterruptedException {
        while (!stop) {
            due[0] = task.times().next();
            long intended = due[0];
            long now = System.nanoTime();
            if (intended == Long.MAX_VALUE) {
                return;
            }
            if (now < intended) {
                waitUntil(intended);
                if (stop) {
                    return;
                }
                now = System.nanoTime();
                sends.tick(now - intended);
            } else if (task.times().tooLate(now)) {
                return;
            }
            now = afterTransaction(now);
            // Whatever happens from here on, the record counts as handed over.
            due[0] = Long.MAX_VALUE;
            send(intended, now);
            transactions.afterRecord();
        }
    }

    /** Ends and begins transactions as their time comes; a commit may take a while, so the time is taken anew. */
    private long afterTransaction(long now) {
        return transactions.before(now) ? System.nanoTime() : now;
    }

    private void waitUntil(long nanoTime) {
        long wait;
        while ((wait = nanoTime - System.nanoTime()) > 0 && !stop) {
            long commitIn = transactions.nanosUntilCommit(System.nanoTime());
            if (commitIn <= 0) {
                transactions.before(System.nanoTime());
                continue;
            }
            LockSupport.parkNanos(this, Math.min(Math.min(wait, commitIn), MAX_PARK_NANOS));
        }
    }

    private void send(long intended, long now) throws InterruptedException {
        int topic = topicIndex;
        if (task.onlyTopic() < 0) {
            topicIndex = topic + 1 == records.topics() ? 0 : topic + 1;
        }
        sends.sent(intended, now);
        RecordGenerator generator = task.generator();
        long intendedEpochNanos = clock.toEpochNanos(intended);
        byte[] key = generator.nextKey();
        long number = sequence++;
        byte[] value = generator.nextValue(number, intendedEpochNanos);
        Ack ack = ack(topic, intended, now, (key == null ? 0 : key.length) + value.length);
        Long timestamp = task.timestamps() ? Long.valueOf(intendedEpochNanos / 1_000_000) : null;
        Future<RecordMetadata> future;
        try {
            future = client.producer().send(records.of(topic, number, timestamp, key, value), ack);
        } catch (InterruptException e) {
            client.acks().abandoned(intended, System.nanoTime());
            throw e;
        } catch (RuntimeException e) {
            client.failed(intended, e);
            if (task.trail() != null) {
                task.trail().failed(sequence - 1, 1);
            }
            if (ProducerClient.fatal(e)) {
                throw e;
            }
            return;
        }
        afterSend(future);
    }

    private Ack ack(int topic, long intended, long now, int bytes) {
        ProducerTrail trail = task.trail();
        if (trail == null) {
            return new Ack(client, topic, intended, now, bytes);
        }
        trail.sent(sequence);
        return new AuditedAck(client, topic, intended, now, bytes, trail, sequence - 1);
    }

    private void afterSend(Future<RecordMetadata> future) throws InterruptedException {
        if (task.mode() instanceof SendMode.Async) {
            return;
        }
        if (task.mode() instanceof SendMode.FlushEvery flush) {
            if (sequence % flush.records() == 0) {
                client.producer().flush();
            }
        } else if (task.mode() instanceof SendMode.Sync sync) {
            long from = System.nanoTime();
            try {
                if (sync.timeout().isPresent()) {
                    future.get(sync.timeout().get().toNanos(), TimeUnit.NANOSECONDS);
                } else {
                    future.get();
                }
            } catch (TimeoutException e) {
                // The wait is over, the record is not: it may still succeed, and its callback counts it then.
                client.acks().event(System.nanoTime(), "waitTimedOut");
            } catch (ExecutionException e) {
                // Counted by the callback.
            }
            countWait(System.nanoTime() - from);
        }
    }

    /** A wait of more than 100 ms counts as one of more than 50 ms, too. */
    private void countWait(long nanos) {
        if (nanos > SHORT_WAIT_NANOS) {
            client.acks().event(System.nanoTime(), "waitedOver50ms");
            if (nanos > LONG_WAIT_NANOS) {
                client.acks().event(System.nanoTime(), "waitedOver100ms");
            }
        }
    }

    /** What was due and never handed over counts with the time that it has waited. */
    private void chargeBacklog(long firstDue) {
        if (clock == null || task.times().closedLoop()) {
            return;
        }
        long until = Math.min(System.nanoTime(), task.times().endNanos());
        for (long due = firstDue; due < until; due = task.times().next()) {
            client.acks().unsent(due, until);
        }
    }
}
