package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.AckPulse.AckPulses;
import io.plimsoll.measure.AckPulse.Silence;
import io.plimsoll.measure.Quiet.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Pauses between appends match the log's own times, regardless of client and acknowledgment time. */
class AppendSilencesTest {
    private static final long MILLI = 1_000_000;
    private static final int SECONDS = 12;
    private static final TrialClock CLOCK = new TrialClock(0, 0, SECONDS * 1000 * MILLI, 1_700_000_000_000_000_000L);

    /** A record, in milliseconds after the start. */
    private record Sent(int meter, long appended, long acknowledged) {}

    /** Silences reported for partition 0 with meters read once a second. */
    private static List<Silence> told(List<AckMeter> meters, List<Sent> records) {
        AckPulses pulses = new AckPulses();
        List<Silence> told = new ArrayList<>();
        List<Sent> inTurn = records.stream()
                .sorted(Comparator.comparing(Sent::acknowledged))
                .toList();
        for (int second = 1; second <= SECONDS; second++) {
            for (Sent sent : inTurn) {
                if (sent.acknowledged / 1000 == second - 1) {
                    long now = sent.acknowledged * MILLI;
                    meters.get(sent.meter).appended(0, 0, now, now, CLOCK.toEpochNanos(sent.appended * MILLI) / MILLI);
                }
            }
            List<Span> taken = meters.stream()
                    .flatMap(meter -> meter.takeAppended(0, 0).stream())
                    .toList();
            Map<String, List<Span>> appended = taken.isEmpty() ? Map.of() : Map.of("t-0", taken);
            List<Silence> next = pulses.of(new AckLooks(
                            (second - 1) * AckLooks.LOOKS + 1, List.of(), List.of(), null, appended, second == SECONDS))
                    .appendSilences();
            told.addAll(next == null ? List.of() : next);
        }
        return told;
    }

    private static List<AckMeter> meters(int count) {
        List<AckMeter> meters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            meters.add(AckMeter.of(new int[] {1}, false, false));
            meters.get(i).start(CLOCK);
        }
        return meters;
    }

    @Property(tries = 200)
    void matchPausesInTheLog(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 4) int meters,
            @ForAll @IntRange(min = 1, max = 200) int records) {
        SplittableRandom random = new SplittableRandom(seed);
        TreeSet<Long> log = new TreeSet<>();
        List<Sent> all = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            long appended = random.nextLong(SECONDS * 1000 - 950);
            log.add(appended);
            all.add(new Sent(random.nextInt(meters), appended, appended + random.nextLong(900)));
        }
        List<Silence> truth = new ArrayList<>();
        for (Long from : log) {
            Long to = log.higher(from);
            if (to != null && to - from >= 200) {
                truth.add(new Silence("t-0", from * MILLI, to * MILLI));
            }
        }
        assertThat(told(meters(meters), all)).containsExactlyElementsOf(truth);
    }

    /** The new leader appends before it may acknowledge, because its followers are not in sync yet. */
    @Test
    void endBeforeAcknowledgmentsResume() {
        List<Sent> records = List.of(new Sent(0, 1000, 1002), new Sent(0, 3000, 4500), new Sent(0, 3050, 4500));
        assertThat(told(meters(1), records)).containsExactly(new Silence("t-0", 1000 * MILLI, 3000 * MILLI));
    }

    @Test
    void areUnknownWithoutAppendTimes() {
        assertThat(new AckPulses()
                        .of(new AckLooks(1, List.of(), List.of(), null, null, true))
                        .appendSilences())
                .isNull();
    }
}
