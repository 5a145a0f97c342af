package io.plimsoll.cli;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBroker.NullBrokerStats;
import io.plimsoll.nullbroker.NullBrokerBehaviour;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plimsoll null-broker}: a broker that discards records, for testing load generators. */
@Command(name = "null-broker")
final class NullBrokerCommand extends PlimsollCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "9092")
    private int port;

    @Option(names = "--partitions", paramLabel = "N", defaultValue = "1")
    private int partitions;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "1")
    private int threads;

    @Option(names = "--records", paramLabel = "N", defaultValue = "0")
    private String records;

    @Option(names = "--record-size", paramLabel = "SIZE", defaultValue = "100")
    private String recordSize;

    @Option(names = "--delay", paramLabel = "TIME")
    private String delay;

    @Option(names = "--capacity", paramLabel = "RATE")
    private String capacity;

    @Option(names = "--stall", paramLabel = "TIME/PERIOD")
    private String stall;

    @Option(names = "--error-rate", paramLabel = "SHARE")
    private String errorRate;

    @Option(names = "--check-crc")
    private boolean checkCrc;

    @Option(names = "--duration", paramLabel = "TIME")
    private String duration;

    @Override
    Exit perform() throws InterruptedException {
        long nanos = duration == null
                ? Long.MAX_VALUE
                : read("--duration", duration, Quantities::duration).toNanos();
        NullBroker broker = NullBroker.start(options());
        CountDownLatch signal = new CountDownLatch(1);
        return Daemon.untilSignal(signal::countDown, PATIENCE, () -> {}, () -> {
            print("cli.nullBrokerListens", broker.bootstrapServers());
            out().flush();
            boolean unused = signal.await(nanos, TimeUnit.NANOSECONDS);
            end(broker);
            return Exit.PASSED;
        });
    }

    private void end(NullBroker broker) {
        broker.close();
        NullBrokerStats stats = broker.stats();
        print(
                "cli.swallowed",
                stats.records(),
                stats.bytes(),
                stats.batches(),
                stats.produced().requests(),
                stats.produced().refusedRequests(),
                stats.fetched().records(),
                String.format(Locale.ROOT, "%.3f", stats.cpuNanos() / 1e9));
        out().flush();
    }

    private NullBrokerOptions options() {
        long recordBytes = read("--record-size", recordSize, Quantities::bytes);
        try {
            int perBatch = (int) Math.max(1, Math.min(10_000, (16 << 10) / (recordBytes + 9)));
            return new NullBrokerOptions()
                    .port(port)
                    .partitions(partitions)
                    .threads(threads)
                    .checkCrc(checkCrc)
                    .log(
                            Quantities.count(records, 0, Long.MAX_VALUE / 2),
                            Math.toIntExact(recordBytes),
                            perBatch,
                            "none")
                    .behaviour(behaviour());
        } catch (InvalidValueException e) {
            throw mistake(e.sentence());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw mistake(Sentence.verbatim(String.valueOf(e.getMessage())));
        }
    }

    private NullBrokerBehaviour behaviour() {
        String[] stalls = stall == null ? new String[0] : stall.split("/", 2);
        expect(stall == null || stalls.length == 2, "--stall", stall, "cli.a.stall");
        Rate.Quantity most = capacity == null ? null : Quantities.rate(capacity);
        expect(most == null || most.unit() == Rate.Unit.RECORDS, "--capacity", capacity, "cli.a.recordRate");
        return new NullBrokerBehaviour(
                delay == null ? Duration.ZERO : Quantities.durationOrZero(delay),
                most == null ? 0 : most.value(),
                stall == null ? Duration.ZERO : Quantities.duration(stalls[0]),
                stall == null ? Duration.ZERO : Quantities.duration(stalls[1]),
                errorRate == null ? 0 : Quantities.ratio(errorRate));
    }
}
