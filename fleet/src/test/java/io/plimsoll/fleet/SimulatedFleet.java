package io.plimsoll.fleet;

import com.sun.management.OperatingSystemMXBean;
import io.plimsoll.fleet.FleetMessage.Ask;
import io.plimsoll.fleet.FleetMessage.Beat;
import io.plimsoll.fleet.FleetMessage.BeatAnswer;
import io.plimsoll.fleet.FleetMessage.Claim;
import io.plimsoll.fleet.FleetMessage.Claimed;
import io.plimsoll.fleet.FleetMessage.Ended;
import io.plimsoll.fleet.FleetMessage.Envelope;
import io.plimsoll.fleet.FleetMessage.HostObserved;
import io.plimsoll.fleet.FleetMessage.Info;
import io.plimsoll.fleet.FleetMessage.Order;
import io.plimsoll.fleet.FleetMessage.Prepare;
import io.plimsoll.fleet.FleetMessage.Prepared;
import io.plimsoll.fleet.FleetMessage.ProducedHere;
import io.plimsoll.fleet.FleetMessage.SnapshotTaken;
import io.plimsoll.fleet.FleetMessage.StartAt;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse.Busiest;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.observe.host.HostWatch;
import io.plimsoll.result.WorkerResult;
import io.plimsoll.run.TrialAssignment;
import io.plimsoll.run.TrialOutcome;
import io.plimsoll.run.Worker;
import io.plimsoll.run.WorkerBarrier;
import io.plimsoll.run.fleet.FleetRules;
import io.plimsoll.run.fleet.FleetSupport.Credentials;
import io.plimsoll.run.fleet.FleetSupport.Wanted;
import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Agents without load, many in one process, and a coordinator that measures itself. Each agent has a node of its own, with its
 * own connections; messages have the rates and sizes of agents under load. For {@code bench/fleet-1000}.
 */
final class SimulatedFleet {
    private static final long SECOND = 1_000_000_000L;
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    static final int VALUES = 20_000;
    private static final Credentials TOKEN = new Credentials(null, null);
    private static final SplittableRandom RANDOM = new SplittableRandom(1);
    private static final List<Latencies> POOL =
            Stream.generate(() -> latencies(RANDOM)).limit(16).toList();

    private SimulatedFleet() {}

    static Latencies latencies(SplittableRandom random) {
        Histogram histogram = new Histogram(1, Latencies.HIGHEST_MICROS, Latencies.DIGITS);
        for (int i = 0; i < VALUES; i++) {
            histogram.recordValue(1 + (long) (Math.exp(random.nextDouble() * 9) * (1 + random.nextDouble())));
        }
        return Latencies.of(histogram);
    }

    static Snapshot snapshot(String worker, long second, Latencies a, Latencies b, Latencies c, Latencies d) {
        Counts measured = Counts.Sum.overTime()
                .add(Produced.DUE, VALUES)
                .add(Produced.SENT, VALUES)
                .add(Produced.ACKNOWLEDGED, VALUES)
                .add(Produced.ARRIVED, VALUES)
                .add(Produced.RESPONSE_TIME, a)
                .add(Produced.SERVICE_TIME, b)
                .add(Produced.SEND_DELAY, c)
                .add(Consumed.RECORDS, VALUES)
                .add(Consumed.ARRIVED, VALUES)
                .add(Consumed.END_TO_END, d)
                .total();
        return new Snapshot(
                worker,
                "t",
                second,
                Phase.MEASURE,
                second * 1_000_000_000,
                (second + 1) * 1_000_000_000,
                null,
                null,
                Counts.NONE,
                measured,
                Counts.NONE,
                Busiest.NONE,
                List.of(),
                List.of());
    }

