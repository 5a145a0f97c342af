package io.plimsoll.run.faults;

import io.plimsoll.load.GroupMember;
import io.plimsoll.run.faults.Fault.Action;
import io.plimsoll.run.faults.Fault.AfterLoad;
import io.plimsoll.run.faults.Fault.Trait;
import io.plimsoll.run.faults.Fault.Victim;
import io.plimsoll.scenario.FaultKind.Outage;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Key;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Faults of the run's own consumers. They do not lose acknowledged records. */
final class MemberFaults {
    private static final Duration JOINING = Duration.ofSeconds(60);
    private static final long LOOK_MILLIS = 20;

    private static final Fault<GroupMember> KILL = member(
                    FaultSpec.member("killMember"), (member, spec) -> member.kill(), (member, spec) -> member.replace())
            .untilRestart(AfterLoad.LEAVE);

    private static final Fault<GroupMember> PAUSE = member(
                    FaultSpec.member("pauseMember"),
                    (member, spec) -> member.pause(),
                    (member, spec) -> member.resume())
            .having(Trait.ENDS_QUICKLY);

    private static final Fault<GroupMember> LEAVE = member(
                    FaultSpec.member("leaveMember"),
                    (member, spec) -> member.leave(),
                    (member, spec) -> member.replace())
            .having(Trait.LOCAL_MEMBERS)
            .untilRestart(AfterLoad.LEAVE);

    private static final Fault<Joining> JOIN = Fault.on(
                    FaultSpec.member("joinMember"),
                    (victims, target) -> {
                        Victim<GroupMember> of = victims.member(target);
                        return new Victim<>(new Joining(of.it()), of.name(), null);
                    },
                    Outage.NONE,
                    (joining, spec) -> joining.begin(),
                    (joining, spec) -> joining.end())
            .having(Trait.ANYWHERE, Trait.LOCAL_MEMBERS)
            .untilRestart(AfterLoad.LEAVE);

    private static final Fault<Supplier<List<GroupMember>>> ROLL = Fault.on(
                    FaultSpec.member("rollMembers"),
                    (victims, target) -> new Victim<Supplier<List<GroupMember>>>(
                            () -> victims.members(target), Victims.name(target), null),
                    Outage.NONE,
                    (members, spec) -> roll(members),
                    (members, spec) -> {})
            .saying((name, spec) -> Sentence.of("run.fault.rollMembers", all(spec.target())))
            .having(Trait.ANYWHERE, Trait.ENDS_QUICKLY, Trait.LOCAL_MEMBERS);

    static final List<Fault<?>> ALL = List.of(KILL, PAUSE, LEAVE, JOIN, ROLL);

    private static final class Joining {
        private final GroupMember beside;
        private Runnable leave = () -> {};

        Joining(GroupMember beside) {
            this.beside = beside;
        }

        void begin() {
            leave = beside.another();
        }

        void end() {
            leave.run();
        }
    }

    private static Sentence all(Target target) {
        return target instanceof Target.MemberOf of && of.entry().isPresent()
                ? Sentence.of("run.allMembersOf", "consumers[" + of.entry().getAsInt() + "]")
                : Sentence.of("run.allMembers");
    }

    /** Restarts the members one after the other: each replacement joins before the next member stops. */
    private static void roll(Supplier<List<GroupMember>> members) throws InterruptedException {
        for (GroupMember member : members.get()) {
            member.leave();
            member.replace();
            long untilNanos = System.nanoTime() + JOINING.toNanos();
            while (!members.get().stream().allMatch(GroupMember::joined) && System.nanoTime() < untilNanos) {
                Thread.sleep(LOOK_MILLIS);
            }
        }
    }

    private static Fault<GroupMember> member(
            Key<Optional<Target>> key, Action<GroupMember> begin, Action<GroupMember> end) {
        return Fault.on(key, Victims::member, Outage.NONE, begin, end).having(Trait.ANYWHERE);
    }
}
