package io.plimsoll.scenario.omb;

import java.time.LocalTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * What a translation needs to know besides the files.
 *
 * @param strict unknown keys are mistakes, not warnings
 * @param lab the brokers are started for the run, so that the driver's addresses and credentials are not used
 * @param bootstrapServers wins over the driver's; empty: the driver's count
 * @param tag makes the names of new topics unique on the cluster: lower-case letters and digits
 * @param startsAt time of day, for rates that follow the clock
 * @param zoneId what {@code {zone.id}} in a {@code client.id} stands for
 * @param payload finds payload files by what a workload calls them; empty if there are none
 * @param kafka what Kafka's clients know
 * @param overrides {@code path=value} of the scenario, as for {@code run --set}
 * @param scale multiplies lengths of time and backlogs
 * @param highestRate messages a second that stand for {@code producerRate: 0}; empty: not known, a closed loop
 */
public record OmbSetting(
        boolean strict,
        boolean lab,
        Optional<String> bootstrapServers,
        String tag,
        LocalTime startsAt,
        Optional<String> zoneId,
        Function<String, List<PayloadFile>> payload,
        KafkaProperties kafka,
        List<String> overrides,
        double scale,
        OptionalDouble highestRate) {
    public OmbSetting {
        overrides = List.copyOf(overrides);
    }

    /** The same, where the rate that {@code producerRate: 0} asks for has been found. */
    public OmbSetting withHighestRate(double rate) {
        return new OmbSetting(
                strict,
                lab,
                bootstrapServers,
                tag,
                startsAt,
                zoneId,
                payload,
                kafka,
                overrides,
                scale,
                OptionalDouble.of(rate));
    }

    /** A file whose contents are a value. */
    public record PayloadFile(String path, long bytes) {}
}
