package io.plimsoll.run.faults;

import io.plimsoll.cluster.Reassignment;
import io.plimsoll.cluster.Settable;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabRehearsal;
import io.plimsoll.scenario.FaultSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/** Topics, or all brokers, of a cluster while one fault happens to them. Used by one thread at a time. */
final class OfCluster {
    private final Optional<Lab> lab;
    private final Admin admin;
    private final List<String> topics;
    private final List<Integer> brokers;
    private Reassignment moving;
    private Map<TopicPartition, List<Integer>> moves = Map.of();
    private Settable changed;

    OfCluster(Optional<Lab> lab, Admin admin, List<String> topics, List<Integer> brokers) {
        this.lab = lab;
        this.admin = admin;
        this.topics = List.copyOf(topics);
        this.brokers = List.copyOf(brokers);
    }

    LabRehearsal rehearsal() {
        return new LabRehearsal(lab.orElseThrow());
    }

    /** Has each copy moved to the next broker. */
    void reassign(FaultSpec spec) {
        moving = new Reassignment(admin, brokers);
        begin(moving.turned(moving.present(topics)), spec);
    }

    /** Starts a broker, which then gets its part of the topics. */
    void add(FaultSpec spec) {
        int id = rehearsal().addBroker();
        moving = new Reassignment(
                admin, Stream.concat(brokers.stream(), Stream.of(id)).toList());
        begin(moving.onto(id, moving.present(topics)), spec);
    }

    void drain(int id, FaultSpec spec) {
        rehearsal().requireDispensable(id);
        moving = new Reassignment(admin, brokers);
        begin(moving.away(id, moving.present()), spec);
    }

    private void begin(Map<TopicPartition, List<Integer>> wanted, FaultSpec spec) {
        moves = wanted;
        moving.start(wanted, spec.get(OperatorFaults.THROTTLE));
    }

    void awaitMoved(FaultSpec spec) {
        if (!moves.isEmpty()) {
            moving.awaitEnd(moves, spec.get(OperatorFaults.THROTTLE));
        }
    }

    void elect() {
        new Reassignment(admin, brokers).elect(topics);
    }

    /** @param ofBrokers whether settings of all brokers are meant, else those of the topics */
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
