package io.plimsoll.fleet;

import io.plimsoll.fleet.FleetMessage.Delivered;
import io.plimsoll.fleet.FleetMessage.GroupsHere;
import io.plimsoll.fleet.FleetMessage.PiledUp;
import io.plimsoll.load.GroupPart;
import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.run.LocalWorker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reports to the coordinator, in its own thread, the state of groups with members elsewhere and the backlog of groups that
 * wait for one.
 */
final class GroupExchange implements AutoCloseable {
    private static final long EVERY_NANOS = 30_000_000;
    /** Interval of progress reports; other changes are reported immediately. */
    private static final long PROGRESS_NANOS = 250_000_000L;
    /** A message has to fit into a frame of 4 MiB. */
    private static final int RANGES_IN_A_MESSAGE = 100_000;

    private final LocalWorker worker;
    private final Consumer<FleetMessage> coordinator;
    private final Map<String, GroupPart> told = new HashMap<>();
    private long toldNanos;
    private List<Long> toldBytes = List.of();
    /** Null before it starts. */
    private PeriodicTask telling;

    GroupExchange(LocalWorker worker, Consumer<FleetMessage> coordinator) {
        this.worker = worker;
        this.coordinator = coordinator;
    }

    void start() {
        telling = new PeriodicTask("plimsoll-groups", System.nanoTime(), EVERY_NANOS, 0, this::tellNews);
    }

    /** Every time. */
    private int tellNews() {
        long now = System.nanoTime();
        boolean withProgress = now - toldNanos > PROGRESS_NANOS;
        List<GroupPart> news = new ArrayList<>();
        for (GroupPart part : worker.groupParts()) {
            GroupPart last = told.get(part.key());
            if (last == null || (withProgress ? !part.equals(last) : !part.differsOnlyInTaken(last))) {
                told.put(part.key(), part);
                news.add(part);
            }
        }
        if (!news.isEmpty()) {
            toldNanos = now;
            coordinator.accept(new GroupsHere(news));
        }
        List<Long> bytes = worker.piledUp();
        if (!bytes.equals(toldBytes)) {
            toldBytes = bytes;
            coordinator.accept(new PiledUp(bytes));
        }
        return 1;
    }

    /** Reports processed offsets; returns deliveries of groups with all members here, which need no report. */
    List<GroupDelivery> tell(List<GroupDelivery> deliveries) {
        List<GroupDelivery> whole = new ArrayList<>();
        for (GroupDelivery d : deliveries) {
            if (d.ranges() == null) {
                whole.add(d);
                continue;
            }
            for (int from = 0; from == 0 || from < d.ranges().size(); from += RANGES_IN_A_MESSAGE) {
                List<Long> some = d.ranges().subList(from, Math.min(d.ranges().size(), from + RANGES_IN_A_MESSAGE));
                GroupDelivery part = new GroupDelivery(
                        d.group(), d.topic(), d.partition(), from == 0 ? d.again() : 0, 0, d.position(), some, null);
                coordinator.accept(new Delivered(part));
            }
        }
        return whole;
    }

    @Override
    public void close() {
        if (telling != null) {
            telling.end();
        }
    }
}
