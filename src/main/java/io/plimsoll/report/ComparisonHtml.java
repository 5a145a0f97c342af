package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.Comparison.CeilingPair;
import io.plimsoll.report.compare.Comparison.FigureLine;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.TrialResult.Second;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A comparison as one HTML page that needs nothing else: no script, no network. Whatever comes from outside is text,
 * and a policy in the page forbids the rest.
 */
public final class ComparisonHtml {
    private static final String MARK = "<svg viewBox=\"0 0 32 32\" width=\"22\" height=\"22\" aria-hidden=\"true\">"
            + "<circle cx=\"16\" cy=\"16\" r=\"9\"/><path d=\"M2 16h28\"/></svg>";
    private static final String DARK = ":root[data-theme=\"dark\"] {";
    private static final int LONGEST_NAME = 60;

    private final Comparison comparison;
    private final StringBuilder out = new StringBuilder();

    private ComparisonHtml(Comparison comparison) {
        this.comparison = comparison;
    }

    public static String render(Comparison comparison) {
        ComparisonHtml html = new ComparisonHtml(comparison);
        html.head();
        html.verdict();
        html.before();
        for (int i = 0; i < comparison.trials().size(); i++) {
            html.trial(comparison.trials().get(i), i == 0 ? "figures" : "figures-" + i);
        }
        html.ceilings();
        html.after();
        return html.out.toString();
    }

    /** The report's own; without a script the colours are those that the browser prefers. */
    private static String style() {
        String style = resource("page.css");
        int from = style.indexOf(DARK);
        int to = style.indexOf('}', from) + 1;
        String dark = style.substring(from + DARK.length(), to);
        return style.substring(0, from) + "@media screen and (prefers-color-scheme: dark) { :root {" + dark + " }"
                + style.substring(to) + resource("comparison.css");
    }

