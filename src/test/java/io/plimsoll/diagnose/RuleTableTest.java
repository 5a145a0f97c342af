package io.plimsoll.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.text.Language;
import io.plimsoll.text.Wording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Guards that the table of rules in {@code docs/diagnosis.md} is what the rules declare. With {@code -Ddocs.write=true} it
 * writes the table.
 */
class RuleTableTest {
    private static final Path PAGE = Path.of("docs", "diagnosis.md");
    private static final Path CHINESE = Path.of("docs", "zh", "diagnosis.md");
    private static final String CHINESE_HEAD = """
        | 原因 | 数字 | 什么支持它 | 分量 | 在哪里分量减少，至多多少 | 试验 |
        |---|---|---|---|---|---|
        """;
    /** Conditions under which rules weigh less, which nothing but the pages tells. */
    private static final Map<String, String> LOWERED = Map.ofEntries(
            Map.entry("they wait for a flush to disk", "它们在等待刷盘"),
            Map.entry("the brokers' own host has no CPU left", "broker 自己的主机没有 CPU 剩余"),
            Map.entry("most of what brokers take is of other clients", "broker 所接收的大部分来自其他客户端"),
            Map.entry("brokers refuse batches that are too large", "broker 拒绝过大的批次"),
            Map.entry("logs are rolled all the time", "日志不停地滚动"),
            Map.entry("a broker collects garbage all the time", "某个 broker 一直在回收垃圾"),
            Map.entry("it is 2–6 times what all requests that may be under way would hold", "它是所有可在途的请求所占内存的 2–6 倍"),
            Map.entry(
                    "its broker answers 1.5–3 times as fast as the others: producers avoid those",
                    "它的 broker 应答比其他的快 1.5–3 倍：生产者避开了那些"),
            Map.entry("most of the generator's CPU is for compression", "负载发生器的 CPU 大部分用于压缩"),
            Map.entry("brokers read from disk", "broker 从磁盘读取"),
            Map.entry("partitions of a group are not read at all", "消费组有分区完全没有被读取"),
            Map.entry("producing is held back", "生产受阻"),
            Map.entry(
                    "threads on this host wait for a CPU, and the fastest request is much faster than most",
                    "本机的线程在等待 CPU，而最快的请求远比多数快"),
            Map.entry("even the fastest request takes most of that time on its way", "最快的请求也把大部分时间用在路上"),
            Map.entry("members may not read", "成员无权读取"),
            Map.entry("a transaction is open", "有未结束的事务"),
            Map.entry("brokers flush to disk all the time", "broker 不停地刷盘"),
            Map.entry("the group rebalances", "消费组在再均衡"),
            Map.entry("a log directory is offline", "有日志目录离线"),
            Map.entry("members of others have partitions of the group", "别处的成员拥有消费组的分区"),
            Map.entry("one member has all the work", "全部工作都在一个成员身上"),
            Map.entry(
                    "threads on this host wait for a CPU, and the fastest record took a small part of the latency",
                    "本机的线程在等待 CPU，而最快的记录只用了延迟的一小部分"),
            Map.entry("the generator's busiest thread has no time left", "负载发生器最忙的线程没有时间剩余"),
            Map.entry("a producer's network thread has no time left", "某个生产者的网络线程没有时间剩余"),
            Map.entry("threads on this host wait for a CPU", "本机的线程在等待 CPU"),
            Map.entry("request handlers are busy", "请求处理线程繁忙"),
            Map.entry("batches are full at a batch.size below 4 KiB", "batch.size 低于 4 KiB 而批次已满"),
            Map.entry("a broker stands still", "某个 broker 停住不动"),
            Map.entry("brokers recompress or convert", "broker 在重新压缩或转换"),
            Map.entry("brokers convert for old consumers", "broker 在为旧消费者转换"),
            Map.entry("a broker is held to a part of a core", "某个 broker 只得到一个核的一部分"),
            Map.entry("the work of consumers takes longer than it should", "消费者的处理比应有的时间长"),
            Map.entry("a share group has all its record locks", "共享组的记录锁已全部占用"),
            Map.entry("polls of a share group are full", "共享组的 poll 已取满"),
            Map.entry("partitions take no records", "有分区不接收记录"),
            Map.entry("it gets 1.3–2 times its part of the bytes", "它得到的字节是其应得份额的 1.3–2 倍"),
            Map.entry("a quota throttles", "配额在限流"),
            Map.entry("collections account for it", "垃圾回收可以解释它"));

    private static final String HEAD = """
        | cause | figures | speaks for it | weight | weighs less, at most, where | tried |
        |---|---|---|---|---|---|
        """;

    @Test
    void thePageHasTheRulesAsTheyAre() throws IOException {
        holds(PAGE, HEAD, Language.EN);
        holds(CHINESE, CHINESE_HEAD, Language.ZH);
    }

    private static void holds(Path file, String head, Language language) throws IOException {
        String page = Files.readString(file);
        String table =
                head + Diagnosis.RULES.stream().map(rule -> row(rule, language)).collect(Collectors.joining());
        int from = page.indexOf(head.substring(0, head.indexOf('\n')));
        int to = page.indexOf("\n\n", from) + 1;
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(file, page.substring(0, from) + table + page.substring(to));
            return;
        }
        assertThat(page.substring(from, to)).isEqualTo(table);
    }

    private static String row(Rule<?> rule, Language language) {
        boolean english = language == Language.EN;
        String lowered = rule.lowered.stream()
                .map(l -> Math.round(l.by() * 100) + " %"
                        + (english ? ": " + l.when() : "：" + Objects.requireNonNull(LOWERED.get(l.when()), l.when())))
                .collect(Collectors.joining(english ? "; " : "；"));
        String tried = rule.proofs.stream()
                .map(p -> p.factor().in(language))
                .collect(Collectors.joining(english ? ", " : "、"));
        return String.join(
                        " | ",
                        "| " + rule.cause().in(language),
                        rule.reads().in(language),
                        rule.speaks().in(language),
                        weight(rule, english),
                        lowered.isEmpty() ? "–" : lowered,
                        tried.isEmpty() ? "–" : tried)
                + " |\n";
    }

    private static String weight(Rule<?> rule, boolean english) {
        String most = String.format(Locale.ROOT, "%.2f", rule.most);
        Double least = rule.leastHeldBack;
        return most
                + (least == null ? "" : english ? " × held back" : " × 受阻")
                + (least == null || least == 0
                        ? ""
                        : String.format(Locale.ROOT, english ? ", which counts %.1f at least" : "，至少按 %.1f 计", least));
    }

    /** A rule without words would fail only where its figures are missing. */
    @Test
    void everyRuleHasItsWords() {
        Set<String> causes = Diagnosis.RULES.stream().map(r -> r.cause().key()).collect(Collectors.toSet());
        Set<String> names =
                Diagnosis.RULES.stream().map(r -> "diagnose.cause." + r.name).collect(Collectors.toSet());
        Set<String> known = Wording.of("diagnose", Language.EN).keySet();
        assertThat(known).containsAll(causes);
        assertThat(known.stream().filter(k -> k.startsWith("diagnose.cause.")))
                .allMatch(k -> causes.contains(k) || names.contains(k));
        assertThat(Diagnosis.RULES.stream().filter(r -> r.tellsMissing))
                .allSatisfy(r -> assertThat(known).contains("diagnose.cause." + r.name, "diagnose.missing." + r.name));
    }
}
