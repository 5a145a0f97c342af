package io.plimsoll.load;

import io.plimsoll.measure.Counts;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.scenario.ConnectionSpec;
import java.util.List;
import java.util.ServiceLoader;
import org.apache.kafka.common.Node;

/**
 * The connections of one {@link ConnectionSpec}, which carry no records. The worker's thread calls {@link #start},
 * any number of {@link #read}, {@link #stop}, {@link #close}, in this order.
 */
public interface Connections extends AutoCloseable {
    /** Opens the connections when the measured window begins. */
    void start(TrialClock clock);

    /** Adds the counts of the measured window since the last call. */
    void read(Counts.Sum into);

    /** Starts to close all connections; later events do not count. */
    void stop();

    @Override
    void close();

    /** A factory, registered in {@code META-INF/services/io.plimsoll.load.Connections$Maker}. Usable by any thread. */
    interface Maker {
        /**
         * @param slice the connections of this worker
         * @param part name of the entry in client IDs and messages, such as {@code connections-0}
         * @param brokers at least one broker; connections are spread over the brokers
         */
        Connections create(LoadContext context, ConnectionSpec spec, Slice slice, String part, List<Node> brokers);

        /**
         * @throws io.plimsoll.PlimsollException {@link io.plimsoll.Exit#USAGE} if this process cannot open that many
         *     connections
         */
        void check(long connections);
    }

    static Maker maker() {
        return ServiceLoader.load(Maker.class, Connections.class.getClassLoader())
                .findFirst()
                .orElseThrow();
    }
}