    private static String resource(String name) {
        try (InputStream in = ComparisonHtml.class.getResourceAsStream("/report/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void head() {
        out.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n")
                .append("<meta name=\"color-scheme\" content=\"light dark\">\n")
                .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';")
                .append(" style-src 'unsafe-inline'; img-src data:\">\n<title>Comparison · Plimsoll</title>\n")
                .append("<link rel=\"icon\" href=\"data:,\">\n<style>")
                .append(style())
                .append("</style></head>\n<body><header class=\"bar\"><div class=\"bar-inner\"><span class=\"brand\">")
                .append(MARK)
                .append("<span>Plimsoll</span></span><nav id=\"contents\" aria-label=\"Contents\">")
                .append("<a href=\"#verdict\">Verdict</a><a href=\"#differences\">What differs</a>")
                .append(comparison.trials().isEmpty() ? "" : "<a href=\"#figures\">Figures</a>")
                .append(comparison.ceilings().isEmpty() ? "" : "<a href=\"#ceilings\">Ceilings</a>")
                .append("</nav></div></header>\n<main id=\"main\">\n");
    }

    private void verdict() {
        boolean worse = ComparisonTables.anyOutcome(comparison, Outcome.WORSE);
        boolean better = ComparisonTables.anyOutcome(comparison, Outcome.BETTER);
        boolean known = ComparisonTables.anyOutcome(comparison, Outcome.NO_DIFFERENCE);
        String names = comparison.sides().stream()
                .map(s -> s.label() + " " + Text.cut(s.what(), LONGEST_NAME))
                .collect(Collectors.joining(", "));
        out.append("<section id=\"verdict\"><h1>Comparison: ")
                .append(text(names))
                .append("</h1>\n");
        out.append("<div class=\"panel sentence ").append(worse ? "failed" : better ? "" : "running");
        out.append("\">").append(badge(worse, better, known)).append("<p>");
        out.append(text(comparison.sentence())).append("</p></div>\n");
        if (comparison.gate() != null) {
            boolean passed = comparison.gate().passed();
            out.append("<p class=\"panel gate\"><span class=\"badge ").append(passed ? "good" : "bad");
            out.append(passed ? "\">✓ passed</span> " : "\">✗ failed</span> ");
            out.append(text(ComparisonTables.gate(comparison.gate()))).append("</p>\n");
        }
        List<String> remarks = new ArrayList<>(comparison.warnings());
        remarks.addAll(comparison.unpaired());
        if (!remarks.isEmpty()) {
            out.append("<ul class=\"warnings\">");
            remarks.forEach(r -> out.append("<li>").append(text(r)).append("</li>"));
            out.append("</ul>\n");
        }
        out.append("</section>\n");
    }

    private static String badge(boolean worse, boolean better, boolean known) {
        if (worse && better) {
            return "<span class=\"badge warn\">✓ ✗ both</span>";
        } else if (worse) {
            return "<span class=\"badge bad\">✗ worse</span>";
        } else if (better) {
            return "<span class=\"badge good\">✓ better</span>";
        }
        return "<span class=\"badge\">" + (known ? "= no difference" : "? too little") + "</span>";
    }

    private void before() {
        section("sides", "What is compared");
        table(ComparisonTables.sides(), comparison.sides());
        out.append("</section>\n");
        section("differences", "What differs");
        if (comparison.differences().isEmpty()) {
            out.append("<p class=\"note\">Scenario, client settings, versions, cluster and host are the same.</p>\n");
        } else {
            table(ComparisonTables.differences(comparison), comparison.differences());
        }
        out.append("</section>\n");
    }

    private void trial(TrialPair pair, String id) {
        boolean several = comparison.sides().size() > 2;
        section(id, pair.name() + (several ? " · " + pair.second() + " and " + pair.first() : ""));
        String parameters = ComparisonTables.parameters(pair.parameters());
        if (!parameters.isEmpty() && !parameters.equals(pair.name())) {
            out.append("<p class=\"note\">").append(text(parameters)).append("</p>\n");
        }
        double reach = Svg.reach(pair.figures());
        out.append("<div class=\"scroll\"><table class=\"figures\"><thead><tr>");
        List<Column<FigureLine>> columns = ComparisonTables.figures(pair);
        columns.forEach(this::headerCell);
        out.append("<th scope=\"col\">better ◂ no change ▸ worse</th></tr></thead><tbody>\n");
        for (FigureLine line : pair.figures()) {
            out.append("<tr>");
            for (Column<FigureLine> column : columns) {
                boolean finding = column.header().equals("difference");
                String content = text(Table.cell(column, line));
                String shown =
                        finding ? "<span class=\"" + line.outcome().text() + "\">" + content + "</span>" : content;
                cell(column == columns.get(0), column.numeric(), shown);
            }
            out.append("<td>").append(Svg.interval(line, reach)).append("</td></tr>\n");
        }
        out.append("</tbody></table></div>\n<div class=\"charts\">");
        boolean produces = pair.figures().stream().anyMatch(l -> l.figure().startsWith("produce."));
        if (produces) {
            chart(pair, "Throughput", "MB/s", s -> s.producedBytes() / 1e6, false);
            chart(
                    pair,
                    "Response time p99",
                    "ms",
                    s -> s.responseP99() == null ? null : Double.valueOf(s.responseP99() / 1e3),
                    true);
        } else {
            chart(pair, "Consumed", "records/s", Second::consumed, false);
        }
        out.append("</div></section>\n");
    }

    private void chart(TrialPair pair, String title, String unit, Svg.Value value, boolean logarithmic) {
        caption(title, unit + ", over seconds", pair.first(), pair.second());
        out.append(Svg.lines(pair, title, value, logarithmic)).append("</figure>");
    }

    private void caption(String title, String unit, String first, String second) {
        out.append("<figure><figcaption><strong>").append(text(title)).append("</strong><span class=\"unit\">");
        out.append(text(unit))
                .append("</span><span class=\"keys\"><span class=\"key A\">")
                .append(text(first));
        out.append("</span><span class=\"key B\">").append(text(second)).append("</span></span></figcaption>");
    }

    private void ceilings() {
        if (comparison.ceilings().isEmpty()) {
            return;
        }
        section("ceilings", "Ceilings");
        table(ComparisonTables.ceilings(comparison), comparison.ceilings());
        for (CeilingPair pair : comparison.ceilings()) {
            if (pair.loads().stream().allMatch(c -> c.points().isEmpty())) {
                continue;
            }
            String parameters = ComparisonTables.parameters(pair.parameters());
            boolean named = !parameters.isEmpty() || comparison.sides().size() > 2;
            if (named) {
                out.append("<h3>").append(text(parameters + (parameters.isEmpty() ? "" : " · ") + pair.first()));
                out.append(" and ").append(text(pair.second())).append("</h3>\n");
            }
            out.append("<div class=\"charts\">");
            loads(pair, "Response time p99 over load", Ceiling.CurvePoint::p99);
            loads(pair, "Response time p50 over load", Ceiling.CurvePoint::p50);
            out.append("</div>\n<p class=\"note\">Filled: the load passed. Hollow: it failed. The ceiling lies in the")
                    .append(" shaded stretch of its side.</p>\n<details><summary>The loads as a table</summary>");
            table(ComparisonTables.loads(), ComparisonTables.loadsOf(pair));
            out.append("</details>\n");
        }
        out.append("</section>\n");
    }

    private void loads(CeilingPair pair, String title, Function<Ceiling.CurvePoint, Long> micros) {
        caption(title, "ms, over records/s offered", pair.first(), pair.second());
        out.append(SvgLoads.render(pair, title, micros)).append("</figure>");
    }

    private void after() {
        out.append("</main>\n<footer id=\"footer\"><p>")
                .append(text(ComparisonTables.basis(comparison)))
                .append("</p></footer>\n</body></html>\n");
    }

    private void section(String id, String heading) {
        out.append("<section id=\"")
                .append(id)
                .append("\"><h2>")
                .append(text(heading))
                .append("</h2>\n");
    }

    private <T> void table(List<Column<T>> columns, List<T> rows) {
        out.append("<div class=\"scroll\"><table><thead><tr>");
        columns.forEach(this::headerCell);
        out.append("</tr></thead><tbody>\n");
        for (T row : rows) {
            out.append("<tr>");
            columns.forEach(c -> cell(c == columns.get(0), c.numeric(), text(Table.cell(c, row))));
            out.append("</tr>\n");
        }
        out.append("</tbody></table></div>\n");
    }

    private <T> void headerCell(Column<T> column) {
        out.append("<th scope=\"col\"").append(column.numeric() ? " class=\"n\">" : ">");
        out.append(text(column.header())).append("</th>");
    }

    /** @param first names its row */
    private void cell(boolean first, boolean numeric, String content) {
        String element = first ? "th" : "td";
        out.append('<').append(element).append(first ? " scope=\"row\"" : "").append(numeric ? " class=\"n\">" : ">");
        out.append(content).append("</").append(element).append('>');
    }

    /** As text, in an element or in an attribute. */
    static String text(String plain) {
        return Text.printable(plain)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
