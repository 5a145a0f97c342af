package io.plimsoll.run.faults;

import io.plimsoll.Secrets;
import io.plimsoll.cluster.Ability;
import io.plimsoll.lab.LabRehearsal;
import io.plimsoll.run.faults.BrokerFaults.OfLab;
import io.plimsoll.run.faults.Fault.AfterLoad;
import io.plimsoll.run.faults.Fault.Trait;
import io.plimsoll.scenario.FaultKeys;
import io.plimsoll.scenario.FaultKind.Outage;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.LabKeys;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What operators do to a cluster that goes on working: rehearsals of upgrades, of moving partitions, of other settings. */
public final class OperatorFaults {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);

    public static final Key<String> TO = Key.scalar("to", Sentence.of("scenario.a.release"), "", LabKeys::release)
            .byDefault("required", "必填")
            .about(
                    "for `upgrade` and `downgrade`: the release, or a directory with its jars",
                    "用于 `upgrade` 和 `downgrade`：版本，或其 jar 所在的目录");

    public static final Key<Boolean> FINALIZE = Key.choice("finalize", true, List.of(true, false), String::valueOf)
            .about(
                    "for `upgrade`: raise the cluster's features when all brokers are upgraded; there is no `downgrade` after that",
                    "用于 `upgrade`：所有 broker 升级之后提升集群的 feature；此后不能再 `downgrade`");

    public static final Key<Double> THROTTLE = Key.scalar(
                    "throttle", Sentence.of("scenario.a.bandwidth"), 0.0, LabKeys::bytesPerSecond)
            .byDefault("no limit", "不限")
            .about(
                    "for what moves partitions: bytes per second that each broker sends, and takes, for it; on a lab alone",
                    "用于移动分区的各种：每个 broker 为此发送和接收的每秒字节数；仅限 lab");

    public static final Key<Map<String, String>> SET = Key.properties("set", "{compression.type: zstd}")
            .byDefault("required", "必填")
            .about("for `changeConfig`: the settings", "用于 `changeConfig`：各项设置");

    private static final Fault<OfLab> UPGRADE = release(
            FaultKeys.broker("upgrade")
                    .about(
                            "the broker shuts down in good order and comes back as another release, `to`. With `each`, one"
                                    + " after the other, and then the cluster's features are raised",
                            "broker 正常关闭，并以另一版本 `to` 重新启动。`each` 时逐个进行，之后提升集群的 feature"),
            true);

    private static final Fault<OfLab> DOWNGRADE = release(
            FaultKeys.broker("downgrade")
                    .about(
                            "the same back to an earlier release, as long as features have not been raised",
                            "同样地回到较早的版本，前提是 feature 尚未提升"),
            false);

    private static final Fault<OfCluster> REASSIGN = ofCluster(
                    FaultKeys.topics("reassign")
                            .about(
                                    "each copy of the topic's partitions moves to the next broker; it is over when all are there",
                                    "主题各分区的每个副本移到下一个 broker；全部到位时结束"),
                    Ability.REASSIGNMENT,
                    OfCluster::reassign,
                    (it, spec) -> it.awaitMoved())
            .with(THROTTLE)
            .changingBrokers(spec -> spec.get(THROTTLE) > 0)
            .hastenedBy(OfCluster::hurry)
            .having(Trait.ANYWHERE);

    private static final Fault<OfCluster> ADD = ofCluster(
                    FaultKeys.topics("addBroker")
                            .about(
                                    "one more broker starts, and gets its part of the topic's partitions; it is over when it has"
                                            + " them",
                                    "再启动一个 broker，并得到该主题应分担的分区；得到时结束"),
                    Ability.REASSIGNMENT,
                    OfCluster::add,
                    (it, spec) -> it.awaitMoved())
            .with(THROTTLE)
            .hastenedBy(OfCluster::hurry)
            .having(Trait.CHANGES_LAB);

    private static final Fault<Drained> REMOVE = Fault.on(
                    FaultKeys.broker("removeBroker")
                            .about(
                                    "the broker's partitions move to the others, then it shuts down and the cluster forgets it",
                                    "broker 的分区移到其他 broker，然后它关闭，集群不再保留它"),
                    (victims, target) -> {
                        Fault.Victim<OfCluster> found = victims.drained(target);
                        return new Fault.Victim<>(
                                new Drained(found.it(), found.broker()), found.whom(), found.broker());
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
            .having(Trait.LOSES_RECORDS, Trait.CHANGES_LAB);

    private static final Fault<OfCluster> ELECT = ofCluster(
                    FaultKeys.topics("electLeaders")
                            .about(
                                    "each partition is led by the first of its brokers again (preferred election)",
                                    "每个分区重新由其第一个 broker 担任 leader（首选副本选举）"),
                    Ability.ELECTION,
                    (it, spec) -> it.elect(),
                    (it, spec) -> {})
            .having(Trait.ANYWHERE);

    private static final Fault<OfCluster> CHANGE = Fault.on(
                    FaultKeys.settings("changeConfig")
                            .about(
                                    "settings of a topic, or of `all` or the `brokers`, change while the load goes on; see `set`",
                                    "主题、`all` 或 `brokers` 的设置在负载进行中改变；见 `set`"),
                    Victims::ofCluster,
                    Outage.NONE,
                    (it, spec) -> it.change(spec.target() instanceof Target.Brokers, spec.get(SET)),
                    (it, spec) -> it.changeBack())
            .needing(Ability.CONFIGS)
            .with(SET)
            .saying((whom, spec) -> Sentence.of(
                    "run.fault.changeConfig",
                    whom,
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
            // Quickly and after a failure: a lab that stays would keep what a run that is interrupted leaves of it.
            .having(Trait.LOSES_RECORDS, Trait.ENDS_QUICKLY, Trait.ENDS_AFTER_FAILURE, Trait.ANYWHERE);

    private static final Fault<OfLab> ROTATE = BrokerFaults.broker(
                    FaultKeys.broker("rotateCertificates")
                            .about(
                                    "the broker gets a new certificate of the lab's authority while it runs; connections"
                                            + " stay, new ones see it",
                                    "broker 在运行中得到 lab 的 CA 签发的新证书；已有连接保持，新连接看到新证书"),
                    Outage.NONE,
                    (it, spec) -> new LabRehearsal(it.withItAlive()).rotate(it.id()),
                    (it, spec) -> {})
            .untilDone()
            .on((lab, spec) -> lab.requireTls());

    private static final Fault<OfLab> EXPIRE = BrokerFaults.broker(
                    FaultKeys.broker("expireCertificates")
                            .about(
                                    "the broker's certificate has expired: connections stay, new ones of clients are"
                                            + " refused; then it gets its valid one back",
                                    "broker 的证书已过期：已有连接保持，客户端的新连接被拒绝；之后它重新得到有效的证书"),
                    Outage.NONE,
                    (it, spec) -> new LabRehearsal(it.withItAlive()).expire(it.id()),
                    (it, spec) -> new LabRehearsal(it.withItAlive()).restoreCertificate(it.id()))
            .on((lab, spec) -> lab.withBrokersApart())
            .having(Trait.ENDS_AFTER_FAILURE);

    static final List<Fault<?>> ALL = List.of(UPGRADE, DOWNGRADE, ADD, REMOVE, REASSIGN, ELECT, CHANGE, ROTATE, EXPIRE);

    private OperatorFaults() {}

    /** A broker, and the cluster that goes on without it. */
    record Drained(OfCluster of, int id) {}

    private static Fault<OfCluster> ofCluster(
            Key<Optional<Target>> key, Ability needed, Fault.Deed<OfCluster> begin, Fault.Deed<OfCluster> end) {
        return Fault.on(key, Victims::ofCluster, Outage.NONE, begin, end)
                .needing(needed)
                .untilDone()
                .having(Trait.LOSES_RECORDS)
                .saying((whom, spec) -> Sentence.of(
                        "run.fault." + key.name(),
                        whom,
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
                        (it, spec) -> {
                            new LabRehearsal(it.lab()).prepare(spec.get(TO));
                            it.withItAlive().shutDown(it.id(), STOP_PATIENCE);
                        },
                        (it, spec) -> comeBack(it, spec, up))
                .untilRestart(AfterLoad.END)
                .untilDone()
                .having(Trait.LOSES_RECORDS, Trait.CHANGES_LAB)
                .saying((whom, spec) -> Sentence.of("run.fault." + key.name(), whom, spec.get(TO)))
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
}
