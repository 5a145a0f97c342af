package io.plimsoll.load.client;

import static io.plimsoll.load.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.load.VirtualTime;
import io.plimsoll.load.client.MemberLoop.CommitPacer;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.scenario.ConsumerSpec.Commit;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Test;

/** Commit frequency of a member, its count, and the final commit. */
class CommitPacerTest {
    private final ReceiveMeter meter = ReceiveMeter.of("g", false);
    private final Committing consumer = new Committing();
    private RuntimeException refusal;
    private double byItself;
    private int asked;

    /** Counts commits, and rejects them on demand. */
    private final class Committing extends MockConsumer<ByteBuffer, ByteBuffer> {
        Committing() {
            super("earliest");
        }

        @Override
        public synchronized void commitSync() {
            asked++;
            if (refusal != null) {
                RuntimeException thrown = refusal;
                refusal = thrown instanceof WakeupException ? null : thrown;
                throw thrown;
            }
        }

        @Override
        public synchronized void commitSync(Duration timeout) {
            commitSync();
        }

        @Override
        public synchronized void commitAsync(OffsetCommitCallback callback) {
            asked++;
            callback.onComplete(Map.of(), refusal);
        }

        @Override
        public synchronized Map<MetricName, ? extends Metric> metrics() {
            MetricName name = new MetricName("commit-total", "consumer-coordinator-metrics", "", Map.of());
            return Map.of(name, new Metric() {
                @Override
                public MetricName metricName() {
                    return name;
                }

                @Override
                public Object metricValue() {
                    return byItself;
                }
            });
        }
    }

    private long commits;

    private CommitPacer pacer(Commit mode) {
        return new CommitPacer(consumer, mode, meter);
    }

    private Counts counts() {
        return MeterCounts.of(meter).measured();
    }

    private long commits() {
        commits += counts().get(Consumed.GROUP_COMMITS).get("g");
        return commits;
    }

    private static void polled(CommitPacer pacer, int times) {
        for (int i = 0; i < times; i++) {
            pacer.polled();
        }
    }

    @Test
    void commitsEveryNthPollAndRestAtEnd() {
        CommitPacer pacer = pacer(new Commit.Sync(3));
        polled(pacer, 7);
        assertThat(commits()).isEqualTo(2);
        pacer.end();
        assertThat(commits()).isEqualTo(3);
        pacer.end();
        assertThat(asked).isEqualTo(3);
    }

    @Test
    void doesNotRepeatCommitAtEnd() {
        CommitPacer pacer = pacer(new Commit.Async(2));
        polled(pacer, 4);
        pacer.end();
        assertThat(asked).isEqualTo(2);
        assertThat(commits()).isEqualTo(2);
    }

    @Test
    void retriesFailedCommitAtEnd() {
        CommitPacer pacer = pacer(new Commit.Sync(1));
        refusal = new RebalanceInProgressException("moving");
        polled(pacer, 1);
        assertThat(commits()).isZero();
        assertThat(counts().get(Consumed.ERRORS).keySet()).allMatch(kind -> kind.startsWith("commit."));
        refusal = null;
        pacer.end();
        assertThat(commits()).isEqualTo(1);
    }

    @Test
    void wakeupDuringCommitPropagates() {
        CommitPacer pacer = pacer(new Commit.Sync(1));
        refusal = new WakeupException();
        assertThatThrownBy(pacer::polled).isInstanceOf(WakeupException.class);
    }

    @Test
    void repeatsLastCommitAfterLateWakeup() {
        CommitPacer pacer = pacer(new Commit.Sync(3));
        polled(pacer, 2);
        refusal = new WakeupException();
        pacer.end();
        assertThat(commits()).isEqualTo(1);
    }

    @Test
    void readsAutoCommitCountOncePerSecond() {
        VirtualTime time = new VirtualTime();
        CommitPacer pacer = pacer(new Commit.Auto());
        byItself = 2;
        pacer.tick(time.nanoTime());
        byItself = 3;
        time.park(SECOND / 2);
        pacer.tick(time.nanoTime());
        assertThat(commits()).isEqualTo(2);
        time.park(2 * SECOND);
        pacer.tick(time.nanoTime());
        assertThat(commits()).isEqualTo(3);
        byItself = 4;
        pacer.end();
        assertThat(commits()).isEqualTo(4);
        assertThat(asked).isZero();
    }

    /** A member that leaves in the middle of a poll commits the processed records. */
    @Test
    void commitsPartOfAPollAtTheEnd() {
        CommitPacer pacer = pacer(new Commit.Sync(1));
        polled(pacer, 1);
        assertThat(asked).isEqualTo(1);
        pacer.partlyPolled();
        pacer.end();
        assertThat(asked).isEqualTo(2);
    }
}
