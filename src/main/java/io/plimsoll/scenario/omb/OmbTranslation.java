package io.plimsoll.scenario.omb;

import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Position;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.ScenarioException;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.text.Sentence;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Translates a workload of OpenMessaging Benchmark and the driver that it is to run on. Used by one thread. */
public final class OmbTranslation {
    private static final long DEFAULT_PERIOD_MILLIS = 10_000;
    private static final double MOST_MINUTES = 525_600;
    private static final int LONGEST_NAME = 100;
    private static final Pattern RATE_OVERRIDE = Pattern.compile("producers(\\[\\d+])?\\.rate\\s*=");

    private final OmbSetting setting;
    private final OmbFile workload;
    private final OmbDriver driver;
    private final OmbTopics topics;
    private final OmbFindings findings;
    private final String workloadWhere;
    private final String driverWhere;

    private OmbTranslation(String driverText, String driverWhere, String text, String where, OmbSetting setting) {
        this.setting = setting;
        this.driverWhere = driverWhere;
        this.workloadWhere = where;
        findings = new OmbFindings(setting.reading().strict());
        workload = OmbFile.read(text, where, OmbKeys.WORKLOAD, Sentence.of("scenario.omb.a.workload"), findings);
        OmbFile file =
                OmbFile.read(driverText, driverWhere, OmbKeys.DRIVER, Sentence.of("scenario.omb.a.driver"), findings);
        if (!workload.readable() || !file.readable()) {
            // What follows would only report the same mistake in other words.
            findings.problems().throwIfAny();
        }
        driver = new OmbDriver(file, setting);
        topics = new OmbTopics(workload, driver, setting);
    }

    /**
     * @param driverText contents of the driver file
     * @param driverWhere its path, for messages
     * @param workloadText contents of the workload file
     * @param workloadWhere its path, for messages
     * @throws ScenarioException with every mistake, each with file, line and column
     */
    public static OmbRun translate(
            String driverText, String driverWhere, String workloadText, String workloadWhere, OmbSetting setting) {
        return new OmbTranslation(driverText, driverWhere, workloadText, workloadWhere, setting).run();
    }

    private OmbRun run() {
        String base = baseName(workloadWhere);
        String driverName = oneLine(driver.name(baseName(driverWhere)));
        Optional<String> servers = driver.servers();
        Map<String, String> connection = driver.connection();
        long period = workload.count(
                "sampleRateMillis",
                1_000,
                3_600_000,
                workload.count("logIntervalMillis", 1_000, 3_600_000, DEFAULT_PERIOD_MILLIS));
        Fields scenario = scenario(base, driverName).fields();
        Optional<String> reset = Optional.empty();
        if (driver.file().flag("reset")) {
            Position at = driver.file().at("reset");
            reset = Optional.of(at + ": reset");
        }
        findings.problems().throwIfAny();
        Plan plan = ScenarioReader.read(
                scenario, base, setting.reading().overrides(), setting.reading().scale());
        return new OmbRun(
                base,
                driverName,
                plan,
                new OmbRun.Cluster(servers, connection, reset),
                asksForHighestRate(),
                period,
                findings.warnings());
    }

    private Tree scenario(String base, String driverName) {
        Position at = workload.at("name");
        Tree scenario = new Tree(at, false);
        scenario.text("name", at, legal(base + "-" + driverName));
        scenario.text("about", at, oneLine(workload.text("name").orElse(base)));
        scenario.list(
                "trials", List.of(new Tree(at, true).text("name", driver.file().at("name"), driverName)));
        scenario.list("topics", topics.trees());
        // Negative: wrong, as has been reported.
        double minutes = minutes("testDurationMinutes", workload.has("testDurationMinutes") ? -1 : 0);
        double warmup = minutes("warmupDurationMinutes", 1);
        if (minutes == 0) {
            workload.problem("testDurationMinutes", "scenario.omb.forEver");
        }
        List<Tree> producers = producers(minutes);
        List<Tree> consumers = consumers(!producers.isEmpty());
        if (producers.isEmpty() && consumers.isEmpty() && findings.problems().isEmpty()) {
            workload.problem("producersPerTopic", "scenario.omb.noLoad");
        }
        if (!producers.isEmpty()) {
            scenario.list("producers", producers);
        }
        if (!consumers.isEmpty()) {
            scenario.list("consumers", consumers);
        }
        scenario.text("duration", workload.at("testDurationMinutes"), time(Math.max(0, minutes)));
        scenario.text("warmup", workload.at("warmupDurationMinutes"), time(warmup));
        if (!topics.existing() && !producers.isEmpty()) {
            scenario.yes("audit", at);
        }
        remarks();
        return scenario;
    }

