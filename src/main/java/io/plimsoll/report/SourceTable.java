package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.ObservedSource;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** By what brokers were observed, and what their hosts are. */
public final class SourceTable {
    private SourceTable() {}

    static Table<ObservedSource> of(RunResult result) {
        List<ObservedSource> rows =
                result.environment() == null ? List.of() : result.environment().sources();
        List<Column<ObservedSource>> columns = new ArrayList<>(List.of(
                Column.number("broker", s -> s.broker()),
                Column.text("observedBy", SourceTable::by),
                Column.text("host", 1, s -> s.host().get("name")),
                Column.text("cpu", 2, s -> cpu(map(s.host().get("cpu")))),
                Column.text("memory", 3, s -> size(map(s.host().get("memory")).get("totalBytes"))),
                Column.text("networkCards", 4, s -> each(s.host().get("networks"), SourceTable::card)),
                Column.text("disks", 5, s -> each(s.host().get("disks"), SourceTable::disk))));
        columns.removeIf(column -> !column.isIn(rows));
        return new Table<>(columns, rows);
    }

    private static Sentence by(ObservedSource source) {
        if ("prometheus".equals(source.by()) && source.names().isEmpty()) {
            return Sentence.of("report.observedBy.nothing");
        }
        List<Sentence> names = source.names().stream()
                .map(name -> Sentence.term("report.names.", name))
                .toList();
        return Sentence.of(
                "report.observedByNames",
                Sentence.term("report.observedBy.", String.valueOf(source.by())),
                names.isEmpty() ? Sentence.NONE : Sentence.of("report.namesOf", names));
    }

    /** One line of it. */
    public static Sentence line(ObservedSource source) {
        return Sentence.of("report.observedSource", source.broker(), by(source));
    }

    private static Sentence cpu(Map<?, ?> cpu) {
        List<Object> parts = new ArrayList<>();
        parts.add(text(cpu.get("model")));
        if (cpu.get("physicalCores") instanceof Number n) {
            parts.add(Sentence.of("observe.cores", n));
        }
        if (cpu.get("logicalCores") instanceof Number n) {
            parts.add(Sentence.of("observe.threads", n));
        }
        return cpu.isEmpty() ? null : Sentence.of("observe.parts", parts);
    }

    private static Sentence card(Map<?, ?> card) {
        List<Object> parts = new ArrayList<>(List.of(text(card.get("name"))));
        if (card.get("bitsPerSecond") instanceof Number n) {
            parts.add(Units.decimals(n.doubleValue() / 1e9, 1) + " Gbit/s");
        }
        parts.add(text(card.get("driver")));
        return Sentence.of("observe.parts", parts);
    }

    private static Sentence disk(Map<?, ?> disk) {
        List<Object> parts = new ArrayList<>(List.of(text(disk.get("name")), text(disk.get("model"))));
        String size = size(disk.get("sizeBytes"));
        parts.add(size == null ? "?" : size);
        if (disk.get("rotational") instanceof Boolean turns) {
            parts.add(Sentence.of(turns ? "observe.rotational" : "observe.notRotational"));
        }
        return Sentence.of("observe.parts", parts);
    }

    private static Sentence each(Object list, Function<Map<?, ?>, Sentence> one) {
        if (!(list instanceof List<?> all) || all.isEmpty()) {
            return null;
        }
        return Sentence.of(
                "report.each", all.stream().map(o -> one.apply(map(o))).toList());
    }

    private static String size(Object bytes) {
        return bytes instanceof Number n ? Units.bytes(n.doubleValue()) : null;
    }

    private static String text(Object value) {
        return value == null ? "?" : value.toString();
    }

    private static Map<?, ?> map(Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }
}
