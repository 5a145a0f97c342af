package io.plimsoll.observe.broker;

import java.io.IOException;

/** A way to read one broker, connected anew after each failure. Used by one thread at a time. */
public abstract class BrokerSource implements AutoCloseable {
    private final String what;
    private final String kind;

    /**
     * @param what it is about, such as {@code broker 1}
     * @param kind such as {@code jmx}
     */
    BrokerSource(String what, String kind) {
        this.what = what;
        this.kind = kind;
    }

    /** Says where a broker's JMX server is. */
    @FunctionalInterface
    public interface Address {
        /** @return such as {@code service:jmx:rmi:///jndi/rmi://host:9999/jmxrmi} */
        String find() throws IOException, InterruptedException;
    }

    /** @param credentials user and password; null for none */
    public static BrokerSource jmx(int broker, Address address, String[] credentials) {
        return new JmxSource("broker " + broker, address, credentials);
    }

    /** @param url of the Prometheus text, {@code http} or {@code https} */
    public static BrokerSource prometheus(int broker, String url) {
        return new PrometheusSource("broker " + broker, url);
    }

    final String what() {
        return what;
    }

    final String kind() {
        return kind;
    }

    /** @throws IOException if the broker cannot be read; the next call tries everything anew */
    abstract Reading read() throws IOException, InterruptedException;

    /** Frees what it holds; it may be read again afterwards. */
    @Override
    public abstract void close();

    private static final class JmxSource extends BrokerSource {
        private final Address address;
        private final String[] credentials;
        private JmxBeans beans;

        JmxSource(String what, Address address, String[] credentials) {
            super(what, "jmx");
            this.address = address;
            this.credentials = credentials == null ? null : credentials.clone();
        }

        @Override
        Reading read() throws IOException, InterruptedException {
            try {
                if (beans == null) {
                    beans = JmxBeans.connect(address.find(), credentials);
                }
                beans.nextRound();
                return BrokerFigures.read(beans);
            } catch (IOException e) {
                close();
                throw e;
            }
        }

        @Override
        public void close() {
            JmxBeans old = beans;
            beans = null;
            if (old != null) {
                try {
                    old.close();
                } catch (IOException e) {
                    // It is gone either way.
                }
            }
        }
    }
}
