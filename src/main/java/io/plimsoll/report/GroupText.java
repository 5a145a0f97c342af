package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What was seen of groups of others, as lines for a terminal: the groups, then their partitions. */
public final class GroupText {
    private GroupText() {}

    /** @param groups as {@code groups} of a trial has them */
    public static List<String> of(List<Map<String, Object>> groups, Look look) {
        List<String> lines =
                new ArrayList<>(ObservedTables.groupsAlone(groups).lines(look).all());
        for (Map<String, Object> group : groups) {
            List<?> rows = group.get("partitions") instanceof List<?> all ? all : List.of();
            lines.add("");
            lines.addAll(new Table<Object>(
                            List.of(
                                    Column.named("" + group.get("id"), false, 0, p -> ((Map<?, ?>) p).get("partition")),
                                    Column.number("consumedPerSecond", 1, p -> Table.rate(number(p, "consumed"))),
                                    Column.number("lagRecords", p -> Table.count(number(p, "lagAtEnd"))),
                                    Column.number("lagTime", p -> millis(p, "lagAtEndMs")),
                                    Column.number("mostRecords", 3, p -> Table.count(number(p, "lag"))),
                                    Column.number("mostTime", 2, p -> millis(p, "lagMs"))),
                            List.copyOf(rows))
                    .lines(look)
                    .all());
        }
        return lines;
    }

    private static Double number(Object of, String key) {
        return ((Map<?, ?>) of).get(key) instanceof Number n ? Double.valueOf(n.doubleValue()) : null;
    }

    private static Table.Cell millis(Object of, String key) {
        Double millis = number(of, key);
        return millis == null ? null : Table.micros(millis * 1e3);
    }
}
