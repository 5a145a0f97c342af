package io.plimsoll.run;

import io.plimsoll.Daemon;
import io.plimsoll.cluster.ColdLogs;
import io.plimsoll.cluster.Topics;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.text.Sentence;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Consumer groups that must read from disk rather than from the page cache. Thread-safe. */
final class ColdStarts {
    private final Topics topics;
    private final Consumer<Sentence> notes;
    private final Set<Integer> begun = new HashSet<>();

    /** @param notes receives messages on the outcome */
    ColdStarts(Topics topics, Consumer<Sentence> notes) {
        this.topics = topics;
        this.notes = notes;
    }

    /**
     * Evicts the logs of entries before they are read. Blocks while the disk writes.
     *
     * @param late whether to handle the entries with delayed groups, or the rest
     */
    synchronized void before(List<ConsumerSpec> entries, boolean late) throws InterruptedException {
        Set<String> names = new HashSet<>();
        for (int entry = 0; entry < entries.size(); entry++) {
            ConsumerSpec spec = entries.get(entry);
            if (spec.startsCold() && spec.startsLate() == late && begun.add(entry)) {
                names.addAll(spec.topics());
            }
        }
        forget(names);
    }

    private synchronized void forget(Set<String> names) throws InterruptedException {
        if (!names.isEmpty()) {
            notes.accept(ColdLogs.forget(topics, names));
        }
    }

    /** Opens the gate of an entry once its logs are cold, in the background; immediately if it need not be cold. */
    void open(int entry, ConsumerSpec spec, Runnable gate) {
        if (!spec.startsCold()) {
            gate.run();
        } else if (isFirst(entry)) {
            Daemon.start("plimsoll-cold", () -> {
                try {
                    forget(new HashSet<>(spec.topics()));
                    gate.run();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    private synchronized boolean isFirst(int entry) {
        return begun.add(entry);
    }
}
