package io.plimsoll.run;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.load.ProducerLoad;
import io.plimsoll.payload.PayloadFile;
import io.plimsoll.payload.SchemaSupport;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.TrialIntent;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.SendMode;
import io.plimsoll.scenario.TopicSpec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * Describes a trial's setup for the timeline: effective settings and requested load.
 * @param topics topics of the cluster; the scenario's topics must exist
 */
record TrialSetup(Scenario scenario, LoadContext context, Topics topics) {
    EndToEndSource endToEndSource() {
        Set<EndToEndSource> sources = scenario.producers().stream()
                .map(spec -> ProducerKind.marksOf(context, spec).latencyFrom())
                .collect(Collectors.toSet());
        if (sources.isEmpty()) {
            return EndToEndSource.NONE;
        }
        if (sources.equals(Set.of(EndToEndSource.STAMP))) {
            return EndToEndSource.STAMP;
        }
        Set<String> names = scenario.topics().stream().map(TopicSpec::name).collect(Collectors.toSet());
        if (!topics.appendTimes(names).isEmpty()) {
            return EndToEndSource.LOG_APPEND_TIME;
        }
        return sources.contains(EndToEndSource.BATCH_TIME) ? EndToEndSource.BATCH_TIME : EndToEndSource.CREATE_TIME;
    }