    private double minutes(String key, double fallback) {
        return workload.number(key, 0, MOST_MINUTES, fallback);
    }

    private static String time(double minutes) {
        return Quantities.text(Duration.ofMillis(Math.round(minutes * 60_000)));
    }

    /** One entry for all topics that have equally many producers. */
    private List<Tree> producers(double minutes) {
        List<Tree> entries = new ArrayList<>();
        List<String> names = topics.produced();
        List<Integer> perTopic = workload.perTopic("producersPerTopicList", names.size(), 0);
        int same = (int) workload.count("producersPerTopic", 0, 1_000_000, 0);
        if (workload.flag("consumerOnly")) {
            return entries;
        }
        Map<Integer, List<String>> byCount = new LinkedHashMap<>();
        long all = 0;
        for (int i = 0; i < names.size(); i++) {
            int count = perTopic.isEmpty() ? same : perTopic.get(i);
            all += count;
            if (count > 0) {
                byCount.computeIfAbsent(count, c -> new ArrayList<>()).add(names.get(i));
            }
        }
        OmbRates rates = new OmbRates(workload, setting.surroundings().startsAt(), setting.highestRate());
        Position at = workload.at(perTopic.isEmpty() ? "producersPerTopic" : "producersPerTopicList");
        for (Map.Entry<Integer, List<String>> entry : byCount.entrySet()) {
            int clients = entry.getKey() * entry.getValue().size();
            Tree producer = dealt(at, entry.getValue()).number("clients", at, clients);
            rates.put(producer, (double) clients / all, minutes);
            producer.put(
                    "record",
                    workload.at("messageSize"),
                    new OmbRecords(workload, setting).tree().fields());
            putConfig(producer, driver.producerConfig());
            entries.add(producer);
        }
        return entries;
    }

    /** An entry whose clients or groups have one topic each. */
    private static Tree dealt(Position at, List<String> names) {
        List<String> patterns = OmbTopics.patterns(names);
        Tree entry = new Tree(at, false);
        if (patterns.size() == 1) {
            entry.text("topic", at, patterns.get(0));
        } else {
            entry.texts("topic", at, patterns);
        }
        return names.size() > 1 ? entry.yes("oneTopicEach", at) : entry;
    }

    private static void putConfig(Tree entry, Tree config) {
        if (!config.fields().fields().isEmpty()) {
            entry.put("config", config.fields().at(), config.fields());
        }
    }

    private List<Tree> consumers(boolean withProducers) {
        int subscriptions = (int) workload.count("subscriptionsPerTopic", 0, 10_000, 0);
        int members = (int) workload.count("consumerPerSubscription", 0, 10_000, 0);
        List<String> names = topics.consumed();
        if (subscriptions == 0 || members == 0 || names.isEmpty()) {
            return List.of();
        }
        if (members > topics.fewestPartitions()) {
            workload.warn(
                    "consumerPerSubscription",
                    "scenario.omb.idleConsumers",
                    members - topics.fewestPartitions(),
                    members,
                    topics.fewestPartitions());
        }
        Position at = workload.at("subscriptionsPerTopic");
        Position membersAt = workload.at("consumerPerSubscription");
        Tree consumer;
        if (driver.file().flag("useSharedConsumerGroup") && names.size() > 1) {
            List<String> patterns = OmbTopics.patterns(names);
            consumer = new Tree(at, false)
                    .texts("topic", at, patterns)
                    .number("groups", at, subscriptions)
                    .number("members", membersAt, (long) members * names.size());
        } else {
            consumer = dealt(at, names)
                    .number("groups", at, (long) subscriptions * names.size())
                    .number("members", membersAt, members);
        }
        start(consumer, subscriptions, withProducers);
        Position commitAt = driver.consumerAt();
        if (!driver.commitsByItself()) {
            Tree every = new Tree(commitAt, true).number("every", commitAt, 1);
            consumer.put(
                    "commit",
                    commitAt,
                    new Tree(commitAt, true)
                            .put("async", commitAt, every.fields())
                            .fields());
        }
        putConfig(consumer, driver.consumerConfig());
        return List.of(consumer);
    }

