package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.plimsoll.Exit;
import io.plimsoll.testing.Said;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The messages about mistakes: each text in full, with line and column. */
class ScenarioProblemsTest {
    private static final String TOPICS = "topics: [{name: events}]\n";

    private static ScenarioException failure(String yaml, double scale, String... sets) {
        ScenarioException failure = catchThrowableOfType(
                ScenarioException.class, () -> ScenarioReader.read(yaml, "f.yaml", List.of(sets), scale));
        assertThat(failure).as("a failure to read").isNotNull();
        assertThat(failure.exit()).isEqualTo(Exit.USAGE);
        return failure;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        rate: 0/s                     | 2:35 rate: «scenario.noRate¦"0/s"»
        rate: 1000                    | 2:35 rate: «scenario.rateUnit¦1000»
        rate: unlimted                | 2:35 rate: expected a rate such as 50000/s, found "unlimted"; did you mean unlimited?
        rate:                         | 2:34 rate: expected a rate such as 50000/s, 20MB/s, 20MB/s wire, unlimited, {ramp: [1000/s, 50000/s], over: 30s} or {steps: [1000/s, 5000/s], each: 10s}, found nothing
        rate: [1/s]                   | 2:35 rate: expected a rate such as 50000/s, 20MB/s, 20MB/s wire, unlimited, {ramp: [1000/s, 50000/s], over: 30s} or {steps: [1000/s, 5000/s], each: 10s}, found a list
        rate: {ramp: [1/s, 2/s]}      | 2:35 rate: «scenario.missing¦over¦a duration such as 500ms, 15s, 10m or 1h»
        rate: {ramp: [1/s], over: 1s} | 2:42 rate.ramp: «scenario.twoRates»
        rate: {ramp: 1/s, over: 1s}   | 2:42 rate.ramp: expected a list of two rates such as [1000/s, 50000/s], found "1/s"
        rate: {steps: [1/s, 0/s], each: 1s}   | 2:49 rate.steps[1]: «scenario.noRate¦"0/s"»
        rate: {steps: [1/s, 1MB/s], each: 1s} | 2:43 rate.steps: «scenario.mixedUnits»
        rate: {steps: [1/s], over: 1s, each: 1s} | 2:56 rate.over: «scenario.belongsTo¦ramp¦steps»
        rate: {over: 1s}              | 2:35 rate: expected one of the keys ramp, steps or daily
        rate: {daily: {mean: 1/s, amplitude: 2, period: 1h}} | 2:66 rate.daily.amplitude: expected a number from 0 to 1, found "2"
        labels: {2a: x}               | 2:42 labels.2a: «scenario.labelName¦"2a"¦group, trial, phase, quantile»
        labels: {group: x}            | 2:45 labels.group: «scenario.labelName¦"group"¦group, trial, phase, quantile»
        labels: {phase: x}            | 2:45 labels.phase: «scenario.labelName¦"phase"¦group, trial, phase, quantile»
        labels: {team: "a]"}          | 2:44 labels.team: «scenario.labelValue¦"a]"»
        labels: {a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1} | 2:37 labels: «scenario.labelsOfEntry¦8¦9»
        arrivals: poisson             | 2:39 arrivals: «scenario.poissonNeedsRate»
        clients: 0                    | 2:38 clients: expected «scenario.a.count.range¦1¦10000», found "0"
        threads: -3                   | 2:38 threads: expected «scenario.a.count.range¦1¦10000», found "-3"
        threads: many                 | 2:38 threads: expected «scenario.a.wholeSuch¦1», found "many"
        engine: row                   | 2:37 engine: expected client or raw, found "row"; did you mean raw?
        engine: {client: 1}           | 2:37 engine: expected client or raw, found a map
        records: 0                    | 2:38 records: expected «scenario.a.count.least¦1», found "0"
        duration: 30                  | 2:39 duration: «scenario.durationUnit¦30»
        duration: 30s, records: 5     | 2:39 duration: «scenario.boundTwice»
        record: 100                   | 2:37 record: expected a map such as {size: 100}, found "100"
        record: {sise: 100}           | 2:38 record: unknown key "sise"; did you mean size?
        record: {size: -1}            | 2:44 record.size: expected «scenario.a.sizeInBytes.range¦0¦2147483647», found "-1"
        record: {randomBytesRatio: 1.5} | 2:56 record.randomBytesRatio: expected a number from 0 to 1, found "1.5"
        record: {schema: {file: a.avsc, evolve: {file: b.avsc}}} | 2:69 record.schema.evolve: «scenario.missing¦at¦a duration such as 500ms, 15s, 10m or 1h»
        record: {schema: {file: a.avsc, evolve: {at: 1s}}} | 2:69 record.schema.evolve: expected one of the keys file or version
        record: {schema: {file: a.avsc, evolve: {at: 1h, file: b.avsc}}} | 2:46 record.schema: «scenario.notWithin¦1h¦30s»
        record: {key: sequentiel}     | 2:43 record.key: expected «scenario.a.key¦none, sequential, {sequential: true}, {uniform: 1000}, {roundRobin: 1000}, {zipf: {s: 1.1, n: 10000}}, {fixed: "abc"} or {schema: {file: key.avsc}}», found "sequentiel"; did you mean sequential?
        record: {key: {zipf: {s: 0, n: 5}}} | 2:54 record.key.zipf.s: expected «scenario.a.exponent», found "0"
        record: {key: {uniform: 3G, type: int}} | 2:63 record.key.type: «scenario.tooManyIntegers¦2147483648»
        record: {size: {100: 0}}      | 2:50 record.size.100: expected «scenario.a.weight», found "0"
        record: {size: {much: 1}}     | 2:51 record.size.much: expected a size such as 100, 1KB or 1KiB, found "much"
        record: {size: {}}            | 2:44 record.size: «scenario.noSizes»
        record: {pool: 5, payload: constant} | 2:44 record.pool: «scenario.poolNotRandom»
        record: {payload: {files: a.bin}} | 2:55 record.payload.files: expected a list of paths such as [a.bin, b.bin], found "a.bin"
        record: {key: {uniform: 5, type: int, size: 3}} | 2:73 record.key.size: «scenario.sizeOfNumbers»
        record: {key: {fixed: abc, type: int}}  | 2:51 record.key.fixed: expected «scenario.a.wholeSuch¦1», found "abc"
        record: {key: {uniform: 5, fixed: x}}   | 2:43 record.key: «scenario.hasBoth¦uniform and fixed»
        record: {payload: {template: x, delimiter: y}} | 2:72 record.payload.delimiter: «scenario.belongsTo¦file¦template»
        record: {payload: zeros}      | 2:47 record.payload: expected random, letters, constant, {file: data.txt}, {files: [a.bin, b.bin]} or {template: "order ${sequence}"}, found "zeros"
        record: {payload: {template: "a ${between: [2, 1]}"}} | 2:58 record.payload.template: invalid placeholder ${between: [2, 1]} at character 3; valid examples are ${sequence}, ${timestamp}, ${uuid}, ${random:20}, ${padding}, ${between: [1, 5000]}, ${oneOf: {DE: 5, FR: 2}}, ${now: iso} and ${env:NAME}
        record: {headers: {values: {a: "${now: {"}}} | 2:60 record.headers.values.a: «scenario.template.unclosed¦"${"¦1»
        record: {payload: {template: "${padding}${padding}"}} | 2:58 record.payload.template: «scenario.template.padding¦${padding}»
        record: {headers: {keySize: 8}} | 2:47 record.headers: required key count is missing; expected an integer of at least 0
        record: {headers: {keySize: 3}} | 2:47 record.headers: «scenario.missing¦count¦«scenario.a.count.least¦0»»
        record: {size: 1048490}       | 2:44 record.size: «scenario.largerThanRequest¦1048577¦1048576»
        config: {max.request.size: 500}, record: {headers: 30} | 2:70 record: «scenario.largerThanRequest¦1866¦500»
        config: {max.request.size: 3000000}, record: {size: 2MB} | 2:81 record.size: «scenario.largerThanMessage¦2000071¦events¦1048588»
        send: synch                   | 2:35 send: expected async, sync, {sync: {timeout: 100ms}} or {flushEvery: 100}, found "synch"; did you mean sync?
        send: {sync: {timeout: 0s}}   | 2:52 send.sync.timeout: expected «scenario.a.someDuration», found "0s"
        send: {sync: {timeout: -1s}}  | 2:52 send.sync.timeout: expected «scenario.a.durationUpTo», found "-1s"
        send: {sync: {}, flushEvery: 5} | 2:35 send: «scenario.hasBoth¦sync and flushEvery»
        send: {flushEvery: 0}         | 2:48 send.flushEvery: expected «scenario.a.count.least¦1», found "0"
        transactions: {abortRatio: 0.5} | 2:43 transactions: «scenario.transactionsEnd»
        transactions: {records: 5}, threads: 2 | 2:66 threads: «scenario.oneThread»
        config: {transactional.id: a} | 2:56 config.transactional.id: «scenario.idNeedsTransactions»
        clients: 4, transactions: {records: 5}, config: {transactional.id: a} | 2:96 config.transactional.id: «scenario.idOfOneClient¦4»
        config: {acks: 2}             | 2:44 config.acks: expected 0, 1, all or -1, found "2"
        config: {batch.size: 16KB}    | 2:50 config.batch.size: expected «scenario.a.whole», found "16KB"
        config: {linger.ms: [5]}      | 2:49 config.linger.ms: expected a single value such as 5 or all, found a list
        config: {linger.ms: }         | 2:48 config.linger.ms: expected a single value such as 5 or all, found nothing (for empty text write "")
        config: all                   | 2:37 config: expected a map such as {acks: all, linger.ms: 5}, found "(redacted)"
        config: "sasl.jaas.config=x"  | 2:37 config: expected a map such as {acks: all, linger.ms: 5}, found "(redacted)"
        partitions: [0, 1]            | 2:41 partitions: «scenario.noPartition¦events¦1¦1»
        partitions: -1                | 2:41 partitions: expected «scenario.a.count.range¦0¦2147483647», found "-1"
        rats: 5/s                     | 2:29 : unknown key "rats"; did you mean rate?
        """)
    void reportsProducerMistakes(String properties, String expected) {
        String yaml = TOPICS + "producers: [{topic: events, " + properties + "}]\n";
        assertThat(failure(yaml, 1).problems())
                .map(p -> shortForm(p, "producers[0]"))
                .containsExactly(Said.text(expected));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        groups: 0                 | 3:37 groups: expected «scenario.a.count.range¦1¦10000», found "0"
        start: late               | 3:36 start: expected earliest, latest, {after: produce}, {backlog: 10m}, {offset: 1000}, {timestamp: 2026-01-31T12:00:00Z} or {rewind: 0}, found "late"
        start: {after: consume}   | 3:44 start.after: expected produce, found "consume"
        start: {after: produce, backlog: 1m} | 3:36 start: «scenario.hasBoth¦after and backlog»
        start: {backlog: 1m}      | 3:36 start: «scenario.backlogTooLong¦1m¦30s»
        start: {backlog: 5}       | 3:46 start.backlog: expected a duration such as 10m, or an amount of data such as 500MB, found "5"
        start: {backlog: 5XB}     | 3:46 start.backlog: expected a duration such as 10m, or an amount of data such as 500MB, found "5XB"
        start: {backlog: 0MB}     | 3:46 start.backlog: expected «scenario.a.sizeInBytes.least¦1», found "0MB"
        start: {rewind: 5}        | 3:45 start.rewind: expected «scenario.a.rewind¦2026-01-31T12:00:00Z», found "5"
        start: {rewind: yesterday, backlog: 1s} | 3:45 start.rewind: expected «scenario.a.rewind¦2026-01-31T12:00:00Z», found "yesterday"
        commit: {sync: {}}        | 3:44 commit.sync: «scenario.missing¦every¦«scenario.a.count.least¦1»»
        commit: manual            | 3:37 commit: expected auto, none, {sync: {every: 1}} or {async: {every: 1000}}, found "manual"
        idleTimeout: 10           | 3:42 idleTimeout: «scenario.durationUnit¦10»
        """)
    void reportsConsumerMistakes(String properties, String expected) {
        String yaml = TOPICS + "producers: [{topic: events}]\nconsumers: [{topic: events, " + properties + "}]\n";
        assertThat(failure(yaml, 1).problems())
                .map(p -> shortForm(p, "consumers[0]"))
                .containsExactly(Said.text(expected));
    }

