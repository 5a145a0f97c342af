package io.plimsoll.load;

import io.plimsoll.measure.Counts;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.scenario.ConnectionSpec;
import java.util.List;
import java.util.ServiceLoader;
import org.apache.kafka.common.Node;

/**
 * The connections of one {@link ConnectionSpec}, which carry no records. The calls come from the worker's thread in the order
 * {@link #start}, any number of {@link #read}, {@link #stop}, {@link #close}.
 */
public interface Connections extends AutoCloseable {
    /** Begins to connect with the measured window. */
    void start(TrialClock clock);

    /** Adds what happened since the last reading; all of it belongs to the measured window. */
    void read(Counts.Sum into);

    /** Ends all connections soon; nothing that happens to them from now on counts. */
    void stop();

    /** Waits until that is done. */
    @Override
    void close();

    /** What makes them: the class that is named in {@code META-INF/services/io.plimsoll.load.Connections$Maker}. Any thread. */
    interface Maker {
        /**
         * Makes those of an entry.
         *
         * @param part name of the entry in client ids and messages, such as {@code connections-0}
         * @param brokers that they are dealt to, at least one
         */
        Connections create(LoadContext context, ConnectionSpec spec, String part, List<Node> brokers);

        /** @throws io.plimsoll.PlimsollException {@link io.plimsoll.Exit#USAGE} if this process cannot have so many */
        void check(List<ConnectionSpec> entries);
    }

    static Maker maker() {
        return ServiceLoader.load(Maker.class, Connections.class.getClassLoader())
                .findFirst()
                .orElseThrow();
    }
}
