package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;

/** Observed consumer groups for a terminal: the groups, then their partitions. */
public final class GroupText {
    private GroupText() {}

    /**
     * @param groups as {@code groups} of a trial has them
     * @param each whether the partitions of each follow
     * @return lines that end with a line break
     */
    public static String of(List<Map<String, Object>> groups, boolean each, Look look) {
        Document document = new Document(Sentence.NONE).add(new Block.Rows(ObservedTables.groupsAlone(groups)));
        for (Map<String, Object> group : each ? groups : List.<Map<String, Object>>of()) {
            List<?> rows = group.get("partitions") instanceof List<?> all ? all : List.of();
            document.add(new Block.Rows(new Table<Object>(
                    List.of(
                            Column.named("" + group.get("id"), false, 0, p -> ((Map<?, ?>) p).get("partition")),
                            Column.number("consumedPerSecond", 1, p -> Table.rate(number(p, "consumed"))),
                            Column.number("committed", 5, p -> Table.count(number(p, "committed"))),
                            Column.number("logEnd", 4, p -> Table.count(number(p, "end"))),
                            Column.number("lagRecords", GroupText::unread),
                            Column.number("lagTime", p -> millis(p, "lagAtEndMs")),
                            Column.number("mostRecords", 3, p -> Table.count(number(p, "lag"))),
                            Column.number("mostTime", 2, p -> millis(p, "lagMs"))),
                    List.copyOf(rows))));
        }
        return TerminalText.of(document, look);
    }

    /** Where no commit says which of them the group has read: so many at the most. */
    private static Table.Cell unread(Object of) {
        Double unknown = number(of, "unknownRecords");
        return unknown == null
                ? Table.count(number(of, "lagAtEnd"))
                : new Table.Cell(unknown, "≤ " + Table.count(unknown));
    }

    private static Double number(Object of, String key) {
        return ((Map<?, ?>) of).get(key) instanceof Number n ? Double.valueOf(n.doubleValue()) : null;
    }

    private static Table.Cell millis(Object of, String key) {
        Double millis = number(of, key);
        return millis == null ? null : Table.duration(millis * 1e3);
    }
}