    private static String shortForm(Problem problem, String parent) {
        assertThat(problem.at().where()).isEqualTo("f.yaml");
        assertThat(problem.path()).startsWith(parent);
        String path = problem.path().substring(parent.length()).replaceFirst("^\\.", "");
        return problem.at().line() + ":" + problem.at().column() + " " + path + ": " + problem.message();
    }

    @ParameterizedTest
    @MethodSource("files")
    void reportsFileMistakes(String yaml, List<String> expected) {
        assertThat(failure(yaml, 1).getMessage().lines()).containsExactlyElementsOf(expected);
    }

    private static String known(KeyShape.Section section) {
        return String.join(", ", section.keys().keySet());
    }

    private static Arguments file(String yaml, String... expected) {
        return arguments(yaml, List.of(expected));
    }

    static Stream<Arguments> files() {
        String produce = "producers: [{topic: events}]\n";
        return Stream.of(
                file(
                        "topics: [{name: events, existing: true, keep: true}]\n" + produce,
                        Said.text("f.yaml:1:47: topics[0].keep: «scenario.existingIsKept»")),
                file(
                        TOPICS + produce + "defaults: kafka-2\n",
                        "f.yaml:3:11: defaults: expected kafka-2.x, kafka-3.x or kafka-4.x, found \"kafka-2\"; did you"
                                + " mean kafka-2.x?"),
                file(
                        TOPICS + produce + "reference: [1]\n",
                        "f.yaml:3:12: reference: expected a map such as {source: a paper, tables: [{title: Latency}]},"
                                + " found a list"),
                file(
                        TOPICS + produce + "reference: {tables: 5}\n",
                        "f.yaml:3:21: reference.tables: expected a list such as [{columns: {\"p99 ms\":"
                                + " produce.response.p99 in ms}, rows: [{trial: slow, values: [20.5]}]}], found \"5\""),
                file(
                        TOPICS + produce + """
                            name: it
                            reference:
                              sauce: x
                              tables:
                                - {title: empty}
                                - columns: {a: txt, b: produce.respons.p99 in ms, c: produce.response.p99 in MB/s, d: }
                                  rows:
                                    - {trial: itt, values: [1, 2, 3, 4]}
                                    - {trial: it, values: [1]}
                                    - {values: 5}
                            """,
                        "f.yaml:5:3: reference: unknown key \"sauce\"; did you mean source?",
                        "f.yaml:7:7: reference.tables[0]: a table needs columns, such as {records: text, \"p99 ms\":"
                                + " produce.response.p99 in ms}",
                        Said.text(
                                "f.yaml:8:20: reference.tables[1].columns: expected «scenario.a.column», found \"txt\""),
                        Said.text(
                                "f.yaml:8:28: reference.tables[1].columns: expected «scenario.a.column», found \"produce.respons.p99 in ms\"; did you mean produce.response.p99?"),
                        Said.text(
                                "f.yaml:8:58: reference.tables[1].columns: «scenario.noUnit¦produce.response.p99¦\"MB/s\"¦min, ms, s»"),
                        Said.text(
                                "f.yaml:8:90: reference.tables[1].columns: expected «scenario.a.column», found nothing"),
                        Said.text(
                                "f.yaml:10:19: reference.tables[1].rows[0].trial: «scenario.noTrial¦\"itt\"¦; did you mean it?»"),
                        "f.yaml:11:31: reference.tables[1].rows[1].values: the row has 1 value for 4 columns",
                        Said.text(
                                "f.yaml:12:11: reference.tables[1].rows[2]: «scenario.missing¦trial¦the name of a trial»"),
                        Said.text(
                                "f.yaml:12:20: reference.tables[1].rows[2].values: expected «scenario.a.columnValues», found \"5\"")),
                file("", Said.text("f.yaml: expected «scenario.a.scenario», found nothing")),
                file("# nothing\n", Said.text("f.yaml: expected «scenario.a.scenario», found nothing")),
                file("[1]", Said.text("f.yaml:1:1: expected «scenario.a.scenario», found a list")),
                file(
                        "a: [",
                        Said.text(
                                "f.yaml:1:5: «scenario.unreadable¦«scenario.yaml.expected_the_node_content_but_found¦'<stream end>'»»")),
                file(
                        "a: b\n\tc: d",
                        Said.text(
                                "f.yaml:2:1: «scenario.unreadable¦«scenario.yaml.found_character_that_cannot_start_any_token_Do_not_use_for_indentation¦'\\t(TAB)'¦\\t(TAB)»»")),
                file("a: b\nc: \u0001", Said.text("f.yaml:2:4: «scenario.character¦U+0001»")),
                file(
                        "a: 1\n---\nb: 1",
                        Said.text(
                                "f.yaml:2:1: «scenario.unreadable¦«scenario.yaml.expected_a_single_document_in_the_stream_but_found_another_document»»")),
                file("name: \"\\x", Said.text("f.yaml: «scenario.endsInEscape»")),
                file("[".repeat(5000), Said.text("f.yaml:1:61: «scenario.tooDeep¦60»")),
                file("&a [*a]", Said.text("f.yaml: «scenario.aliases¦200000»")),
                file(
                        TOPICS + produce + "matrix: {producers[0].rate: [1/s]}",
                        Said.text("f.yaml:3:19: «scenario.unreadableBraces¦expected ',' or '}', found [»")),
                file(
                        TOPICS + produce + "audit: !!binary aGVsbG8=",
                        Said.text("f.yaml:3:8: audit: «scenario.tag¦\"tag:yaml.org,2002:binary\"»"),
                        "f.yaml:3:8: audit: expected true or false, found \"aGVsbG8=\""),
                file(TOPICS + produce + "? [a]\n: b", Said.text("f.yaml:3:3: «scenario.noName»")),
                file(TOPICS + produce + "wramup: 5s", "f.yaml:3:1: unknown key \"wramup\"; did you mean warmup?"),
                file(
                        TOPICS + produce + "colour: red",
                        "f.yaml:3:1: unknown key \"colour\"; valid here: " + known(Scenario.ALL)),
                file(
                        TOPICS + produce + "consumers: [{topic: events, rate: 5/s}]",
                        "f.yaml:3:29: consumers[0]: unknown key \"rate\"; valid here: " + known(ConsumerSpec.ALL)),
                file(
                        TOPICS + produce + "duration: 5s\nduration: 6s",
                        Said.text("f.yaml:4:1: duration: «scenario.givenTwice¦«scenario.firstInLine¦3»»")),
                file(TOPICS + produce + "audit: yes", "f.yaml:3:8: audit: expected true or false, found \"yes\""),
                file(
                        TOPICS + produce + "duration: 0s",
                        Said.text("f.yaml:3:11: duration: expected «scenario.a.someDuration», found \"0s\"")),
                file(
                        TOPICS + produce + "name: my test",
                        Said.text("f.yaml:3:7: name: expected «scenario.a.directoryName», found \"my test\"")),
                file(
                        TOPICS + produce + "faults: {at: 10s, kill: 1}",
                        "f.yaml:3:9: faults: expected a list such as [{at: 10s, kill: leader of events-0, restartAfter:"
                                + " 5s}], found a map"),
                file(
                        TOPICS + produce + "checks: audit.lost == 0",
                        "f.yaml:3:9: checks: expected a list such as [\"produce.response.p99 < 50ms\"], found"
                                + " \"audit.lost == 0\""),
                file(
                        TOPICS + produce + "checks: [audit.last == 0, consume.errors == 0, [x]]",
                        "f.yaml:3:10: checks[0]: unknown figure \"audit.last\"; did you mean audit.lost?",
                        Said.text("f.yaml:3:27: checks[1]: «scenario.notMeasured¦consume.errors¦consumers»"),
                        "f.yaml:3:48: checks[2]: expected a single value such as 5 or all, found a list"),
                file(
                        TOPICS
                                + "producers: [{topic: events, labels: {team: payments}}]\nconsumers: [{topic: events}]\n"
                                + "checks: ['produce[team=paymnts].errors == 0', 'consume[\"consumers-1\"].lag == 0',"
                                + " 'consume[team=payments].lag == 0']",
                        Said.text("f.yaml:4:10: checks[0]: "
                                + "«scenario.noLabel¦producers¦team=paymnts¦«scenario.didYouMean¦team=payments»»"),
                        Said.text(
                                "f.yaml:4:47: checks[1]: "
                                        + "«scenario.noLabel¦consumers¦group=consumers-1¦«scenario.didYouMean¦group=consumers-0»»"),
                        Said.text("f.yaml:4:82: checks[2]: "
                                + "«scenario.noLabel¦consumers¦team=payments¦«scenario.knownHere¦group=consumers-0»»")),
                file(
                        TOPICS + produce + "matrix: {duration: [5s, 6s]}\nchecks: [trials.none.produce.errors == 0]",
                        Said.text("f.yaml:4:10: checks[0]: "
                                + "«scenario.noTrial¦\"none\"¦«scenario.knownHere¦duration=5s, duration=6s»»")),
                file(
                        produce,
                        Said.text(
                                "f.yaml:1:1: «scenario.missing¦topics¦a list such as [{name: events, partitions: 6}]»")),
                file(TOPICS, Said.text("f.yaml:1:1: «scenario.noLoad»")),
                file("topics: []\n" + produce, "f.yaml:1:9: topics: expected at least one topic, found an empty list"),
                file(
                        "topics: events\n" + produce,
                        "f.yaml:1:9: topics: expected a list such as [{name: events, partitions: 6}], found"
                                + " \"events\""),
                file(
                        "topics:\n  - {nam: events}\n" + produce,
                        Said.text("f.yaml:2:5: topics[0]: «scenario.missing¦name¦«scenario.a.topic»»"),
                        "f.yaml:2:6: topics[0]: unknown key \"nam\"; did you mean name?"),
                file(
                        "topics:\n  - {name: events, partitions: 0, replication: 40000}\n" + produce,
                        Said.text(
                                "f.yaml:2:32: topics[0].partitions: expected «scenario.a.count.range¦1¦200000», found \"0\""),
                        Said.text(
                                "f.yaml:2:48: topics[0].replication: expected «scenario.a.count.range¦1¦32767», found \"40000\"")),
                file(
                        "topics: [{name: events}, {name: \"events[3-1]\"}, {name: a b}, {name: events}]\n" + produce,
                        Said.text(
                                "f.yaml:1:33: topics[1].name: expected «scenario.a.range¦200000», found \"events[3-1]\""),
                        Said.text("f.yaml:1:56: topics[2].name: expected «scenario.a.legalTopic», found \"a b\""),
                        Said.text("f.yaml:1:69: topics[3].name: «scenario.topicTwice¦\"events\"»")),
                file(
                        TOPICS + "producers: [{rate: 1/s}, 5]\nconsumers: [{topic: [evnts, prices, events, events]}]",
                        Said.text("f.yaml:2:13: producers[0]: «scenario.missing¦topic¦«scenario.a.topics»»"),
                        "f.yaml:2:26: producers[1]: expected a map such as {topic: events, rate: 1000/s}, found \"5\"",
                        Said.text(
                                "f.yaml:3:22: consumers[0].topic[0]: «scenario.noTopicNear¦\"evnts\"¦; did you mean events?»"),
                        Said.text("f.yaml:3:29: consumers[0].topic[1]: «scenario.noTopic¦\"prices\"¦»"),
                        Said.text("f.yaml:3:45: consumers[0].topic[3]: «scenario.namedTwice¦\"events\"»")),
                file(
                        TOPICS + "consumers: [{kind: pipeline, topic: events, output: prices}]",
                        Said.text("f.yaml:2:53: consumers[0].output: «load.pipelineOutputUnknown¦prices»")),
                file(
                        TOPICS + "consumers: [{topic: events, start: {after: produce}}]",
                        "f.yaml:2:36: consumers[0].start: this start waits for producers, but the scenario has none; use"
                                + " earliest"),
                file(
                        "topics: [{name: events, config: {max.message.bytes: 100}}]\nproducers: [{topic: events,"
                                + " record: {size: 32}}, {topic: events, record: {size: 33}}]",
                        Said.text(
                                "f.yaml:2:81: producers[1].record.size: «scenario.largerThanMessage¦101¦events¦100»")),
                file(
                        TOPICS + produce
                                + "matrix: {producer.rate: [1/s], topics.partitions: 3, duration: [], warmup: [1s, 1s],"
                                + " producers.config.ssl.key.password: [a, b], trials: [1]}",
                        "f.yaml:3:10: matrix.producer.rate: unknown key producer; did you mean producers?",
                        "f.yaml:3:51: matrix.topics.partitions: expected a list of values such as [1, 3], found \"3\"",
                        Said.text(
                                "f.yaml:3:64: matrix.duration: expected a list of values such as [1, 3], found «scenario.anEmptyOne»"),
                        Said.text("f.yaml:3:81: matrix.warmup: «scenario.valueTwice¦\"1s\"»"),
                        Said.text("f.yaml:3:86: matrix.producers.config.ssl.key.password: «scenario.secretVaried»"),
                        Said.text("f.yaml:3:129: matrix.trials: «scenario.sameInAllTrials¦trials»")),
                file(
                        TOPICS + produce + "trials: [{name: a, duration: 5s}, {name: b, durations: 5s}]",
                        Said.text(
                                "f.yaml:3:20: trials[0]: «scenario.unknownKey¦\"duration\"¦«scenario.didYouMean¦set.duration»»"),
                        Said.text(
                                "f.yaml:3:45: trials[1]: «scenario.unknownKey¦\"durations\"¦«scenario.knownHere¦name, set»»")),
                file(
                        TOPICS + "producers: [{topic: events, acks: 1, batch.size: 5}]",
                        Said.text(
                                "f.yaml:2:29: producers[0]: «scenario.unknownKey¦\"acks\"¦«scenario.didYouMean¦config.acks»»"),
                        Said.text(
                                "f.yaml:2:38: producers[0]: «scenario.unknownKey¦\"batch.size\"¦«scenario.didYouMean¦config.batch.size»»")),
                file(
                        TOPICS + produce + "matrix: {producers.rate: [1/s, 0/s]}",
                        Said.text("f.yaml:3:32: producers[0].rate: «scenario.noRate¦\"0/s\"»")),
                file(
                        TOPICS + produce
                                + "trials: [{set: {}}, {name: a}, {name: a}, {name: b, set: {\"producers[1].rate\":"
                                + " 1/s, consumers.groups: 2, topics.name.x: 2, duration.: 1s}}]",
                        Said.text("f.yaml:3:10: trials[0]: «scenario.missing¦name¦a name such as slow»"),
                        Said.text("f.yaml:3:39: trials[2].name: «scenario.twoTrials¦\"a\"»"),
                        Said.text(
                                "f.yaml:3:59: trials[3].set.producers[1].rate: «scenario.noEntry¦producers¦1¦producers[1]»"),
                        Said.text("f.yaml:3:85: trials[3].set.consumers.groups: «scenario.nothingToSetIn¦consumers»"),
                        Said.text("f.yaml:3:106: trials[3].set.topics.name.x: «scenario.nothingBelow¦topics.name»"),
                        Said.text("f.yaml:3:124: trials[3].set.duration.: «scenario.unreadablePath¦duration.¦\".\"»")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        x                              | --set x: expected path=value, for example --set producers[0].rate=1000/s
        =5                             | --set =5: «scenario.emptyPath»
        producers[0].rte=1/s           | --set producers[0].rte=1/s: unknown key producers[0].rte; did you mean producers[0].rate?
        producers[0].recordSize=1KB    | --set producers[0].recordSize=1KB: unknown key producers[0].recordSize; did you mean producers[0].record.size?
        producers.linger.ms=5          | --set producers.linger.ms=(redacted): unknown key producers.linger; did you mean producers.config.linger.ms?
        rate=5/s                       | --set rate=5/s: unknown key rate; did you mean producers.rate or connections.rate?
        colour=red                     | --set colour=red: unknown key colour«scenario.knownHere¦name, about, aboutZh, topics, producers, consumers, connections, duration, warmup, audit, checks, guards, abortOnFail, compare, fleet, observe, lab, faults, trials, matrix, reference, defaults»
        producers[7].rate=1/s          | --set producers[7].rate=1/s: «scenario.noEntry¦producers¦1¦producers[7]»
        producers[x].rate=1/s          | --set producers[x].rate=1/s: «scenario.noIndex¦producers[x].rate»
        producers[0]rate=1/s           | --set producers[0]rate=1/s: «scenario.unreadablePath¦producers[0]rate¦"rate"»
        consumers.members=2            | --set consumers.members=2: «scenario.nothingToSetIn¦consumers»
        producers[0].send.sync.timeout=1s | --set producers[0].send.sync.timeout=1s: producers[0].send is "async" and has no keys; set producers[0].send as a whole
        producers[0].rate=0/s          | --set producers[0].rate=0/s: producers[0].rate: «scenario.noRate¦"0/s"»
        producers[0].rate={ramp: [1/s  | --set producers[0].rate={ramp: [1/s: «scenario.unreadable¦expected ',' or ']', found <stream end>»
        producers.config.sasl.jaas.config={a | --set producers.config.sasl.jaas.config=(redacted): «scenario.unreadable¦expected ',' or '}', found <stream end>»
        producers.config={ssl.key.password: open, linger.ms: [1]} | --set producers.config={ssl.key.password: (redacted), linger.ms: [1]}: producers[0].config.linger.ms: expected a single value such as 5 or all, found a list
        matrix.duration[0]=5s          | --set matrix.duration[0]=5s: matrix.duration[0]: expected a list of values such as [1, 3], found "5s"
        """)
    void reportsOverrideMistakes(String expression, String expected) {
        String yaml = TOPICS + "producers: [{topic: events, send: async}]\n";
        assertThat(failure(yaml, 1, expression)).hasMessage(Said.text(expected));
    }

    @Test
    void refusesOverridingPartOfMatrixKey() {
        String yaml =
                TOPICS + "producers: [{topic: events}, {topic: events}]\nmatrix: {producers.config.acks: [1, all]}";
        assertThat(failure(yaml, 1, "producers[1].config.acks=0"))
                .hasMessage(Said.text(
                        "--set producers[1].config.acks=0: «scenario.partOfOverridden¦matrix¦producers.config.acks»"));
    }

    @Test
    void refusesInvalidScale() {
        String yaml = TOPICS + "producers: [{topic: events}]\n";
        for (double scale : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThat(failure(yaml, scale)).hasMessage(Said.text("--scale: «scenario.scale»") + scale);
        }
    }

    @Test
    void reportsMistakeSharedByTrialsOnce() {
        String yaml = TOPICS + "producers: [{topic: events, clients: 0}]\nmatrix: {duration: [1s, 2s, 3s]}";
        assertThat(failure(yaml, 1).problems()).hasSize(1);
    }

    @Test
    void shortensLongTextAndEscapesUnprintable() {
        String yaml = TOPICS + "producers: [{topic: events, engine: \"" + "x".repeat(300) + "\"}]\naudit: \"a\\nb\"\n";
        assertThat(failure(yaml, 1).getMessage().lines())
                .containsExactly(
                        "f.yaml:2:37: producers[0].engine: expected client or raw, found \"" + "x".repeat(60) + "…\"",
                        "f.yaml:3:8: audit: expected true or false, found \"a\\u000ab\"");
    }

    @Test
    void allowsLargeRecordsForExistingTopics() {
        String yaml = "topics: [{name: events, existing: true}]\nproducers: [{topic: events, record: {size: 2MB},"
                + " config: {max.request.size: 3000000}}]\n";
        assertThat(ScenarioReader.read(yaml, "f", List.of(), 1).trials()).hasSize(1);
    }
}
