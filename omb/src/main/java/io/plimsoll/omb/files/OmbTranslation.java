package io.plimsoll.omb.files;

import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Position;
import io.plimsoll.scenario.Problems;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.ScenarioException;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlTree;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Translates a workload and a driver of OpenMessaging Benchmark. Used by one thread. */
public final class OmbTranslation {
    /** Maximum number of clients or groups in an entry of a scenario. */
    private static final int MOST_PARTIES = 10_000;
    private static final int LONGEST_NAME = 100;
    private static final Pattern RATE_OVERRIDE = Pattern.compile("producers(\\[\\d+])?\\.rate\\s*=");

    private final OmbSetting setting;
    private final OmbFile workload;
    private final OmbDriver driver;
    private final OmbTopics topics;
    private final OmbFile.Findings findings;
    private final String workloadWhere;
    private final String driverWhere;

    private OmbTranslation(String driverText, String driverWhere, String text, String where, OmbSetting setting) {
        this.setting = setting;
        this.driverWhere = driverWhere;
        this.workloadWhere = where;
        findings = new OmbFile.Findings(setting.reading().strict());
        Problems problems = findings.problems();
        Optional<Fields> load =
                YamlTree.mapOf(text, where, OmbKeys.WORKLOAD.expected(), problems, findings::givenTwice);
        Optional<Fields> cluster =
                YamlTree.mapOf(driverText, driverWhere, OmbKeys.DRIVER.expected(), problems, findings::givenTwice);
        if (load.isEmpty() || cluster.isEmpty()) {
            problems.throwIfAny();
        }
        workload = new OmbFile(load.orElseThrow(), OmbKeys.WORKLOAD, findings);
        driver = new OmbDriver(new OmbFile(cluster.orElseThrow(), OmbKeys.DRIVER, findings), setting);
        topics = new OmbTopics(workload, driver, setting);
    }

    /** @throws ScenarioException with every error, each with file, line and column */
    public static OmbRun translate(
            String driverText, String driverWhere, String workloadText, String workloadWhere, OmbSetting setting) {
        return new OmbTranslation(driverText, driverWhere, workloadText, workloadWhere, setting).run();
    }

    private OmbRun run() {
        String base = baseName(workloadWhere);
        String driverName = oneLine(driver.name(baseName(driverWhere)));
        Optional<String> servers = driver.servers();
        Map<String, String> connection = driver.connection();
        Fields scenario = scenario(base, driverName).fields();
        Optional<String> reset = driver.file().get(OmbKeys.RESET)
                ? Optional.of(driver.file().at(OmbKeys.RESET) + ": reset")
                : Optional.empty();
        findings.problems().throwIfAny();
        Plan plan = ScenarioReader.read(
                scenario, base, setting.reading().overrides(), setting.reading().scale());
        return new OmbRun(
                base,
                driverName,
                plan,
                new OmbRun.Cluster(servers, connection, reset),
                asksForHighestRate(),
                workload.get(workload.has(OmbKeys.SAMPLE_MILLIS) ? OmbKeys.SAMPLE_MILLIS : OmbKeys.LOG_MILLIS),
                List.copyOf(findings.warnings()));
    }

    private Tree scenario(String base, String driverName) {
        Position at = workload.at(OmbKeys.NAME);
        Tree scenario = new Tree(at, false);
        scenario.text("name", at, ScenarioReader.legalName(base + "-" + driverName, "omb"));
        scenario.text("about", at, oneLine(workload.has(OmbKeys.NAME) ? workload.get(OmbKeys.NAME) : base));
        scenario.list(
                "trials", List.of(new Tree(at, true).text("name", driver.file().at(OmbKeys.NAME), driverName)));
        scenario.list("topics", topics.trees());
        double minutes = workload.get(OmbKeys.MINUTES);
        if (minutes == 0 || !workload.has(OmbKeys.MINUTES)) {
            workload.problem(OmbKeys.MINUTES, "scenario.omb.forEver");
        }
        List<Tree> producers = producers(minutes);
        List<Tree> consumers = consumers(!producers.isEmpty());
        if (producers.isEmpty() && consumers.isEmpty() && findings.problems().isEmpty()) {
            workload.problem(OmbKeys.PRODUCERS, "scenario.omb.noLoad");
        }
        scenario.list("producers", producers);
        scenario.list("consumers", consumers);
        scenario.text("duration", workload.at(OmbKeys.MINUTES), time(Math.max(0, minutes)));
        scenario.text("warmup", workload.at(OmbKeys.WARMUP_MINUTES), time(workload.get(OmbKeys.WARMUP_MINUTES)));
        if (!topics.existing() && !producers.isEmpty()) {
            scenario.yes("audit", at);
        }
        remarks();
        return scenario;
    }

