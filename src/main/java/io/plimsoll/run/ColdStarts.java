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

/** Groups that begin to read cold: from disk, and not from what this host still has in memory. Thread-safe. */
final class ColdStarts {
    private final Topics topics;
    private final Consumer<Sentence> notes;
    private final Set<Integer> begun = new HashSet<>();

    /** @param notes told what came of it */
    ColdStarts(Topics topics, Consumer<Sentence> notes) {
        this.topics = topics;
        this.notes = notes;
    }

    /**
     * Before entries read that have not begun; takes as long as writing to disk does.
     *
     * @param late those that are held back at first, or the others
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

    /** Lets an entry read once it is cold, beside what goes on; at once if it need not be. */
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
