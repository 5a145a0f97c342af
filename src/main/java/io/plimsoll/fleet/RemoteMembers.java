package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.fleet.FleetMessage.MemberAnswer;
import io.plimsoll.fleet.FleetMessage.MemberFate;
import io.plimsoll.fleet.FleetMessage.MemberOrder;
import io.plimsoll.load.GroupMember;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.Slice;
import io.plimsoll.run.TrialAssignment;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/** The consumer group members on agents, as targets of faults. Thread-safe. */
final class RemoteMembers {
    /** Replacing a member takes an agent until the one before has ended. */
    private static final long ANSWER_SECONDS = 5;

    private final BiConsumer<RemoteAgent, FleetMessage> send;
    private final List<Member> members = new ArrayList<>();
    private final Map<Long, CompletableFuture<MemberAnswer>> orders = new ConcurrentHashMap<>();
    private final AtomicLong lastOrder = new AtomicLong();

    /** Before the trial runs. */
    RemoteMembers(
            TrialAssignment trial,
            TrialPlacement placement,
            List<RemoteAgent> agents,
            BiConsumer<RemoteAgent, FleetMessage> send) {
        this.send = send;
        List<ConsumerSpec> entries = trial.scenario().consumers();
        for (int entry = 0; entry < entries.size(); entry++) {
            for (int host = 0; host < agents.size(); host++) {
                Slice slice = placement.consumersOf(host).get(entry);
                add(entry, entries.get(entry), trial.context(), slice, agents.get(host));
            }
        }
    }

    private void add(int entry, ConsumerSpec spec, LoadContext context, Slice slice, RemoteAgent agent) {
        if (LoadKind.of(spec.engine()).joinsGroups()) {
            List<String> ids =
                    List.copyOf(LoadKind.consumers(spec.engine()).groupIds(context, spec, "consumers-" + entry));
            for (int n = slice.from(); n < slice.to(); n++) {
                // Groups may have been given one id.
                String id = ids.get(Math.min(ids.size() - 1, n / spec.members()));
                int number = n % spec.members();
                Sentence said =
                        Sentence.of("load.memberOnAgent", number, GroupMember.shortened(id, context), agent.name());
                members.add(new Member(entry, "member " + number + " of " + id, said, agent));
            }
        }
    }

    /** The members of one entry or of all, in their order. */
    List<GroupMember> of(OptionalInt entry) {
        return members.stream()
                .filter(m -> entry.isEmpty() || entry.getAsInt() == m.entry)
                .<GroupMember>map(m -> m)
                .toList();
    }

    void onAnswer(MemberAnswer answer) {
        CompletableFuture<MemberAnswer> order = orders.remove(answer.number());
        if (order != null) {
            order.complete(answer);
        }
    }

    private final class Member implements GroupMember {
        private final int entry;
        private final String name;
        private final Sentence said;
        private final RemoteAgent agent;
        private volatile boolean killed;

        Member(int entry, String name, Sentence said, RemoteAgent agent) {
            this.entry = entry;
            this.name = name;
            this.said = said;
            this.agent = agent;
        }

        @Override
        public String name() {
            return name + " on agent " + agent.name();
        }

        @Override
        public Sentence said() {
            return said;
        }

        @Override
        public boolean alive() {
            return !killed && !agent.lost();
        }

        @Override
        public void kill() {
            order(MemberFate.KILL);
            killed = true;
        }

        @Override
        public void pause() {
            order(MemberFate.PAUSE);
        }

        @Override
        public void resume() {
            order(MemberFate.RESUME);
        }

        @Override
        public void replace() {
            order(MemberFate.REPLACE);
            killed = false;
        }

        private void order(MemberFate fate) {
            long number = lastOrder.incrementAndGet();
            CompletableFuture<MemberAnswer> answer = new CompletableFuture<>();
            orders.put(number, answer);
            send.accept(agent, new MemberOrder(number, name, fate));
            Sentence failure;
            try {
                failure = answer.get(ANSWER_SECONDS, TimeUnit.SECONDS).failure();
            } catch (TimeoutException e) {
                failure = Sentence.of("fleet.doesNotAnswer");
            } catch (InterruptedException e) {
                throw Exit.interrupted(e, "fleet.interruptedAsking", agent);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
            Exit.CLUSTER.when(failure != null, "fleet.agentFailed", agent, failure);
        }
    }
}
