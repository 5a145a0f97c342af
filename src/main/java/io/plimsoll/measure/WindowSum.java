package io.plimsoll.measure;

import org.HdrHistogram.Histogram;

/**
 * Adds windows up in place: unlike {@link Window#plus}, which copies every distribution, adding costs what is new. Not
 * thread-safe.
 */
public final class WindowSum {
    /** What there is while it is the only one: nothing has to be added to it. */
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
        private final Histogram responseTime = Latencies.newHistogram();
        private final Histogram serviceTime = Latencies.newHistogram();
        private final Histogram sendDelay = Latencies.newHistogram();
        private final Histogram endToEnd = Latencies.newHistogram();

        void add(Window window) {
            ProduceCounts p = window.produce();
            p.times().responseTime().addTo(responseTime);
            p.times().serviceTime().addTo(serviceTime);
            p.times().sendDelay().addTo(sendDelay);
            produce = produce.plus(p.with(ProduceCounts.Times.NONE));
            window.consume().endToEnd().addTo(endToEnd);
            consume = consume.plus(window.consume().with(Latencies.EMPTY));
        }

        Window total() {
            return new Window(
                    produce.with(new ProduceCounts.Times(
                            Latencies.of(responseTime), Latencies.of(serviceTime), Latencies.of(sendDelay))),
                    consume.with(Latencies.of(endToEnd)));
        }
    }
}
