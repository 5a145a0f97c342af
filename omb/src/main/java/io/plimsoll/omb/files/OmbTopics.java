package io.plimsoll.omb.files;

import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The topics of a workload: new topics, or existing topics that the files name. */
final class OmbTopics {
    private static final List<Key<List<String>>> LISTS =
            List.of(OmbKeys.EXISTING, OmbKeys.EXISTING_PRODUCED, OmbKeys.EXISTING_CONSUMED);

    private final OmbFile workload;
    private final OmbDriver driver;
    private final OmbSetting setting;
    private final Map<String, Integer> partitions = new LinkedHashMap<>();

    private List<String> produced = List.of();
    private List<String> consumed = List.of();
    private boolean existing;

    OmbTopics(OmbFile workload, OmbDriver driver, OmbSetting setting) {
        this.workload = workload;
        this.driver = driver;
        this.setting = setting;
        int count = workload.get(OmbKeys.TOPICS);
        if (LISTS.stream().anyMatch(workload::has)) {
            lists(count);
        } else if (driver.file().get(OmbKeys.USE_MY_TOPIC)) {
            myTopics(count);
        } else {
            newTopics(count);
        }
    }

    /** Reads existing topics from the lists of Redpanda's fork. */
    private void lists(int count) {
        if (count > 0) {
            workload.problem(OmbKeys.TOPICS, "scenario.omb.topicsTwice");
        }
        List<String> both = workload.get(OmbKeys.EXISTING);
        named(
                both.isEmpty() ? workload.get(OmbKeys.EXISTING_PRODUCED) : both,
                both.isEmpty() ? workload.get(OmbKeys.EXISTING_CONSUMED) : both);
        if (partitions.isEmpty() && workload.findings().problems().isEmpty()) {
            workload.problem(
                    LISTS.stream().filter(workload::has).findFirst().orElseThrow(), "scenario.omb.namesNoTopic");
        }
    }

    /** Reads existing topics from a vendor's list in the driver file. */
    private void myTopics(int count) {
        List<String> names = driver.file().get(OmbKeys.MY_TOPICS);
        if (names.isEmpty()) {
            boolean given = driver.file().has(OmbKeys.MY_TOPICS);
            driver.file().problem(given ? OmbKeys.MY_TOPICS : OmbKeys.USE_MY_TOPIC, "scenario.omb.namesNone");
        } else if (count != names.size() && count >= 0) {
            workload.problem(
                    OmbKeys.TOPICS,
                    "scenario.omb.otherCount",
                    count,
                    names.size(),
                    driver.file().at(OmbKeys.MY_TOPICS));
        }
        named(names, names);
    }

    private void named(List<String> forProducers, List<String> forConsumers) {
        produced = forProducers;
        consumed = forConsumers;
        int each = workload.get(OmbKeys.PARTITIONS);
        produced.forEach(name -> partitions.put(name, each));
        consumed.forEach(name -> partitions.put(name, each));
        existing = !setting.cluster().lab(); // A lab has no topics, so it creates topics with these names.
    }

    private void newTopics(int count) {
        if (driver.file().has(OmbKeys.MY_TOPICS)) {
            driver.file().warn(OmbKeys.MY_TOPICS, "scenario.omb.topicsNotUsed");
        }
        if (count == 0 || !workload.has(OmbKeys.TOPICS)) {
            workload.problem(OmbKeys.TOPICS, "scenario.omb.noTopics");
        }
        List<Integer> each = workload.perTopic(OmbKeys.PARTITIONS_LIST, count);
        if (each.isEmpty()) {
            workload.require(OmbKeys.PARTITIONS);
        }
        int all = workload.get(OmbKeys.PARTITIONS);
        String tag = workload.get(OmbKeys.RANDOM_NAMES) ? setting.surroundings().tag() + "-" : "";
        for (int i = 0; i < count; i++) {
            String name = OmbRun.TOPIC_PREFIX + tag + String.format("%07d", i);
            partitions.put(name, each.isEmpty() ? all : each.get(i));
        }
        produced = new ArrayList<>(partitions.keySet());
        consumed = produced;
    }

    List<Tree> trees() {
        List<Tree> trees = new ArrayList<>();
        Position at = workload.at(existing ? OmbKeys.PARTITIONS : OmbKeys.TOPICS);
        if (!existing && !partitions.isEmpty()) {
            driver.file().require(OmbKeys.REPLICATION);
        }
        partitions.values().stream().distinct().forEach(count -> {
            List<String> names = partitions.keySet().stream()
                    .filter(name -> count.equals(partitions.get(name)))
                    .toList();
            for (String name : patterns(names)) {
                Tree tree = new Tree(at, false).text("name", at, name).number("partitions", at, count);
                if (existing) {
                    trees.add(tree.yes("existing", at));
                    continue;
                }
                Position replicationAt = driver.file().at(OmbKeys.REPLICATION);
                tree.number("replication", replicationAt, driver.file().get(OmbKeys.REPLICATION));
                trees.add(tree.putSome("config", driver.topicConfig()));
            }
        });
        return trees;
    }

    /** Combines consecutive names into one pattern; other names are unchanged. */
    static List<String> patterns(List<String> names) {
        if (names.size() < 2 || !names.get(0).startsWith(OmbRun.TOPIC_PREFIX)) {
            return names;
        }
        String first = names.get(0);
        int split = first.lastIndexOf('-') + 1;
        String prefix = first.substring(0, split);
        String from = first.substring(split);
        // Existing topics can have other names with this prefix.
        if (!from.matches("[0-9]{1,9}")) {
            return names;
        }
        String number = "%0" + from.length() + "d";
        boolean consecutive = IntStream.range(0, names.size())
                .allMatch(i -> names.get(i).equals(prefix + String.format(number, Integer.parseInt(from) + i)));
        return consecutive
                ? List.of(prefix + "[" + from + "-" + names.get(names.size() - 1).substring(split) + "]")
                : names;
    }

    List<String> produced() {
        return produced;
    }

    List<String> consumed() {
        return consumed;
    }

    boolean existing() {
        return existing;
    }

    /** Minimum number of partitions of a consumed topic; 0 without topics. */
    int fewestPartitions() {
        return consumed.isEmpty()
                ? 0
                : Collections.min(consumed.stream().map(partitions::get).toList());
    }
}
