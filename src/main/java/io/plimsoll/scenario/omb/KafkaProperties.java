package io.plimsoll.scenario.omb;

import io.plimsoll.text.Sentence;
import java.util.Optional;
import java.util.Set;

/** What Kafka's clients know of properties; told by whoever knows Kafka. */
public interface KafkaProperties {
    /** Whose properties. */
    enum Client {
        PRODUCER,
        CONSUMER,
        ADMIN
    }

    /** The names of all properties of a client. */
    Set<String> names(Client client);

    /** Why the client refuses this value of a property that it knows; empty if it takes it. */
    Optional<Sentence> refusal(Client client, String name, String value);
}
