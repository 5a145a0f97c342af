package io.plimsoll.scenario.omb;

import io.plimsoll.scenario.Position;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The topics of a workload: new ones, or those that the files name. */
final class OmbTopics {
    private static final int MOST = 10_000;
    private static final List<String> LISTS =
            List.of("existingTopicList", "existingProduceTopicList", "existingConsumeTopicList");

    private final OmbFile workload;
    private final OmbDriver driver;
    private final OmbSetting setting;
    /** Name to number of partitions, of all topics. */
    private final Map<String, Integer> partitions = new LinkedHashMap<>();

    private List<String> produced = List.of();
    private List<String> consumed = List.of();
    private boolean existing;

    OmbTopics(OmbFile workload, OmbDriver driver, OmbSetting setting) {
        this.workload = workload;
        this.driver = driver;
        this.setting = setting;
        // Negative: wrong, as has been reported.
        int count = (int) workload.count("topics", 0, MOST, workload.has("topics") ? -1 : 0);
        if (LISTS.stream().anyMatch(workload::has)) {
            lists(count);
        } else if (driver.file().flag("useMyTopic")) {
            myTopics(count);
        } else {
            newTopics(count);
        }
    }

    /** Redpanda's way of naming topics that are there. */
    private void lists(int count) {
        existing = true;
        if (count > 0) {
            workload.problem("topics", "scenario.omb.topicsTwice");
        }
        List<String> both = workload.texts("existingTopicList");
        produced = both.isEmpty() ? workload.texts("existingProduceTopicList") : both;
        consumed = both.isEmpty() ? workload.texts("existingConsumeTopicList") : both;
        int each = partitionsPerTopic(false);
        produced.forEach(name -> partitions.put(name, each));
        consumed.forEach(name -> partitions.put(name, each));
        if (partitions.isEmpty()) {
            workload.problem(
                    LISTS.stream().filter(workload::has).findFirst().orElseThrow(), "scenario.omb.namesNoTopic");
        }
        onLab();
    }

    /** A vendor's way: named in the driver file. */
    private void myTopics(int count) {
        existing = true;
        List<String> names = driver.file().texts("topics");
        if (names.isEmpty()) {
            driver.file().problem(driver.file().has("topics") ? "topics" : "useMyTopic", "scenario.omb.namesNone");
        } else if (count != names.size() && workload.has("topics") && count >= 0) {
            workload.problem(
                    "topics",
                    "scenario.omb.otherCount",
                    count,
                    names.size(),
                    driver.file().at("topics"));
        }
        int each = partitionsPerTopic(false);
        names.forEach(name -> partitions.put(name, each));
        produced = names;
        consumed = names;
        onLab();
    }

    private void onLab() {
        if (setting.cluster().lab()) {
            // A lab has no topics: it gets some of these names.
            existing = false;
        }
    }

    private void newTopics(int count) {
        if (driver.file().has("topics") && !driver.file().flag("useMyTopic")) {
            driver.file().warn("topics", "scenario.omb.topicsNotUsed");
        }
        if (count == 0) {
            workload.problem("topics", "scenario.omb.noTopics");
        }
        List<Integer> each = workload.perTopic("partitionsPerTopicList", count, 1);
        int all = partitionsPerTopic(each.isEmpty());
        String tag =
                workload.flag("randomTopicNames", true) ? setting.surroundings().tag() + "-" : "";
        for (int i = 0; i < count; i++) {
            String name = OmbRun.TOPIC_PREFIX + tag + String.format("%07d", i);
            partitions.put(name, each.isEmpty() ? all : each.get(i));
        }
        produced = new ArrayList<>(partitions.keySet());
        consumed = produced;
    }

    private int partitionsPerTopic(boolean required) {
        if (required && !workload.has("partitionsPerTopic")) {
            workload.problem("partitionsPerTopic", "scenario.omb.missing", Sentence.of("scenario.omb.a.count"));
        }
        return (int) workload.count("partitionsPerTopic", 1, 200_000, 1);
    }

    /** The scenario's {@code topics}, like ones together. */
    List<Tree> trees() {
        List<Tree> trees = new ArrayList<>();
        Position at = existing ? workload.at("partitionsPerTopic") : workload.at("topics");
        if (!existing && !driver.file().has("replicationFactor") && !partitions.isEmpty()) {
            driver.file().problem("replicationFactor", "scenario.omb.missing", Sentence.of("scenario.omb.a.count"));
        }
        long replication = driver.file().count("replicationFactor", existing ? 0 : 1, Short.MAX_VALUE, 1);
        new ArrayList<>(partitions.values()).stream().distinct().forEach(count -> {
            List<String> names = partitions.keySet().stream()
                    .filter(name -> partitions.get(name).equals(count))
                    .toList();
            for (String name : patterns(names)) {
                Tree tree = new Tree(at, false).text("name", at, name).number("partitions", at, count);
                if (existing) {
                    trees.add(tree.yes("existing", at));
                    continue;
                }
                tree.number("replication", driver.file().at("replicationFactor"), replication);
                Tree config = driver.topicConfig();
                if (!config.fields().fields().isEmpty()) {
                    tree.put("config", config.fields().at(), config.fields());
                }
                trees.add(tree);
            }
        });
        return trees;
    }

    /** Names that count up as one pattern, the others as they are. */
    static List<String> patterns(List<String> names) {
        if (names.size() < 2 || !names.get(0).startsWith(OmbRun.TOPIC_PREFIX)) {
            return names;
        }
        String first = names.get(0);
        String last = names.get(names.size() - 1);
        int split = first.lastIndexOf('-') + 1;
        int from = Integer.parseInt(first.substring(split));
        int to = Integer.parseInt(last.substring(split));
        if (to - from + 1 != names.size()) {
            return names;
        }
        return List.of(first.substring(0, split) + "[" + first.substring(split) + "-" + last.substring(split) + "]");
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

    /** Of the consumed topic that has the fewest; 0 without topics. */
    int fewestPartitions() {
        return consumed.isEmpty()
                ? 0
                : Collections.min(consumed.stream().map(partitions::get).toList());
    }
}
