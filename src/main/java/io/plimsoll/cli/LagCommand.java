package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.GroupWatch.Position;
import io.plimsoll.report.RunTables;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll lag}: shows the lag of consumer groups. */
@Command(name = "lag")
final class LagCommand extends PlimsollCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    /** Time limit for counting the records of all groups; enough for 25 groups with many unread records. */
    private static final Duration COUNTING = Duration.ofSeconds(75);

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
        Duration asked = read("--for", time, Quantities::duration);
        expect(asked.toSeconds() >= 2, "--for", time, "cli.a.orMore", "2s");
        require(all == groups.isEmpty(), "cli.lagWhich");
        try (ForeignGroups watched = new ForeignGroups(cluster.checkedConnection())) {
            List<PlimsollException> absent = new ArrayList<>();
            List<String> found = new ArrayList<>(
                    all ? watched.all() : groups.stream().distinct().toList());
            found.removeIf(group -> isAbsent(watched, group, absent));
            // With --all, groups that read nothing are only counted.
            List<PlimsollException> idle =
                    all ? absent.stream().filter(LagCommand::readsNothing).toList() : List.of();
            absent.removeAll(idle);
            // The default must be long enough to decide whether many groups keep up.
            Duration least = ForeignGroups.observedTwice(found.size());
            Duration length = !isTyped("--for") && asked.compareTo(least) < 0 ? least : asked;
            List<Map<String, Object>> seen = found.isEmpty() ? List.of() : look(watched, found, length, absent);
            if (seen.isEmpty() && !absent.isEmpty()) {
                absent.stream().skip(1).forEach(e -> say(e.sentence()));
                throw absent.get(0);
            }
            if (json) {
                out().print(Json.pretty(Json.object("schema", "plimsoll.lag/1", "groups", seen)));
            } else if (seen.isEmpty()) {
                print("cli.lagNoGroups");
            } else {
                out().print(RunTables.observedGroups(seen, !all, look()));
            }
            found.forEach(group -> remarks(group, watched.observed(group)));
            seen.stream().filter(group -> group.get("growing") == null).forEach(this::undecided);
            if (!idle.isEmpty()) {
                say("cli.lagWithoutOffsets", idle.size());
            }
            absent.forEach(e -> say(e.sentence()));
            return absent.isEmpty() ? Exit.PASSED : absent.get(0).exit();
        }
    }

    private static boolean readsNothing(PlimsollException e) {
        return "cluster.groupReadsNothing".equals(e.sentence().key());
    }

    /** Whether a group cannot be read. Its error is kept, so that the command still shows the other groups. */
    private static boolean isAbsent(ForeignGroups watched, String group, List<PlimsollException> absent) {
        try {
            watched.topics(group);
            return false;
        } catch (PlimsollException e) {
            absent.add(e);
            return true;
        }
    }

    /** Says why it is unknown whether a group keeps up. A group without records to read needs no remark. */
    private void undecided(Map<String, Object> group) {
        boolean uncommitted = isPositive(group.get("unknownRecords"));
        if (uncommitted || isPositive(group.get("produced")) || isPositive(group.get("lagAtEnd"))) {
            say(uncommitted ? "cli.lagUnknown" : "cli.lagUndecided", group.get("id"));
        }
    }

    private static boolean isPositive(@Nullable Object figure) {
        return figure instanceof Number number && number.doubleValue() > 0;
    }

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
            say(key, group, Sentence.list(names, 20));
        }
    }

    /** Observes the groups; {@code failed} receives the errors of groups that cannot be observed. */
    private List<Map<String, Object>> look(
            ForeignGroups watched, List<String> found, Duration length, List<PlimsollException> failed)
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
        // On a busy machine or with slow brokers, a reading can take longer than the requested interval.
        Duration patience = PATIENCE.plus(ForeignGroups.every(found.size()));
        boolean allTimed = timed.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        watched.end();
        if (!allTimed) {
            found.stream()
                    .filter(untimed::contains)
                    .map(watched::failure)
                    .flatMap(Optional::stream)
                    .forEach(failed::add);
            List<String> silent = found.stream()
                    .filter(group ->
                            unseen.contains(group) && watched.failure(group).isEmpty())
                    .toList();
            if (!silent.isEmpty()) {
                failed.add(Exit.CLUSTER.because("cli.groupNotSeen", silent, Units.duration(patience.toSeconds())));
            }
        }
        long untilNanos = System.nanoTime() + COUNTING.toNanos();
        for (String group : found) {
            if (!watched.withoutEndOffset(group).isEmpty()) {
                say("cli.lagUntold", group, watched.withoutEndOffset(group));
            }
            try {
                fold.correct(group, watched.counted(group, Duration.ofNanos(untilNanos - System.nanoTime())));
            } catch (PlimsollException e) {
                failed.add(e);
            }
        }
        return fold.groups();
    }
}
