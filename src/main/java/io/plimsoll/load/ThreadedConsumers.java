package io.plimsoll.load;

import io.plimsoll.Daemon;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Consumer groups with a client and a thread per member.
 * @param <R> the task of the thread
 */
public abstract class ThreadedConsumers<R extends MemberRun> extends Consumers {
    /** Time limit for all members, which leave concurrently. */
    private static final Duration CLOSE_LIMIT = Duration.ofMillis(2500);

    private final List<Member> members = new CopyOnWriteArrayList<>();
    private boolean stopped; // Guarded by this object, so that no member is added after the stop.

    protected ThreadedConsumers(ConsumerKind.Entry entry, Waiter waiter) {
        super(entry, waiter);
    }

    /**
     * Creates a member with its client, not yet connected.
     * @param index of the member in its group
     */
    protected abstract R create(GroupState group, int index, ReceiveMeter meter);

    protected final void addMembers(GroupState group, Slice here) {
        List<ReceiveMeter> meters = addMeters(group, here.count());
        for (int m = here.from(); m < here.to(); m++) {
            members.add(new Member(group, m, meters.get(m - here.from())));
        }
    }

    protected final void startMembers() {
        members.forEach(member -> member.thread.start());
    }

    /** The tasks of all members, including replaced members. */
    protected final Stream<R> runs() {
        return members.stream().map(member -> member.run);
    }

    protected final int count() {
        return members.size();
    }

    /** @throws io.plimsoll.PlimsollException with the reason why a member could not join */
    protected final void requireAlive() {
        runs().flatMap(run -> Stream.ofNullable(run.fatal())).findFirst().ifPresent(fatal -> {
            throw KafkaErrors.explain(fatal, "join a consumer group on", KafkaErrors.topics(spec.topics()));
        });
    }

    private final class Member implements GroupMember {
        private final GroupState group;
        private final int index;
        private final ReceiveMeter meter;
        private final R run;
        private final Thread thread;

        Member(GroupState group, int index, ReceiveMeter meter) {
            this.group = group;
            this.index = index;
            this.meter = meter;
            this.run = create(group, index, meter);
            this.thread = Daemon.thread("plimsoll-read-" + part + "-" + members.size(), run);
        }

        @Override
        public String name() {
            return "member " + index + " of " + group.id();
        }

        @Override
        public Sentence said() {
            return Sentence.of("load.member", index, GroupMember.shortened(group.id(), context));
        }

        @Override
        public boolean alive() {
            return thread.isAlive();
        }

        @Override
        public void kill() {
            run.kill();
        }

        @Override
        public void pause() {
            run.pause(true);
        }

        @Override
        public void resume() {
            run.pause(false);
        }

        @Override
        public boolean joined() {
            return alive() && run.joined();
        }

        @Override
        public void leave() {
            run.leave();
        }

        @Override
        public Runnable another() {
            synchronized (ThreadedConsumers.this) {
                int next = members.stream().mapToInt(m -> m.index).max().orElse(index) + 1;
                Member added = add(next, null);
                return added == null ? () -> {} : added::leave;
            }
        }

        @Override
        public void replace() {
            BoundedClose.join(List.of(thread), CLOSE_LIMIT);
            synchronized (ThreadedConsumers.this) {
                // A meter has only one writer, so a member that has not ended in time keeps its meter.
                add(index, thread.isAlive() ? null : meter);
            }
        }

        private @Nullable Member add(int number, @Nullable ReceiveMeter own) {
            if (stopped || group.done()) {
                return null;
            }
            Member added =
                    new Member(group, number, own == null ? addMeters(group, 1).get(0) : own);
            members.add(added);
            added.thread.start();
            return added;
        }
    }

    @Override
    protected boolean joined(GroupState group) {
        return members.stream().filter(m -> m.group == group).allMatch(m -> m.run.joined());
    }

    @Override
    public final List<GroupMember> members() {
        return List.copyOf(members);
    }

    /** No effect: members check several times a second whether they must end. */
    @Override
    protected final void wakeup() {}

    @Override
    public final boolean done() {
        return members.stream().noneMatch(Member::alive);
    }

    @Override
    public final boolean awaitsMembers() {
        long now = waiter.nanoTime();
        List<GroupState> left = members.stream()
                .filter(m -> !m.alive() && (m.run.killed() || m.run.stopping()))
                .map(m -> m.group)
                .distinct()
                .toList();
        if (window.open(now)) {
            // Without members, a group does not notice that it is idle.
            left.forEach(group -> group.endIfIdle(now - endLimit().toNanos()));
        }
        return left.stream().anyMatch(group -> !group.done());
    }

    @Override
    public final synchronized void stop() {
        stopped = true;
        runs().forEach(MemberRun::stop);
    }

    @Override
    protected long figures(ClientFigures into) {
        workFigures(into);
        long now = waiter.nanoTime();
        return Math.round(runs().mapToDouble(run -> run.figures.read(now, into, part, context.events()))
                .sum());
    }

    @Override
    protected void end() {
        BoundedClose.join(members.stream().map(m -> m.thread).toList(), CLOSE_LIMIT);
    }
}
