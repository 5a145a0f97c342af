package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.capture.Capture;
import io.plimsoll.capture.CapturedScenario;
import io.plimsoll.capture.shape.CapturedText;
import io.plimsoll.capture.shape.TopicShape;
import io.plimsoll.capture.shape.TopicShape.Fidelity;
import io.plimsoll.cli.RunCommand.ObserveOptions;
import io.plimsoll.cluster.Ability;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.ClusterProbe;
import io.plimsoll.cluster.ClusterProbe.Findings;
import io.plimsoll.cluster.ClusterProbe.Found;
import io.plimsoll.cluster.GroupWatch.Position;
import io.plimsoll.cluster.Topics.NamedTopics;
import io.plimsoll.report.Mark;
import io.plimsoll.report.RunTables;
import io.plimsoll.result.GroupsFold;
import io.plimsoll.result.Json;
import io.plimsoll.result.Units;
import io.plimsoll.run.CleanUp;
import io.plimsoll.run.ForeignGroups;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll probe}: the features of a Kafka-compatible cluster; and other commands on an existing cluster. */
@Command(name = "probe")
final class ProbeCommand extends PlimsollCommand {
    @Mixin
    ClusterOptions cluster;

    @Option(names = "--apis")
    boolean apis;

    @Option(names = "--json")
    boolean json;

    @Override
    Exit perform() {
        Findings findings = ClusterProbe.of(cluster.connection());
        if (json) {
            out().print(Json.pretty(asMap(findings)));
        } else {
            show(findings);
        }
        return Exit.PASSED;
    }

    private void show(Findings findings) {
        var cluster = findings.cluster();
        print("cli.probe.cluster", cluster.clusterId(), cluster.brokers().size());
        out().println();
        for (Map.Entry<Ability, Found> entry : new TreeMap<>(findings.abilities()).entrySet()) {
            Found found = entry.getValue();
            String detail = found.detail().in(language());
            String said = entry.getKey().label().in(language()) + (detail.isEmpty() ? "" : ": " + detail);
            out().println("  " + Mark.of(found.works()).before(said, look()));
            if (!found.works()) {
                Sentence without =
                        Sentence.of("cli.probe.without", entry.getKey().use());
                out().println("      " + without.in(language()));
            }
        }
        if (!findings.features().isEmpty()) {
            out().println();
            print(
                    "cli.probe.features",
                    new TreeMap<>(findings.features())
                            .entrySet().stream()
                                    .map(e -> e.getKey() + " " + e.getValue())
                                    .toList());
        }
        if (apis) {
            out().println();
            new TreeMap<>(findings.levels().ranges()).forEach((name, range) -> out().println(Mark.of(range.usable())
                    .before(
                            String.format("%-32s %3d – %-3d", name, range.oldest(), range.newest())
                                    .strip(),
                            look())));
        }
    }

    private Map<String, Object> asMap(Findings findings) {
        Map<String, Object> abilities = new LinkedHashMap<>();
        new TreeMap<>(findings.abilities())
                .forEach((ability, found) -> abilities.put(
                        ability.id(),
                        Json.object(
                                "works", found.works(),
                                "detail", found.detail().english(),
                                "requests", ability.requests(),
                                "use", ability.use().english())));
        Map<String, Object> requests = new TreeMap<>();
        findings.levels()
                .ranges()
                .forEach((name, range) -> requests.put(
                        name, Map.of("min", range.oldest(), "max", range.newest(), "client", range.ours())));
        Map<String, Object> probed = Json.object(
                "schema", "plimsoll.probe/1",
                "clusterId", String.valueOf(findings.cluster().clusterId()),
                "brokers", findings.cluster().brokers());
        probed.putAll(Json.object(
                "abilities", abilities, "features", new TreeMap<>(findings.features()), "requests", requests));
        return probed;
    }

    /** {@code plimsoll lag}: the lag of consumer groups. */
    @Command(name = "lag")
    static final class LagCommand extends PlimsollCommand {
        private static final Duration PATIENCE = Duration.ofSeconds(15);

        @Parameters(paramLabel = "GROUP", arity = "0..*", descriptionKey = "argument.lag.groups")
        List<String> groups = new ArrayList<>();

