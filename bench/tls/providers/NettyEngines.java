import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.security.GeneralSecurityException;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/** BoringSSL engines for TLS 1.3, with the trust store and host name verification of Kafka's default factory. */
public final class NettyEngines extends DefaultSslEngineFactory {
    private SslContext context;

    @Override
    public void configure(Map<String, ?> configs) {
        super.configure(configs);
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(truststore());
            context = SslContextBuilder.forClient()
                    .sslProvider(SslProvider.OPENSSL)
                    .trustManager(trust)
                    .protocols("TLSv1.3")
                    .build();
        } catch (GeneralSecurityException | SSLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public SSLEngine createClientSslEngine(String host, int port, String identification) {
        SSLEngine engine = context.newEngine(UnpooledByteBufAllocator.DEFAULT, host, port);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(identification);
        engine.setSSLParameters(parameters);
        return engine;
    }
}
