package io.plimsoll.scenario.omb;

import io.plimsoll.text.Sentence;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * All that a translation needs to know besides the files.
 *
 * @param highestRate messages a second that stand for {@code producerRate: 0}; empty: not known, a closed loop
 */
public record OmbSetting(Reading reading, Cluster cluster, Surroundings surroundings, OptionalDouble highestRate) {

    /** How files are read: unknown keys may be mistakes; overrides as for {@code run --set}, and the scale. */
    public record Reading(boolean strict, List<String> overrides, double scale) {}

    /**
     * Where the workload is to run.
     *
     * @param lab the brokers are started for the run, so that the driver's addresses and credentials are not used
     * @param bootstrapServers wins over the driver's; empty: the driver's count
     * @param zoneId what {@code {zone.id}} in a {@code client.id} stands for
     */
    public record Cluster(boolean lab, Optional<String> bootstrapServers, Optional<String> zoneId) {}

    /**
     * All that only others can tell.
     *
     * @param tag makes the names of new topics unique on the cluster: lower-case letters and digits
     * @param startsAt time of day, for rates that follow the clock
     * @param payload finds payload files by what a workload calls them; empty if there are none
     * @param kafka what Kafka's clients know
     */
    public record Surroundings(
            String tag, LocalTime startsAt, Function<String, List<PayloadFile>> payload, KafkaProperties kafka) {}

    /** The same, where the rate that {@code producerRate: 0} asks for has been found. */
    public OmbSetting withHighestRate(double rate) {
        return new OmbSetting(reading, cluster, surroundings, OptionalDouble.of(rate));
    }

    /** A file whose contents are a value. */
    public record PayloadFile(String path, long bytes) {}

    /** Knows the properties of Kafka's clients; made by whoever knows Kafka. */
    public interface KafkaProperties {
        enum Client {
            PRODUCER,
            CONSUMER,
            ADMIN
        }

        Set<String> names(Client client);

        /** Why the client refuses this value of a property that it knows; empty if it takes it. */
        Optional<Sentence> refusal(Client client, String name, String value);
    }
}
