package io.plimsoll.run.faults;

import io.plimsoll.load.GroupMember;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Key;
import java.util.Optional;

/** A kind of fault that happens to a consumer of ours: nothing that was acknowledged is lost by it. */
abstract class MemberFault extends Fault {
    MemberFault(Key<Optional<Target>> key) {
        super(key);
    }

    abstract void begin(GroupMember member);

    abstract void end(GroupMember member);

    abstract boolean endsQuickly();

    @Override
    public final boolean mayLoseRecords() {
        return false;
    }

    @Override
    public final boolean needsLab() {
        return false;
    }

    @Override
    final Effect on(Target target, FaultSpec spec, Victims victims) {
        GroupMember member = victims.member(target);
        return new OnMember(this, member, done(member.name()));
    }

    /** The plan of something that happens to members of a group. */
    static String planned(String verb, String whom) {
        return verb + " a member of " + (whom.equals("any") ? "any group" : whom);
    }

    private record OnMember(MemberFault kind, GroupMember member, String what) implements Effect {
        @Override
        public Integer broker() {
            return null;
        }

        @Override
        public void begin() {
            kind.begin(member);
        }

        @Override
        public void end() {
            kind.end(member);
        }

        @Override
        public boolean endsQuickly() {
            return kind.endsQuickly();
        }
    }
}
