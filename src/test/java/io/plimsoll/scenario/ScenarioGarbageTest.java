package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** For any text, the reader returns a plan or problems. */
class ScenarioGarbageTest {
    private static final String VALID = """
        name: all
        topics: [{name: "events-[1-3]", partitions: 6, config: {retention.ms: 5}}]
        producers:
          - topic: [events-1, "events-[2-3]"]
            rate: {ramp: [1000/s, 50000/s], over: 30s}
            record: {size: 1KB, key: {zipf: {s: 1.1, n: 1k}, type: int}, headers: {count: 1}}
            send: {sync: {timeout: 100ms}}
            transactions: {records: 1000, abortRatio: 0.1}
            config: &c {acks: all, linger.ms: 5}
        consumers:
          - {topic: events-1, start: {backlog: 10s}, commit: {async: {every: 5}}, config: *c}
        checks: ["produce.response.p99 < 50ms", produce.throughput > 10MB/s]
        matrix: {topics.partitions: [1, 3]}
        trials: [{name: a, set: {"producers[0].record.size": 5}}]
        """;

    private static void readOrRefuse(String yaml, List<String> overrides) {
        try {
            assertThat(ScenarioReader.read(yaml, "f", overrides, 1).trials()).isNotEmpty();
        } catch (ScenarioException e) {
            assertThat(e.problems())
                    .isNotEmpty()
                    .allSatisfy(
                            p -> assertThat(p.message().english()).isNotBlank().doesNotContain("\n"));
        }
    }

    @Example
    void undamagedFileIsValid() {
        assertThat(ScenarioReader.read(VALID, "f", List.of(), 1).trials()).hasSize(2);
    }

    @Property
    void readsOrRefusesAnyText(@ForAll String text, @ForAll String override) {
        readOrRefuse(text, List.of(override));
    }

    @Property
    void readsOrRefusesYamlLikeText(@ForAll("yamlLike") String text) {
        readOrRefuse(text, List.of());
    }

    @Property(tries = 2000)
    void readsOrRefusesDamagedFile(@ForAll("damaged") String text) {
        readOrRefuse(text, List.of());
    }

    @Property
    void readsOrRefusesAnyOverride(@ForAll("overrides") String override) {
        readOrRefuse(VALID, List.of(override));
    }

    @Provide
    Arbitrary<String> yamlLike() {
        return pieces().list().ofMaxSize(30).map(list -> String.join("", list));
    }

    @Provide
    Arbitrary<String> damaged() {
        Arbitrary<Integer> from = Arbitraries.integers().between(0, VALID.length());
        Arbitrary<Integer> length = Arbitraries.integers().between(0, 12);
        return Combinators.combine(from, length, pieces())
                .as((at, n, piece) ->
                        VALID.substring(0, at) + piece + VALID.substring(Math.min(VALID.length(), at + n)));
    }

    @Provide
    Arbitrary<String> overrides() {
        Arbitrary<String> name = Arbitraries.of(Scenario.ALL.names());
        Arbitrary<String> index = Arbitraries.of("", "", "[0]", "[9]", "[", "[x]");
        Arbitrary<String> path = Combinators.combine(name, index)
                .as(String::concat)
                .list()
                .ofMinSize(1)
                .ofMaxSize(3)
                .map(steps -> String.join(".", steps));
        Arbitrary<String> value = pieces().list().ofMaxSize(4).map(list -> String.join("", list));
        return Combinators.combine(path, value).as((p, v) -> p + "=" + v);
    }

    private static Arbitrary<String> pieces() {
        return Arbitraries.oneOf(
                Arbitraries.of(
                        "{",
                        "}",
                        "[",
                        "]",
                        ":",
                        ": ",
                        "- ",
                        "\n",
                        "\n  ",
                        ",",
                        "&c ",
                        "*c",
                        "!x ",
                        "!!int ",
                        "? ",
                        "|",
                        ">",
                        "\"",
                        "'",
                        "#",
                        "%",
                        "---",
                        "...",
                        "\t",
                        "~",
                        "null",
                        "-1",
                        "0",
                        "1e999",
                        ".nan",
                        "0x1F",
                        "5s",
                        "1000/s",
                        "unlimited",
                        "<<",
                        "\\x",
                        "\"\\U0011FFFF\"",
                        "999999999999999999999",
                        "producers[0]"),
                Arbitraries.of(Scenario.ALL.names()).map(name -> name + ": "),
                Arbitraries.strings().ofMaxLength(5));
    }
}
