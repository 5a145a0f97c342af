package io.plimsoll.fleet;

import io.plimsoll.Daemon;
import io.plimsoll.fleet.FleetMessage.MemberAnswer;
import io.plimsoll.fleet.FleetMessage.MemberFate;
import io.plimsoll.fleet.FleetMessage.MemberOrder;
import io.plimsoll.load.GroupMember;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Lets members of consumer groups on an agent fail, as the coordinator asks, in a thread for each. */
record MemberFaultHandler(Supplier<List<GroupMember>> members, Consumer<FleetMessage> coordinator) {
    void execute(MemberOrder order) {
        Daemon.start(
                "plimsoll-agent-fault", () -> coordinator.accept(new MemberAnswer(order.number(), failure(order))));
    }

    /** Null if it was done. */
    private Sentence failure(MemberOrder order) {
        // Who was replaced has the same name as who took the place, and comes before.
        GroupMember member = members.get().stream()
                .filter(m -> m.name().equals(order.member()))
                .reduce((before, after) -> after)
                .orElse(null);
        if (member == null) {
            return Sentence.of("fleet.noSuchMember", order.member());
        }
        boolean fails = order.fate() == MemberFate.KILL || order.fate() == MemberFate.PAUSE;
        if (fails && !member.alive()) {
            return Sentence.of("fleet.memberEnded", order.member());
        }
        switch (order.fate()) {
            case KILL -> member.kill();
            case PAUSE -> member.pause();
            case RESUME -> member.resume();
            case REPLACE -> member.replace();
        }
        return null;
    }
}