    private static String time(double minutes) {
        return Quantities.text(Duration.ofMillis(Math.round(minutes * 60_000)));
    }

    /** One entry for all topics with the same number of producers, or several if one would have too many clients. */
    private List<Tree> producers(double minutes) {
        List<Tree> entries = new ArrayList<>();
        List<String> names = topics.produced();
        List<Integer> perTopic = workload.perTopic(OmbKeys.PRODUCERS_LIST, names.size());
        int same = workload.get(OmbKeys.PRODUCERS);
        if (workload.get(OmbKeys.CONSUMER_ONLY)) {
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
        // The first rate of a list applies at the end of the warm-up.
        LocalTime from =
                setting.surroundings().startsAt().plusSeconds(Math.round(60 * workload.get(OmbKeys.WARMUP_MINUTES)));
        OmbRates rates = new OmbRates(workload, from, setting.highestRate());
        Position at = workload.at(perTopic.isEmpty() ? OmbKeys.PRODUCERS : OmbKeys.PRODUCERS_LIST);
        for (Map.Entry<Integer, List<String>> entry : byCount.entrySet()) {
            for (List<String> some : parts(entry.getValue(), entry.getKey())) {
                int clients = entry.getKey() * some.size();
                Tree producer = dealt(at, some).number("clients", at, clients);
                rates.put(producer, (double) clients / all, minutes);
                producer.put("record", workload.at(OmbKeys.MESSAGE_SIZE), new OmbRecords(workload, setting).tree());
                entries.add(producer.putSome("config", driver.producerConfig()));
            }
        }
        return entries;
    }

    /** Divides topics into lists of consecutive topics, so that no entry exceeds its maximum number of clients or groups. */
    private static List<List<String>> parts(List<String> names, int perTopic) {
        int each = Math.max(1, MOST_PARTIES / perTopic);
        return IntStream.iterate(0, from -> from < names.size(), from -> from + each)
                .mapToObj(from -> names.subList(from, Math.min(names.size(), from + each)))
                .toList();
    }

    /** An entry with one topic per client or group. */
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

    private List<Tree> consumers(boolean withProducers) {
        int subscriptions = workload.get(OmbKeys.SUBSCRIPTIONS);
        int members = workload.get(OmbKeys.CONSUMERS);
        List<String> names = topics.consumed();
        if (subscriptions == 0 || members == 0 || names.isEmpty()) {
            return List.of();
        }
        // The files need not contain the number of partitions of existing topics.
        boolean known = !topics.existing() || workload.has(OmbKeys.PARTITIONS);
        if (known && members > topics.fewestPartitions()) {
            workload.warn(
                    OmbKeys.CONSUMERS,
                    "scenario.omb.idleConsumers",
                    members - topics.fewestPartitions(),
                    members,
                    topics.fewestPartitions());
        }
        Position at = workload.at(OmbKeys.SUBSCRIPTIONS);
        Position membersAt = workload.at(OmbKeys.CONSUMERS);
        boolean shared = driver.file().get(OmbKeys.SHARED_GROUP) && names.size() > 1;
        List<Tree> entries = new ArrayList<>();
        for (List<String> some : shared ? List.of(names) : parts(names, subscriptions)) {
            Tree consumer = shared ? new Tree(at, false).texts("topic", at, OmbTopics.patterns(some)) : dealt(at, some);
            consumer.number("groups", at, (long) subscriptions * (shared ? 1 : some.size()))
                    .number("members", membersAt, (long) members * (shared ? some.size() : 1));
            start(consumer, subscriptions * (double) names.size() / some.size(), withProducers);
            Position commitAt = driver.consumerAt();
            if (!driver.commitsByItself()) {
                Tree every = new Tree(commitAt, true).number("every", commitAt, 1);
                consumer.put("commit", commitAt, new Tree(commitAt, true).put("async", commitAt, every));
            }
            entries.add(consumer.putSome("config", driver.consumerConfig()));
        }
        return entries;
    }

    /** @param parts number of parts into which the workload's backlog is divided */
    private void start(Tree consumer, double parts, boolean withProducers) {
        long gigabytes = workload.get(OmbKeys.BACKLOG);
        if (gigabytes == 0 || !withProducers) {
            consumer.text("start", driver.consumerAt(), driver.start());
            return;
        }
        Position at = workload.at(OmbKeys.BACKLOG);
        if (workload.get(OmbKeys.RATE) == 0 && !workload.has(OmbKeys.RATES)) {
            workload.problem(OmbKeys.RATE, "scenario.omb.backlogNeedsRate");
        }
        // OpenMessaging Benchmark counts a size once for each group; a scenario counts it once for all groups.
        long bytes = (long) ((gigabytes << 30) / parts);
        String size = parts == 1
                ? gigabytes + "GiB"
                : BigDecimal.valueOf(bytes, 3).stripTrailingZeros().toPlainString() + "KB";
        consumer.put("start", at, new Tree(at, true).text("backlog", at, size));
    }

    private boolean asksForHighestRate() {
        return setting.highestRate().isEmpty()
                && setting.reading().overrides().stream()
                        .noneMatch(o -> RATE_OVERRIDE.matcher(o).lookingAt())
                && workload.get(OmbKeys.RATE) == 0
                && scheduled()
                && !topics.produced().isEmpty();
    }

    private boolean scheduled() {
        return !workload.get(OmbKeys.CONSUMER_ONLY) && !workload.has(OmbKeys.RATES);
    }

    /** Warns about differences from OpenMessaging Benchmark. */
    private void remarks() {
        if (asksForHighestRate()) {
            workload.warn(OmbKeys.RATE, "scenario.omb.highestRate", OmbRun.LONGEST_SEARCH.toMinutes());
        } else if (workload.get(OmbKeys.RATE) == OmbRates.ANYTHING && scheduled()) {
            workload.warn(OmbKeys.RATE, "scenario.omb.closedLoop");
        }
        OmbKeys.WITHOUT_EFFECT.stream()
                .filter(key -> workload.get(key) > 0)
                .forEach(key -> workload.warn(key, "scenario.omb.noEffect"));
        ignored();
    }

    /** Warns about keys that have no effect in combination with other keys. */
    private void ignored() {
        boolean random = workload.get(OmbKeys.RANDOM_PAYLOADS) || workload.has(OmbKeys.SIZE_DISTRIBUTION);
        if (random && workload.has(OmbKeys.PAYLOAD_FILE)) {
            workload.warn(OmbKeys.PAYLOAD_FILE, "scenario.omb.fileNotSent");
        }
        if (!random) {
            Stream.of(OmbKeys.RANDOM_RATIO, OmbKeys.POOL)
                    .filter(workload::has)
                    .forEach(key -> workload.warn(key, "scenario.omb.onlyRandom"));
        }
        if (workload.get(OmbKeys.DRAIN_RATIO) < 1) {
            workload.warn(OmbKeys.DRAIN_RATIO, "scenario.omb.drainsAll");
        }
        if (topics.existing()) {
            Stream.of(OmbKeys.REPLICATION, OmbKeys.TOPIC_CONFIG)
                    .filter(driver.file()::has)
                    .forEach(key -> driver.file().warn(key, "scenario.omb.topicsAreThere"));
        }
    }

    private static String baseName(String where) {
        return ScenarioReader.baseName(where).replaceFirst("\\.(ya?ml|json)$", "");
    }

    private static String oneLine(String text) {
        String line = text.replaceAll("\\s+", " ").strip();
        String shown = line.isEmpty() ? "omb" : line;
        return shown.codePointCount(0, shown.length()) <= LONGEST_NAME
                ? shown
                : shown.substring(0, shown.offsetByCodePoints(0, LONGEST_NAME));
    }
}
