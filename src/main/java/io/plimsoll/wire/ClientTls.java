package io.plimsoll.wire;

import io.plimsoll.Exit;
import io.plimsoll.Secrets;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/** TLS for protocols other than Kafka's, with the {@code ssl.} properties of Kafka clients. Stateless. */
public final class ClientTls {
    private ClientTls() {}

    /**
     * @param problem key of the sentence for unusable properties, with the reason as its argument
     * @throws io.plimsoll.PlimsollException ({@link Exit#USAGE}) with that sentence
     */
    public static SSLContext context(Map<String, String> config, String problem) {
        ConfigDef settings = new ConfigDef();
        SslConfigs.addClientSslSupport(settings);
        try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
            factory.configure(settings.parse(config));
            return factory.sslContext();
        } catch (KafkaException e) {
            // The two innermost causes name the keystore or truststore and its problem.
            Throwable inner = e;
            Throwable outer = e;
            while (inner.getCause() != null) {
                outer = inner;
                inner = inner.getCause();
            }
            String said =
                    outer == inner || String.valueOf(outer.getMessage()).contains(String.valueOf(inner.getMessage()))
                            ? outer.getMessage()
                            : outer.getMessage() + ": " + inner.getMessage();
            throw Exit.USAGE.because(e, problem, Secrets.scrub(String.valueOf(said), config));
        }
    }
}
