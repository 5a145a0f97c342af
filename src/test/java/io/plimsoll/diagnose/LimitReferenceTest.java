package io.plimsoll.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.testing.ReferencePage;
import io.plimsoll.text.Language;
import io.plimsoll.text.Wording;
import java.io.IOException;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Guards that docs/reference/limits.md lists the declared rules of the diagnosis and bounds of the program; {@code
 * -Dplimsoll.write=true} writes it.
 */
class LimitReferenceTest {
    @ParameterizedTest
    @EnumSource(Language.class)
    void pageMatchesDeclaredLimits(Language language) throws IOException {
        ReferencePage page = new ReferencePage("limits", language, "Limits", "瓶颈与界限");
        page.heading(2, "bottlenecks", "Bottlenecks that a run can name", "运行可能指出的瓶颈");
        page.paragraph(
                "Each rule reads figures of a trial and scores one cause from 0 to 1. The report names the causes with the highest"
                        + " scores. Trials just above a ceiling then change one factor each to prove the cause;"
                        + " [Diagnosis](../explanation/diagnosis.md) explains the method. `plimsoll scenarios --limits` prints this list.",
                "每条规则读取一次试验的指标，给一个原因打 0 到 1 的分。报告指出得分最高的原因。随后在略高于上限处做短试验，"
                        + "每次只改变一个因素，以证实原因；方法见[诊断](../explanation/diagnosis.md)。`plimsoll scenarios --limits` 打印此列表。");
        page.table(
                "Cause|Figures|Evidence|Weight|Reduced, by at most, when|Proof by changing",
                "原因|指标|依据|权重|何时降低权重（最大降幅）|改变什么来证实");
        Diagnosis.RULES.forEach(rule -> row(page, rule, language));
        consent(page);
        bounds(page);
        page.assertCurrent();
    }

    private static void row(ReferencePage page, Rule<?> rule, Language language) {
        String lowered = rule.lowered.stream()
                .map(l -> Math.round(l.by() * 100)
                        + page.say(" %: ", " %：")
                        + l.when().in(language))
                .collect(Collectors.joining(page.say("; ", "；")));
        String proofs = rule.proofs.stream()
                .map(proof -> proof.factor().in(language))
                .collect(Collectors.joining(page.say(", ", "、")));
        page.row(
                rule.cause().in(language),
                rule.reads().in(language),
                rule.speaks().in(language),
                weight(page, rule),
                lowered.isEmpty() ? "–" : lowered,
                proofs.isEmpty() ? "–" : proofs);
    }

    private static String weight(ReferencePage page, Rule<?> rule) {
        String most = String.format(Locale.ROOT, "%.2f", rule.most);
        Double least = rule.leastHeldBack;
        return most
                + (least == null ? "" : page.say(" × held-back share", " × 受阻比例"))
                + (least == null || least == 0
                        ? ""
                        : String.format(Locale.ROOT, page.say(" (at least %.1f)", "（至少 %.1f）"), least));
    }

    private static void consent(ReferencePage page) {
        LoadLimits limits = LoadLimits.DEFAULT;
        page.heading(2, "consent", "Loads that need consent on a shared cluster", "共享集群上需要同意的负载");
        page.paragraph(
                "On a cluster that is not a lab, a load beyond one of these bounds asks for consent, or is refused without a"
                        + " terminal. `--yes` states the consent of the cluster's owner.",
                "在不是 lab 的集群上，超出下列任一界限的负载会征求同意；没有终端时会被拒绝。`--yes` 表示集群负责人同意。");
        page.table("Bound|Default|Option", "界限|默认值|选项")
                .row(
                        page.say("Rate of all producers of a trial, one copy", "一次试验全部生产者的速率，按一份副本计"),
                        number(limits.maxRate().value() / 1e6) + " MB/s",
                        "`--max-rate`")
                .row(
                        page.say("Bytes that a run writes, one copy", "一次运行写入的字节数，按一份副本计"),
                        number(limits.maxBytes() / 1e9) + " GB",
                        "`--max-bytes`")
                .row(
                        page.say("Share of each broker's disk that stays free", "每个 broker 磁盘保留的空闲比例"),
                        number(limits.diskReserve() * 100) + " %",
                        "`--disk-reserve`")
                .row(
                        page.say("Read rate of the run's groups", "本次运行的消费组的读取速率"),
                        constant("io.plimsoll.run.guards.ForeignCluster", "READ_TIMES") + " × `--max-rate`",
                        "`--max-rate`")
                .row(
                        page.say("Connections", "连接数"),
                        constant("io.plimsoll.run.guards.ForeignCluster", "MANY_CONNECTIONS"),
                        "`--yes`")
                .row(
                        page.say("Connections opened per second", "每秒新建连接数"),
                        constant("io.plimsoll.run.guards.ForeignCluster", "MANY_A_SECOND"),
                        "`--yes`")
                .row(
                        page.say("Partition replicas created on each broker", "在每个 broker 上创建的分区副本数"),
                        constant("io.plimsoll.run.guards.ForeignCluster", "MANY_PARTITIONS"),
                        "`--yes`");
    }

