package io.plimsoll.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.audit.Journal;
import io.plimsoll.audit.Journal.Ending;
import io.plimsoll.audit.LogPartition;
import io.plimsoll.audit.ProducerProfile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each acknowledgment is journaled once, in ranges, while another thread reports further ones. */
class ProducerTrailTest {
    private static final LogPartition PARTITION = new LogPartition("t", 3);

    private final ProducerTrail trail =
            new ProducerTrail(new ProducerProfile(7, "producers[0]", true, true, false, true), List.of("t"));
    private final Written written = new Written();

    /** Keeps journal entries as text. */
    private static final class Written implements Journal {
        final List<String> entries = new ArrayList<>();
        long acknowledged;
        long sent;

        @Override
        public void acknowledged(int producer, long first, long count, LogPartition partition, long firstOffset) {
            assertThat(partition).isEqualTo(PARTITION);
            assertThat(first + count)
                    .as("what was given out is written down before")
                    .isLessThanOrEqualTo(sent);
            acknowledged += count;
            entries.add("ack " + first + "+" + count + " at " + firstOffset);
        }

        @Override
        public void ended(Ending ending, int producer, long first, long count) {
            entries.add(ending + " " + first + "+" + count);
        }

        @Override
        public void sent(int producer, long sequences) {
            sent = sequences;
        }

        @Override
        public void batches(int producer, long kafkaId, short epoch, LogPartition partition, long sequence) {
            entries.add("batches " + kafkaId);
        }

        @Override
        public void ended() {
            entries.add("ended");
        }
    }

    @Test
    void mergesConsecutiveSequencesAndOffsets() {
        trail.sent(100);
        trail.acknowledged(0, 3, 50, 0, 1);
        trail.acknowledged(0, 3, 51, 1, 4);
        trail.acknowledged(0, 3, 60, 5, 1);
        trail.drain(written);
        assertThat(written.entries).containsExactly("ack 0+5 at 50", "ack 5+1 at 60");
    }

    @Test
    void writesOngoingRangeInPieces() {
        trail.sent(100);
        trail.acknowledged(0, 3, 50, 0, 2);
        trail.drain(written);
        trail.acknowledged(0, 3, 52, 2, 3);
        trail.drain(written);
        trail.drain(written);
        assertThat(written.entries).containsExactly("ack 0+2 at 50", "ack 2+3 at 52");
    }

    @Test
    void doesNotMergeUnknownOffsets() {
        trail.sent(100);
        trail.acknowledged(0, 3, -1, 0, 1);
        trail.acknowledged(0, 3, -1, 1, 1);
        trail.ended(Ending.FAILED, 2, 1);
        trail.ended(Ending.FAILED, 3, 1);
        trail.ended(Ending.ABORTED, 4, 2);
        trail.drain(written);
        assertThat(written.entries).containsExactly("ack 0+1 at -1", "ack 1+1 at -1", "FAILED 2+2", "ABORTED 4+2");
    }

    @Test
    void writesEachAckOnceUnderConcurrentUpdates() throws InterruptedException {
        int records = 300_000;
        Thread teller = new Thread(() -> {
            for (int i = 0; i < records; i++) {
                trail.sent(i + 1);
                // Every hundredth begins a new run.
                trail.acknowledged(0, 3, i + i / 100, i, 1);
            }
        });
        teller.start();
        while (teller.isAlive()) {
            trail.drain(written);
        }
        trail.drain(written);
        assertThat(written.acknowledged).isEqualTo(records);
        long next = 0;
        for (String entry : written.entries) {
            String[] numbers = entry.replace("ack ", "").replace(" at ", "+").split("\\+");
            assertThat(Long.parseLong(numbers[0])).isEqualTo(next);
            assertThat(Long.parseLong(numbers[2])).isEqualTo(next + next / 100);
            next += Long.parseLong(numbers[1]);
        }
    }
}
