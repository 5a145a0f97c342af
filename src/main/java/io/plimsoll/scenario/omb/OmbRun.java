package io.plimsoll.scenario.omb;

import io.plimsoll.scenario.Plan;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A workload on a driver, translated.
 *
 * @param workloadFile name of the workload's file without directories and extension
 * @param driver name of the driver
 * @param plan one trial, named like the driver; the scenario's {@code about} is the workload's name
 * @param highestRate the workload asks for the highest rate that is carried, and it is not known yet: the plan is a
 *     closed loop
 * @param periodMillis length of the periods of which the result has a figure each
 * @param warnings what the user should know of the files, each with its position
 */
public record OmbRun(
        String workloadFile,
        String driver,
        Plan plan,
        Cluster cluster,
        boolean highestRate,
        long periodMillis,
        List<Sentence> warnings) {
    /** The search for the highest rate ends by then. */
    public static final Duration LONGEST_SEARCH = Duration.ofMinutes(10);
    /** The beginning of the names of new topics. */
    public static final String TOPIC_PREFIX = "plimsoll-omb-";

    /**
     * Where the workload runs.
     *
     * @param bootstrapServers empty: a lab
     * @param clientProperties for the connection, secrets included
     * @param reset where the driver asks for all topics of the cluster to be deleted first; empty if it does not
     */
    public record Cluster(
            Optional<String> bootstrapServers, Map<String, String> clientProperties, Optional<String> reset) {}
}