    private static void bounds(ReferencePage page) {
        page.heading(2, "bounds", "Bounds of the program", "程序的界限");
        page.paragraph("[Scenario keys](scenario.md) lists the range of each key.", "各个键的范围见[场景文件的键](scenario.md)。");
        page.table("Bound|Value", "界限|值")
                .row(
                        page.say("Trials of a scenario", "一个场景的试验数"),
                        constant("io.plimsoll.scenario.Trials", "MOST_TRIALS"))
                .row(
                        page.say("Pairs of `--ab`", "`--ab` 的对数"),
                        constant("io.plimsoll.scenario.ABVariants", "MOST_PAIRS"))
                .row(
                        page.say("Nesting depth of a scenario file", "场景文件的嵌套层数"),
                        constant("io.plimsoll.scenario.YamlTree", "DEEPEST"))
                .row(
                        page.say("Nodes of a scenario file, aliases resolved", "场景文件的节点数，别名展开后"),
                        constant("io.plimsoll.scenario.YamlTree", "MOST_NODES"))
                .row(
                        page.say("Topics of one name pattern", "一个名称模式的主题数"),
                        constant("io.plimsoll.scenario.TopicSpec", "MOST_NAMES"))
                .row(
                        page.say("Payload files of an entry together, in bytes", "一个条目的全部载荷文件，字节"),
                        constant("io.plimsoll.payload.PayloadFile", "MAX_BYTES"))
                .row(page.say("Time limit of an audit", "审计的时限"), constant("io.plimsoll.run.TrialAudit", "AUDIT_LIMIT"))
                .row(
                        page.say("Time limit for creating the topics of a trial", "创建试验主题的时限"),
                        constant("io.plimsoll.run.RunTopics", "LIMIT"))
                .row(
                        page.say("Shortest retention of topics that a run creates", "运行所建主题的最短保留时间"),
                        constant("io.plimsoll.run.RunTopics", "LEAST_RETENTION"));
    }

    /** The value of a constant enforced by code. */
    private static String constant(String type, String name) {
        try {
            Field field = Class.forName(type).getDeclaredField(name);
            field.setAccessible(true);
            Object value = field.get(null);
            return value instanceof Duration time
                    ? time.toSeconds() % 3600 == 0 ? time.toHours() + " h" : time.toSeconds() + " s"
                    : String.format(Locale.ROOT, "%,d", ((Number) value).longValue());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(type + "." + name, e);
        }
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }

    /** A rule without texts would fail only when its figures are missing. */
    @Test
    void everyRuleHasTexts() {
        Set<String> causes = Diagnosis.RULES.stream().map(r -> r.cause().key()).collect(Collectors.toSet());
        Set<String> names =
                Diagnosis.RULES.stream().map(r -> "diagnose.cause." + r.name).collect(Collectors.toSet());
        Set<String> known = Wording.of("diagnose", Language.EN).keySet();
        assertThat(known).containsAll(causes);
        assertThat(known.stream().filter(k -> k.startsWith("diagnose.cause.")))
                .allMatch(k -> causes.contains(k) || names.contains(k));
        assertThat(Diagnosis.RULES.stream().filter(r -> r.reportsMissing))
                .allSatisfy(r -> assertThat(known).contains("diagnose.cause." + r.name, "diagnose.missing." + r.name));
    }
}
