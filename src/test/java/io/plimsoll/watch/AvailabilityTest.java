package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.Json;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Guards the counts by time against a model with unlimited memory. */
class AvailabilityTest {
    private static final long FIRST = 29_000_000;

    @Test
    void windowsMatchModelOverWeeksWithGaps() {
        Availability availability = new Availability();
        TreeMap<Long, long[]> model = new TreeMap<>();
        Random random = new Random(7);
        for (long minute = FIRST; minute < FIRST + 40 * 24 * 60; minute += random.nextInt(20) == 0 ? 700 : 7) {
            for (int i = 0; i < 3; i++) {
                boolean good = random.nextInt(10) > 0;
                availability.add(good, 1, minute);
                model.computeIfAbsent(minute, m -> new long[2])[good ? 0 : 1]++;
            }
            for (int window : new int[] {5, 60, 1440}) {
                check(availability.last(minute, window), model.tailMap(minute - window, false));
            }
            long firstHour = minute / 60 - 3 * 24 + 1;
            check(availability.last(minute, 3 * 24 * 60), model.tailMap(firstHour * 60, true));
        }
        check(availability.all(), model);
        long day = model.lastKey() / 1440 * 1440;
        check(availability.hour(day / 60), model.subMap(day, day + 60));
    }

    private static void check(Availability.Counts counts, java.util.Map<Long, long[]> model) {
        assertThat(counts.good())
                .isEqualTo(model.values().stream().mapToLong(c -> c[0]).sum());
        assertThat(counts.bad())
                .isEqualTo(model.values().stream().mapToLong(c -> c[1]).sum());
    }

    @Test
    void restoresSavedCountsWithMinutesSince() throws Exception {
        Availability written = new Availability();
        for (int i = 0; i < 100; i++) {
            written.add(i % 9 != 0, 1, FIRST + i);
        }
        String text = Json.line(written);
        written.add(false, 1, FIRST + 99);
        written.add(true, 1, FIRST + 100);
        Availability back = Json.MAPPER.readValue(text, Availability.class);
        for (int twice = 0; twice < 2; twice++) {
            back.restore(FIRST + 99, written.minute(FIRST + 99));
            back.restore(FIRST + 100, written.minute(FIRST + 100));
        }
        assertThat(Json.line(back)).isEqualTo(Json.line(written));
    }

    @Test
    void losesNothingIfClockIsSetBack() {
        Availability availability = new Availability();
        availability.add(true, 1, FIRST + 10);
        availability.add(true, 1, FIRST);
        assertThat(availability.last(FIRST + 10, 5).good()).isEqualTo(2);
    }
}
