package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.fleet.FleetMessage.Envelope;
import io.plimsoll.fleet.FleetMessage.SnapshotTaken;
import io.plimsoll.fleet.plan.SnapshotMerger;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.WorkerResult;
import io.plimsoll.scenario.ScenarioReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Cost for a coordinator to read, merge, and keep the snapshots of many agents. */
@Tag("nightly")
@Isolated("What it costs is CPU time, of caches that others would share.")
class MergingCostTest {
    private static final int VALUES = SimulatedFleet.VALUES;
    private static final int SECONDS = 10;

    private static TrialAgents workers(List<RemoteAgent> agents) {
        String yaml = "name: n\ntopics: [{name: t}]\nproducers: [{topic: t, rate: 20000/s}]";
        TrialAgents workers = new TrialAgents(
                ScenarioReader.read(yaml, "n", List.of(), 1).trials().get(0).scenario(), null);
        agents.forEach(
                agent -> workers.add(agent, new WorkerResult.Part("", "", 1, List.of(), List.of(), List.of())));
        return workers;
    }

    private static RemoteAgent agent(String name) {
        RemoteAgent agent = new RemoteAgent("pekko://plimsoll@10.0.0.1:7654");
        agent.introduce(
                new FleetMessage.Info(name, Map.of(), "1", 8, null, Map.of(), null, null, "h", List.of(), Set.of()));
        return agent;
    }

    private static double cpuSeconds() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
    }

    /**
     * The cost is linear in the number of agents, apart from cache and garbage collection effects. In its own process
     * with the coordinator's compiler settings.
     */
    @Test
    void costGrowsLinearlyWithAgents() throws IOException {
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(java.toString(), "-Xmx1g", "-cp", classes, MergingCostTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> lines = process.inputReader().lines().toList();
        lines.forEach(System.out::println);
        String[] cores = lines.get(lines.size() - 1).split(" ");
        double ofSome = Double.parseDouble(cores[0]);
        assertThat(ofSome).isLessThan(0.5);
        assertThat(Double.parseDouble(cores[1])).isLessThan(20 * ofSome);
    }

    public static void main(String[] arguments) {
        System.out.println(cores(1000) + " " + cores(10_000));
    }

    /** CPU seconds to merge one second of all agents. */
    private static double cores(int agents) {
        SplittableRandom random = new SplittableRandom(1);
        List<Latencies> pool = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            pool.add(SimulatedFleet.latencies(random));
        }
        List<RemoteAgent> remotes =
                IntStream.range(0, agents).mapToObj(i -> agent("agent-" + i)).toList();
        Set<String> names = remotes.stream().map(RemoteAgent::name).collect(Collectors.toSet());
        SnapshotMerger merger = new SnapshotMerger("fleet", names);
        TrialAgents workers = workers(remotes);
        double used = 0;
        long bytes = 0;
        long merged = 0;
        for (int second = 0; second < SECONDS; second++) {
            double before = -1;
            for (int i = 0; i < agents; i++) {
                Snapshot made = SimulatedFleet.snapshot(
                        "agent-" + i,
                        second,
                        pool.get(i % 64),
                        pool.get((i + 1) % 64),
                        pool.get((i + 2) % 64),
                        pool.get((i + 3) % 64));
                byte[] packet = Wire.write(
                        new Envelope("pekko://plimsoll@10.0.0.1:7654", "w", "s", "t", new SnapshotTaken(made)));
                before = cpuSeconds();
                SnapshotTaken took = (SnapshotTaken) Wire.read(packet).message();
                workers.of(remotes.get(i)).sums.add(took.snapshot());
                for (Snapshot all : merger.add(took.snapshot())) {
                    merged += all.measured().get(Produced.RESPONSE_TIME).count();
                }
                // The first half warms the compiler up.
                used += second < SECONDS / 2 ? 0 : cpuSeconds() - before;
                bytes = packet.length;
            }
        }
        double cores = used / (SECONDS - SECONDS / 2);
        Runtime runtime = Runtime.getRuntime();
        System.out.printf(
                "merging: %d agents, %d B a snapshot, %.3f cores, heap in use %d MB%n",
                agents, bytes, cores, (runtime.totalMemory() - runtime.freeMemory()) / 1_000_000);
        assertThat(merged).isEqualTo((long) agents * VALUES * SECONDS);
        assertThat(workers.results())
                .hasSize(agents)
                .allSatisfy(w -> assertThat(w.flow().records()).isEqualTo((long) VALUES * SECONDS));
        return cores;
    }
}
