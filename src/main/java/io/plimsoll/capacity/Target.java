package io.plimsoll.capacity;

import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The load to plan for.
 *
 * @param text as typed
 * @param rate written by producers, in records or in bytes of keys and values per second
 * @param groups that read all records; null: as measured
 * @param replication replicas of each partition; null: as measured
 * @param partitions of all topics together; null: not limited
 */
public record Target(
        String text,
        Rate.Quantity rate,
        @Nullable Integer groups,
        @Nullable Integer replication,
        @Nullable Integer partitions) {
    private static final Pattern PART = Pattern.compile(
            "(?:(\\d{1,6}) (groups?|partitions?)|replication (\\d{1,2})|(.+?/ ?s)(?: in)?)", Pattern.CASE_INSENSITIVE);

    /** Parses a target, such as {@code 800 MB/s in, 2 groups, replication 3, 3000 partitions}; only the rate is required. */
    public static Target parse(String text) {
        Rate.Quantity rate = null;
        Integer groups = null;
        Integer replication = null;
        Integer partitions = null;
        for (String part : text.strip().split("\\s*,\\s*")) {
            Matcher m = PART.matcher(part.replaceAll("\\s+", " "));
            InvalidValueException.unexpected(!m.matches(), "capacity.a.target", part);
            if (m.group(4) != null && rate == null) {
                rate = Quantities.rate(m.group(4).replace(" ", ""));
                InvalidValueException.unexpected(rate.unit() == Rate.Unit.WIRE_BYTES, "capacity.a.target", m.group(4));
            } else if (m.group(3) != null && replication == null) {
                replication = Integer.valueOf(m.group(3));
            } else if (m.group(2) != null && "gG".indexOf(m.group(2).charAt(0)) >= 0 && groups == null) {
                groups = Integer.valueOf(m.group(1));
            } else if (m.group(2) != null && partitions == null) {
                partitions = Integer.valueOf(m.group(1));
            } else {
                throw InvalidValueException.expected("capacity.a.target", part);
            }
        }
        if (rate == null || (replication != null && replication == 0)) {
            throw InvalidValueException.expected("capacity.a.target", text);
        }
        return new Target(text.strip(), rate, groups, replication, partitions);
    }

    /**
     * Growth and capacity reserves.
     *
     * @param growth per year, as a fraction
     * @param years of growth that the brokers must sustain
     * @param headroom free share of the capacity, 0 to 0.9
     * @param survive number of brokers that may be down
     */
    public record Margin(double growth, double years, double headroom, int survive) {
        public static final Margin NONE = new Margin(0, 0, 0, 0);

        /** The load that brokers must sustain for today's load. */
        double load(double today) {
            return today * Math.pow(1 + growth, years) / (1 - headroom);
        }
    }
}
