package io.plimsoll.run.faults;

import io.plimsoll.load.GroupMember;
import io.plimsoll.run.faults.Fault.AfterLoad;
import io.plimsoll.run.faults.Fault.Deed;
import io.plimsoll.scenario.FaultKeys;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Key;
import java.util.List;
import java.util.Optional;

/** Kinds of faults that happen to a consumer of ours: nothing that was acknowledged is lost by them. */
final class MemberFaults {
    private static final Fault<GroupMember> KILL = member(
                    FaultKeys.member("killMember")
                            .about(
                                    "a member of a consumer group ends without leaving the group or committing, as a"
                                            + " process that is killed",
                                    "消费组的一个成员像进程被杀死那样结束，既不离开组也不提交"),
                    (member, spec) -> member.kill(),
                    (member, spec) -> member.replace())
            .untilRestart(AfterLoad.LEAVE);

    private static final Fault<GroupMember> PAUSE = member(
                    FaultKeys.member("pauseMember")
                            .about(
                                    "a member of a consumer group stops to poll, as an application that hangs; its"
                                            + " heartbeats go on",
                                    "消费组的一个成员停止 poll，如同应用挂起；心跳照常"),
                    (member, spec) -> member.pause(),
                    (member, spec) -> member.resume())
            .endingQuickly();

    static final List<Fault<GroupMember>> ALL = List.of(KILL, PAUSE);

    private MemberFaults() {}

    private static Fault<GroupMember> member(
            Key<Optional<Target>> key, Deed<GroupMember> begin, Deed<GroupMember> end) {
        return new Fault<>(key, fault -> fault.get(key), Victims::member, begin, end).anywhere();
    }
}
