package io.plimsoll.load.connections;

import com.sun.management.UnixOperatingSystemMXBean;
import io.plimsoll.Exit;
import io.plimsoll.load.BoundedClose;
import io.plimsoll.load.Connections;
import io.plimsoll.load.LoadContext;
import io.plimsoll.measure.Connected;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.scenario.ConnectionSpec;
import io.plimsoll.text.Sentence;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Node;

/** The connections of one entry, spread over a few threads, because logins are CPU-bound. */
final class HeldConnections implements Connections {
    private static final int MOST_THREADS = 4;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final LoadContext context;
    private final String part;
    private final List<ConnectionThread> threads;
    private final Map<String, Long> failed = new TreeMap<>();

    private HeldConnections(LoadContext context, ConnectionSpec spec, String part, List<Node> brokers) {
        this.context = context;
        this.part = part;
        int count = Math.min(
                spec.count(), Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()));
        this.threads = IntStream.range(0, count)
                .mapToObj(i -> new ConnectionThread(context, spec, part + "-" + i, brokers, i, count))
                .toList();
    }

    /** For the service loader. */
    public static final class Maker implements Connections.Maker {
        /** Other open files of a run: libraries, journals, client connections. */
        private static final long OTHER_FILES = 300;

        @Override
        public Connections create(LoadContext context, ConnectionSpec spec, String part, List<Node> brokers) {
            return new HeldConnections(context, spec, part, brokers);
        }

        @Override
        public void check(List<ConnectionSpec> entries) {
            long all = entries.stream().mapToLong(ConnectionSpec::count).sum();
            if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                    && all + OTHER_FILES > system.getMaxFileDescriptorCount()) {
                throw Exit.USAGE.because(
                        "load.tooFewFiles", all, system.getMaxFileDescriptorCount(), all + OTHER_FILES);
            }
        }
    }

    @Override
    public void start(TrialClock clock) {
        threads.forEach(thread -> thread.start(clock));
    }

    @Override
    public void read(Counts.Sum into) {
        Counts.Sum sum = Counts.Sum.overTime();
        threads.forEach(thread -> thread.read(sum));
        Counts counts = sum.take();
        counts.get(Connected.COUNTS).forEach((name, n) -> {
            if (name.startsWith(Connected.FAILED)) {
                failed.merge(name.substring(Connected.FAILED.length()), n, Long::sum);
            }
        });
        into.add(counts);
    }

    @Override
    public void stop() {
        threads.forEach(ConnectionThread::askEnd);
    }

    @Override
    public void close() {
        stop();
        BoundedClose.join(threads.stream().map(t -> t.thread).toList(), CLOSE_LIMIT);
        if (!failed.isEmpty()) {
            long all = failed.values().stream().mapToLong(Long::longValue).sum();
            String stages = failed.entrySet().stream()
                    .map(stage -> stage.getKey() + " " + stage.getValue())
                    .collect(Collectors.joining(", "));
            String last = threads.get(0).lastError();
            context.notes().accept(Sentence.of("load.connectionsFailed", part, all, stages, last));
            failed.clear();
        }
    }
}
