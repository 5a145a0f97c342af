package io.plimsoll.run.guards;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Probe;
import io.plimsoll.measure.Latencies;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Check;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Guards recent statistics of a small client beside the load, such as {@code probe.p99}; see {@link Probe}. */
public final class ProbeGuard extends Guard {
    /** Prefix of probe figures. */
    public static final String PREFIX = "probe.";

    private static final Duration WINDOW = Duration.ofSeconds(5);
    /** Connection setup and its settling time. */
    private static final Duration[] SETTLING = {Duration.ofSeconds(2), Duration.ofSeconds(3)};

    private final List<Check> checks;
    private final Supplier<Probe> start;
    private Probe probe;

    /** @param start creates the probe and its topic */
    public ProbeGuard(List<Check> checks, Supplier<Probe> start) {
        super("probe", Sentence.verbatim(checks.stream().map(Check::text).collect(Collectors.joining(", "))));
        this.checks = List.copyOf(checks);
        this.start = start;
    }

    /** @throws PlimsollException {@link Exit#CHECK_FAILED} if the check fails without any load */
    @Override
    public void prepare() {
        probe = start.get();
        try {
            Thread.sleep(SETTLING[0].toMillis());
            probe.reset();
            Thread.sleep(SETTLING[1].toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        broken(probe.total()).ifPresent(how -> {
            throw Exit.CHECK_FAILED.because("guards.neverHeld", how);
        });
    }

    @Override
    public void begin() {
        probe.reset();
    }

    @Override
    public Optional<Sentence> judge() {
        return broken(probe.last(WINDOW));
    }

    private Optional<Sentence> broken(Latencies seen) {
        for (Check check : checks) {
            Double is = FigureCatalogue.statistic(check.figure()).of(seen);
            if (is != null && !check.op().holds(is, check.limit())) {
                return Optional.of(Sentence.of("guards.probe", check.figure(), Units.micros(is), check.text()));
            }
        }
        return Optional.empty();
    }

    @Override
    public Latency latency() {
        return Latency.of(probe.total());
    }

    @Override
    public void close() {
        if (probe != null) {
            probe.close();
        }
    }
}
