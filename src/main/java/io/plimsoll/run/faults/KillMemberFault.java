package io.plimsoll.run.faults;

import io.plimsoll.load.GroupMember;
import io.plimsoll.scenario.FaultKeys;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.Settings;
import java.time.Duration;
import java.util.Optional;

/** A member of a consumer group ends without leaving the group. */
public final class KillMemberFault extends MemberFault {
    public KillMemberFault() {
        super(FaultKeys.member("killMember")
                .about(
                        "a member of a consumer group ends without leaving the group or committing, as a process that"
                                + " is killed",
                        "消费组的一个成员像进程被杀死那样结束，既不离开组也不提交"));
    }

    @Override
    public Key<Optional<Duration>> end() {
        return FaultKeys.RESTART_AFTER;
    }

    @Override
    public String planned(String whom, Settings fault) {
        return planned("kill", whom);
    }

    @Override
    public String english() {
        return "kill {0}";
    }

    @Override
    public String chinese() {
        return "强杀 {0}";
    }

    @Override
    AfterLoad afterLoad() {
        return AfterLoad.LEAVE;
    }

    @Override
    void begin(GroupMember member) {
        member.kill();
    }

    @Override
    void end(GroupMember member) {
        member.replace();
    }

    @Override
    boolean endsQuickly() {
        return false;
    }
}
