package io.plimsoll.load.client;

import static io.plimsoll.load.VirtualTime.MILLI;
import static io.plimsoll.load.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.GroupState;
import io.plimsoll.load.ReadWindow;
import io.plimsoll.load.RecordIntake;
import io.plimsoll.load.VirtualTime;
import io.plimsoll.load.Work;
import io.plimsoll.measure.ClientEvents;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Endings;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.Polls;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.testing.Scenarios;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Guards the life of a group member, in virtual time: when it is ready, reads, pauses, gives up and leaves. */
class MemberLoopTest {
    private final ClientEvents events = new ClientEvents();
    private final VirtualTime time = new VirtualTime();
    private final long start = time.nanoTime();
    private final PlannedConsumer consumer = new PlannedConsumer(time);
    private final ReceiveMeter meter = ReceiveMeter.of("g", false);
    private final List<Sentence> notes = new ArrayList<>();
    private GroupState group;
    private ReadWindow window;
    private MemberLoop member;

    /** A member with an assignment after one second and an open gate after two. */
    private void member(String keys) {
        String yaml = "topics: [{name: t, partitions: 1}]\nconsumers: [{topic: t, idleTimeout: 5s" + keys + "}]\n";
        ConsumerSpec spec = Scenarios.scenario(yaml).consumers().get(0);
        group = new GroupState("g", 0, null, spec.records(), spec.get(ConsumerSpec.IDLE_TIMEOUT), true);
        window = new ReadWindow(spec.start(), spec.records().isPresent());
        Work work =
                spec.work().map(w -> new Work(w, 1, time, () -> member.over())).orElse(null);
        RecordIntake intake = new RecordIntake(
                group, meter, EndToEndSource.NONE, 1, window, null, work, null, new Polls("g", "client", events));
        member = new MemberLoop(consumer, spec, List.of("t"), intake, time, notes::add);
        time.at(start + SECOND, consumer::assign);
        long read = start + 2 * SECOND;
        time.at(start + SECOND + MILLI, () -> window.start(new TrialClock(read, read, read + 60 * SECOND, 0)));
    }

    @AfterEach
    void assertionsOfEventsHold() {
        time.check();
    }

    private Counts counts() {
        return MeterCounts.of(meter).measured();
    }

    private double seconds() {
        return (time.nanoTime() - start) / 1e9;
    }

    @Test
    void isReadyWhilePausedAndReadsOnceAllowed() {
        member(", records: 10");
        time.at(start + SECOND + 2 * MILLI, () -> consumer.arrive(10));
        time.at(start + 1900 * MILLI, () -> {
            assertThat(member.joined()).isTrue();
            assertThat(group.isReady(java.util.Set.of(PlannedConsumer.PARTITION)))
                    .isTrue();
            assertThat(consumer.paused()).containsExactly(PlannedConsumer.PARTITION);
            assertThat(group.consumedByPartition()).isEmpty();
        });
        member.run();
        assertThat(counts().get(Consumed.RECORDS)).isEqualTo(10);
        assertThat(seconds()).isBetween(2.0, 2.3);
        assertThat(consumer.closed()).isTrue();
        assertThat(notes).isEmpty();
    }

    /** The thread of a member does not run within a poll that returns nothing. */
    @Test
    void reportsOverlongPollAsPause() {
        member(", records: 10");
        time.at(start + 3 * SECOND, () -> consumer.stall(700 * MILLI));
        time.at(start + 5 * SECOND, () -> consumer.arrive(10));
        member.run();
        assertThat(events.take()).singleElement().satisfies(pause -> {
            assertThat(pause.kind()).isEqualTo(Incident.Kind.CONSUMER_PAUSE);
            assertThat(pause.toNanos() - pause.fromNanos()).isEqualTo(700 * MILLI);
            assertThat(pause.fromNanos() - start).isBetween(3 * SECOND, 3 * SECOND + 300 * MILLI);
        });
    }

    /** A long sequence of aborted records returns no record for longer than the idle timeout. */
    @Test
    void skippingHiddenRecordsCountsAsProgress() {
        member(", records: 10");
        time.at(start + 3 * SECOND, () -> consumer.arrive(5));
        for (int i = 0; i < 10; i++) {
            time.at(start + (4 + 2 * i) * SECOND, () -> consumer.hidden(1000));
        }
        time.at(start + 25 * SECOND, () -> consumer.arrive(5));
        member.run();
        assertThat(counts().get(Consumed.RECORDS)).isEqualTo(10);
        assertThat(seconds()).isBetween(25.0, 25.3);
    }

