package io.plimsoll.report;

import io.plimsoll.capacity.CapacityPlan;
import io.plimsoll.capacity.CapacityPlan.Need;
import io.plimsoll.report.Table.Column;
import io.plimsoll.result.Ceiling.Bound;
import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A capacity plan: the number of brokers in one sentence, then the evidence. */
public final class CapacityText {
    public static String render(CapacityPlan plan, Look look) {
        return TerminalText.of(document(plan), look);
    }

    public static String markdown(CapacityPlan plan, Language language) {
        return Markdown.of(document(plan), language);
    }

    private static Document document(CapacityPlan plan) {
        return new Document(Sentence.of("report.capacity.title"))
                .add(Block.verdict(Mark.POINT, plan.answer().sentence()))
                .add(Block.rows(needs(plan)))
                .add(Block.text(measured(plan.measured())))
                .add(Sentence.of("report.capacity.predictions"), Block.rows(predictions(plan)))
                .add(Sentence.of("report.capacity.assumptions"), Block.remarks(Mark.POINT, remarks(plan)));
    }

    public static Map<String, ?> grids(CapacityPlan plan) {
        return Map.of(
                "needs", needs(plan).grid(), "predictions", predictions(plan).grid());
    }

    private static Table<Need> needs(CapacityPlan plan) {
        return Table.of(
                plan.resources(),
                Column.text("report.capacity.resource", Need::name),
                need("cost", 1, n -> n.cost().perMegabyte()),
                need("interval", 3, n -> n.cost().perMegabyteError()),
                need("requestCost", 4, n -> {
                    Double each = n.cost().parts().perRequest();
                    return each == null ? null : Double.valueOf(1000 * each);
                }),
                Column.number(
                        "report.capacity.has", 2, n -> marked(amount(n.cost().unit(), n.limit()), n.shared(), " ?")),
                Column.number("report.capacity.carries", n -> {
                    Double each = n.carries().bytesPerSecond();
                    return marked(
                            each == null ? null : Units.megabytes(each),
                            n.carries().extrapolated(),
                            " *");
                }),
                Column.number(
                        "report.capacity.brokers", n -> n.brokers() == null ? null : Units.decimals(n.brokers(), 1)));
    }

    private static Column<Need> need(String key, int rank, Function<Need, Double> value) {
        return Column.number(
                "report.capacity." + key, rank, n -> amount(n.cost().unit(), value.apply(n)));
    }

    private static Table<CapacityPlan.Prediction> predictions(CapacityPlan plan) {
        return Table.of(
                plan.predictions(),
                Column.text("report.capacity.resource", CapacityPlan.Prediction::name),
                Column.number("report.capacity.at", p -> Units.megabytes(p.atBytesPerSecond())),
                Column.number("report.capacity.predicted", p -> amount(p.unit(), p.predicted())),
                Column.number("report.capacity.interval", 1, p -> amount(p.unit(), p.predictedError())),
                Column.number("report.capacity.measured", p -> amount(p.unit(), p.measured())),
                Column.number("report.capacity.error", p -> Table.percent(p.error())));
    }

    private static @Nullable String marked(@Nullable String text, boolean mark, String with) {
        return text == null || !mark ? text : text + with;
    }

    private static @Nullable String amount(@Nullable String unit, @Nullable Double value) {
        if (value == null || unit == null) {
            return value == null ? null : Units.decimals(value, 0);
        }
        return switch (unit) {
            case "bytes/s" -> Units.decimals(value / 1e6, 2) + " MB/s";
            case "requests/s" -> Units.decimals(value, 0) + "/s";
            case "share" -> Units.decimals(value * 100, 2) + " %";
            default -> Units.decimals(value, Math.abs(value) < 1 ? 4 : 2);
        };
    }

    private static Sentence measured(CapacityPlan.Measured m) {
        return Sentence.of(
                "report.capacity.found",
                m.brokers(),
                range(m.ceiling()),
                m.without() == null ? Sentence.NONE : Sentence.of("report.capacity.foundWithout", range(m.without())),
                m.costTrials(),
                Units.byteRate(m.mostCostBytesPerSecond()));
    }

    private static String range(Bound bound) {
        String low = bound.lowerBytesPerSecond() == null ? Table.NONE : Units.byteRate(bound.lowerBytesPerSecond());
        Double high = bound.upperBytesPerSecond();
        return high == null ? "≥ " + low : low + "–" + Units.byteRate(high);
    }

    private static List<Sentence> remarks(CapacityPlan plan) {
        List<Sentence> all = new ArrayList<>();
        Sentence moves = plan.answer().moves();
        Sentence.addIf(moves != null, all, "report.capacity.moves", moves);
        boolean extrapolated =
                plan.resources().stream().anyMatch(n -> n.carries().extrapolated());
        Sentence.addIf(extrapolated, all, "report.capacity.extrapolated");
        Sentence.addIf(plan.resources().stream().anyMatch(Need::shared), all, "report.capacity.shared");
        all.addAll(plan.assumptions());
        return all;
    }
}
