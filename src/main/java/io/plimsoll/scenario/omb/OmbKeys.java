package io.plimsoll.scenario.omb;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Every key of OpenMessaging Benchmark's files that is understood: upstream's, and those of its forks. */
final class OmbKeys {
    /** Kafka driver files: name and what it is, for messages. */
    static final Map<String, String> DRIVER = table(
            "name", "a name",
            "driverClass", "a class such as io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver",
            "replicationFactor", "a whole number of 1 or more",
            "topicConfig", "properties, one a line, after topicConfig: |",
            "commonConfig", "properties, one a line, after commonConfig: |",
            "producerConfig", "properties, one a line, after producerConfig: |",
            "consumerConfig", "properties, one a line, after consumerConfig: |",
            "reset", "true or false",
            "useMyTopic", "true or false",
            "topics", "names of topics, separated by commas",
            "useSharedConsumerGroup", "true or false");

    static final Map<String, String> WORKLOAD = table(
            "name", "a name",
            "topics", "a whole number",
            "partitionsPerTopic", "a whole number of 1 or more",
            "partitionsPerTopicList", "a list of whole numbers, one a topic",
            "randomTopicNames", "true or false",
            "existingTopicList", "a list of topic names",
            "existingProduceTopicList", "a list of topic names",
            "existingConsumeTopicList", "a list of topic names",
            "keyDistributor", "NO_KEY, KEY_ROUND_ROBIN or RANDOM_NANO",
            "messageSize", "a number of bytes",
            "messageSizeDistribution", "a map such as {\"0-256\": 90, \"1KB-4KB\": 10}",
            "useRandomizedPayloads", "true or false",
            "randomBytesRatio", "a number from 0 to 1",
            "randomizedPayloadPoolSize", "a whole number",
            "payloadFile", "the path of a file",
            "subscriptionsPerTopic", "a whole number",
            "producersPerTopic", "a whole number",
            "producersPerTopicList", "a list of whole numbers, one a topic",
            "consumerPerSubscription", "a whole number",
            "consumerOnly", "true or false",
            "producerRate", "a number of messages a second",
            "producerRateList", "a list such as [[0, 1000], [10, 2000]]",
            "warmupProducerRate", "a number of messages a second",
            "warmupProducerRateSeparationMinutes", "a number of minutes",
            "backlogProducerRate", "a number of messages a second",
            "drainProducerRate", "a number of messages a second",
            "consumerBacklogSizeGB", "a whole number of GiB",
            "backlogDrainRatio", "a number from 0 to 1",
            "testDurationMinutes", "a number of minutes",
            "warmupDurationMinutes", "a number of minutes",
            "sampleRateMillis", "a number of milliseconds",
            "logIntervalMillis", "a number of milliseconds");

    private OmbKeys() {}

    private static Map<String, String> table(String... namesAndMeanings) {
        Map<String, String> table = new LinkedHashMap<>();
        for (int i = 0; i < namesAndMeanings.length; i += 2) {
            table.put(namesAndMeanings[i], namesAndMeanings[i + 1]);
        }
        return Collections.unmodifiableMap(table);
    }
}
