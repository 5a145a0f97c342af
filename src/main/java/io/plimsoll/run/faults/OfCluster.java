package io.plimsoll.run.faults;

import io.plimsoll.cluster.Reassignment;
import io.plimsoll.cluster.Reassignment.Settable;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabRehearsal;
import io.plimsoll.scenario.FaultSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/** Topics or all brokers of a cluster during one fault. Confined to one thread at a time. */
final class OfCluster {
    private final Optional<Lab> lab;
    private final Admin admin;
    private final List<String> topics;
    private final List<Integer> brokers;
    private Optional<Reassignment.Moving> moving = Optional.empty();
    private Settable changed;
    private volatile boolean hurried;

    OfCluster(Optional<Lab> lab, Admin admin, List<String> topics, List<Integer> brokers) {
        this.lab = lab;
        this.admin = admin;
        this.topics = List.copyOf(topics);
        this.brokers = List.copyOf(brokers);
    }

    LabRehearsal rehearsal() {
        return new LabRehearsal(lab.orElseThrow());
    }

    /** Moves every replica to the next broker. */
    void reassign(FaultSpec spec) {
        Reassignment all = new Reassignment(admin, brokers);
        move(all, all.turned(all.present(topics)), spec);
    }

    /** Starts a broker and moves a share of the topics to it. */
    void add(FaultSpec spec) {
        int id = rehearsal().addBroker();
        Reassignment all = new Reassignment(
                admin, Stream.concat(brokers.stream(), Stream.of(id)).toList());
        move(all, all.onto(id, all.present(topics)), spec);
    }

    void drain(int id, FaultSpec spec) {
        rehearsal().requireDispensable(id);
        Reassignment all = new Reassignment(admin, brokers);
        move(all, all.away(id, all.present()), spec);
    }

    private void move(Reassignment all, Map<TopicPartition, List<Integer>> wanted, FaultSpec spec) {
        if (!wanted.isEmpty()) {
            moving = Optional.of(all.start(wanted, spec.get(OperatorFaults.THROTTLE)));
        }
    }

    /** Waits for the moves or cancels them: replication throttles must not outlive the run. */
    boolean awaitMoved() {
        return moving.isEmpty() || moving.get().awaitEnd(() -> hurried);
    }

    /** Ends the wait. Any thread. */
    void hurry() {
        hurried = true;
    }

    void elect() {
        new Reassignment(admin, brokers).elect(topics);
    }

    /** @param ofBrokers whether the settings are for all brokers instead of topics */
    void change(boolean ofBrokers, Map<String, String> settings) {
        changed = Settable.of(
                admin,
                ofBrokers,
                ofBrokers ? brokers.stream().map(String::valueOf).toList() : topics);
        changed.set(settings);
    }

    void changeBack() {
        if (changed != null) {
            changed.restore();
        }
    }
}