    private void start(Tree consumer, int subscriptions, boolean withProducers) {
        long gigabytes = workload.count("consumerBacklogSizeGB", 0, 1_000_000, 0);
        workload.number("backlogDrainRatio", 0, 1, 1);
        if (gigabytes == 0 || !withProducers) {
            consumer.text("start", driver.consumerAt(), driver.start());
            return;
        }
        Position at = workload.at("consumerBacklogSizeGB");
        if (workload.count("producerRate", 0, Long.MAX_VALUE, 0) == 0 && !workload.has("producerRateList")) {
            workload.problem("producerRate", "scenario.omb.backlogNeedsRate");
        }
        // A size is counted once for each group there, and once for all of them here.
        long bytes = (gigabytes << 30) / subscriptions;
        String size = subscriptions == 1
                ? gigabytes + "GiB"
                : BigDecimal.valueOf(bytes, 3).stripTrailingZeros().toPlainString() + "KB";
        consumer.put("start", at, new Tree(at, true).text("backlog", at, size).fields());
    }

    private boolean asksForHighestRate() {
        return setting.highestRate().isEmpty()
                && setting.reading().overrides().stream()
                        .noneMatch(o -> RATE_OVERRIDE.matcher(o).lookingAt())
                && workload.count("producerRate", 0, Long.MAX_VALUE, 0) == 0
                && !workload.flag("consumerOnly")
                && !workload.has("producerRateList")
                && !topics.produced().isEmpty();
    }

    /** What is done otherwise than the files may lead one to think. */
    private void remarks() {
        long rate = workload.count("producerRate", 0, Long.MAX_VALUE, 0);
        boolean produces = !workload.flag("consumerOnly") && !workload.has("producerRateList");
        if (asksForHighestRate()) {
            workload.warn("producerRate", "scenario.omb.highestRate", OmbRun.LONGEST_SEARCH.toMinutes());
        } else if (rate == OmbRates.ANYTHING && produces) {
            workload.warn("producerRate", "scenario.omb.closedLoop");
        }
        for (String key : List.of(
                "warmupProducerRate",
                "warmupProducerRateSeparationMinutes",
                "backlogProducerRate",
                "drainProducerRate")) {
            if (workload.has(key) && workload.number(key, -1, 1e12, 0) > 0) {
                workload.warn(key, "scenario.omb.noEffect");
            }
        }
    }

    /** The file's name without directories and extension. */
    private static String baseName(String where) {
        String file = where.substring(Math.max(where.lastIndexOf('/'), where.lastIndexOf('\\')) + 1);
        return file.replaceFirst("\\.(ya?ml|json)$", "");
    }

    private static String legal(String name) {
        String legal = name.replaceAll("[^A-Za-z0-9._-]+", "-").replaceFirst("^[._-]+", "");
        return legal.isEmpty() ? "omb" : legal.substring(0, Math.min(LONGEST_NAME, legal.length()));
    }

    private static String oneLine(String text) {
        String line = text.replaceAll("\\s+", " ").strip();
        String shown = line.isEmpty() ? "omb" : line;
        return shown.codePointCount(0, shown.length()) <= LONGEST_NAME
                ? shown
                : shown.substring(0, shown.offsetByCodePoints(0, LONGEST_NAME));
    }
}
