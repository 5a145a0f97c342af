package io.plimsoll.omb.files;

import io.plimsoll.scenario.Plan;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A translated workload and driver.
 *
 * @param workloadFile file name of the workload without directories and extension
 * @param plan one trial, named like the driver; the scenario's {@code about} is the workload's name
 * @param highestRate whether the workload requests the highest sustainable rate, which is still unknown, so that the
 *     plan is a closed loop
 * @param periodMillis length of the result's periods
 * @param warnings warnings about the files, with positions
 */
public record OmbRun(
        String workloadFile,
        String driver,
        Plan plan,
        Cluster cluster,
        boolean highestRate,
        long periodMillis,
        List<Sentence> warnings) {
    /** Maximum duration of the search for the highest rate. */
    public static final Duration LONGEST_SEARCH = Duration.ofMinutes(10);

    public static final String TOPIC_PREFIX = "plimsoll-omb-";

    /**
     * @param bootstrapServers addresses of the cluster; empty for a lab
     * @param clientProperties properties of the connection, including secrets
     * @param reset position at which the driver file requests the deletion of all topics before the run; empty if it
     *     does not
     */
    public record Cluster(
            Optional<String> bootstrapServers, Map<String, String> clientProperties, Optional<String> reset) {}
}
