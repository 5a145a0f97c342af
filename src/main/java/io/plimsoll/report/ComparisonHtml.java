package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.Comparison.FigureLine;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.result.TrialResult.Second;
import java.util.ArrayList;
import java.util.List;

/**
 * A comparison as one HTML page that needs nothing else: no script, no network. Whatever comes from outside is text,
 * and a policy in the page forbids the rest.
 */
public final class ComparisonHtml {
    private static final String STYLE = """
            :root{color-scheme:light dark;--fg:#1b1f24;--bg:#fff;--dim:#59636e;--line:#d1d9e0;--soft:#f6f8fa;
            --a:#0969da;--b:#bc4c00;--good:#1a7f37;--bad:#cf222e}
            @media(prefers-color-scheme:dark){:root{--fg:#e6edf3;--bg:#0d1117;--dim:#9198a1;--line:#3d444d;--soft:#151b23;
            --a:#58a6ff;--b:#f0883e;--good:#3fb950;--bad:#ff7b72}}
            *{box-sizing:border-box}body{font:15px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);
            max-width:70rem;margin:0 auto;padding:2rem 1.5rem}
            h1{font-size:1.35rem;line-height:1.35;margin:0 0 1.2rem}h2{font-size:1.1rem;margin:2.2rem 0 .6rem}
            .better{color:var(--good)}.worse{color:var(--bad)}.dim,.noDifference,.unknown{color:var(--dim)}
            .scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
            th,td{text-align:left;padding:.35rem .7rem;border-bottom:1px solid var(--line);vertical-align:top}
            th{font-weight:600;color:var(--dim);white-space:nowrap}.n{text-align:right;white-space:nowrap}
            td.what{overflow-wrap:anywhere}.figures td{white-space:nowrap;padding:.35rem .6rem}
            ul{padding-left:1.2rem}.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:1rem;
            margin-top:1rem}figure{margin:0}figcaption{color:var(--dim);font-size:.85rem}
            svg{display:block;width:100%;height:auto}svg text{fill:var(--dim);font:11px system-ui,sans-serif}
            .A{stroke:var(--a)}.B{stroke:var(--b)}.grid{stroke:var(--line)}.key-A{color:var(--a)}.key-B{color:var(--b)}
            td svg{width:11rem;min-width:9rem}@media print{body{padding:0;max-width:none}h2{break-after:avoid}
            tr,figure{break-inside:avoid}}
            """;

    private final Comparison comparison;
    private final StringBuilder out = new StringBuilder();

    private ComparisonHtml(Comparison comparison) {
        this.comparison = comparison;
    }

    public static String render(Comparison comparison) {
        ComparisonHtml html = new ComparisonHtml(comparison);
        html.head();
        html.before();
        comparison.trials().forEach(html::trial);
        html.after();
        return html.out.toString();
    }

    private void head() {
        out.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n")
                .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';")
                .append(" style-src 'unsafe-inline'\">\n<title>Comparison</title>\n<style>")
                .append(STYLE)
                .append("</style></head>\n<body><main>\n");
        boolean worse = ComparisonTables.anyOutcome(comparison, Outcome.WORSE);
        boolean better = ComparisonTables.anyOutcome(comparison, Outcome.BETTER);
        String mark = worse
                ? "<span class=\"worse\">✗</span> "
                : better ? "<span class=\"better\">✓</span> " : "<span class=\"dim\">=</span> ";
        out.append("<h1>").append(mark).append(text(comparison.sentence())).append("</h1>\n");
        if (comparison.gate() != null) {
            out.append("<p class=\"")
                    .append(comparison.gate().passed() ? "better" : "worse")
                    .append("\">")
                    .append(text(ComparisonTables.gate(comparison.gate())))
                    .append("</p>\n");
        }
    }

