package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.HdrHistogram.Histogram;

/**
 * One of the two windows of a trial, with everything that was counted for it; adds up.
 *
 * @param connect null, and absent, of a load without connections of its own
 * @param reply the answers to its records; null, and absent, where nobody waits for any
 */
public record Window(
        ProduceCounts produce,
        ConsumeCounts consume,
        @JsonInclude(JsonInclude.Include.NON_NULL) NamedCounts connect,
        @JsonInclude(JsonInclude.Include.NON_NULL) NamedCounts reply) {
    public static final Window ZERO = new Window(ProduceCounts.ZERO, ConsumeCounts.ZERO);

    public Window plus(Window o) {
        return new Window(
                produce.plus(o.produce),
                consume.plus(o.consume),
                NamedCounts.sum(connect, o.connect),
                NamedCounts.sum(reply, o.reply));
    }

    /** A window without connections of its own, whose records nobody answers. */
    public Window(ProduceCounts produce, ConsumeCounts consume) {
        this(produce, consume, null, null);
    }

    /**
     * Adds windows up in place: unlike {@link Window#plus}, which copies every distribution, adding costs what is new. Not
     * thread-safe.
     */
    public static final class WindowSum {
        /** The first window, while it is the only one: nothing has to be added to it. */
        private Window only = Window.ZERO;

        private Sum sum;

        public void add(Window window) {
            if (window.equals(Window.ZERO)) {
                return;
            }
            if (sum == null && only.equals(Window.ZERO)) {
                only = window;
                return;
            }
            if (sum == null) {
                sum = new Sum();
                sum.add(only);
            }
            sum.add(window);
        }

        /** Everything so far. */
        public Window total() {
            return sum == null ? only : sum.total();
        }

        private static final class Sum {
            private ProduceCounts produce = ProduceCounts.ZERO;
            private ConsumeCounts consume = ConsumeCounts.ZERO;
            private NamedCounts connect;
            private NamedCounts reply;
            private final Histogram responseTime = Latencies.newHistogram();
            private final Histogram serviceTime = Latencies.newHistogram();
            private final Histogram sendDelay = Latencies.newHistogram();
            private final Histogram endToEnd = Latencies.newHistogram();
            private final Histogram fromAppend = Latencies.newHistogram();

            void add(Window window) {
                ProduceCounts p = window.produce();
                p.times().responseTime().addTo(responseTime);
                p.times().serviceTime().addTo(serviceTime);
                p.times().sendDelay().addTo(sendDelay);
                produce = produce.plus(p.with(ProduceCounts.Times.NONE));
                ConsumeCounts c = window.consume();
                c.endToEnd().addTo(endToEnd);
                c.times().endToEndFromAppend().addTo(fromAppend);
                consume = consume.plus(c.with(Latencies.EMPTY, Latencies.EMPTY));
                connect = NamedCounts.sum(connect, window.connect());
                reply = NamedCounts.sum(reply, window.reply());
            }

            Window total() {
                return new Window(
                        produce.with(new ProduceCounts.Times(
                                Latencies.of(responseTime), Latencies.of(serviceTime), Latencies.of(sendDelay))),
                        consume.with(Latencies.of(endToEnd), Latencies.of(fromAppend)),
                        connect,
                        reply);
            }
        }
    }
}