        @Option(names = "--all")
        boolean all;

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
            require(all == groups.isEmpty(), "cli.lagWhich");
            try (ForeignGroups watched = new ForeignGroups(cluster.checkedConnection())) {
                List<PlimsollException> absent = new ArrayList<>();
                List<String> found = new ArrayList<>(
                        all ? watched.all() : groups.stream().distinct().toList());
                found.removeIf(group -> isAbsent(watched, group, absent));
                if (found.isEmpty() && !absent.isEmpty() && !all) {
                    absent.stream().skip(1).forEach(e -> say(e.sentence()));
                    throw absent.get(0);
                }
                List<Map<String, Object>> seen = found.isEmpty() ? List.of() : look(watched, found, length);
                if (json) {
                    out().print(Json.pretty(Json.object("schema", "plimsoll.lag/1", "groups", seen)));
                } else if (seen.isEmpty()) {
                    print("cli.lagNoGroups");
                } else {
                    out().print(RunTables.observedGroups(seen, !all, look()));
                }
                found.forEach(group -> remarks(group, watched.observed(group)));
                seen.stream()
                        .filter(group -> group.get("growing") == null)
                        .forEach(group -> say("cli.lagUnknown", group.get("id")));
                if (all && !absent.isEmpty()) {
                    say("cli.lagWithoutOffsets", absent.size());
                } else {
                    absent.forEach(e -> say(e.sentence()));
                }
                return all || absent.isEmpty() ? Exit.PASSED : absent.get(0).exit();
            }
        }

        /** Whether a group is unknown; its error is kept, so that the other groups are shown. */
        private static boolean isAbsent(ForeignGroups watched, String group, List<PlimsollException> absent) {
            try {
                watched.topics(group);
                return false;
            } catch (PlimsollException e) {
                absent.add(e);
                return true;
            }
        }

        /** Prints the limits of the group's lag figures. */
        private void remarks(String group, Map<TopicPartition, Position> positions) {
            remark("cli.lagUncommitted", group, positions, at -> at.committed() < 0 && at.unread() > 0);
            remark("cli.lagBeyond", group, positions, Position::beyond);
            remark("cli.lagDeleted", group, positions, at -> at.deleted() > 0);
            remark("cli.lagOpen", group, positions, at -> at.known() && at.open() > 0);
        }

        private void remark(
                String key, String group, Map<TopicPartition, Position> positions, Predicate<Position> concerned) {
            List<String> names = positions.entrySet().stream()
                    .filter(e -> concerned.test(e.getValue()))
                    .map(e -> e.getKey().toString())
                    .sorted()
                    .toList();
            if (!names.isEmpty()) {
                say(key, group, names);
            }
        }