    /**
     * {@code agents FIRST COUNT JOIN}: prints a line when they listen, joins after a line of input, until killed. {@code coordinate AGENT
     * COUNT SECONDS}: one run.
     */
    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[2]);
        if (arguments[0].equals("agents")) {
            NodeAddress join = NodeAddress.parse(arguments[3], "--join");
            agents(Integer.parseInt(arguments[1]), count, join);
            Thread.currentThread().join();
        } else {
            coordinate(NodeAddress.parse(arguments[1], "--fleet"), count, Integer.parseInt(arguments[3]));
            System.exit(0);
        }
    }

    private static void agents(int first, int count, NodeAddress join) throws IOException {
        ScheduledExecutorService seconds = FleetNode.scheduler("simulated-load");
        List<SimulatedAgent> agents =
                Stream.generate(() -> new SimulatedAgent(seconds)).limit(count).toList();
        for (int i = 0; i < count; i++) {
            agents.get(i).listen(new NodeAddress("127.0.0.1", first + i));
        }
        say("listening");
        if (System.in.read() >= 0) {
            agents.forEach(agent -> agent.join(join));
        }
    }

    private static final class SimulatedAgent implements FleetNode.Inbox {
        private final ScheduledExecutorService seconds;
        private final HostWatch host = new HostWatch();
        private String name;
        private volatile FleetNode node;
        private Order order;

        SimulatedAgent(ScheduledExecutorService seconds) {
            this.seconds = seconds;
        }

        void listen(NodeAddress listen) {
            name = "agent-" + listen.port();
            host.begin(System.nanoTime());
            node = FleetNode.start(listen, Certificates.of(TOKEN, true), this);
        }

        void join(NodeAddress join) {
            node.join(List.of(join));
            var unused = seconds.scheduleAtFixedRate(() -> node.renew(System.nanoTime()), 0, 1, TimeUnit.SECONDS);
        }

        @Override
        public void received(Envelope envelope) {
            FleetMessage message = envelope.message();
            long now = System.nanoTime();
            if (message instanceof Beat beat) {
                answer(envelope, new BeatAnswer(beat.sentNanos(), now, System.nanoTime()));
            } else if (message instanceof Ask) {
                answer(envelope, new Info(name, Map.of(), "1", 2, null, Map.of(), null, null, "simulated", node.members(), Set.of()));
            } else if (message instanceof Claim) {
                answer(envelope, new Claimed(null));
            } else if (message instanceof Prepare prepare) {
                order = prepare.order();
                answer(envelope, new Prepared(List.of(), Worker.LoadLimits.UNKNOWN, List.of()));
            } else if (message instanceof StartAt at) {
                int whole = (int) order.load().duration().toSeconds();
                for (int second = 0; second < whole; second++) {
                    long due = at.startNanos() + (second + 1) * SECOND - now;
                    int number = second;
                    var unused = seconds.schedule(() -> report(envelope, at, number), due, TimeUnit.NANOSECONDS);
                }
                long end = at.startNanos() + whole * SECOND - now;
                var unused = seconds.schedule(() -> end(envelope, whole), end + 1, TimeUnit.NANOSECONDS);
            }
        }

        private void report(Envelope envelope, StartAt at, int second) {
            Snapshot snapshot = snapshot(
                    name, second, POOL.get(0), POOL.get(1), POOL.get(second % 16), POOL.get(3));
            Observation seen = host.since(System.nanoTime(), at.startNanos());
            answer(envelope, new SnapshotTaken(snapshot));
            answer(envelope, new HostObserved(seen, List.of()));
        }

        private void end(Envelope envelope, int whole) {
            WorkerBarrier.Produced nothing = new WorkerBarrier.Produced(Map.of(), Map.of());
            TrialOutcome outcome =
                    new TrialOutcome(nothing, Map.of(), whole, 0, Map.of(), true, List.of(), null, List.of());
            answer(envelope, new ProducedHere(nothing));
            answer(envelope, new Ended(outcome, whole, 0, Latencies.EMPTY));
        }

        private void answer(Envelope to, FleetMessage message) {
            FleetNode from = node;
            if (from != null) {
                from.send(to.from(), to.session(), to.trial(), message);
            }
        }
    }

    private static double cpu() {
        return PROCESS.getProcessCpuTime() / 1e9;
    }

    /** Bytes read and written so far, by all system calls. */
    private static long bytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/io")).stream()
                .filter(line -> line.startsWith("rchar") || line.startsWith("wchar"))
                .mapToLong(line -> Long.parseLong(line.split(" ")[1]))
                .sum();
    }

    private static long peakMegabytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
                .sum();
    }

    private static void say(String text, Object... arguments) {
        System.out.printf(text + "%n", arguments);
        System.out.flush();
    }

    private static void coordinate(NodeAddress agent, int count, int duration) throws Exception {
        long began = System.nanoTime();
        FleetRules rules = new FleetRules(Map.of(), Map.of(), true);
        Fleet fleet = Fleet.find(
                new Wanted(List.of(agent), count, Duration.ofMinutes(5), TOKEN, rules, "simulated", "1"));
        say("joined %d %.2f %.2f", System.currentTimeMillis(), (System.nanoTime() - began) / 1e9, cpu());
        fleet.claim();
        say("claimed %d %.2f", System.currentTimeMillis(), cpu());
        String yaml = "name: n\ntopics: [{name: t}]\nproducers: [{topic: t, clients: %d, rate: 10/s}]\nduration: %ds\nwarmup: 0s"
                .formatted(count, duration);
        Scenario scenario =
                ScenarioReader.read(yaml, "n", List.of(), 1).trials().get(0).scenario();
        Queue<String> notes = new ConcurrentLinkedQueue<>();
        LoadContext context = new LoadContext(
                Map.of("bootstrap.servers", "127.0.0.1:1"), "tag", 7, 1, note -> {
                    notes.add(note.english());
                    say("note %d %s", System.currentTimeMillis(), note.english());
                });
        Worker worker = fleet.worker(null);
        worker.prepare(new TrialAssignment("t", scenario, context, EndToEndSource.STAMP));
        say("prepared %d %.2f", System.currentTimeMillis(), cpu());
        Measuring measuring = new Measuring();
        TrialOutcome outcome = worker.run(measuring);
        say("ended %d complete=%s", System.currentTimeMillis(), outcome.complete());
        say("run cores=%.3f bytes=%.0f records=%d lost=%d notes=%d peak=%d",
                measuring.cores, measuring.bytes, measuring.records, measuring.lost, notes.size(), peakMegabytes());
        long closing = System.nanoTime();
        fleet.close();
        say("closed %.2f", (System.nanoTime() - closing) / 1e9);
    }

    private static final class Measuring implements Worker.Listener {
        private long beganNanos;
        private double cpuBefore;
        private long bytesBefore;
        private double cores;
        private double bytes;
        private long records;
        private long lost;

        @Override
        public void started(TrialClock clock) {
            beganNanos = System.nanoTime();
            cpuBefore = cpu();
            bytesBefore = readBytes();
            say("started %d %.2f", System.currentTimeMillis(), cpuBefore);
        }

        private static long readBytes() {
            try {
                return bytes();
            } catch (IOException e) {
                return 0;
            }
        }

        @Override
        public void snapshot(Snapshot snapshot) {
            records += snapshot.measured().get(Produced.SENT);
            double seconds = (System.nanoTime() - beganNanos) / 1e9;
            cores = (cpu() - cpuBefore) / seconds;
            bytes = (readBytes() - bytesBefore) / seconds;
        }

        @Override
        public void workers(List<WorkerResult> all) {
            lost = all.stream().filter(w -> w.lost() != null).count();
        }
    }
}
