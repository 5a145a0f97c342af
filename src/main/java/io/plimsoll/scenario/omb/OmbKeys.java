package io.plimsoll.scenario.omb;

import io.plimsoll.text.Sentence;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Every key of OpenMessaging Benchmark's files that is understood: upstream's, and those of its forks. */
final class OmbKeys {
    /** Kafka driver files: each key and what belongs there, by the name of its sentence. */
    static final Map<String, Sentence> DRIVER =
            table("name=name driverClass=driverClass replicationFactor=count topicConfig=block commonConfig=block"
                    + " producerConfig=block consumerConfig=block reset=flag useMyTopic=flag topics=topicNames"
                    + " useSharedConsumerGroup=flag");

    static final Map<String, Sentence> WORKLOAD = table(
            "name=name topics=whole partitionsPerTopic=count partitionsPerTopicList=perTopic randomTopicNames=flag"
                    + " existingTopicList=topicList existingProduceTopicList=topicList"
                    + " existingConsumeTopicList=topicList keyDistributor=keyDistributor messageSize=bytes"
                    + " messageSizeDistribution=distribution useRandomizedPayloads=flag randomBytesRatio=ratio"
                    + " randomizedPayloadPoolSize=whole payloadFile=path subscriptionsPerTopic=whole"
                    + " producersPerTopic=whole producersPerTopicList=perTopic consumerPerSubscription=whole"
                    + " consumerOnly=flag producerRate=rate producerRateList=rates warmupProducerRate=rate"
                    + " warmupProducerRateSeparationMinutes=minutes backlogProducerRate=rate drainProducerRate=rate"
                    + " consumerBacklogSizeGB=gigabytes backlogDrainRatio=ratio testDurationMinutes=minutes"
                    + " warmupDurationMinutes=minutes sampleRateMillis=millis logIntervalMillis=millis");

    private OmbKeys() {}

    private static Map<String, Sentence> table(String keysAndSentences) {
        Map<String, Sentence> table = new LinkedHashMap<>();
        for (String entry : keysAndSentences.split(" ")) {
            String[] parts = entry.split("=");
            table.put(
                    parts[0],
                    parts[1].equals("block")
                            ? Sentence.of("scenario.omb.a.block", parts[0])
                            : Sentence.of("scenario.omb.a." + parts[1]));
        }
        return Collections.unmodifiableMap(table);
    }
}