    @Test
    void countsRecordsOnceTheirWorkIsDone() {
        member(", records: 30, work: {each: 100ms}");
        time.at(start + SECOND + 2 * MILLI, () -> consumer.arrive(30));
        time.at(start + 4040 * MILLI, () -> assertThat(counts().get(Consumed.RECORDS))
                .isBetween(18L, 20L));
        member.run();
        assertThat(counts().get(Consumed.RECORDS)).isBetween(10L, 12L);
        assertThat(seconds()).isBetween(5.0, 5.3);
        assertThat(consumer.polls.stream().filter(p -> p > start + 2300 * MILLI))
                .isEmpty();
    }

    /** For any number of polls and any waiting time. */
    @Test
    void pollWaitTimeExcludesWork() {
        member(", records: 10, work: {each: 100ms}");
        time.at(start + SECOND + 2 * MILLI, () -> consumer.arrive(10));
        member.run();
        assertThat(seconds()).isBetween(3.0, 3.3);
        assertThat(member.waitedNanos() / 1e9).isBetween(seconds() - 1.3, seconds() - 0.9);
    }

    @Test
    void nonBlockingMemberPollsWhileWorking() {
        member(", records: 30, work: {each: 100ms, blocking: false}");
        time.at(start + SECOND + 2 * MILLI, () -> consumer.arrive(20));
        time.at(start + 3 * SECOND, () -> consumer.arrive(10));
        time.at(start + 3010 * MILLI, () -> assertThat(consumer.paused()).isNotEmpty());
        member.run();
        assertThat(counts().get(Consumed.RECORDS)).isEqualTo(30);
        assertThat(seconds()).isBetween(5.0, 5.4);
        long[] polls = consumer.polls.stream().mapToLong(p -> p).toArray();
        for (int i = 1; i < polls.length; i++) {
            assertThat(polls[i] - polls[i - 1]).isLessThan(150 * MILLI);
        }
        // Of five seconds, it works three.
        assertThat(member.waitedNanos() / 1e9).isBetween(1.9, 2.4);
    }

    /** Its polls skip the records that it has not processed. */
    @Test
    void stoppedNonBlockingMemberCommitsOnlyProcessedRecords() {
        member(", work: {each: 100ms, blocking: false}, commit: {sync: {every: 1000}}");
        time.at(start + SECOND + 2 * MILLI, () -> consumer.arrive(20));
        time.at(start + 3 * SECOND, () -> member.stop());
        member.run();
        long processed = counts().get(Consumed.RECORDS);
        assertThat(processed).isBetween(7L, 11L);
        assertThat(consumer.committedAtClose).isEqualTo(processed);
    }

    @Test
    void waitsForLostLeaderAtTheEnd() {
        member("");
        time.at(start + 3 * SECOND, () -> consumer.arrive(9));
        time.at(start + 3500 * MILLI, () -> {
            consumer.positionUnknown(true);
            group.readUpTo(Map.of(PlannedConsumer.PARTITION, 9L));
        });
        time.at(start + 5 * SECOND, () -> consumer.positionUnknown(false));
        member.run();
        assertThat(member.fatal()).isNull();
        assertThat(group.done()).isTrue();
        assertThat(seconds()).isBetween(5.0, 5.3);
    }

    @Test
    void groupReadsUpToEndOfProducers() {
        member("");
        time.at(start + 3 * SECOND, () -> consumer.arrive(7));
        time.at(start + 3500 * MILLI, () -> group.readUpTo(Map.of(PlannedConsumer.PARTITION, 9L)));
        time.at(start + 4 * SECOND, () -> consumer.arrive(2));
        member.run();
        assertThat(counts().get(Consumed.RECORDS)).isEqualTo(9);
        assertThat(seconds()).isBetween(4.0, 4.3);
    }

    /** Markers and aborted records occupy offsets, and polls do not return them. */
    @Test
    void hiddenOffsetsDoNotCountAsLag() {
        member("");
        time.at(start + 3 * SECOND, () -> consumer.arrive(7));
        time.at(start + 3500 * MILLI, () -> consumer.hidden(2));
        time.at(start + 4 * SECOND, () -> {
            assertThat(group.lag(Map.of(PlannedConsumer.PARTITION, 10L))).hasValue(1);
            group.readUpTo(Map.of(PlannedConsumer.PARTITION, 9L));
        });
        member.run();
        assertThat(counts().get(Consumed.RECORDS)).isEqualTo(7);
        assertThat(group.lag(Map.of(PlannedConsumer.PARTITION, 9L))).hasValue(0);
    }

