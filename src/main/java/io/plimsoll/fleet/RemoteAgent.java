package io.plimsoll.fleet;

import io.plimsoll.fleet.FleetMessage.BeatAnswer;
import io.plimsoll.fleet.FleetMessage.Claimed;
import io.plimsoll.fleet.FleetMessage.Info;
import io.plimsoll.fleet.plan.ClockOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;

/** One agent as the coordinator knows it. Thread-safe. */
public final class RemoteAgent {
    private final String address;
    private final ClockOffset clock = new ClockOffset();
    private Info info;
    private Claimed answer;
    private long heardNanos;
    private int looks;
    private boolean lost;

    RemoteAgent(String address) {
        this.address = address;
    }

    String address() {
        return address;
    }

    /** {@code host:port} */
    public String place() {
        return FleetNode.place(address);
    }

    synchronized void introduce(Info said, long nowNanos) {
        info = said;
        heardNanos = nowNanos;
    }

    synchronized boolean introduced() {
        return info != null;
    }

    synchronized Info info() {
        return info;
    }

    public String name() {
        return info().name();
    }

    synchronized void answer(Claimed said) {
        answer = said;
    }

    synchronized Claimed answer() {
        return answer;
    }

    synchronized void saw(BeatAnswer seen, long nowNanos) {
        heardNanos = nowNanos;
        looks++;
        clock.add(seen.sentNanos(), seen.receivedNanos(), seen.answeredNanos(), nowNanos);
    }

    /** How often the clock was looked at. */
    synchronized int looks() {
        return looks;
    }

    synchronized long silentNanos(long nowNanos) {
        return nowNanos - heardNanos;
    }

    /** Empty before the first answer. */
    public synchronized Optional<ClockOffset.OffsetEstimate> clock(long nowNanos) {
        return clock.at(nowNanos);
    }

    /** @return true the first time */
    synchronized boolean lose() {
        boolean first = !lost;
        lost = true;
        return first;
    }

    synchronized boolean lost() {
        return lost;
    }

    /** The agent on a line. */
    synchronized String describe(long nowNanos) {
        String clocks = clock(nowNanos)
                .map(c -> String.format(
                        Locale.ROOT,
                        "clock %+.3f ms ± %.3f ms%s",
                        c.offsetNanos() / 1e6,
                        c.errorNanos() / 1e6,
                        c.driftPerMillion() == null
                                ? ""
                                : String.format(Locale.ROOT, ", drift %+.1f ppm", c.driftPerMillion())))
                .orElse("clock unknown");
        StringJoiner most = new StringJoiner(", ");
        new TreeMap<>(info.calibrated())
                .forEach((engine, best) -> most.add(engine + " " + shortened(best.recordsPerSecond()) + " records/s of "
                        + best.recordBytes() + " B"));
        return String.join(
                " · ",
                this + (info.labels().isEmpty() ? "" : " " + new TreeMap<>(info.labels())),
                "plimsoll " + info.build(),
                info.cores() + " cores",
                info.networkCard() == null ? "network speed unknown" : info.networkCard(),
                clocks,
                info.calibrated().isEmpty() ? "not calibrated" : "calibrated " + most,
                info.busyWith() == null ? "idle" : "busy with run " + info.busyWith());
    }

    private static String shortened(double rate) {
        if (rate >= 1e6) {
            return String.format(Locale.ROOT, "%.1fM", rate / 1e6);
        }
        return rate >= 1e4 ? String.format(Locale.ROOT, "%.0fk", rate / 1e3) : String.format(Locale.ROOT, "%.0f", rate);
    }

    @Override
    public String toString() {
        return (introduced() && !name().equals(place()) ? name() + " (" + place() + ")" : place());
    }
}
