package io.plimsoll.run.faults;

import io.plimsoll.load.GroupMember;
import io.plimsoll.scenario.FaultKeys;
import io.plimsoll.scenario.Settings;

/** A member of a consumer group stops to poll. */
public final class PauseMemberFault extends MemberFault {
    public PauseMemberFault() {
        super(FaultKeys.member("pauseMember")
                .about(
                        "a member of a consumer group stops to poll, as an application that hangs; its heartbeats go"
                                + " on",
                        "消费组的一个成员停止 poll，如同应用挂起；心跳照常"));
    }

    @Override
    public String planned(String whom, Settings fault) {
        return planned("pause", whom);
    }

    @Override
    public String english() {
        return "pause {0}";
    }

    @Override
    public String chinese() {
        return "暂停 {0}";
    }

    @Override
    void begin(GroupMember member) {
        member.pause();
    }

    @Override
    void end(GroupMember member) {
        member.resume();
    }

    @Override
    boolean endsQuickly() {
        return true;
    }
}