    /** Kafka's client copies the set of all assigned partitions on each call. */
    @Test
    void readsAssignmentOncePerPoll() {
        member("");
        time.at(start + 3 * SECOND, () -> consumer.arrive(7));
        time.at(start + 3500 * MILLI, () -> consumer.hidden(2));
        time.at(start + 3620 * MILLI, () -> {
            assertThat(consumer.assignments()).isEqualTo(1);
            member.stop();
        });
        member.run();
        assertThat(group.lag(Map.of(PlannedConsumer.PARTITION, 9L))).hasValue(0);
    }

    @Test
    void groupGivesUpAfterIdleTimeout() {
        member(", records: 10");
        time.at(start + 3 * SECOND, () -> consumer.arrive(4));
        member.run();
        assertThat(group.missing()).isEqualTo(6);
        // Five seconds after the last record.
        assertThat(seconds()).isBetween(8.0, 8.4);
    }

    @Test
    void countsTransientErrorAndReadsOn() {
        member(", records: 10");
        time.at(start + 3 * SECOND, () -> consumer.setPollException(new DisconnectException("gone")));
        time.at(start + 4 * SECOND, () -> consumer.arrive(10));
        member.run();
        assertThat(member.fatal()).isNull();
        Counts counts = counts();
        assertThat(counts.get(Consumed.ERRORS).values()).containsExactly(1L);
        assertThat(counts.get(Consumed.RECORDS)).isEqualTo(10);
        assertThat(group.missing()).isZero();
    }

    @Test
    void fatalErrorEndsMemberWithNote() {
        member("");
        time.at(start + 3 * SECOND, () -> consumer.setPollException(new TopicAuthorizationException("t")));
        member.run();
        assertThat(member.fatal()).isInstanceOf(TopicAuthorizationException.class);
        assertThat(notes).hasSize(1);
        assertThat(seconds()).isBetween(3.0, 3.2);
    }

    /** A trial with members out of memory is invalid, and no thread ends silently. */
    @Test
    void countsMemberEndedByOutOfMemory() {
        member("");
        time.at(
                start + 3 * SECOND,
                () -> consumer.schedulePollTask(() -> {
                    throw new OutOfMemoryError();
                }));
        member.run();
        assertThat(Endings.byKind(counts().get(Consumed.EVENTS))).hasSize(1).containsValue(1L);
        assertThat(notes).extracting(Sentence::english).allMatch(n -> n.contains("OutOfMemoryError"));
        assertThat(consumer.closed()).isTrue();
    }

    @Test
    void pausedMemberDoesNotPollUntilResumed() {
        member(", records: 10");
        time.at(start + 3 * SECOND, () -> member.pause(true));
        time.at(start + 4 * SECOND, () -> consumer.arrive(10));
        time.at(start + 6 * SECOND, () -> member.pause(false));
        member.run();
        assertThat(consumer.polls).noneMatch(at -> at > start + 3200 * MILLI && at < start + 6 * SECOND);
        assertThat(seconds()).isBetween(6.0, 6.4);
    }

    @Test
    void killedMemberCommitsNothingAndStaysInGroup() {
        member(", commit: {sync: {every: 1000}}");
        time.at(start + 3 * SECOND, () -> consumer.arrive(10));
        time.at(start + 4 * SECOND, () -> member.kill());
        member.run();
        assertThat(counts().get(Consumed.RECORDS)).isEqualTo(10);
        assertThat(counts().get(Consumed.GROUP_COMMITS).get("g")).isZero();
        assertThat(consumer.closedWith.groupMembershipOperation()).isEqualTo(GroupMembershipOperation.REMAIN_IN_GROUP);
    }

    @Test
    void stoppedMemberCommitsRemainingRecords() {
        member(", commit: {sync: {every: 1000}}");
        time.at(start + 3 * SECOND, () -> consumer.arrive(10));
        time.at(start + 4 * SECOND, () -> member.stop());
        member.run();
        assertThat(counts().get(Consumed.GROUP_COMMITS).get("g")).isEqualTo(1);
        assertThat(consumer.committedAtClose).isEqualTo(10);
    }

    @Test
    void leavingMemberCommitsRemainingRecords() {
        member(", records: 10, commit: {sync: {every: 1000}}");
        time.at(start + 3 * SECOND, () -> consumer.arrive(10));
        member.run();
        assertThat(counts().get(Consumed.GROUP_COMMITS).get("g")).isEqualTo(1);
        assertThat(consumer.closedWith.groupMembershipOperation())
                .isNotEqualTo(GroupMembershipOperation.REMAIN_IN_GROUP);
    }
}