        private List<Map<String, Object>> look(ForeignGroups watched, List<String> found, Duration length)
                throws InterruptedException {
            GroupsFold fold = new GroupsFold();
            Set<String> unseen = ConcurrentHashMap.newKeySet();
            unseen.addAll(found);
            Set<String> untimed = ConcurrentHashMap.newKeySet();
            untimed.addAll(found);
            CountDownLatch timed = new CountDownLatch(untimed.size());
            watched.begin(System.nanoTime(), found, o -> {
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
            // A look can take longer than requested on a busy machine or with slow brokers.
            Duration patience = PATIENCE.plus(ForeignGroups.every(found.size()));
            boolean allTimed = timed.await(patience.toMillis(), TimeUnit.MILLISECONDS);
            watched.end();
            if (!allTimed && watched.failure().isPresent()) {
                throw watched.failure().get();
            }
            Exit.CLUSTER.when(
                    !unseen.isEmpty(), "cli.groupNotSeen", List.copyOf(unseen), Units.duration(patience.toSeconds()));
            for (String group : found) {
                if (!watched.untold(group).isEmpty()) {
                    say("cli.lagUntold", group, watched.untold(group));
                }
                fold.correct(group, watched.counted(group));
            }
            return fold.groups();
        }
    }

    /** {@code plimsoll clean}: removes the leftovers of killed runs from a cluster. */
    @Command(name = "clean", customSynopsis = "plimsoll clean --bootstrap-server=HOST:PORT[,...] [OPTIONS]")
    static final class CleanCommand extends PlimsollCommand {
        @Mixin
        ClusterOptions cluster;

        @ArgGroup
        Which which = new Which();

        static final class Which {
            @Option(names = "--run", paramLabel = "RUN_DIR")
            Path run;

            @Option(names = "--older-than", paramLabel = "TIME")
            String olderThan = "1h";
        }

        @Option(names = "--out", paramLabel = "DIR", defaultValue = "runs")
        Path out;

        @Option(names = "--dry-run")
        boolean dryRun;

        @Option(names = "--yes")
        boolean yes;

        @Override
        Exit perform() {
            Duration age = read("--older-than", which.olderThan, Quantities::durationOrZero);
            ClusterConnection connection = cluster.checkedConnection();
            try (Admin admin = connection.admin()) {
                CleanUp clean = new CleanUp(connection, admin, Instant.now());
                CleanUp.Found found = which.run == null ? clean.olderThan(age, out) : clean.ofRun(which.run);
                found.leftAlone().forEach(this::print);
                found.topics().forEach((name, told) -> print("cli.clean.topic", name, told));
                found.groups().forEach((name, told) -> print("cli.clean.group", name, told));
                if (found.nothing()) {
                    print("cli.clean.nothing");
                    return Exit.PASSED;
                }
                if (dryRun) {
                    return Exit.PASSED;
                }
                out().flush();
                Exit.USAGE.when(!yes && !Asking.isGranted(this), "cli.clean.notAsked");
                clean.remove(found);
                print("cli.clean.removed", found.topics().size(), found.groups().size());
                return Exit.PASSED;
            }
        }
    }

    /** {@code plimsoll capture}: turns the load of a cluster into a scenario. */
    @Command(name = "capture")
    static final class CaptureCommand extends PlimsollCommand {
        @Mixin
        ClusterOptions cluster;

        @Option(names = "--topics", paramLabel = "REGEX")
        String topics;

        @Option(names = "--for", paramLabel = "TIME")
        String time;

        @Option(names = "--last", paramLabel = "TIME", defaultValue = "1h")
        String last;

        @Option(names = "--max-rate", paramLabel = "RATE", defaultValue = "5MB/s")
        String maxRate;

        @Option(names = "--compress-time", paramLabel = "F", defaultValue = "1")
        double faster;

        @Mixin
        ObserveOptions observe;

        @Option(names = "--check", paramLabel = "FILE")
        Path check;

        private Duration length;
        private Rate.Quantity most;

        @Override
        Exit perform() {
            require((topics == null) != (check == null), "cli.exactlyOne", List.of("--topics", "--check"));
            require(time != null || observe.observed().isEmpty(), "cli.needs", "--jmx", "--for");
            expect(faster >= 1, "--compress-time", faster, "cli.a.orMore", 1);
            // Before any request to the cluster.
            length = read(time != null ? "--for" : "--last", time != null ? time : last, Quantities::duration);
            most = read("--max-rate", maxRate, Quantities::rate);
            expect(most.unit() != Rate.Unit.RECORDS, "--max-rate", maxRate, "watch.a.byteRate");
            if (check != null) {
                return check();
            }
            Pattern pattern = pattern();
            List<String> matching = new NamedTopics(cluster.connection()).matching(pattern);
            Capture.Captured captured = capture(matching).look();
            out().print(CapturedScenario.of(captured, new CapturedText(captured.window(), faster, language())));
            return Exit.PASSED;
        }

        private Pattern pattern() {
            try {
                return Pattern.compile(topics);
            } catch (PatternSyntaxException e) {
                throw mistake("cli.notARegex", topics, e.getDescription());
            }
        }

        private Capture capture(Collection<String> names) {
            return new Capture(
                    cluster.connection(), names, length, time != null, (long) most.value(), observe.observed());
        }

        /** Compares the source of a captured scenario with its replay. */
        private Exit check() {
            String text = ScenarioSource.read(check, "run.aScenario");
            List<TopicShape> shapes = CapturedScenario.shapes(text, check.toString());
            List<String> names = shapes.stream()
                    .map(shape -> CapturedScenario.firstName(shape.topic()))
                    .toList();
            List<TopicShape> found = capture(names).look().topics();
            boolean within = true;
            for (TopicShape replayed : found) {
                TopicShape captured = shapes.get(names.indexOf(replayed.topic()));
                for (Fidelity row : Fidelity.of(captured, replayed)) {
                    within &= row.within();
                    print(
                            row.within() ? "capture.within" : "capture.beyond",
                            row.topic(),
                            Sentence.of("capture.figure." + row.figure()),
                            Units.decimals(row.captured(), 2),
                            Units.decimals(row.replayed(), 2),
                            Units.percent(row.distance()),
                            Units.percent(row.bound()));
                }
            }
            return within ? Exit.PASSED : Exit.CHECK_FAILED;
        }
    }
}
