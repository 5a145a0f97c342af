package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.report.GroupText;
import io.plimsoll.result.GroupsFold;
import io.plimsoll.result.Json;
import io.plimsoll.result.Units;
import io.plimsoll.run.ForeignGroups;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll lag GROUP...}. */
@Command(name = "lag")
final class LagCommand extends PlimsollCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    @Parameters(paramLabel = "GROUP", arity = "1..*", descriptionKey = "argument.lag.groups")
    List<String> groups = new ArrayList<>();

    @Mixin
    ClusterOptions cluster;

    @Option(names = "--for", paramLabel = "TIME", defaultValue = "5s")
    String time;

    @Option(names = "--json")
    boolean json;

    @Override
    Exit perform() throws InterruptedException {
        Duration length = read("--for", time, Quantities::duration);
        expect(length.toSeconds() >= 2, "--for", time, "cli.a.orMore", "2s");
        ClusterConnection connection = cluster.checkedConnection();
        List<Map<String, Object>> seen = look(connection, length);
        seen.stream()
                .filter(group -> group.get("growing") == null)
                .forEach(group -> say(Sentence.of("search.groupUnknown", group.get("id"))));
        if (json) {
            out().print(Json.pretty(new Lag("plimsoll.lag/1", seen)));
        } else {
            GroupText.of(seen, look()).forEach(out()::println);
        }
        return Exit.PASSED;
    }

    private void untold(String group, List<String> partitions) {
        if (!partitions.isEmpty()) {
            say(Sentence.of("cli.lagUntold", group, partitions));
        }
    }

    private record Lag(String schema, List<Map<String, Object>> groups) {}

    private List<Map<String, Object>> look(ClusterConnection connection, Duration length) throws InterruptedException {
        GroupsFold fold = new GroupsFold();
        Set<String> unseen = ConcurrentHashMap.newKeySet();
        unseen.addAll(groups);
        Set<String> untimed = ConcurrentHashMap.newKeySet();
        untimed.addAll(groups);
        CountDownLatch timed = new CountDownLatch(untimed.size());
        try (ForeignGroups watched = new ForeignGroups(connection)) {
            groups.forEach(watched::topics);
            watched.begin(System.nanoTime(), groups, o -> {
                synchronized (fold) {
                    fold.accept(o);
                }
                String group = o.what().substring(GroupsFold.GROUP.length());
                unseen.remove(group);
                if (GroupsFold.timed(o) && untimed.remove(group)) {
                    timed.countDown();
                }
            });
            Thread.sleep(length.toMillis());
            // On a busy machine, or where brokers are slow to answer, a look may take longer than was asked for.
            boolean all = timed.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            watched.end();
            if (!all && watched.failure().isPresent()) {
                throw watched.failure().get();
            }
            Exit.CLUSTER.when(
                    !unseen.isEmpty(), "cli.groupNotSeen", List.copyOf(unseen), Units.duration(PATIENCE.toSeconds()));
            groups.forEach(group -> untold(group, watched.untold(group)));
            return fold.groups();
        }
    }
}
