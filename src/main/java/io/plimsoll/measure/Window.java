package io.plimsoll.measure;

/** One of the two windows of a trial, with everything that was counted for it; adds up. */
public record Window(ProduceCounts produce, ConsumeCounts consume) {
    public static final Window ZERO = new Window(ProduceCounts.ZERO, ConsumeCounts.ZERO);

    public Window plus(Window o) {
        return new Window(produce.plus(o.produce), consume.plus(o.consume));
    }
}
