package io.plimsoll.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.audit.Journal;
import io.plimsoll.audit.JournalWriter;
import io.plimsoll.audit.LogPartition;
import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.audit.SequenceSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The journals of several workers are merged into one. */
class RemoteTrailsTest {
    private static final List<String> TOPICS = List.of("a", "b");
    private static final ProducerProfile PROFILE = new ProducerProfile(0, "producers[0]", true, true, false, true);

    private final AuditTrail first = AuditTrail.ofWorker(7, 0);
    private final AuditTrail second = AuditTrail.ofWorker(7, 2);
    private final AuditTrail all = new AuditTrail(7);

    /** Entries as text. */
    private static final class Written implements Journal {
        private final List<String> entries = new ArrayList<>();

        @Override
        public void acknowledged(int producer, long sequence, long count, LogPartition partition, long offset) {
            entries.add(producer + " acknowledged " + sequence + "+" + count + " in " + partition + " at " + offset);
        }

        @Override
        public void ended(Ending ending, int producer, long sequence, long count) {
            entries.add(producer + " " + ending + " " + sequence + "+" + count);
        }

        @Override
        public void sent(int producer, long sequences) {
            entries.add(producer + " sent " + sequences);
        }

        @Override
        public void batches(int producer, long kafkaId, short epoch, LogPartition partition, long sequence) {
            entries.add(producer + " batches " + kafkaId + "/" + epoch + " in " + partition + " from " + sequence);
        }

        @Override
        public void ended() {
            entries.add("ended");
        }
    }

    private static byte[] block(AuditTrail trail) {
        JournalWriter writer = new JournalWriter(TOPICS);
        writer.begin(1);
        trail.drain(writer);
        ByteBuffer block = writer.end();
        return Arrays.copyOfRange(block.array(), block.arrayOffset(), block.arrayOffset() + block.limit());
    }

    private List<String> written() {
        Written written = new Written();
        all.drain(written);
        return written.entries;
    }

    private void work() {
        ProducerTrail zero = first.producer(PROFILE, TOPICS);
        ProducerTrail one = first.producer(PROFILE, TOPICS);
        ProducerTrail two = second.producer(PROFILE, TOPICS);
        zero.sent(20);
        zero.acknowledged(0, 1, 100, 0, 10);
        one.sent(5);
        one.ended(Journal.Ending.FAILED, 2, 3);
        two.sent(9);
        two.acknowledged(1, 0, 40, 3, 6);
    }

    @Test
    void mergesJournalsOfWorkers() {
        work();
        all.adopted().producers(first.profiles(), TOPICS);
        all.adopted().producers(second.profiles(), TOPICS);
        assertThat(all.profiles()).hasSize(3);
        all.adopted().journal(block(second));
        all.adopted().journal(block(first));
        assertThat(written())
                .containsExactlyInAnyOrder(
                        "0 sent 20",
                        "0 acknowledged 0+10 in a-1 at 100",
                        "1 sent 5",
                        "1 FAILED 2+3",
                        "2 sent 9",
                        "2 acknowledged 3+6 in b-0 at 40");
        assertThat(all.sent(0)).isEqualTo(20);
        assertThat(all.sent(2)).isEqualTo(9);
        assertThat(all.adopted().complete()).isTrue();
        assertThat(written()).isEmpty();
    }

    @Test
    void lastRecordsOfLostWorkerAreUnknown() {
        work();
        all.adopted().producers(first.profiles(), TOPICS);
        all.adopted().producers(second.profiles(), TOPICS);
        all.adopted().journal(block(first));
        all.adopted().lost(first.profiles());
        assertThat(written()).contains("0 sent 20");
        assertThat(all.sent(0)).isEqualTo(SequenceSet.LIMIT);
        assertThat(all.sent(2)).isZero();
        assertThat(all.adopted().complete()).isFalse();
    }

    @Test
    void rejectsDamagedJournal() {
        work();
        all.adopted().producers(first.profiles(), TOPICS);
        byte[] damaged = block(first);
        damaged[damaged.length - 1] ^= 1;
        all.adopted().journal(damaged);
        assertThat(written()).isEmpty();
        assertThat(all.adopted().complete()).isFalse();
    }

    @Test
    void rejectsJournalOfUnknownProducer() {
        work();
        all.adopted().producers(first.profiles(), TOPICS);
        all.adopted().journal(block(second));
        assertThat(written()).isEmpty();
        assertThat(all.adopted().complete()).isFalse();
    }

    @Test
    void refusesGapInProducerNumbers() {
        work();
        assertThatThrownBy(() -> all.adopted().producers(second.profiles(), TOPICS))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