    private void before() {
        table(ComparisonTables.sides(), comparison.sides());
        heading("What differs");
        if (comparison.differences().isEmpty()) {
            out.append("<p>Scenario, client settings, versions, cluster and host are the same.</p>\n");
        } else {
            table(ComparisonTables.differences(comparison), comparison.differences());
        }
        List<String> remarks = new ArrayList<>(comparison.warnings());
        remarks.addAll(comparison.unpaired());
        if (!remarks.isEmpty()) {
            heading("Worth knowing");
            out.append("<ul>");
            remarks.forEach(r -> out.append("<li>").append(text(r)).append("</li>"));
            out.append("</ul>\n");
        }
    }

    private void trial(TrialPair pair) {
        heading(pair.name());
        String parameters = ComparisonTables.parameters(pair.parameters());
        if (!parameters.isEmpty() && !parameters.equals(pair.name())) {
            out.append("<p class=\"dim\">").append(text(parameters)).append("</p>\n");
        }
        double reach = Svg.reach(pair.figures());
        out.append("<div class=\"scroll\"><table class=\"figures\"><thead><tr>");
        List<Column<FigureLine>> columns = ComparisonTables.figures(pair);
        columns.forEach(c -> cell("th", c.numeric(), text(c.header())));
        out.append("<th>better ◂ no change ▸ worse</th></tr></thead><tbody>\n");
        for (FigureLine line : pair.figures()) {
            out.append("<tr>");
            for (Column<FigureLine> column : columns) {
                boolean finding = column.header().equals("difference");
                String content = text(Table.cell(column, line));
                String shown =
                        finding ? "<span class=\"" + line.outcome().text() + "\">" + content + "</span>" : content;
                cell("td", column.numeric(), shown);
            }
            out.append("<td>").append(Svg.interval(line, reach)).append("</td></tr>\n");
        }
        out.append("</tbody></table></div>\n<div class=\"charts\">");
        boolean produces = pair.figures().stream().anyMatch(l -> l.figure().startsWith("produce."));
        if (produces) {
            chart(pair, "Throughput, MB/s, over seconds of the trial", s -> s.producedBytes() / 1e6, false);
            chart(
                    pair,
                    "Response time p99, ms (logarithmic), over seconds of the trial",
                    s -> s.responseP99() == null ? null : Double.valueOf(s.responseP99() / 1e3),
                    true);
        } else {
            chart(pair, "Consumed records/s over seconds of the trial", Second::consumed, false);
        }
        out.append("</div>\n");
    }

    private void chart(TrialPair pair, String caption, Svg.Value value, boolean logarithmic) {
        out.append("<figure>")
                .append(Svg.lines(pair, caption, value, logarithmic))
                .append("<figcaption>")
                .append(text(caption))
                .append(" — <span class=\"key-A\">")
                .append(text(pair.first()))
                .append("</span> and <span class=\"key-B\">")
                .append(text(pair.second()))
                .append("</span></figcaption></figure>");
    }

    private void after() {
        if (!comparison.ceilings().isEmpty()) {
            heading("Ceilings");
            table(ComparisonTables.ceilings(comparison), comparison.ceilings());
        }
        out.append("<p class=\"dim\">")
                .append(text(ComparisonTables.basis(comparison)))
                .append("</p>\n</main></body></html>\n");
    }

    private void heading(String heading) {
        out.append("<h2>").append(text(heading)).append("</h2>\n");
    }

    private <T> void table(List<Column<T>> columns, List<T> rows) {
        out.append("<div class=\"scroll\"><table><thead><tr>");
        columns.forEach(c -> cell("th", c.numeric(), text(c.header())));
        out.append("</tr></thead><tbody>\n");
        for (T row : rows) {
            out.append("<tr>");
            columns.forEach(c -> cell("td", c.numeric(), text(Table.cell(c, row))));
            out.append("</tr>\n");
        }
        out.append("</tbody></table></div>\n");
    }

    private void cell(String element, boolean numeric, String content) {
        out.append('<').append(element).append(numeric ? " class=\"n\">" : " class=\"what\">");
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
