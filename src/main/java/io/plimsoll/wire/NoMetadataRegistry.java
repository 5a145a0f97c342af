package io.plimsoll.wire;

import org.apache.kafka.common.network.ChannelMetadataRegistry;
import org.apache.kafka.common.network.CipherInformation;
import org.apache.kafka.common.network.ClientInformation;

/** Forgets what channels tell about themselves, which only metrics would show. */
final class NoMetadataRegistry implements ChannelMetadataRegistry {
    static final NoMetadataRegistry INSTANCE = new NoMetadataRegistry();

    private NoMetadataRegistry() {}

    @Override
    public void registerCipherInformation(CipherInformation information) {}

    @Override
    public CipherInformation cipherInformation() {
        return null;
    }

    @Override
    public void registerClientInformation(ClientInformation information) {}

    @Override
    public ClientInformation clientInformation() {
        return null;
    }

    @Override
    public void close() {}
}
