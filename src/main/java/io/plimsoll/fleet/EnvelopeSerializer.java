package io.plimsoll.fleet;

import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.serialization.JSerializer;

/** Puts our messages on the wire for Pekko; named in its configuration. */
final class EnvelopeSerializer extends JSerializer {
    /** Any number that Pekko's own serializers do not have. */
    private static final int IDENTIFIER = 1876;

    /** @param system as Pekko makes it */
    public EnvelopeSerializer(ExtendedActorSystem system) {
        // Pekko looks for this constructor.
    }

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public boolean includeManifest() {
        return false;
    }

    @Override
    public byte[] toBinary(Object message) {
        return Wire.write((Envelope) message);
    }

    @Override
    public Object fromBinaryJava(byte[] bytes, Class<?> manifest) {
        return Wire.read(bytes);
    }
}
