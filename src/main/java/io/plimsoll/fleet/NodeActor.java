package io.plimsoll.fleet;

import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Down;
import org.apache.pekko.cluster.typed.Subscribe;
import org.apache.pekko.remote.artery.ThisActorSystemQuarantinedEvent;

/**
 * The one actor of a node: hands on what comes to {@link FleetNode.Inbox}, and takes out of the cluster whom nobody can
 * reach any more. There is no state that two halves of a cluster could disagree on, so each may go on by itself.
 */
final class NodeActor extends AbstractBehavior<NodeActor.Command> {
    /** A message that the actor understands. */
    interface Command {}

    private record Seen(ClusterEvent.ClusterDomainEvent event) implements Command {}

    private record Quarantined() implements Command {}

    private final FleetNode.Inbox inbox;
    private final CompletableFuture<PeerProof> proof;
    private final Cluster cluster;

    private NodeActor(ActorContext<Command> context, FleetNode.Inbox inbox, CompletableFuture<PeerProof> proof) {
        super(context);
        this.inbox = inbox;
        this.proof = proof;
        this.cluster = Cluster.get(context.getSystem());
        cluster.subscriptions()
                .tell(Subscribe.create(
                        context.messageAdapter(ClusterEvent.ClusterDomainEvent.class, Seen::new),
                        ClusterEvent.ClusterDomainEvent.class));
        context.getSystem()
                .classicSystem()
                .eventStream()
                .subscribe(
                        Adapter.toClassic(context.messageAdapter(
                                ThisActorSystemQuarantinedEvent.class, event -> new Quarantined())),
                        ThisActorSystemQuarantinedEvent.class);
    }

    /** @param proof hands on only what is from whom it says it is; nothing before it is there */
    static Behavior<Command> create(FleetNode.Inbox inbox, CompletableFuture<PeerProof> proof) {
        return Behaviors.setup(context -> new NodeActor(context, inbox, proof));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Envelope.class, envelope -> {
                    PeerProof known = proof.getNow(null);
                    if (known != null && known.received(envelope)) {
                        inbox.received(envelope);
                    }
                    return this;
                })
                .onMessage(Quarantined.class, quarantined -> {
                    inbox.removed();
                    return this;
                })
                .onMessage(Seen.class, seen -> {
                    saw(seen.event());
                    return this;
                })
                .build();
    }

    private void saw(ClusterEvent.ClusterDomainEvent event) {
        if (event instanceof ClusterEvent.MemberUp up) {
            if (up.member().hasRole(FleetNode.AGENT)) {
                inbox.agentUp(up.member().address().toString());
            }
        } else if (event instanceof ClusterEvent.UnreachableMember gone) {
            cluster.manager().tell(new Down(gone.member().address()));
            left(gone.member());
        } else if (event instanceof ClusterEvent.MemberRemoved removed) {
            left(removed.member());
        } else if (event instanceof ClusterEvent.MemberExited exited) {
            left(exited.member());
        }
    }

    private void left(Member member) {
        if (member.address().equals(cluster.selfMember().address())) {
            if (member.status() == MemberStatus.removed()) {
                inbox.removed();
            }
        } else if (member.hasRole(FleetNode.AGENT)) {
            inbox.agentLeft(member.address().toString());
        }
    }
}
