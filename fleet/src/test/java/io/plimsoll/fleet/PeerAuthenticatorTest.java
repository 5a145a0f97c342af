package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.fleet.FleetMessage.Ask;
import io.plimsoll.fleet.FleetMessage.Envelope;
import io.plimsoll.fleet.FleetMessage.Hello;
import io.plimsoll.fleet.FleetMessage.Release;
import io.plimsoll.fleet.FleetNode.PeerAuthenticator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A message is accepted only from the host that it names. */
class PeerAuthenticatorTest {
    private static final String A = "pekko://plimsoll@a:1";
    private static final String B = "pekko://plimsoll@b:1";

    private final Deque<Runnable> network = new ArrayDeque<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private int sent;

    /** A node with messages that reach only their recipient, as with TLS. */
    private final class Node {
        private final String self;
        private final List<Envelope> inbox = new ArrayList<>();
        private final List<String> restarted = new ArrayList<>();
        private final PeerAuthenticator proof =
                new PeerAuthenticator(this::deliver, address -> !address.contains("stranger"), restarted::add);

        Node(String self) {
            this.self = self;
            nodes.put(self, this);
        }

        void send(String to, FleetMessage message) {
            String word = proof.wordOf(to);
            if (word != null) {
                deliver(to, word, message);
            }
        }

        private void deliver(String to, String word, FleetMessage message) {
            arrive(to, new Envelope(self, word, null, null, message));
        }

        void received(Envelope envelope) {
            if (proof.received(envelope)) {
                inbox.add(envelope);
            }
        }
    }

    private void arrive(String to, Envelope envelope) {
        sent++;
        network.add(() -> nodes.get(to).received(envelope));
    }

    private void settle() {
        while (!network.isEmpty()) {
            assertThat(sent).as("messages that never end").isLessThan(100);
            network.poll().run();
        }
    }

    private void acquaint(Node a, Node b) {
        a.send(b.self, new Ask());
        settle();
        a.send(b.self, new Ask());
        settle();
        assertThat(b.inbox).singleElement().satisfies(e -> assertThat(e.from()).isEqualTo(a.self));
        b.inbox.clear();
    }

    @Test
    void firstMessageRequestsWordAndNextCarriesIt() {
        Node a = new Node(A);
        Node b = new Node(B);
        acquaint(a, b);
        b.send(A, new Release(false, false));
        settle();
        assertThat(a.inbox).extracting(Envelope::message).containsExactly(new Release(false, false));
        assertThat(sent).isEqualTo(6);
    }

    @Test
    void ignoresImpersonator() {
        Node a = new Node(A);
        Node b = new Node(B);
        Node forger = new Node("pekko://plimsoll@forger:1");
        acquaint(a, b);
        acquaint(forger, b);
        String own = forger.proof.wordOf(B);
        for (String word : new String[] {null, "", "x", own}) {
            arrive(B, new Envelope(A, word, null, null, new Release(false, false)));
            arrive(B, new Envelope(A, word, null, null, new Hello("word of the forger's")));
        }
        settle();
        assertThat(b.inbox).isEmpty();
        // The conversation of known peers continues.
        a.send(B, new Ask());
        b.send(A, new Ask());
        settle();
        assertThat(b.inbox).hasSize(1);
        assertThat(a.inbox).hasSize(1);
        assertThat(forger.inbox).isEmpty();
        assertThat(b.restarted).isEmpty();
    }

    @Test
    void recognizesRestartedPeer() {
        Node a = new Node(A);
        acquaint(a, new Node(B));
        Node again = new Node(B);
        a.send(B, new Ask());
        settle();
        assertThat(again.inbox).isEmpty();
        assertThat(a.restarted).containsExactly(B);
        a.send(B, new Ask());
        settle();
        assertThat(again.inbox).hasSize(1);
        assertThat(a.restarted).hasSize(1);
        assertThat(again.restarted).isEmpty();
    }

    @Test
    void doesNotAnswerStrangers() {
        new Node(B);
        arrive(B, new Envelope("pekko://plimsoll@stranger:1", null, null, null, new Hello("x")));
        arrive(B, new Envelope("pekko://plimsoll@stranger:1", null, null, null, new Ask()));
        settle();
        assertThat(sent).isEqualTo(2);
    }
}
