package io.plimsoll.capacity;

import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The load that brokers are wanted for.
 *
 * @param text as it was asked for
 * @param rate that producers write, in records or in bytes of keys and values per second
 * @param groups that read all of it; null: as measured
 * @param replication copies of each partition; null: as measured
 * @param partitions of all topics together; null: it does not matter
 */
public record Target(String text, Rate.Quantity rate, Integer groups, Integer replication, Integer partitions) {
    private static final Pattern PART = Pattern.compile(
            "(?:(\\d{1,6}) (groups?|partitions?)|replication (\\d{1,2})|(.+?/ ?s)(?: in)?)", Pattern.CASE_INSENSITIVE);

    /** Reads such as {@code 800 MB/s in, 2 groups, replication 3, 3000 partitions}; all but the rate may be left out. */
    public static Target parse(String text) {
        Rate.Quantity rate = null;
        Integer groups = null;
        Integer replication = null;
        Integer partitions = null;
        for (String part : text.strip().split("\\s*,\\s*")) {
            Matcher m = PART.matcher(part.replaceAll("\\s+", " "));
            if (!m.matches()) {
                throw expected(part);
            } else if (m.group(4) != null && rate == null) {
                rate = rate(m.group(4));
            } else if (m.group(3) != null && replication == null) {
                replication = Integer.valueOf(m.group(3));
            } else if (m.group(2) != null && "gG".indexOf(m.group(2).charAt(0)) >= 0 && groups == null) {
                groups = Integer.valueOf(m.group(1));
            } else if (m.group(2) != null && partitions == null) {
                partitions = Integer.valueOf(m.group(1));
            } else {
                throw expected(part);
            }
        }
        if (rate == null || (replication != null && replication == 0)) {
            throw expected(text);
        }
        return new Target(text.strip(), rate, groups, replication, partitions);
    }

    private static InvalidValueException expected(String part) {
        return InvalidValueException.expected("capacity.a.target", part);
    }

    private static Rate.Quantity rate(String text) {
        Rate.Quantity rate = Quantities.rate(text.replace(" ", ""));
        if (rate.unit() == Rate.Unit.WIRE_BYTES) {
            throw expected(text);
        }
        return rate;
    }

    /**
     * How the load is to grow, and what else is to be there.
     *
     * @param growth per year, as a share
     * @param years until the brokers must still do
     * @param headroom share of what they carry that is left free, 0 to 0.9
     * @param survive brokers that may be away
     */
    public record Margin(double growth, double years, double headroom, int survive) {
        public static final Margin NONE = new Margin(0, 0, 0, 0);

        /** The load that must be carried without the headroom, for one of today. */
        double load(double today) {
            return today * Math.pow(1 + growth, years) / (1 - headroom);
        }
    }
}
