package io.plimsoll.run.faults;

import io.plimsoll.Secrets;
import io.plimsoll.cluster.Ability;
import io.plimsoll.cluster.Reassignment;
import io.plimsoll.cluster.Reassignment.Settable;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabRehearsal;
import io.plimsoll.run.faults.BrokerFaults.OfLab;
import io.plimsoll.run.faults.Fault.AfterLoad;
import io.plimsoll.run.faults.Fault.Trait;
import io.plimsoll.scenario.FaultKind.Outage;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Maintenance operations on a live cluster: rolling upgrades, partition reassignment, configuration changes. */
public final class OperatorFaults {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);

    public static final Key<String> TO = Key.scalar("to", Sentence.of("scenario.a.release"), "", LabSpec::release)
            .requiredWhereUsed();

    public static final Key<Boolean> FINALIZE = Key.choice("finalize", true, List.of(true, false), String::valueOf);

    public static final Key<Double> THROTTLE =
            Key.scalar("throttle", Sentence.of("scenario.a.bandwidth"), 0.0, LabSpec::bytesPerSecond);

    public static final Key<Map<String, String>> SET =
            Key.properties("set", "{compression.type: zstd}").requiredWhereUsed();

    private static final Fault<OfLab> UPGRADE = release(FaultSpec.broker("upgrade"), true);

    private static final Fault<OfLab> DOWNGRADE = release(FaultSpec.broker("downgrade"), false);

    private static final Fault<OfCluster> REASSIGN = ofCluster(
                    FaultSpec.topics("reassign"),
                    Ability.REASSIGNMENT,
                    OfCluster::reassign,
                    (it, spec) -> it.awaitMoved())
            .with(THROTTLE)
            .changingBrokers(spec -> spec.get(THROTTLE) > 0)
            .hastenedBy(OfCluster::hurry)
            .having(Trait.ANYWHERE);

    private static final Fault<OfCluster> ADD = ofCluster(
                    FaultSpec.topics("addBroker"), Ability.REASSIGNMENT, OfCluster::add, (it, spec) -> it.awaitMoved())
            .with(THROTTLE)
            .hastenedBy(OfCluster::hurry)
            .having(Trait.CHANGES_LAB);

    private static final Fault<Drained> REMOVE = Fault.on(
                    FaultSpec.broker("removeBroker"),
                    (victims, target) -> {
                        Fault.Victim<OfCluster> found = victims.drained(target);
                        int broker = Objects.requireNonNull(found.broker());
                        return new Fault.Victim<>(new Drained(found.it(), broker), found.name(), broker);
                    },
                    Outage.NONE,
                    (it, spec) -> it.of().drain(it.id(), spec),
                    (it, spec) -> {
                        if (it.of().awaitMoved()) {
                            it.of().rehearsal().removeBroker(it.id());
                        }
                    })
            .with(THROTTLE)
            .needing(Ability.REASSIGNMENT)
            .untilDone()
            .hastenedBy(it -> it.of().hurry())
            .having(Trait.LOSES_RECORDS, Trait.CHANGES_LAB, Trait.NEEDS_QUORUM, Trait.NEEDS_BROKER);

    private static final Fault<OfCluster> ELECT = ofCluster(
                    FaultSpec.topics("electLeaders"), Ability.ELECTION, (it, spec) -> it.elect(), (it, spec) -> {})
            .having(Trait.ANYWHERE);

    private static final Fault<OfCluster> CHANGE = Fault.on(
                    FaultSpec.settings("changeConfig"),
                    Victims::ofCluster,
                    Outage.NONE,
                    (it, spec) -> it.change(spec.target() instanceof Target.Brokers, spec.get(SET)),
                    (it, spec) -> it.changeBack())
            .needing(Ability.CONFIGS)
            .with(SET)
            .saying((name, spec) -> Sentence.of(
                    "run.fault.changeConfig",
                    name,
                    Secrets.redact(spec.get(SET)).entrySet().stream()
                            .map(e -> e.getKey() + "=" + e.getValue())
                            .sorted()
                            .toList()))
            .checked(fault -> {
                if (fault.get(SET).isEmpty()) {
                    fault.problem("scenario.missing", SET, SET.shape().expected());
                }
            })
            .changingBrokers(spec -> spec.target() instanceof Target.Brokers)
            // Undone quickly, even after a failure: a persistent lab would keep the state of an interrupted run.
            .having(Trait.LOSES_RECORDS, Trait.ENDS_QUICKLY, Trait.ENDS_AFTER_FAILURE, Trait.ANYWHERE);

    private static final Fault<OfLab> ROTATE = BrokerFaults.broker(
                    FaultSpec.broker("rotateCertificates"),
                    Outage.NONE,
                    (it, spec) -> new LabRehearsal(it.withItAlive()).rotate(it.id()),
                    (it, spec) -> {})
            .untilDone()
            .on((lab, spec) -> lab.requireTls())
            .having(Trait.NEEDS_BROKER);

    private static final Fault<OfLab> EXPIRE = BrokerFaults.broker(
                    FaultSpec.broker("expireCertificates"),
                    Outage.NONE,
                    (it, spec) -> new LabRehearsal(it.withItAlive()).expire(it.id()),
                    (it, spec) -> new LabRehearsal(it.withItAlive()).restoreCertificate(it.id()))
            .on((lab, spec) -> lab.withBrokersApart())
            .having(Trait.ENDS_AFTER_FAILURE, Trait.NEEDS_BROKER);

    static final List<Fault<?>> ALL = List.of(UPGRADE, DOWNGRADE, ADD, REMOVE, REASSIGN, ELECT, CHANGE, ROTATE, EXPIRE);

    /** A broker to drain, and the cluster that continues without it. */
    record Drained(OfCluster of, int id) {}

    private static Fault<OfCluster> ofCluster(
            Key<Optional<Target>> key, Ability needed, Fault.Action<OfCluster> begin, Fault.Action<OfCluster> end) {
        return Fault.on(key, Victims::ofCluster, Outage.NONE, begin, end)
                .needing(needed)
                .untilDone()
                .having(Trait.LOSES_RECORDS)
                .saying((name, spec) -> Sentence.of(
                        "run.fault." + key.name(),
                        name,
                        spec.get(THROTTLE) > 0
                                ? Sentence.of(
                                        "run.throttledTo",
                                        Quantities.text(new Rate.Quantity(spec.get(THROTTLE), Rate.Unit.PAYLOAD_BYTES)))
                                : Sentence.NONE));
    }

    private static Fault<OfLab> release(Key<Optional<Target>> key, boolean up) {
        Fault<OfLab> fault = BrokerFaults.broker(
                        key,
                        Outage.NONE,
                        (it, spec) -> it.withItAlive().shutDown(it.id(), STOP_PATIENCE),
                        (it, spec) -> comeBack(it, spec, up))
                .untilRestart(AfterLoad.END)
                .untilDone()
                .having(Trait.LOSES_RECORDS, Trait.CHANGES_LAB, Trait.NEEDS_QUORUM)
                .saying((name, spec) -> Sentence.of("run.fault." + key.name(), name, spec.get(TO)))
                .checked(entry -> entry.require(TO));
        return up ? fault.with(TO, FINALIZE) : fault.with(TO);
    }

    private static void comeBack(OfLab it, FaultSpec spec, boolean up) {
        LabRehearsal rehearsal = new LabRehearsal(it.lab());
        it.lab().restart(it.id(), spec.get(TO));
        if (up && rehearsal.areAll(spec.get(TO))) {
            rehearsal.restartControllers(spec.get(TO));
            if (spec.get(FINALIZE)) {
                rehearsal.finalizeFeatures();
            }
        }
    }

    /** Topics or all brokers of a cluster during one fault. Used by one thread at a time. */
    static final class OfCluster {
        private final Optional<Lab> lab;
        private final Admin admin;
        private final List<String> topics;
        private final List<Integer> brokers;
        private Optional<Reassignment.Moving> moving = Optional.empty();
        private @Nullable Settable changed;
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

        void reassign(FaultSpec spec) {
            Reassignment all = new Reassignment(admin, brokers);
            move(all, all.turned(all.present(topics)), spec);
        }

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

        /** Waits for the reassignments or cancels them, because replication throttles must not outlast the run. */
        boolean awaitMoved() {
            return moving.isEmpty() || moving.get().awaitEnd(() -> hurried);
        }

        void hurry() {
            hurried = true;
        }

        void elect() {
            new Reassignment(admin, brokers).elect(topics);
        }

        /** @param ofBrokers whether the settings are for all brokers instead of topics */
        void change(boolean ofBrokers, Map<String, String> settings) {
            Settable all = Settable.of(
                    admin,
                    ofBrokers,
                    ofBrokers ? brokers.stream().map(String::valueOf).toList() : topics);
            changed = all;
            all.set(settings);
        }

        void changeBack() {
            if (changed != null) {
                changed.restore();
            }
        }
    }
}
