package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The built-in scenarios are listed, shown and copied. */
class ScenariosCommandTest {

    @Test
    void listsScenariosWithSizeAndDescription() {
        InProcess list = InProcess.run("scenarios");
        assertThat(list.exit()).isZero();
        assertThat(list.err()).isEmpty();
        List<String> entries = List.of(list.out().split("\n(?=\\S)"));
        assertThat(entries).hasSameSizeAs(BuiltIns.names()).allSatisfy(entry -> assertThat(entry)
                .matches("[a-z0-9-]+ {2,}[0-9a-z ]+, writes (up to )?[0-9.]+ [kMGT]?B(\n {4}\\S.*)+\n?")
                .matches("(?s).*\n {4}[A-Z0-9].*\\.\\s*"));
        assertThat(list.out().lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(110));
    }

    @Test
    void printsRunnableScenario() {
        InProcess quick = InProcess.run("scenarios", "quick");
        assertThat(quick.exit()).isZero();
        assertThat(ScenarioReader.read(quick.out(), "my.yaml", List.of(), 1).trials())
                .extracting("name")
                .containsExactly("throughput", "latency");
    }

    @Test
    void suggestsNearestName() {
        InProcess unknown = InProcess.run("scenarios", "quik");
        assertThat(unknown.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(unknown.out()).isEmpty();
        assertThat(unknown.err()).contains("'quik'").contains("did you mean 'quick'?");
    }

    @Test
    void describesKeys() {
        InProcess warmup = InProcess.run("scenarios", "--keys", "warmup");
        assertThat(warmup.exit()).isZero();
        assertThat(warmup.out()).isEqualTo("""
                warmup (5s; none with records)
                    The time under load before the measured window. Its records are counted separately. 0 disables
                    it, and steady extends it until the load is steady.
                    keys below: until, atLeast, atMost
                """);
        assertThat(InProcess.run("scenarios", "--keys", "producers.rate").out())
                .startsWith("producers.rate (unlimited)\n");
        assertThat(InProcess.run("scenarios", "--keys", "topic").out().lines().filter(line -> !line.startsWith(" ")))
                .containsExactly(
                        "producers.topic (required)", "producers.reply.topic (required)", "consumers.topic (required)");
        assertThat(InProcess.run("scenarios", "--keys").out())
                .contains("\nproducers.record.key.zipf.s (required)\n    The exponent", "\nfaults.kill");
    }

    @Test
    void describesLimits() {
        InProcess limits = InProcess.run("scenarios", "--limits");
        assertThat(limits.exit()).isZero();
        assertThat(limits.out())
                .startsWith(Sentence.of("diagnose.cause.fault").english())
                .containsPattern(rule("quota"))
                .containsPattern(rule("disk"));
    }

    private static Pattern rule(String name) {
        return Said.en(
                "diagnose.rule",
                Sentence.of("diagnose.cause." + name),
                Sentence.of("diagnose.reads." + name),
                Sentence.of("diagnose.speaks." + name));
    }

    /** The effect of a key is searched in descriptions if no key has that name. */
    @Test
    void findsKeysByDescription() {
        assertThat(InProcess.run("scenarios", "--keys", "end-to-end latency")
                        .out()
                        .lines()
                        .findFirst())
                .hasValueSatisfying(key -> assertThat(key).startsWith("consumers.work"));
        assertThat(InProcess.run("scenarios", "--keys", "recordSize").out()).startsWith("producers.record.size ");
        assertThat(InProcess.run("scenarios", "--keys", "randombytes").out()).startsWith("producers.record.random");
    }

    @Test
    void describesEmptyDefaultsInWords() {
        assertThat(InProcess.run("scenarios", "--keys").out()).doesNotContain("[]");
    }

    @Test
    void explainsInvalidNumbersInBothLanguages() {
        String notANumber = "«cli.expected¦--scale¦«cli.a.anyNumber»¦abc»";
        assertThat(InProcess.run("run", "--scale", "abc").err()).containsPattern(Said.pattern(notANumber));
        assertThat(InProcess.run("run", "--lang", "zh", "--scale", "abc").err())
                .containsPattern(Said.zhPattern(notANumber));
        assertThat(InProcess.run("run", "--seed", "1.5").err())
                .containsPattern(Said.pattern("«cli.expected¦--seed¦«scenario.a.whole»¦1.5»"));
        assertThat(InProcess.run("run", "--dry-run", "--set", "checks=[produce.p99 < 5ms]")
                        .err())
                .containsPattern("did you mean .*produce\\.response\\.p99");
    }

    @Test
    void suggestsNearestOption() {
        assertThat(InProcess.run("ceiling", "--sol=5ms").err()).contains("--slo");
        assertThat(InProcess.run("ceiling", "--mx-rate", "5/s").err()).contains("--max-rate");
    }

    @Test
    void suggestsNearestKey() {
        InProcess unknown = InProcess.run("scenarios", "--keys", "warmpu");
        assertThat(unknown.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(unknown.err()).containsPattern(Said.en("cli.noSuchKey", "warmpu", "; did you mean warmup?"));
    }
}
