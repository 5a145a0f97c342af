package io.plimsoll.omb.files;

import io.plimsoll.text.Sentence;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * The input of a translation in addition to the files.
 *
 * @param highestRate messages per second for {@code producerRate: 0}; empty if unknown; the load is then a closed loop
 */
public record OmbSetting(Reading reading, Cluster cluster, Surroundings surroundings, OptionalDouble highestRate) {
    /** @param strict whether unknown keys are errors; overrides and scale are as for {@code plimsoll run} */
    public record Reading(boolean strict, List<String> overrides, double scale) {}

    /**
     * @param lab whether the run starts its own brokers, so that the driver's addresses and credentials are not used
     * @param bootstrapServers addresses that take precedence over the driver's
     * @param zoneId replaces {@code {zone.id}} in a {@code client.id}
     */
    public record Cluster(boolean lab, Optional<String> bootstrapServers, Optional<String> zoneId) {}

    /**
     * @param tag lowercase letters and digits that make the names of new topics unique on the cluster
     * @param startsAt time of day, for rates by time of day
     * @param payload finds payload files by their name in a workload; can return an empty list
     */
    public record Surroundings(
            String tag, LocalTime startsAt, Function<String, List<PayloadFile>> payload, KafkaProperties kafka) {}

    public OmbSetting withHighestRate(double rate) {
        return new OmbSetting(reading, cluster, surroundings, OptionalDouble.of(rate));
    }

    /** A payload file, which contains the value of one record. */
    public record PayloadFile(String path, long bytes) {}

    /** Access to the properties of Kafka clients. */
    public interface KafkaProperties {
        enum Client {
            PRODUCER,
            CONSUMER,
            ADMIN
        }

        Set<String> names(Client client);

        /** The reason why the client rejects a value of a known property; empty if it accepts it. */
        Optional<Sentence> refusal(Client client, String name, String value);
    }
}
