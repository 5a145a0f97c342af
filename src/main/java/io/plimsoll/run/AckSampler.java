package io.plimsoll.run;

import io.plimsoll.Daemon;
import io.plimsoll.load.Producers;
import io.plimsoll.measure.AckLooks;
import io.plimsoll.measure.Quiet;
import io.plimsoll.measure.Quiet.Span;
import io.plimsoll.measure.TrialClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Polls acknowledgement progress every 10 ms and reports it once a second, in its own thread. */
final class AckSampler {
    private static final int FEW_PARTITIONS = 50;
    private static final int MANY_PARTITIONS = 1000;

    private final List<Producers> producers;
    private final Consumer<AckLooks> looks;
    private final TrialClock clock;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread = Daemon.thread("plimsoll-acks", this::sample);

    private long countBefore;
    private final Map<String, Long> lastAcks = new HashMap<>();
    private final List<Long> lastAckNanos = new ArrayList<>();
    private final List<Long> acknowledged = new ArrayList<>();
    private long first = 1;
    private final Quiet.Looking quiet = new Quiet.Looking();

    AckSampler(List<Producers> producers, TrialClock clock, Consumer<AckLooks> looks) {
        this.producers = producers;
        this.clock = clock;
        this.looks = looks;
    }

    void start() {
        thread.start();
    }

    private void sample() {
        try {
            for (long k = 1; !ended.await(untilLook(k), TimeUnit.NANOSECONDS); k++) {
                look();
                if (k % everyLooks() == 0) {
                    lookAtPartitions();
                }
                if (k % AckLooks.LOOKS_PER_BUCKET == 0) {
                    count();
                }
                if (k % AckLooks.LOOKS == 0) {
                    tell(false);
                }
            }
            look();
            lookAtPartitions();
            count();
            tell(true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (io.plimsoll.PlimsollException e) {
            // The timeline cannot be written; the next snapshot reports the error.
        }
    }

    private long untilLook(long k) {
        return Math.max(0, clock.startNanos() + k * AckLooks.LOOK_NANOS - System.nanoTime());
    }

    private void look() {
        long last = producers.stream().mapToLong(Producers::lastAckNanos).max().orElse(0);
        lastAckNanos.add(sinceStart(last));
    }

    /** With thousands of partitions, polling every 10 ms would take CPU from the load. */
    private int everyLooks() {
        return lastAcks.size() <= FEW_PARTITIONS
                ? 1
                : lastAcks.size() <= MANY_PARTITIONS ? AckLooks.LOOKS_PER_BUCKET : AckLooks.LOOKS;
    }

    private void lookAtPartitions() {
        for (Producers entry : producers) {
            entry.lastAckByPartition()
                    .forEach((partition, nanos) -> lastAcks.merge(partition, sinceStart(nanos), Math::max));
        }
        quiet.look(lastAcks);
    }

    private long sinceStart(long nanoTime) {
        return nanoTime == 0 ? 0 : Math.max(0, nanoTime - clock.startNanos());
    }

    private void count() {
        long count = producers.stream().mapToLong(Producers::acknowledgedTotal).sum();
        acknowledged.add(count - countBefore);
        countBefore = count;
    }

    private void tell(boolean end) {
        long to = (first - 1 + lastAckNanos.size()) * AckLooks.LOOK_NANOS;
        AckLooks told = new AckLooks(first, lastAckNanos, acknowledged, quiet.until(to), appended(), end);
        first += lastAckNanos.size();
        lastAckNanos.clear();
        acknowledged.clear();
        looks.accept(told);
    }

    private Map<String, List<Span>> appended() {
        Map<String, List<Span>> appended = new TreeMap<>();
        producers.forEach(entry -> entry.takeAppended()
                .forEach((partition, spans) -> appended.computeIfAbsent(partition, p -> new ArrayList<>())
                        .addAll(spans)));
        return appended;
    }

    /** Reports the remaining polls and returns. */
    void end() {
        ended.countDown();
        Daemon.join(thread, 0);
    }
}
