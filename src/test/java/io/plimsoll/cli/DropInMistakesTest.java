package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each mistake is reported in one sentence with a remedy, and no record is sent. */
class DropInMistakesTest {
    private static final String PRODUCER = "--topic t --num-records 9 --throughput -1 --record-size 9 ";
    private static final String CONSUMER = "--bootstrap-server localhost:1 --topic t --num-records 9 ";
    private static final String LATENCY =
            "--bootstrap-server localhost:1 --topic t --num-records 9 --producer-acks 1" + " --record-size 9 ";

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "null",
            value = {
                "--topic t --num-records 9 --throughput -1 | exactly one of --record-size, --payload-file and",
                "PRODUCER --payload-monotonic | exactly one of --record-size, --payload-file and",
                "--topic t --num-records 0 --throughput -1 --record-size 9 | --num-records is 0; use 1 or more",
                "--topic t --num-records x --throughput -1 --record-size 9 | --num-records: expected an integer, found 'x'",
                "--topic t --num-records 9 --throughput 0 --record-size 9 | «cli.neverSends»",
                "--topic t --num-records 9 --throughput fast --record-size 9 | '--throughput'",
                "--topic t --num-records 9 --throughput -1 --record-size 0 | --record-size is 0; use 1 or more bytes",
                "--num-records 9 --throughput -1 --record-size 9 | Missing required option: '--topic=TOPIC'",
                "PRODUCER | «cluster.noneGiven»",
                "PRODUCER --bootstrap-server nowhere | nowhere",
                "PRODUCER --warmup-records 9 | «cli.onlyWarmup¦9¦9»",
                "PRODUCER --reporting-interval 0 | --reporting-interval is 0; use milliseconds",
                "PRODUCER --transaction-duration-ms -5 | --transaction-duration-ms is -5; use 1 or more",
                "PRODUCER --bootstrap-server h:1 --transaction-duration-ms 0 --transactional-id x | «cli.idWithoutTransactions»",
                "PRODUCER --producer-props acks | «cli.notAProperty¦--producer-props»",
                "PRODUCER --producer-props bootstrap.servers=h:1 acks=7 | acks: expected 0, 1, all or -1, found \"7\"",
                "PRODUCER --producer.config DIR/none | «cluster.file.missing»",
                "PRODUCER --json DIR/none/x --bootstrap-server h:1 | «cli.jsonHasNoDirectory»",
                "PRODUCER --bootstrap-server h:1 --command-property linger.ms=soon | linger.ms: expected an integer",
                "--topic t --num-records 9 --throughput -1 --bootstrap-server h:1 --payload-file DIR/none | «payload.file.missing»",
                "--topic t --num-records 9 --throughput -1 --bootstrap-server h:1 --payload-file DIR/empty | «payload.file.onlyDelimiters»",
                "--topic t --num-records 9 --throughput -1 --bootstrap-server h:1 --payload-file DIR/one --payload-delimiter [,;] | does not occur",
                "--topic t --num-records 9 --throughput -1 --bootstrap-server h:1 --payload-file DIR/one --payload-delimiter \\s | does not occur",
                "--topic a/b --num-records 9 --throughput -1 --record-size 9 --bootstrap-server h:1 | --topic: ",
                "PRODUCER --throughputt=5 | Unknown option: '--throughputt=5'",
            })
    void reportsProducerMistakes(String arguments, String message) throws IOException {
        refused("producer-perf-test", arguments.replace("PRODUCER ", PRODUCER).replace("PRODUCER", PRODUCER), message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--bootstrap-server h:1 --num-records 9 | exactly one of --topic and --include",
                "CONSUMER --include t.* | exactly one of --topic and --include",
                "--topic t --num-records 9 | «cluster.noneGiven»",
                "--bootstrap-server h:1 --topic t | Missing required option: '--num-records=N'",
                "CONSUMER --messages 5 | «cli.twice¦--num-records»",
                "--bootstrap-server h:1 --topic t --num-records -1 | --num-records is -1; use 1 or more",
                "CONSUMER --timeout 0 | --timeout is 0; use milliseconds",
                "CONSUMER --reporting-interval x | '--reporting-interval'",
                "CONSUMER --date-format bogus | --date-format bogus: ",
                "CONSUMER --zookeeper h:2181 | «cli.noZooKeeper»",
                "CONSUMER --command-property fetch | «cli.notAProperty¦--command-property»",
                "--bootstrap-server SERVERS --topic TOPIC --num-records 9 | does not exist",
                "--bootstrap-server SERVERS --include TOPIC.* --num-records 9 | no topic matches",
                "--bootstrap-server SERVERS --include [ --num-records 9 | --include [ is not a valid regular expression",
            })
    void reportsConsumerMistakes(String arguments, String message) throws IOException {
        refused("consumer-perf-test", arguments.replace("CONSUMER ", CONSUMER), message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "h:1 t 9 | BROKERS TOPIC RECORDS ACKS BYTES",
                "h:1 t 9 0 100 | «cli.acksForLatency¦0»",
                "h:1 t many all 100 | --num-records is many; use a number of 1 or more",
                "h:1 t 9 all big | --record-size is big; use a number of bytes",
                "h:1 t 9 all 100 DIR/none | «cluster.file.missing»",
                "h:1 t 9 all 100 --topic x | BROKERS TOPIC RECORDS ACKS BYTES",
                "--bootstrap-server h:1 --topic t --num-records 9 --producer-acks 1 | --record-size is missing",
                "LATENCY --record-key-size -1 | --record-key-size is -1",
                "LATENCY --num-headers 1001 | --num-headers is 1001; use 0 to 1000",
                "LATENCY --record-header-size -2 | --record-header-size is -2",
            })
    void reportsLatencyMistakes(String arguments, String message) throws IOException {
        refused("end-to-end-latency", arguments.replace("LATENCY ", LATENCY), message);
    }

    private void refused(String command, String arguments, String message) throws IOException {
        Files.writeString(directory.resolve("empty"), "\n\n");
        Files.writeString(directory.resolve("one"), "one,two");
        String words = arguments
                .strip()
                .replace("DIR", directory.toString())
                .replace(
                        "SERVERS",
                        arguments.contains("SERVERS") ? SharedLab.oneBroker().bootstrapServers() : "")
                .replace("TOPIC", "nothing-" + UUID.randomUUID());
        InProcess run = InProcess.run((command + " " + words).split("\\s+"));
        assertThat(run.err())
                .startsWith("plimsoll: ")
                .containsPattern(Said.pattern(message))
                .doesNotContain("internal error");
        assertThat(run.err().lines().filter(l -> l.startsWith("plimsoll: "))).hasSize(1);
        assertThat(run.exit()).as(run.err()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
    }
}
