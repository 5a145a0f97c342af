package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.run.fleet.FleetSupport.Wanted;
import io.plimsoll.fleet.AgentOptions.Permits;
import io.plimsoll.fleet.FleetMessage.Ask;
import io.plimsoll.fleet.FleetMessage.Envelope;
import io.plimsoll.fleet.Wire.Encoded;
import io.plimsoll.run.fleet.NodeAddress;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorSelection;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.Deploy;
import org.apache.pekko.actor.Identify;
import org.apache.pekko.actor.Kill;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.remote.RemoteScope;
import org.apache.pekko.remote.artery.tcp.SSLEngineProviderSetup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An attacker with the fleet's keys cannot make Pekko act on an agent. */
class HostilePeerTest {
    /** In which systems. */
    private static final List<String> PLANTED = new CopyOnWriteArrayList<>();

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private Agent agent;
    private final Semaphore answered = new Semaphore(0);
    private org.apache.pekko.actor.typed.ActorSystem<Object> peer;
    private ActorSystem attacker;
    private String node;

    /** A class that the attacker finds on the class path. */
    public static final class Planted extends AbstractActor {
        public Planted() {
            PLANTED.add(getContext().getSystem().name() + " " + getSelf().path());
        }

        @Override
        public Receive createReceive() {
            return emptyBehavior();
        }
    }

    @BeforeEach
    void startBoth() {
        agent = Agent.start(
                new AgentOptions(
                        new NodeAddress("127.0.0.1", 0),
                        List.of(),
                        "target",
                        Map.of(),
                        Permits.NONE,
                        SharedFleet.TOKEN,
                        "1",
                        "test", Duration.ZERO),
                said -> {});
        node = "pekko://plimsoll@" + agent.address();
        Config config = ConfigFactory.parseMap(Map.of(
                        "pekko.actor.provider", "remote",
                        "pekko.daemonic", true,
                        "pekko.actor.serializers.plimsoll", Wire.class.getName(),
                        "pekko.actor.serialization-bindings.\"" + Encoded.class.getName() + "\"", "plimsoll",
                        "pekko.remote.use-unsafe-remote-features-outside-cluster", true,
                        "pekko.stdout-loglevel", "OFF",
                        "pekko.loglevel", "OFF",
                        "pekko.remote.artery.transport", "tls-tcp",
                        "pekko.remote.artery.canonical.hostname", "127.0.0.1",
                        "pekko.remote.artery.canonical.port", 0))
                .withFallback(ConfigFactory.load(HostilePeerTest.class.getClassLoader()));
        NodeTls tls = new NodeTls(SharedFleet.token(), said -> {});
        peer = org.apache.pekko.actor.typed.ActorSystem.create(
                Behaviors.receive((context, message) -> {
                    if (message instanceof Props planted) {
                        Adapter.actorOf(context, planted, "planted");
                    } else {
                        answered.release();
                    }
                    return Behaviors.same();
                }),
                "plimsoll",
                ActorSystemSetup.create(BootstrapSetup.create(config), SSLEngineProviderSetup.create(any -> tls)));
        attacker = peer.classicSystem();
    }

    @AfterEach
    void endBoth() {
        agent.close();
        // Do not wait: its guardian can wait indefinitely for an actor that the agent did not create.
        attacker.terminate();
    }

    private ActorSelection at(String path) {
        return attacker.actorSelection(node + path);
    }

    /** Returns after the arrival of earlier messages on the same connection. */
    private void awaitArrival() throws Exception {
        answered.acquire(answered.availablePermits());
        String self = peer.address().toString();
        ActorRefResolver.get(peer)
                .<Object>resolveActorRef(node + "/user")
                .tell(Encoded.of(new Envelope(self, null, null, null, new Ask())));
        assertThat(answered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    }

    private void stillAnswers() {
        Fleet.find(new Wanted(
                        List.of(agent.address()), 1, LIMIT, SharedFleet.TOKEN, SharedFleet.anywhere(), "x", "1"))
                .close();
    }

    @Test
    void peerCannotStopOrKillAgent() throws Exception {
        awaitArrival();
        for (Object deadly : new Object[] {PoisonPill.getInstance(), Kill.getInstance()}) {
            for (String path : new String[] {"/user", "/system", "/system/remoting-terminator"}) {
                at(path).tell(deadly, attacker.deadLetters());
            }
        }
        awaitArrival();
        stillAnswers();
    }

    @Test
    void instantiatesNoClassForPeer() throws Exception {
        awaitArrival();
        Address there = AddressFromURIString.parse(node);
        peer.tell(Props.create(Planted.class).withDeploy(new Deploy(new RemoteScope(there))));
        awaitArrival();
        awaitArrival();
        stillAnswers();
        assertThat(PLANTED).isEmpty();
    }

    @Test
    void answersNoActorLookup() {
        CompletableFuture<?> answer = Patterns.ask(at("/user"), new Identify(1), Duration.ofMillis(500))
                .toCompletableFuture();
        assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS)).hasMessageContaining("timed out");
    }
}
