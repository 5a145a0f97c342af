package io.plimsoll.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The scenarios that come with the tool. Safe for use by several threads. */
public final class BuiltIns {
    private static final List<String> NAMES = List.of(
            "quick",
            "cluster-stress",
            "send-and-commit-modes",
            "send-and-commit-modes-flushed",
            "linkedin-2m",
            "ckafka-tailing",
            "ckafka-catch-up",
            "broker-limits",
            "broker-kill",
            "broker-kill-acks-1",
            "rolling-restart",
            "fetch-waits",
            "isolation-level",
            "rack-aware",
            "rebalance-cost",
            "tiered-catch-up",
            "slow-broker",
            "network-cut",
            "rolling-upgrade",
            "reassign-under-load",
            "broker-added",
            "kafka-versions",
            "disks",
            "io-threads",
            "connection-storm",
            "queue-or-log");

    private BuiltIns() {}

    /** All names, in the order in which they are shown. */
    public static List<String> names() {
        return NAMES;
    }

    /** The YAML text of a scenario; empty if there is none of that name. */
    public static Optional<String> text(String name) {
        if (!NAMES.contains(name)) {
            return Optional.empty();
        }
        try (InputStream in = BuiltIns.class.getResourceAsStream("/scenarios/" + name + ".yaml")) {
            return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name that a misspelt one most likely means; empty if none is near. */
    public static Optional<String> nearest(String name) {
        return Suggestions.nearest(name, NAMES);
    }
}
