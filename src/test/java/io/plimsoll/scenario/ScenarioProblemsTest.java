package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.plimsoll.Exit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a user reads who made a mistake: each text in full, with line and column. */
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
        rate: 0/s                     | 2:35 rate: expected a rate of more than 0, found "0/s"; for no limit write unlimited
        rate: 1000                    | 2:35 rate: a rate needs its unit: write 1000/s for records per second, or bytes per second such as 20MB/s
        rate: unlimted                | 2:35 rate: expected a rate such as 50000/s, found "unlimted"; did you mean unlimited?
        rate:                         | 2:34 rate: expected a rate such as 50000/s, 20MB/s, 20MB/s wire, unlimited, {ramp: [1000/s, 50000/s], over: 30s} or {steps: [1000/s, 5000/s], each: 10s}, found nothing
        rate: [1/s]                   | 2:35 rate: expected a rate such as 50000/s, 20MB/s, 20MB/s wire, unlimited, {ramp: [1000/s, 50000/s], over: 30s} or {steps: [1000/s, 5000/s], each: 10s}, found a list
        rate: {ramp: [1/s, 2/s]}      | 2:35 rate: the key over is missing; expected a duration such as 500ms, 15s, 10m or 1h
        rate: {ramp: [1/s], over: 1s} | 2:42 rate.ramp: expected two rates such as [1000/s, 50000/s], at least one of them more than 0
        rate: {ramp: 1/s, over: 1s}   | 2:42 rate.ramp: expected a list of two rates such as [1000/s, 50000/s], found "1/s"
        rate: {steps: [1/s, 0/s], each: 1s}   | 2:49 rate.steps[1]: expected a rate of more than 0, found "0/s"; for no limit write unlimited
        rate: {steps: [1/s, 1MB/s], each: 1s} | 2:43 rate.steps: mixes units; give all of its rates in records, in bytes, or in wire bytes per second
        rate: {steps: [1/s], over: 1s, each: 1s} | 2:56 rate.over: belongs to ramp, not to steps
        rate: {over: 1s}              | 2:35 rate: expected one of the keys ramp, steps or daily
        rate: {daily: {mean: 1/s, amplitude: 2, period: 1h}} | 2:66 rate.daily.amplitude: expected a number from 0 to 1, found "2"
        arrivals: poisson             | 2:39 arrivals: poisson arrivals need a rate, for example rate: 1000/s
        clients: 0                    | 2:38 clients: expected a whole number from 1 to 10000, found "0"
        threads: -3                   | 2:38 threads: expected a whole number from 1 to 10000, found "-3"
        threads: many                 | 2:38 threads: expected a whole number such as 1, found "many"
        engine: row                   | 2:37 engine: expected client or raw, found "row"; did you mean raw?
        engine: {client: 1}           | 2:37 engine: expected client or raw, found a map
        records: 0                    | 2:38 records: expected a whole number of 1 or more, found "0"
        duration: 30                  | 2:39 duration: a duration needs its unit: 30 could be milliseconds, seconds or minutes; write 30s for seconds
        duration: 30s, records: 5     | 2:39 duration: a producer is bound by records or by duration; remove one of them
        record: 100                   | 2:37 record: expected a map such as {size: 100}, found "100"
        record: {sise: 100}           | 2:38 record: unknown key "sise"; did you mean size?
        record: {size: -1}            | 2:44 record.size: expected a size in bytes from 0 to 2147483647, found "-1"
        record: {randomBytesRatio: 1.5} | 2:56 record.randomBytesRatio: expected a number from 0 to 1, found "1.5"
        record: {key: sequentiel}     | 2:43 record.key: expected none, sequential, {sequential: true}, {uniform: 1000}, {roundRobin: 1000}, {zipf: {s: 1.1, n: 10000}} or {fixed: "abc"}, each map with an optional type, found "sequentiel"; did you mean sequential?
        record: {key: {zipf: {s: 0, n: 5}}} | 2:54 record.key.zipf.s: expected a number more than 0 such as 1.1, found "0"
        record: {key: {uniform: 3G, type: int}} | 2:63 record.key.type: there are 2147483648 keys of type int; lower their number or write type: bytes
        record: {size: {100: 0}}      | 2:50 record.size.100: expected a weight of more than 0, found "0"
        record: {size: {much: 1}}     | 2:51 record.size.much: expected a size such as 100, 1KB or 1KiB, found "much"
        record: {size: {}}            | 2:44 record.size: expected sizes and their weights such as {100: 9, 1KB: 1}
        record: {pool: 5, payload: constant} | 2:44 record.pool: is for random values; remove it or write payload: random
        record: {payload: {files: a.bin}} | 2:55 record.payload.files: expected a list of paths such as [a.bin, b.bin], found "a.bin"
        record: {key: {uniform: 5, type: int, size: 3}} | 2:73 record.key.size: is for numbers of type string; remove it
        record: {key: {fixed: abc, type: int}}  | 2:51 record.key.fixed: expected a whole number such as 1, found "abc"
        record: {key: {uniform: 5, fixed: x}}   | 2:43 record.key: has both uniform and fixed; keep one of them
        record: {payload: {template: x, delimiter: y}} | 2:72 record.payload.delimiter: belongs to file, not to template
        record: {payload: zeros}      | 2:47 record.payload: expected random, letters, constant, {file: data.txt}, {files: [a.bin, b.bin]} or {template: "order ${sequence}"}, found "zeros"
        record: {headers: {keySize: 3}} | 2:47 record.headers: the key count is missing; expected a whole number of 0 or more
        record: {size: 1048490}       | 2:44 record.size: a record takes 1048577 bytes with its batch header, more than the producer's max.request.size of 1048576; raise it in config or make the record smaller
        config: {max.request.size: 500}, record: {headers: 30} | 2:70 record: a record takes 1866 bytes with its batch header, more than the producer's max.request.size of 500; raise it in config or make the record smaller
        config: {max.request.size: 3000000}, record: {size: 2MB} | 2:81 record.size: a record takes 2000071 bytes with its batch header, more than the max.message.bytes of topic events, which is 1048588; raise it in the topic's config or make the record smaller
        send: synch                   | 2:35 send: expected async, sync, {sync: {timeout: 100ms}} or {flushEvery: 100}, found "synch"; did you mean sync?
        send: {sync: {timeout: 0s}}   | 2:52 send.sync.timeout: expected a duration of more than 0, found "0s"
        send: {sync: {timeout: -1s}}  | 2:52 send.sync.timeout: expected a duration between 0 and 3650d, found "-1s"
        send: {sync: {}, flushEvery: 5} | 2:35 send: has both sync and flushEvery; keep one of them
        send: {flushEvery: 0}         | 2:48 send.flushEvery: expected a whole number of 1 or more, found "0"
        transactions: {abortRatio: 0.5} | 2:43 transactions: expected every or records, which say when a transaction ends, such as {records: 1000}
        transactions: {records: 5}, threads: 2 | 2:66 threads: a client with transactions has one sending thread; for more threads give more clients
        config: {acks: 2}             | 2:44 config.acks: expected 0, 1, all or -1, found "2"
        config: {batch.size: 16KB}    | 2:50 config.batch.size: expected a whole number, found "16KB"
        config: {linger.ms: [5]}      | 2:49 config.linger.ms: expected a single value such as 5 or all, found a list
        config: {linger.ms: }         | 2:48 config.linger.ms: expected a single value such as 5 or all, found nothing (write "" for an empty text)
        config: all                   | 2:37 config: expected a map such as {acks: all, linger.ms: 5}, found "(redacted)"
        config: "sasl.jaas.config=x"  | 2:37 config: expected a map such as {acks: all, linger.ms: 5}, found "(redacted)"
        partitions: [0, 1]            | 2:41 partitions: topic events has 1 partition, numbered from 0, so there is no events-1
        partitions: -1                | 2:41 partitions: expected a whole number from 0 to 2147483647, found "-1"
        rats: 5/s                     | 2:29 : unknown key "rats"; did you mean rate?
        """)
    void ofAProducer(String properties, String expected) {
        String yaml = TOPICS + "producers: [{topic: events, " + properties + "}]\n";
        assertThat(failure(yaml, 1).problems())
                .map(p -> shortForm(p, "producers[0]"))
                .containsExactly(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        groups: 0                 | 3:37 groups: expected a whole number from 1 to 10000, found "0"
        start: late               | 3:36 start: expected earliest, latest, {after: produce}, {backlog: 10m}, {offset: 1000}, {timestamp: 2026-01-31T12:00:00Z} or {rewind: 0}, found "late"
        start: {after: consume}   | 3:44 start.after: expected produce, found "consume"
        start: {after: produce, backlog: 1m} | 3:36 start: has both after and backlog; keep one of them
        start: {backlog: 1m}      | 3:36 start: the backlog grows for 1m, and producing ends after 30s; make the duration longer or the backlog shorter
        start: {backlog: 5}       | 3:46 start.backlog: expected a duration such as 10m, or an amount of data such as 500MB, found "5"
        start: {backlog: 5XB}     | 3:46 start.backlog: expected a duration such as 10m, or an amount of data such as 500MB, found "5XB"
        start: {backlog: 0MB}     | 3:46 start.backlog: expected a size in bytes of 1 or more, found "0MB"
        start: {rewind: 5}        | 3:45 start.rewind: expected 0 (the beginning) or a time such as 2026-01-31T12:00:00Z, found "5"
        start: {rewind: yesterday, backlog: 1s} | 3:45 start.rewind: expected 0 (the beginning) or a time such as 2026-01-31T12:00:00Z, found "yesterday"
        commit: {sync: {}}        | 3:44 commit.sync: the key every is missing; expected a whole number of 1 or more
        commit: manual            | 3:37 commit: expected auto, none, {sync: {every: 1}} or {async: {every: 1000}}, found "manual"
        idleTimeout: 10           | 3:42 idleTimeout: a duration needs its unit: 10 could be milliseconds, seconds or minutes; write 10s for seconds
        """)
    void ofAConsumer(String properties, String expected) {
        String yaml = TOPICS + "producers: [{topic: events}]\nconsumers: [{topic: events, " + properties + "}]\n";
        assertThat(failure(yaml, 1).problems())
                .map(p -> shortForm(p, "consumers[0]"))
                .containsExactly(expected);
    }

    private static String shortForm(Problem problem, String parent) {
        assertThat(problem.at().where()).isEqualTo("f.yaml");
        assertThat(problem.path()).startsWith(parent);
        String path = problem.path().substring(parent.length()).replaceFirst("^\\.", "");
        return problem.at().line() + ":" + problem.at().column() + " " + path + ": " + problem.message();
    }

    @ParameterizedTest
    @MethodSource("files")
    void ofAFile(String yaml, List<String> expected) {
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
                        "f.yaml:1:47: topics[0].keep: a topic that exists already is always kept; remove keep"),
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
                        "f.yaml:8:20: reference.tables[1].columns: expected text (only quoted) or a figure with its"
                                + " unit such as \"produce.response.p99 in ms\", found \"txt\"",
                        "f.yaml:8:28: reference.tables[1].columns: expected text (only quoted) or a figure with its"
                                + " unit such as \"produce.response.p99 in ms\", found \"produce.respons.p99 in ms\"; did"
                                + " you mean produce.response.p99?",
                        "f.yaml:8:58: reference.tables[1].columns: produce.response.p99 has no unit \"MB/s\"; give one"
                                + " of min, ms, s",
                        "f.yaml:8:90: reference.tables[1].columns: expected text (only quoted) or a figure with its"
                                + " unit such as \"produce.response.p99 in ms\", found nothing",
                        "f.yaml:10:19: reference.tables[1].rows[0].trial: there is no trial \"itt\"; did you mean it?",
                        "f.yaml:11:31: reference.tables[1].rows[1].values: has 1 value for 4 columns",
                        "f.yaml:12:11: reference.tables[1].rows[2]: the key trial is missing; expected the name of a"
                                + " trial",
                        "f.yaml:12:20: reference.tables[1].rows[2].values: expected a list with one value a column,"
                                + " found \"5\""),
                file("", "f.yaml: expected a map with the keys topics, producers, consumers and others, found nothing"),
                file(
                        "# nothing\n",
                        "f.yaml: expected a map with the keys topics, producers, consumers and others, found nothing"),
                file(
                        "[1]",
                        "f.yaml:1:1: expected a map with the keys topics, producers, consumers and others, found a"
                                + " list"),
                file("a: [", "f.yaml:1:5: cannot be read as YAML: expected the node content, but found '<stream end>'"),
                file(
                        "a: b\n\tc: d",
                        "f.yaml:2:1: cannot be read as YAML: found character '\\t(TAB)' that cannot start any token."
                                + " (Do not use \\t(TAB) for indentation)"),
                file("a: b\nc: \u0001", "f.yaml:2:4: cannot be read as YAML: the character U+0001 is not allowed"),
                file(
                        "a: 1\n---\nb: 1",
                        "f.yaml:2:1: cannot be read as YAML: expected a single document in the stream, but found"
                                + " another document"),
                file("name: \"\\x", "f.yaml: cannot be read as YAML: it ends within an escape such as \\x41"),
                file("[".repeat(5000), "f.yaml:1:61: cannot be read as YAML: nested more than 60 levels deep"),
                file(
                        "&a [*a]",
                        "f.yaml: cannot be read as YAML: an alias contains itself, or aliases expand to more than"
                                + " 200000 values"),
                file(
                        TOPICS + produce + "matrix: {producers[0].rate: [1/s]}",
                        "f.yaml:3:19: cannot be read as YAML: expected ',' or '}', but got [; inside braces, names with"
                                + " brackets need quotes, such as \"producers[0].rate\""),
                file(
                        TOPICS + produce + "audit: !!binary aGVsbG8=",
                        "f.yaml:3:8: audit: has the YAML tag \"tag:yaml.org,2002:binary\", which is not supported;"
                                + " remove it",
                        "f.yaml:3:8: audit: expected true or false, found \"aGVsbG8=\""),
                file(
                        TOPICS + produce + "? [a]\n: b",
                        "f.yaml:3:3: expected a name before the colon, found something that is not text"),
                file(TOPICS + produce + "wramup: 5s", "f.yaml:3:1: unknown key \"wramup\"; did you mean warmup?"),
                file(
                        TOPICS + produce + "colour: red",
                        "f.yaml:3:1: unknown key \"colour\"; known here: " + known(ScenarioKeys.ALL)),
                file(
                        TOPICS + produce + "consumers: [{topic: events, rate: 5/s}]",
                        "f.yaml:3:29: consumers[0]: unknown key \"rate\"; known here: " + known(ConsumerKeys.ALL)),
                file(
                        TOPICS + produce + "duration: 5s\nduration: 6s",
                        "f.yaml:4:1: duration: is given twice (first in line 3); keep one of them"),
                file(TOPICS + produce + "audit: yes", "f.yaml:3:8: audit: expected true or false, found \"yes\""),
                file(
                        TOPICS + produce + "duration: 0s",
                        "f.yaml:3:11: duration: expected a duration of more than 0, found \"0s\""),
                file(
                        TOPICS + produce + "name: my test",
                        "f.yaml:3:7: name: expected a name of up to 100 letters, digits, dots, dashes and underscores,"
                                + " because it names a directory, found \"my test\""),
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
                        "f.yaml:3:27: checks[1]: consume.errors is not measured, because the scenario has no consumers",
                        "f.yaml:3:48: checks[2]: expected a single value such as 5 or all, found a list"),
                file(
                        produce,
                        "f.yaml:1:1: the key topics is missing; expected a list such as [{name: events, partitions:"
                                + " 6}]"),
                file(
                        TOPICS,
                        "f.yaml:1:1: the scenario has neither producers nor consumers nor connections; give at least one of them"),
                file("topics: []\n" + produce, "f.yaml:1:9: topics: expected at least one topic, found an empty list"),
                file(
                        "topics: events\n" + produce,
                        "f.yaml:1:9: topics: expected a list such as [{name: events, partitions: 6}], found"
                                + " \"events\""),
                file(
                        "topics:\n  - {nam: events}\n" + produce,
                        "f.yaml:2:5: topics[0]: the key name is missing; expected a topic's name, or a pattern such as"
                                + " events-[1-10]",
                        "f.yaml:2:6: topics[0]: unknown key \"nam\"; did you mean name?"),
                file(
                        "topics:\n  - {name: events, partitions: 0, replication: 40000}\n" + produce,
                        "f.yaml:2:32: topics[0].partitions: expected a whole number from 1 to 200000, found \"0\"",
                        "f.yaml:2:48: topics[0].replication: expected a whole number from 1 to 32767, found \"40000\""),
                file(
                        "topics: [{name: events}, {name: \"events[3-1]\"}, {name: a b}, {name: events}]\n" + produce,
                        "f.yaml:1:33: topics[1].name: expected a range that counts up, over at most 10000 names, found"
                                + " \"events[3-1]\"",
                        "f.yaml:1:56: topics[2].name: expected a topic's name (letters, digits, dots, dashes and"
                                + " underscores, at most 249) or a pattern such as events-[1-10], found \"a b\"",
                        "f.yaml:1:69: topics[3].name: the topic \"events\" is given twice"),
                file(
                        TOPICS + "producers: [{rate: 1/s}, 5]\nconsumers: [{topic: [evnts, prices, events, events]}]",
                        "f.yaml:2:13: producers[0]: the key topic is missing; expected a topic's name, a list of"
                                + " names, or a pattern such as events-[1-10]",
                        "f.yaml:2:26: producers[1]: expected a map such as {topic: events, rate: 1000/s}, found \"5\"",
                        "f.yaml:3:22: consumers[0].topic[0]: unknown topic \"evnts\"; did you mean events? topics"
                                + " names all that are used",
                        "f.yaml:3:29: consumers[0].topic[1]: unknown topic \"prices\"; topics names all that are used",
                        "f.yaml:3:45: consumers[0].topic[3]: names \"events\" twice"),
                file(
                        TOPICS + "consumers: [{kind: pipeline, topic: events, output: prices}]",
                        "f.yaml:2:53: consumers[0].output: topics names no topic prices for its output; declare it there,"
                                + " with existing: true if it is there already"),
                file(
                        TOPICS + "consumers: [{topic: events, start: {after: produce}}]",
                        "f.yaml:2:36: consumers[0].start: waits for producers, but the scenario has none; use"
                                + " earliest"),
                file(
                        "topics: [{name: events, config: {max.message.bytes: 100}}]\nproducers: [{topic: events,"
                                + " record: {size: 32}}, {topic: events, record: {size: 33}}]",
                        "f.yaml:2:81: producers[1].record.size: a record takes 101 bytes with its batch header, more"
                                + " than the max.message.bytes of topic events, which is 100; raise it in the topic's"
                                + " config or make the record smaller"),
                file(
                        TOPICS + produce
                                + "matrix: {producer.rate: [1/s], topics.partitions: 3, duration: [], warmup: [1s, 1s],"
                                + " producers.config.ssl.key.password: [a, b], trials: [1]}",
                        "f.yaml:3:10: matrix.producer.rate: unknown key producer; did you mean producers?",
                        "f.yaml:3:51: matrix.topics.partitions: expected a list of values such as [1, 3], found \"3\"",
                        "f.yaml:3:64: matrix.duration: expected a list of values such as [1, 3], found an empty one",
                        "f.yaml:3:81: matrix.warmup: the value \"1s\" is given twice",
                        "f.yaml:3:86: matrix.producers.config.ssl.key.password: a secret cannot be varied, because its"
                                + " values would name the trials",
                        "f.yaml:3:129: matrix.trials: a trial cannot change trials"),
                file(
                        TOPICS + produce + "matrix: {producers.rate: [1/s, 0/s]}",
                        "f.yaml:3:32: producers[0].rate: expected a rate of more than 0, found \"0/s\"; for no limit"
                                + " write unlimited"),
                file(
                        TOPICS + produce
                                + "trials: [{set: {}}, {name: a}, {name: a}, {name: b, set: {\"producers[1].rate\":"
                                + " 1/s, consumers.groups: 2, topics.name.x: 2, duration.: 1s}}]",
                        "f.yaml:3:10: trials[0]: the key name is missing; expected a name such as slow",
                        "f.yaml:3:39: trials[2].name: two trials have the name \"a\"",
                        "f.yaml:3:59: trials[3].set.producers[1].rate: producers has 1 entry, so there is no"
                                + " producers[1]",
                        "f.yaml:3:85: trials[3].set.consumers.groups: the scenario has no consumers to set this in",
                        "f.yaml:3:106: trials[3].set.topics.name.x: topics.name has no keys below it",
                        "f.yaml:3:124: trials[3].set.duration.: cannot read the path duration. from \".\" on"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        x                              | --set x: expected path=value, for example --set producers[0].rate=1000/s
        =5                             | --set =5: the path is empty; expected one such as producers[0].rate
        producers[0].rte=1/s           | --set producers[0].rte=1/s: unknown key producers[0].rte; did you mean producers[0].rate?
        colour=red                     | --set colour=red: unknown key colour; known here: name, about, aboutZh, topics, producers, consumers, connections, duration, warmup, audit, checks, guards, abortOnFail, fleet, observe, lab, faults, trials, matrix, reference, defaults
        producers[7].rate=1/s          | --set producers[7].rate=1/s: producers has 1 entry, so there is no producers[7]
        producers[x].rate=1/s          | --set producers[x].rate=1/s: expected an index such as [0] in the path producers[x].rate (counting starts at 0)
        producers[0]rate=1/s           | --set producers[0]rate=1/s: cannot read the path producers[0]rate from "rate" on
        consumers.members=2            | --set consumers.members=2: the scenario has no consumers to set this in
        producers[0].send.sync.timeout=1s | --set producers[0].send.sync.timeout=1s: producers[0].send is "async", which has no keys; set producers[0].send as a whole
        producers[0].rate=0/s          | --set producers[0].rate=0/s: producers[0].rate: expected a rate of more than 0, found "0/s"; for no limit write unlimited
        producers[0].rate={ramp: [1/s  | --set producers[0].rate={ramp: [1/s: cannot be read as YAML: expected ',' or ']', but got <stream end>
        producers.config.sasl.jaas.config={a | --set producers.config.sasl.jaas.config=(redacted): cannot be read as YAML: expected ',' or '}', but got <stream end>
        producers.config={ssl.key.password: open, linger.ms: [1]} | --set producers.config={ssl.key.password: (redacted), linger.ms: [1]}: producers[0].config.linger.ms: expected a single value such as 5 or all, found a list
        matrix.duration[0]=5s          | --set matrix.duration[0]=5s: matrix.duration[0]: expected a list of values such as [1, 3], found "5s"
        """)
    void ofAnOverride(String expression, String expected) {
        String yaml = TOPICS + "producers: [{topic: events, send: async}]\n";
        assertThat(failure(yaml, 1, expression)).hasMessage(expected);
    }

    @Test
    void ofAnOverrideThatSetsAPartOfWhatATrialSets() {
        String yaml =
                TOPICS + "producers: [{topic: events}, {topic: events}]\nmatrix: {producers.config.acks: [1, all]}";
        assertThat(failure(yaml, 1, "producers[1].config.acks=0"))
                .hasMessage(
                        "--set producers[1].config.acks=0: matrix sets producers.config.acks, of which this is a part;"
                                + " override producers.config.acks itself");
    }

    @Test
    void ofAScale() {
        String yaml = TOPICS + "producers: [{topic: events}]\n";
        for (double scale : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThat(failure(yaml, scale))
                    .hasMessage("--scale: expected a number more than 0 and at most 1000000, found " + scale);
        }
    }

    @Test
    void aMistakeSeenByEveryTrialIsReportedOnce() {
        String yaml = TOPICS + "producers: [{topic: events, clients: 0}]\nmatrix: {duration: [1s, 2s, 3s]}";
        assertThat(failure(yaml, 1).problems()).hasSize(1);
    }

    @Test
    void longAndUnprintableTextIsShortened() {
        String yaml = TOPICS + "producers: [{topic: events, engine: \"" + "x".repeat(300) + "\"}]\naudit: \"a\\nb\"\n";
        assertThat(failure(yaml, 1).getMessage().lines())
                .containsExactly(
                        "f.yaml:2:37: producers[0].engine: expected client or raw, found \"" + "x".repeat(60) + "…\"",
                        "f.yaml:3:8: audit: expected true or false, found \"a\\u000ab\"");
    }

    @Test
    void existingTopicsMayTakeLargeRecords() {
        String yaml = "topics: [{name: events, existing: true}]\nproducers: [{topic: events, record: {size: 2MB},"
                + " config: {max.request.size: 3000000}}]\n";
        assertThat(ScenarioReader.read(yaml, "f", List.of(), 1).trials()).hasSize(1);
    }
}
