package io.plimsoll.run.faults;

import io.plimsoll.Exit;
import io.plimsoll.lab.Impairment;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.lab.LabRehearsal;
import io.plimsoll.run.faults.Fault.Action;
import io.plimsoll.run.faults.Fault.AfterLoad;
import io.plimsoll.run.faults.Fault.ByHand;
import io.plimsoll.run.faults.Fault.Trait;
import io.plimsoll.scenario.FaultKind.Outage;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Faults of lab brokers and of the network in front of them. */
public final class BrokerFaults {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);
    private static final Duration RESTART_PATIENCE = Duration.ofSeconds(30);
    private static final int LEAST_DISK_BYTES = 64 << 20;

    /** Disk size of each broker in bytes, in a lab started for {@code fillDisk}. */
    public static final Key<Integer> DISK_SIZE =
            Key.scalar("diskSize", Quantities.SIZE, 512 << 20, BrokerFaults::diskSize);

    public static final Key<Duration> DELAY =
            Key.duration("delay", Duration.ZERO).noneByDefault();

    public static final Key<Duration> JITTER = Key.scalar(
                    "jitter", Quantities.DURATION, Duration.ZERO, Quantities::durationOrZero)
            .noneByDefault()
            .rule((fault, jitter) -> {
                if (jitter.compareTo(fault.get(DELAY)) > 0) {
                    fault.problemAt("jitter", Sentence.of("scenario.jitter"));
                }
            });

    public static final Key<Double> BANDWIDTH =
            Key.scalar("bandwidth", Sentence.of("scenario.a.bandwidth"), 0.0, LabSpec::bytesPerSecond);

    record OfLab(Lab lab, int id) {
        private LabBroker broker() {
            return lab.describe(id);
        }

        Lab withItAlive() {
            Exit.CLUSTER.when(!broker().alive(), "run.brokerNotRunning", id);
            return lab;
        }

        void startAgain() {
            if (!broker().alive()) {
                lab.restart(id);
            }
        }
    }

    private static final Fault<OfLab> KILL = broker(
                    FaultSpec.broker("kill"),
                    Outage.GONE,
                    (it, spec) -> it.withItAlive().kill(it.id()),
                    (it, spec) -> it.startAgain())
            .untilRestart(AfterLoad.END_IF_NEEDED)
            .having(Trait.LOSES_RECORDS)
            .byHand(
                    new ByHand("kill", "restart", false, LabBroker::alive, Lab::kill),
                    new ByHand("restart", null, true, broker -> !broker.alive(), BrokerFaults::restart));

    private static final Fault<OfLab> STOP = broker(
                    FaultSpec.broker("stop"),
                    Outage.GONE,
                    (it, spec) -> it.withItAlive().shutDown(it.id(), STOP_PATIENCE),
                    (it, spec) -> it.startAgain())
            .untilRestart(AfterLoad.END_IF_NEEDED)
            .having(Trait.LOSES_RECORDS);

    private static final Fault<OfLab> PAUSE = broker(
                    FaultSpec.broker("pause"),
                    Outage.IMPAIRED,
                    (it, spec) -> it.withItAlive().pause(it.id()),
                    (it, spec) -> {
                        // Another fault may have killed the broker, and will restart it.
                        if (it.broker().alive()) {
                            it.lab().resume(it.id());
                        }
                    })
            .having(Trait.LOSES_RECORDS, Trait.ENDS_QUICKLY)
            .byHand(
                    new ByHand("pause", "resume", false, broker -> broker.alive() && !broker.paused(), Lab::pause),
                    new ByHand("resume", null, false, LabBroker::paused, Lab::resume));

    private static final Fault<OfLab> SLOW = link(
                    FaultSpec.broker("slow"),
                    spec -> Impairment.slow(spec.get(DELAY), spec.get(JITTER), spec.get(BANDWIDTH)))
            .with(DELAY, JITTER, BANDWIDTH)
            .saying(BrokerFaults::slowed)
            .checked(fault -> {
                if (!fault.has("delay") && !fault.has("bandwidth")) {
                    fault.problem("run.slowsNothing");
                }
            });

    private static final Fault<OfLab> CUT = link(FaultSpec.broker("cut"), spec -> Impairment.CUT);

    private static final Fault<OfLab> HALF_OPEN = link(FaultSpec.broker("halfOpen"), spec -> Impairment.HALF_OPEN);

    /** Fills a broker's disk. A broker stops when its only disk fails; the end of the fault restarts it. */
    private static final Fault<OfLab> FILL_DISK = broker(
                    FaultSpec.broker("fillDisk"),
                    Outage.IMPAIRED,
                    (it, spec) -> {
                        it.lab().diskProblem().ifPresent(reason -> {
                            throw new Fault.Impossible(reason);
                        });
                        it.lab().fillDisk(it.id());
                    },
                    (it, spec) -> {
                        it.lab().freeDisk(it.id());
                        it.startAgain();
                    })
            .with(DISK_SIZE)
            .on((lab, spec) -> lab.withDiskBytes(Math.max(lab.diskBytes(), spec.get(DISK_SIZE))))
            .having(Trait.LOSES_RECORDS);

    private static final Fault<OfLab> LOSE_DISK = broker(
                    FaultSpec.broker("loseDisk"),
                    Outage.IMPAIRED,
                    (it, spec) -> new LabRehearsal(it.withItAlive()).loseDisk(it.id()),
                    (it, spec) -> new LabRehearsal(it.lab()).returnDisk(it.id()))
            .on((lab, spec) -> lab.withDisks(2))
            .untilRestart(AfterLoad.END_IF_NEEDED)
            .having(Trait.LOSES_RECORDS, Trait.ENDS_AFTER_FAILURE, Trait.NEEDS_BROKER);

    static final List<Fault<OfLab>> ALL = List.of(KILL, STOP, PAUSE, SLOW, CUT, HALF_OPEN, FILL_DISK, LOSE_DISK);

    static Fault<OfLab> broker(Key<Optional<Target>> key, Outage outage, Action<OfLab> begin, Action<OfLab> end) {
        return Fault.on(key, Victims::ofLab, outage, begin, end);
    }

    /** A network fault, which does not lose acknowledged records. */
    private static Fault<OfLab> link(Key<Optional<Target>> key, Function<FaultSpec, Impairment> impairment) {
        return broker(
                        key,
                        Outage.IMPAIRED,
                        (it, spec) -> it.lab().impair(it.id(), impairment.apply(spec)),
                        (it, spec) -> it.lab().relieve(it.id(), impairment.apply(spec)))
                .on((lab, spec) -> lab.withProxies())
                .having(Trait.ENDS_QUICKLY, Trait.NEEDS_BROKER);
    }

    private static void restart(Lab lab, int id) {
        if (new OfLab(lab, id).broker().alive()) {
            lab.shutDown(id, RESTART_PATIENCE);
        }
        lab.restart(id);
    }

    private static Sentence slowed(Sentence name, FaultSpec spec) {
        Duration delay = spec.get(DELAY);
        Duration jitter = spec.get(JITTER);
        double bandwidth = spec.get(BANDWIDTH);
        return Sentence.of(
                "run.fault.slow",
                name,
                delay.isZero() ? Sentence.NONE : Sentence.of("run.slow.by", Quantities.text(delay)),
                jitter.isZero() ? "" : " ± " + Quantities.text(jitter),
                bandwidth > 0
                        ? Sentence.of(
                                "run.slow.to", Quantities.text(new Rate.Quantity(bandwidth, Rate.Unit.PAYLOAD_BYTES)))
                        : Sentence.NONE);
    }

    private static int diskSize(String text) {
        int bytes = Quantities.size(text);
        if (bytes < LEAST_DISK_BYTES) {
            throw InvalidValueException.expected("run.smallDisk", text);
        }
        return bytes;
    }
}
