package io.plimsoll.watch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Builds the status of a watch. Any thread. */
record StatusMaker(WatchSettings settings, WatchClock clock, Ledger ledger) {
    private static final int DAYS = 30;
    private static final int MINUTES = 60;
    /**
     * Window lengths in minutes for burn-rate alerts: a long window and one of a twelfth of its length (Google,
     * The Site Reliability Workbook, chapter 5).
     */
    private static final Map<String, Integer> WINDOWS = windows();

    private static Map<String, Integer> windows() {
        Map<String, Integer> windows = new LinkedHashMap<>();
        windows.put("5m", 5);
        windows.put("30m", 30);
        windows.put("1h", 60);
        windows.put("6h", 6 * 60);
        windows.put("1d", 24 * 60);
        windows.put("3d", 3 * 24 * 60);
        windows.put("30d", DAYS * 24 * 60);
        return windows;
    }

    WatchStatus make(WatchStatus.Place place, Instant since, List<Integer> leaders) {
        List<WatchStatus.SignalStatus> signals = new ArrayList<>();
        ledger.read((signal, broker, availability, recent, day) -> {
            if (availability.all().good() + availability.all().bad() > 0) {
                signals.add(new WatchStatus.SignalStatus(
                        signal,
                        broker,
                        availability.all().good(),
                        availability.all().bad(),
                        windows(availability),
                        latency(recent),
                        latency(day),
                        days(availability),
                        minutes(availability)));
            }
        });
        return new WatchStatus(
                WatchStatus.SCHEMA,
                place,
                since,
                clock.now(),
                settings.objective(),
                leaders.stream().filter(id -> id >= 0).distinct().sorted().toList(),
                signals,
                ledger.outages(),
                Incidents.of(ledger.outages()));
    }

    private Map<String, WatchStatus.Window> windows(Availability availability) {
        Map<String, WatchStatus.Window> windows = new LinkedHashMap<>();
        WINDOWS.forEach((name, minutes) -> {
            double share = availability.last(clock.epochMinute(), minutes).share();
            if (!Double.isNaN(share)) {
                windows.put(name, new WatchStatus.Window(share, (1 - share) / (1 - settings.objective())));
            }
        });
        return windows;
    }

    private List<Double> days(Availability availability) {
        List<Double> days = new ArrayList<>();
        long today = clock.epochMinute() / (24 * 60);
        for (long day = today - DAYS + 1; day <= today; day++) {
            long good = 0;
            long bad = 0;
            for (long hour = day * 24; hour < day * 24 + 24; hour++) {
                good += availability.hour(hour).good();
                bad += availability.hour(hour).bad();
            }
            days.add(good + bad == 0 ? null : (double) good / (good + bad));
        }
        return days;
    }

    private List<Double> minutes(Availability availability) {
        List<Double> minutes = new ArrayList<>();
        long now = clock.epochMinute();
        for (long minute = now - MINUTES + 1; minute <= now; minute++) {
            double share = availability.minute(minute).share();
            minutes.add(minute < 0 || Double.isNaN(share) ? null : share);
        }
        return minutes;
    }

    private static WatchStatus.Latency latency(Histogram of) {
        return of.getTotalCount() == 0
                ? new WatchStatus.Latency(null, null, null, null)
                : new WatchStatus.Latency(
                        of.getValueAtPercentile(50) / 1e3,
                        of.getValueAtPercentile(99) / 1e3,
                        of.getValueAtPercentile(99.9) / 1e3,
                        of.getMaxValue() / 1e3);
    }
}
