package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.testing.ReferencePage;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Guards that docs/reference/figures.md lists the declared figures; {@code -Dplimsoll.write=true} writes it. */
class FigureReferenceTest {
    private static final Map<String, List<String>> PARTS = parts();

    /** The headings of figures by the first part of their ids. */
    private static Map<String, List<String>> parts() {
        Map<String, List<String>> parts = new LinkedHashMap<>();
        parts.put("produce", List.of("Producers", "生产者"));
        parts.put("consume", List.of("Consumers", "消费者"));
        parts.put("share", List.of("Share groups", "共享组"));
        parts.put("pipeline", List.of("Pipelines", "管道"));
        parts.put("reply", List.of("Replies of an application", "应用的回复"));
        parts.put("audit", List.of("Audit", "审计"));
        parts.put("trial", List.of("Trial", "试验"));
        parts.put("cold", List.of("Cold start", "冷启动"));
        parts.put("connect", List.of("Connections", "连接"));
        parts.put("generator", List.of("Load generator", "负载发生器"));
        parts.put("host", List.of("Host of the load generator", "负载发生器主机"));
        parts.put("broker", List.of("Brokers", "Broker"));
        parts.put("cluster", List.of("Cluster", "集群"));
        parts.put("topic", List.of("Topics", "主题"));
        parts.put("group", List.of("Consumer groups of applications", "应用的消费组"));
        parts.put("probe", List.of("Probe of the guards", "保护条件的探针"));
        return parts;
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void pageListsDeclaredFigures(Language language) throws IOException {
        ReferencePage page = new ReferencePage("figures", language, "Figures", "指标");
        page.paragraph(
                "A *figure* is a number that a trial measures. Checks, tables, charts and `result.json` use the same figures.",
                "*指标*是一次试验测得的数值。检查、表格、图表和 `result.json` 用的是同一套指标。");
        page.paragraph(
                "A check compares a figure with a limit: `produce.response.p99 < 50ms`. The comparisons are `<`, `<=`, `>`, `>=`,"
                        + " `==` and `!=`. A run with a failed check ends with exit code 3.",
                "每项检查都是一个指标与限值的比较，例如 `produce.response.p99 < 50ms`。比较符有 `<`、`<=`、`>`、`>=`、`==` 和 `!=`。"
                        + "有检查未通过时，运行的退出码为 3。");
        page.items(List.of(
                page.say("*Limit*: how a check writes the limit.", "*限值*：检查中限值的写法。"),
                page.say(
                        "*Seconds*: the figure also exists per second, so a check can end with `for 95% of seconds`.",
                        "*每秒*：每一秒也有该指标，检查可以用 `for 95% of seconds` 结尾。"),
                page.say(
                        "*Shown in*: tables and charts of the report that contain the figure.",
                        "*出现在*：报告中包含该指标的表格和图表。"),
                page.say(
                        "*`result.json`*: path of the value within a trial. Figures without a path are in the part of the"
                                + " trial that the first word of the figure names; see [result.json](result.md).",
                        "*`result.json`*：该值在试验中的路径。没有列出路径的指标，在以其第一个词命名的部分中；见" + " [result.json](result.md)。")));
        page.paragraph(
                "\\* A distribution: add one of " + statistics(", ") + ".", "\\* 分布：须加上 " + statistics("、") + " 之一。");
        page.paragraph(
                "Figures of brokers need a lab, `--jmx` or `--metrics-endpoint`. With several brokers, a check uses the"
                        + " worst value: the highest, or the lowest for idle times and available memory.",
                "broker 的指标需要 lab、`--jmx` 或 `--metrics-endpoint`。有多个 broker 时，检查取最差的值：一般为最高值，" + "空闲比例和可用内存为最低值。");
        grouped().forEach((part, figures) -> {
            List<String> titles = PARTS.getOrDefault(part, List.of(part, part));
            page.heading(2, part, titles.get(0), titles.get(1));
            page.table("Figure|Name|Meaning|Limit|Seconds|Shown in|`result.json`", "指标|名称|含义|限值|每秒|出现在|`result.json`");
            figures.forEach(figure -> page.row(
                    ReferencePage.code(figure.id()) + (figure.isLatency() ? " \\*" : ""),
                    figure.label(language).equals(figure.id()) ? "" : figure.label(language),
                    figure.meaning(language),
                    figure.dimensions().stream()
                            .map(dimension -> limit(page, dimension))
                            .collect(Collectors.joining(page.say(" or ", " 或 "))),
                    figure.perSecond() ? page.say("yes", "有") : "",
                    shownIn(page, figure),
                    place(figure)));
        });
        page.assertCurrent();
    }

    private static Map<String, List<Figure>> grouped() {
        Map<String, List<Figure>> grouped = new LinkedHashMap<>();
        PARTS.keySet().forEach(part -> grouped.put(part, new ArrayList<>()));
        FigureCatalogue.all().forEach(figure -> grouped.computeIfAbsent(
                        figure.id().replaceFirst("\\..*", ""), part -> new ArrayList<>())
                .add(figure));
        grouped.values().removeIf(List::isEmpty);
        return grouped;
    }

    private static String statistics(String between) {
        return Arrays.stream(Statistic.values())
                .map(statistic -> ReferencePage.code("." + statistic.text()))
                .collect(Collectors.joining(between));
    }

    private static String limit(ReferencePage page, Dimension dimension) {
        return switch (dimension) {
            case MICROSECONDS -> "`50ms`";
            case BYTES -> "`10MB`";
            case BYTES_PER_SECOND -> "`10MB/s`";
            case RECORDS_PER_SECOND -> "`5000/s`";
            case COUNT -> page.say("a number", "数");
            case RATIO -> "`0.95`, `95%`";
        };
    }

    private static String shownIn(ReferencePage page, Figure figure) {
        List<String> places = new ArrayList<>();
        if (!figure.columns().isEmpty()) {
            places.add(page.say("trials", "试验表"));
        }
        if (figure.brokerRank() >= 0) {
            places.add(
                    figure.isOfBrokers()
                            ? page.say("brokers", "broker 表")
                            : figure.id().startsWith("topic") ? page.say("topics", "主题表") : page.say("groups", "消费组表"));
        }
        if (figure.isCharted()) {
            places.add(
                    page.say("chart ", "图表 ") + ReferencePage.code(figure.line().chart()));
        }
        return String.join(page.say(", ", "、"), places);
    }

    private static String place(Figure figure) {
        if (figure.isObserved()) {
            return ReferencePage.code(figure.observedKey().replaceFirst("^(broker|group|topic)\\.", "$1s[]."));
        }
        String stored = figure.isLatency() ? "distributions" : "figures";
        return figure.isStored() ? ReferencePage.code(stored + "[\"" + figure.id() + "\"]") : "";
    }

    @Test
    void everyFigureIsDescribed() {
        assertThat(FigureCatalogue.all()).allSatisfy(figure -> {
            boolean shown = figure.isCharted() || figure.brokerRank() >= 0;
            for (Language language : Language.values()) {
                assertThat(figure.meaning(language))
                        .as(figure.id())
                        .isNotEqualTo(figure.id())
                        .doesNotEndWith(".");
                assertThat(shown && figure.label(language).equals(figure.id()))
                        .as(figure.id())
                        .isFalse();
                assertThat(figure.columns()).noneMatch(c -> c.label(language).equals(figure.id()));
            }
        });
    }
}
