package io.plimsoll.capacity;

import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Known limits of one broker, which replace measured ones.
 *
 * @param all any of {@code cpu} in cores, {@code network} (in each direction) and {@code disk} (writes) in bytes per
 *     second, {@code partitions} (replicas), and {@code storage} in bytes
 */
public record BrokerLimits(Map<String, Double> all) {
    public static final BrokerLimits UNKNOWN = new BrokerLimits(Map.of());

    private static final Pattern PART =
            Pattern.compile("(cpu|partitions) ([1-9]\\d{0,8}|\\d{1,4}\\.\\d{1,3})|(network|disk) (.+)|(storage) (.+)");

    /** Parses limits, such as {@code cpu 8, network 1.25 GB/s, disk 500 MB/s, partitions 4000, storage 2000GB}. */
    public static BrokerLimits parse(String text) {
        Map<String, Double> all = new HashMap<>();
        for (String part : text.strip().split("\\s*,\\s*")) {
            Matcher m = PART.matcher(part.replaceAll("\\s+", " "));
            InvalidValueException.unexpected(!m.matches(), "capacity.a.limits", part);
            if (m.group(1) != null) {
                all.put(m.group(1), Double.valueOf(m.group(2)));
            } else if (m.group(3) != null) {
                Rate.Quantity rate = Quantities.rate(m.group(4).replace(" ", ""));
                InvalidValueException.unexpected(rate.unit() != Rate.Unit.PAYLOAD_BYTES, "capacity.a.limits", part);
                all.put(m.group(3), rate.value());
            } else {
                all.put(m.group(5), (double) Quantities.amount(m.group(6).replace(" ", "")));
            }
        }
        return new BrokerLimits(Map.copyOf(all));
    }

    @Nullable
    Double get(String name) {
        return all.get(name);
    }
}