    /** @param topicsSeconds duration of topic creation; null if none were created */
    TrialPlan plan(
            EndToEndSource source, Map<String, Long> recordsBefore, boolean oneHost, @Nullable Double topicsSeconds) {
        double bytes = 0;
        long bufferMemory = 0;
        long linger = 0;
        int clients = 0;
        int index = 0;
        for (ProducerSpec spec : scenario.producers()) {
            String part = "producers-" + index++;
            ProducerConfig config = ClientProperties.config(context, spec, part);
            bufferMemory += config.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG) * spec.clients();
            linger = Math.max(linger, config.getLong(ProducerConfig.LINGER_MS_CONFIG));
            clients += spec.clients();
            bytes += ProducerLoad.sample(context, spec, part).meanPayloadBytes()
                    / scenario.producers().size();
        }
        List<ConsumerSpec> consumers = scenario.consumers();
        return new TrialPlan(
                new TimelineEvent.Course(
                        openLoop(scenario),
                        scenario.effectiveWarmup().atMost().toNanos() / 1e9,
                        plannedSeconds(scenario),
                        scenario.effectiveWarmup().until().word(),
                        topicsSeconds),
                new TimelineEvent.Producing(
                        bytes,
                        bufferMemory,
                        engines(scenario.producers().stream().map(ProducerSpec::engine)),
                        clients,
                        null),
                new TimelineEvent.Consuming(
                        engines(consumers.stream().map(ConsumerSpec::engine)),
                        consumers.isEmpty() ? 0 : consumers.get(0).members(),
                        source.label(),
                        null,
                        oneHost,
                        members()),
                new TrialIntent(
                        asked(scenario.producers(), ProducerSpec::records),
                        asked(consumers, TrialSetup::ofAllGroups),
                        backlogGroups(),
                        openBatches(),
                        linger,
                        scenario.producers().stream().anyMatch(TrialSetup::keyed),
                        recordsBefore,
                        scenario.producers().stream().anyMatch(p -> p.send() instanceof SendMode.Sync)));
    }

    /** Planned length of the measured window in seconds; 0 if unknown in advance. */
    static double plannedSeconds(Scenario scenario) {
        return scenario.boundByRecords() ? 0 : scenario.window().toNanos() / 1e9;
    }

    static boolean openLoop(Scenario scenario) {
        return scenario.producers().stream().noneMatch(p -> p.rate() instanceof Rate.Unlimited);
    }

    /** Total records of all entries; null without entries or if any entry is unbounded. */
    private static <T> @Nullable Long asked(List<T> entries, Function<T, OptionalLong> records) {
        List<OptionalLong> all = entries.stream().map(records).toList();
        return all.isEmpty() || all.contains(OptionalLong.empty())
                ? null
                : Long.valueOf(all.stream().mapToLong(OptionalLong::getAsLong).sum());
    }

    private static OptionalLong ofAllGroups(ConsumerSpec spec) {
        return spec.records().isPresent()
                ? OptionalLong.of(spec.records().getAsLong() * spec.groups())
                : OptionalLong.empty();
    }

    private Map<String, List<String>> backlogGroups() {
        Map<String, List<String>> topics = new HashMap<>();
        for (int i = 0; i < scenario.consumers().size(); i++) {
            ConsumerSpec spec = scenario.consumers().get(i);
            if (spec.isBacklog()) {
                int group = 0;
                for (String id : TrialClients.groupIds(spec, context, "consumers-" + i)) {
                    topics.put(id, spec.topicsOf(group++));
                }
            }
        }
        return topics;
    }

    private Map<String, Integer> members() {
        Map<String, Integer> members = new HashMap<>();
        int entry = 0;
        for (ConsumerSpec spec : scenario.consumers()) {
            String part = "consumers-" + entry++;
            for (int group = 0; group < spec.groups(); group++) {
                String id = LoadKind.consumers(spec.engine()).groupId(context, spec, part, group);
                members.merge(id, spec.members(), Integer::sum);
            }
        }
        return members;
    }

    private static boolean fromBeginning(ConsumerSpec spec) {
        return !(spec.start() instanceof ConsumerSpec.Start.Latest
                || spec.start() instanceof ConsumerSpec.Start.Offset
                || spec.start() instanceof ConsumerSpec.Start.Timestamp);
    }

    private static boolean keyed(ProducerSpec spec) {
        return !(spec.record().key() instanceof KeySpec.None);
    }

    /**
     * Number of batches that all clients together fill at the same time: for each client, one per topic or, with keys,
     * one per partition.
     */
    private int openBatches() {
        Map<String, Integer> partitions = new HashMap<>();
        scenario.topics().forEach(t -> partitions.put(t.name(), t.partitions()));
        return scenario.producers().stream()
                .mapToInt(p -> p.clients()
                        * p.topics().stream()
                                .mapToInt(t -> keyed(p) ? partitions.getOrDefault(t, 1) : 1)
                                .sum())
                .sum();
    }

    /** Number of existing records that consumers would read from the beginning, except in topics that are meant to contain them. */
    Map<String, Long> recordsBefore(Set<String> meant) {
        Set<String> read = scenario.consumers().stream()
                .filter(TrialSetup::fromBeginning)
                .flatMap(c -> c.topics().stream())
                .filter(t -> !meant.contains(t))
                .collect(Collectors.toSet());
        boolean produced =
                scenario.producers().stream().anyMatch(p -> p.topics().stream().anyMatch(read::contains));
        if (!produced) {
            return Map.of();
        }
        Map<String, Long> before = new TreeMap<>();
        Map<TopicPartition, Long> ends = topics.endOffsets(read);
        Map<TopicPartition, Long> beginnings = topics.earliestOffsets(read);
        ends.forEach((p, end) -> before.merge(p.topic(), end - beginnings.getOrDefault(p, 0L), Long::sum));
        before.values().removeIf(n -> n <= 0);
        return before;
    }

    /** Effective client settings that differ from the defaults, and topic configurations, by part. */
    Map<String, Map<String, String>> settings() {
        Map<String, Map<String, String>> settings = new LinkedHashMap<>();
        int index = 0;
        for (ProducerSpec spec : scenario.producers()) {
            String part = "producers[" + index++ + "]";
            Map<String, String> differing = ClientProperties.differing(context, spec, part);
            List<String> files = spec.record().files();
            if (!files.isEmpty()) {
                differing.put("payload.crc32c", PayloadFile.checksum(files));
            }
            spec.record()
                    .schemas()
                    .forEach(schema -> differing.put(
                            "schema " + schema.label(),
                            SchemaSupport.get().open(schema).description()));
            settings.put(part, differing);
        }
        index = 0;
        for (ConsumerSpec spec : scenario.consumers()) {
            String part = "consumers[" + index++ + "]";
            settings.put(part, ClientProperties.differing(context, spec, part));
        }
        Map<String, Map<String, String>> effective = effective();
        scenario.topics().forEach(t -> settings.put("topic " + t.name(), placed(t, withCodec(t, effective))));
        settings.put(TrialResult.DURABILITY, durability(effective));
        settings.putAll(topics.quotas());
        return settings;
    }

    /** Settings that determine when a record is safe; several values if producers or topics differ. */
    private Map<String, String> durability(Map<String, Map<String, String>> effective) {
        Map<String, Set<String>> values = new TreeMap<>();
        BiConsumer<String, String> add = (setting, value) ->
                values.computeIfAbsent(setting, s -> new TreeSet<>()).add(value);
        int index = 0;
        for (ProducerSpec spec : scenario.producers()) {
            String acks = ClientProperties.config(context, spec, "producers-" + index++)
                    .getString(ProducerConfig.ACKS_CONFIG);
            add.accept(ProducerConfig.ACKS_CONFIG, acks.equals("-1") ? "all" : acks);
        }
        effective.values().forEach(config -> TrialResult.DURABILITY_OF_TOPICS.stream()
                .filter(config::containsKey)
                .forEach(setting -> add.accept(setting, config.get(setting))));
        try {
            topics.describe(effective.keySet()).values().forEach(topic -> topic.partitions()
                    .forEach(p -> add.accept(
                            "replication", String.valueOf(p.replicas().size()))));
        } catch (PlimsollException e) {
            // The values are unknown without permission, like the configuration.
        }
        return values.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, e -> String.join(", ", e.getValue()), (a, b) -> a, TreeMap::new));
    }

    /** Effective topic configurations; empty without permission. */
    private Map<String, Map<String, String>> effective() {
        try {
            return topics.effectiveConfigs(
                    scenario.topics().stream().map(TopicSpec::name).toList());
        } catch (PlimsollException e) {
            return Map.of();
        }
    }

    /** Adds the codec to which brokers recompress the topic's batches, from any configuration level. */
    private static Map<String, String> withCodec(TopicSpec topic, Map<String, Map<String, String>> effective) {
        String codec = effective.getOrDefault(topic.name(), Map.of()).get(TopicConfig.COMPRESSION_TYPE_CONFIG);
        if (codec == null || codec.equals("producer")) {
            return topic.config();
        }
        Map<String, String> config = new TreeMap<>(topic.config());
        config.put(TopicConfig.COMPRESSION_TYPE_CONFIG, codec);
        return config;
    }

    private static Map<String, String> placed(TopicSpec topic, Map<String, String> config) {
        if (topic.existing() || topic.brokers() == 0) {
            return config;
        }
        Map<String, String> all = new TreeMap<>(config);
        all.put("brokers", String.valueOf(topic.brokers()));
        return all;
    }

    /** The names of these engines; null if none. */
    private static @Nullable String engines(Stream<String> engines) {
        String names = engines.distinct().collect(Collectors.joining(" and "));
        return names.isEmpty() ? null : names;
    }
}
