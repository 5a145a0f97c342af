package io.plimsoll.run.faults;

import io.plimsoll.load.GroupMember;

/** A consumer of ours ends without a word, or stands still. */
record MemberEffect(GroupMember member, boolean kills) implements Effect {
    @Override
    public String what() {
        return (kills ? "kill " : "pause ") + member.name();
    }

    @Override
    public Integer broker() {
        return null;
    }

    @Override
    public void begin() {
        if (kills) {
            member.kill();
        } else {
            member.pause();
        }
    }

    @Override
    public void end() {
        if (kills) {
            member.replace();
        } else {
            member.resume();
        }
    }

    @Override
    public boolean endsQuickly() {
        return !kills;
    }
}
