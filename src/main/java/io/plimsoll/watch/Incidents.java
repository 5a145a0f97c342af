package io.plimsoll.watch;

import io.plimsoll.watch.WatchStatus.Incident;
import io.plimsoll.watch.WatchStatus.Outage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Groups outages by cause: a broker that is down also interrupts signals of other brokers. Stateless.
 */
final class Incidents {
    /** Tolerance for consequences that are detected before or after the failure of a broker. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    private Incidents() {}

    /** The outages of one incident. */
    private static final class Parts {
        /** The metadata outage of the broker; null if all brokers respond. */
        private final Outage down;

        private final List<Outage> outages = new ArrayList<>();

        Parts(Outage down) {
            this.down = down;
        }

        Instant from() {
            return down != null ? down.from() : outages.get(0).from();
        }

        Instant to() {
            if (down != null) {
                return down.to();
            }
            boolean goesOn = outages.stream().anyMatch(Outage::goesOn);
            return goesOn
                    ? null
                    : outages.stream()
                            .map(Outage::to)
                            .max(Comparator.naturalOrder())
                            .orElseThrow();
        }

        boolean takes(Outage outage) {
            boolean link = outage.signal() == Signal.CONNECT;
            if (down != null && link && outage.broker() != down.broker()) {
                return false;
            }
            Instant to = to();
            return !outage.from().isBefore(from().minus(SLACK))
                    && (to == null || !outage.from().isAfter(to.plus(SLACK)));
        }

        Incident make() {
            outages.sort(Comparator.comparing(Outage::from));
            String error = down != null && down.error() != null
                    ? down.error()
                    : outages.stream()
                            .map(Outage::error)
                            .filter(Objects::nonNull)
                            .findFirst()
                            .orElse(null);
            return new Incident(down == null ? null : down.broker(), from(), to(), error, List.copyOf(outages));
        }
    }

    /**
     * Groups outages into incidents.
     *
     * @param outages in any order
     * @return incidents by start time; each outage belongs to exactly one
     */
    static List<Incident> of(List<Outage> outages) {
        List<Outage> sorted =
                outages.stream().sorted(Comparator.comparing(Outage::from)).toList();
        List<Parts> down = new ArrayList<>();
        for (Outage outage : sorted) {
            if (outage.signal() == Signal.METADATA) {
                down.add(new Parts(outage));
            }
        }
        down.forEach(parts -> parts.outages.add(parts.down));
        List<Parts> others = new ArrayList<>();
        for (Outage outage : sorted) {
            if (outage.signal() != Signal.METADATA) {
                List<Parts> possible =
                        down.stream().filter(parts -> parts.takes(outage)).toList();
                possible.stream()
                        .filter(parts -> parts.down.broker() == outage.broker())
                        .findFirst()
                        .or(() -> possible.stream().findFirst())
                        .or(() -> others.stream()
                                .filter(parts -> parts.takes(outage))
                                .findFirst())
                        .orElseGet(() -> {
                            others.add(new Parts(null));
                            return others.get(others.size() - 1);
                        })
                        .outages
                        .add(outage);
            }
        }
        List<Parts> all = new ArrayList<>(down);
        all.addAll(others);
        return all.stream()
                .map(Parts::make)
                .sorted(Comparator.comparing(Incident::from))
                .toList();
    }
}
