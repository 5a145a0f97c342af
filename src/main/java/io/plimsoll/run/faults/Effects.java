package io.plimsoll.run.faults;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.lab.Impairment;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.load.GroupMember;
import io.plimsoll.result.RunResult;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Action;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/** Finds whom a fault is meant for, at the moment when it is to happen. Thread-safe. */
final class Effects {
    private final FaultContext ground;
    private final SplittableRandom random; // Guarded by this object.

    Effects(FaultContext ground) {
        this.ground = ground;
        this.random = new SplittableRandom(ground.seed());
    }

    /** The ids of all brokers. */
    List<Integer> brokers() {
        return ground.brokers().stream().map(RunResult.Broker::id).sorted().toList();
    }

    /**
     * @param target never {@link Target.Each}
     * @throws PlimsollException if there is nobody whom it could happen to
     */
    Effect of(FaultSpec spec, Target target) {
        if (target instanceof Target.MemberOf of) {
            return new MemberEffect(member(of.entry()), spec.action() instanceof Action.KillMember);
        }
        int id = broker(target);
        String whom = "broker " + id + role(target);
        if (spec.action() instanceof Action.Exec exec) {
            return new ExecEffect(exec, spec.text() + " for " + whom, address(id));
        }
        Lab lab = ground.lab().orElseThrow(() -> new PlimsollException(Exit.USAGE, Sentence.of("run.notOurCluster")));
        return ofBroker(spec.action(), lab, id, whom);
    }

    private static Effect ofBroker(Action action, Lab lab, int id, String whom) {
        if (action instanceof Action.Kill) {
            return new ProcessEffect(ProcessEffect.Kind.KILL, lab, id, whom);
        } else if (action instanceof Action.Stop) {
            return new ProcessEffect(ProcessEffect.Kind.STOP, lab, id, whom);
        } else if (action instanceof Action.Pause) {
            return new ProcessEffect(ProcessEffect.Kind.PAUSE, lab, id, whom);
        } else if (action instanceof Action.Slow slow) {
            Impairment impairment = Impairment.slow(slow.delay(), slow.jitter(), slow.bytesPerSecond());
            return new NetworkEffect(lab, id, "slow the network of " + whom, impairment);
        } else if (action instanceof Action.Cut) {
            return new NetworkEffect(lab, id, "cut the network of " + whom, Impairment.CUT);
        } else if (action instanceof Action.HalfOpen) {
            return new NetworkEffect(lab, id, "half-open network of " + whom, Impairment.HALF_OPEN);
        }
        lab.diskProblem().ifPresent(reason -> {
            throw new Effect.Impossible(reason);
        });
        return new DiskEffect(lab, id, whom);
    }

    private static String role(Target target) {
        if (target instanceof Target.LeaderOf leader) {
            return " (leader of " + leader.topic() + "-" + leader.partition() + ")";
        }
        return target instanceof Target.Controller ? " (controller)" : "";
    }

    private int broker(Target target) {
        if (target instanceof Target.Broker broker) {
            return broker.id();
        } else if (target instanceof Target.LeaderOf leader) {
            return found(
                    ground.roles().leaderOf(leader.topic(), leader.partition()),
                    Sentence.of("run.noLeaderNow", leader.topic() + "-" + leader.partition()));
        } else if (target instanceof Target.Controller) {
            return found(ground.roles().controller(), Sentence.of("run.noControllerNow"));
        }
        return any();
    }

    private static int found(OptionalInt id, Sentence otherwise) {
        return id.orElseThrow(() -> new PlimsollException(Exit.CLUSTER, otherwise));
    }

    private int any() {
        List<Integer> running = ground.lab()
                .map(lab -> lab.brokers().stream()
                        .filter(broker -> broker.alive() && !broker.paused())
                        .map(LabBroker::id)
                        .toList())
                .orElseGet(this::brokers);
        if (running.isEmpty()) {
            throw new PlimsollException(Exit.CLUSTER, Sentence.of("run.noBrokerRunning"));
        }
        return running.get(next(running.size()));
    }

    private GroupMember member(OptionalInt entry) {
        List<GroupMember> alive = new ArrayList<>(ground.members().apply(entry));
        alive.removeIf(member -> !member.alive());
        if (alive.isEmpty()) {
            throw new PlimsollException(Exit.CLUSTER, Sentence.of("run.noMemberRunning"));
        }
        return alive.get(next(alive.size()));
    }

    private synchronized int next(int bound) {
        return random.nextInt(bound);
    }

    private RunResult.Broker address(int id) {
        return ground.brokers().stream()
                .filter(broker -> broker.id() == id)
                .findFirst()
                .orElseThrow(() -> new PlimsollException(
                        Exit.CLUSTER,
                        Sentence.of("run.noSuchBroker", id, brokers().toString())));
    }
}
