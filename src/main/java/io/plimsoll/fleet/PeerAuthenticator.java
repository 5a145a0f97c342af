package io.plimsoll.fleet;

import io.plimsoll.fleet.FleetMessage.Hello;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Binds the sender address of a message to the certificate of that host. Each node has a token for each peer, which it sends
 * only to the peer's address: TLS ensures that only the holder of the certificate for that host can read it. Messages from
 * that address must carry the token; all other messages are answered with a {@link Hello} and dropped. Tokens are valid for the lifetime
 * of the node. Thread-safe.
 */
final class PeerAuthenticator {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;
    private final Post post;
    private final Predicate<String> known;
    /** Tokens received from peers, by address. */
    private final Map<String, String> given = new ConcurrentHashMap<>();

    /** Sends without waiting. */
    interface Post {
        /** @param word the token of the recipient; null before it is known */
        void send(String to, String word, FleetMessage message);
    }

    /** @param known whether an address belongs to the cluster; other addresses are ignored */
    PeerAuthenticator(Post post, Predicate<String> known) {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        this.key = new SecretKeySpec(random, ALGORITHM);
        this.post = post;
        this.known = known;
    }

    /** The word that this peer gave; if it has given none yet, it is asked for one. */
    String wordOf(String peer) {
        String word = given.get(peer);
        if (word == null) {
            hello(peer, null);
        }
        return word;
    }

    private void hello(String peer, String word) {
        post.send(peer, word, new Hello(wordFor(peer)));
    }

    /** @return whether the sender is proved and the message is not part of this protocol */
    boolean received(Envelope envelope) {
        String from = envelope.from();
        boolean proven = proves(from, envelope.word());
        if (envelope.message() instanceof Hello hello) {
            if (!proven) {
                // Echoed, not stored: the token may be forged. The echo proves this node to the peer, which sends its
                // hello again.
                if (known.test(from)) {
                    hello(from, hello.word());
                }
            } else if (!hello.word().equals(given.put(from, hello.word()))) {
                hello(from, hello.word());
            }
            return false;
        }
        if (!proven && known.test(from)) {
            hello(from, given.get(from));
        }
        return proven;
    }

    private boolean proves(String peer, String word) {
        return word != null
                && MessageDigest.isEqual(
                        word.getBytes(StandardCharsets.UTF_8), wordFor(peer).getBytes(StandardCharsets.UTF_8));
    }

    private String wordFor(String peer) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] made = mac.doFinal(peer.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(made);
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every Java has " + ALGORITHM, e);
        }
    }
}
