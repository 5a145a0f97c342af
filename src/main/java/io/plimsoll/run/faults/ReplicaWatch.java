package io.plimsoll.run.faults;

import io.plimsoll.Daemon;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.cluster.BrokerRoles.Replicas;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Looks several times a second how the replicas are, in a thread of its own, and tells when that changes. */
final class ReplicaWatch implements AutoCloseable {
    private static final long EVERY_MILLIS = 200;

    private final BrokerRoles roles;
    private final List<String> topics;
    private final FaultMarks marks;
    private final Thread thread = Daemon.thread("plimsoll-replicas", this::watch);
    private volatile Replicas latest = new Replicas(0, 0);
    private volatile boolean stop;

    ReplicaWatch(BrokerRoles roles, Collection<String> topics, FaultMarks marks) {
        this.roles = roles;
        this.topics = List.copyOf(topics);
        this.marks = marks;
    }

    void start() {
        thread.start();
    }

    /** As last seen. */
    Replicas latest() {
        return latest;
    }

    private void watch() {
        while (!stop) {
            try {
                Optional<Replicas> now = roles.replicas(topics);
                if (now.isPresent() && !now.get().equals(latest)) {
                    latest = now.get();
                    marks.replicas(latest);
                }
                Thread.sleep(EVERY_MILLIS);
            } catch (InterruptedException | PlimsollException e) {
                // Asked to stop, or the timeline cannot be written: whoever writes a snapshot next will say so.
                return;
            }
        }
    }

    @Override
    public void close() {
        stop = true;
        thread.interrupt();
    }
}
