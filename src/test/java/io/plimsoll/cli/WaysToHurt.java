package io.plimsoll.cli;

import io.plimsoll.testing.EchoProvider;
import java.util.List;

/**
 * Mistakes that would harm a shared cluster: the typed command, and the response before any change. The cluster has a
 * topic {@code others-orders} with ten records, an idle group {@code billing}, a group {@code busy} with a member, a
 * transactional id {@code ledger} in use, and a topic {@code plimsoll-omb-old} of a third-party benchmark.
 */
enum WaysToHurt {
    A_LOAD_THAT_FILLS_A_DISK(run("rate: 1GB/s", "duration: 30d"), "--yes", "«guards.disk»"),
    A_RESERVE_THAT_IS_NOT_THERE(run("rate: 1000/s", "duration: 1s"), "--disk-reserve=99%", "«guards.disk¦…¦…¦99 %»"),
    A_LOAD_WITHOUT_A_RATE(run("rate: unlimited, records: 1000", ""), "", "the load has no rate"),
    MEGABYTES_FOR_KILOBYTES(run("rate: 51MB/s", "duration: 1s"), "", "reaches 51."),
    MORE_RECORDS_THAN_ALLOWED(
            run("rate: 2000/s, records: 10", ""),
            "--max-rate=1000/s",
            "reaches 2,000 records/s, above the 1,000 records/s that --max-rate allows"),
    COMPRESSED_BYTES_FOR_RECORDS(
            run("rate: 1KB/s wire, records: 10, config: {compression.type: lz4}", ""),
            "--max-rate=1000/s",
            "«guards.compressedRate¦…¦--max-rate¦1,000 records/s»"),
    MORE_BYTES_THAN_ALLOWED(run("rate: 1000/s, records: 1000", ""), "--max-bytes=100KB", "the run writes about "),
    A_PEAK_AT_THE_END_OF_A_RAMP(
            run("rate: {ramp: [1MB/s, 900MB/s], over: 10s}", "duration: 11s"), "", "that --max-rate allows"),
    THE_PEAK_OF_A_DAY(
            run("rate: {daily: {mean: 40MB/s, amplitude: 0.9, period: 60s}}", "duration: 1s"),
            "",
            "that --max-rate allows"),
    A_TOPIC_OF_OTHERS(
            "topics: [{name: others-orders, existing: true}]\n"
                    + "producers: [{topic: others-orders, rate: 100/s, records: 10}]\n",
            "",
            "«guards.existingTopic¦others-orders»"),
    A_PIPELINE_INTO_A_TOPIC_OF_OTHERS(
            "topics: [{name: mine}, {name: others-orders, existing: true}]\n"
                    + "producers: [{topic: mine, rate: 100/s, records: 10}]\n"
                    + "consumers: [{kind: pipeline, topic: mine, output: others-orders}]\n",
            "",
            "«guards.existingTopic¦others-orders»"),
    THE_NAME_OF_A_TOPIC_OF_OTHERS(
            "topics: [{name: others-orders}]\nproducers: [{topic: others-orders, rate: 100/s, records: 10}]\n",
            "--yes",
            "already exists"),
    A_GROUP_OF_OTHERS(read("billing", ""), "--yes", "consumer group billing already exists"),
    OFFSETS_OF_OTHERS(
            read("billing", ", existingGroup: true, start: {rewind: 0}"), "--yes", "'rewind' would reset its offsets"),
    SETTINGS_OF_A_GROUP_OF_OTHERS(
            read("billing", ", existingGroup: true, kind: share, groupConfig: {share.delivery.count.limit: 1}"),
            "--yes",
            "and the run would change its settings"),
    RECORDS_OF_OTHERS(read("busy", ", existingGroup: true"), "--yes", "«guards.activeGroup¦busy¦1»"),
    A_PRODUCER_THAT_WOULD_BE_FENCED(
            run("rate: 100/s, records: 10, transactions: {records: 5}, config: {transactional.id: ledger}", ""),
            "--yes",
            "transactional.id ledger was used before"),
    A_GROUP_THAT_A_PROVIDER_NAMES(
            read("'${echo:busy}'", ", existingGroup: true, start: {rewind: 0}"),
            "--yes --command-property=config.providers=echo --command-property=config.providers.echo.class="
                    + EchoProvider.class.getName(),
            "«guards.activeGroup¦busy¦1»"),
    A_TRANSACTIONAL_ID_THAT_A_PROVIDER_NAMES(
            run(
                    "rate: 100/s, records: 10, transactions: {records: 5}, config: {config.providers: echo, "
                            + "config.providers.echo.class: " + EchoProvider.class.getName()
                            + ", transactional.id: 'led${echo:ger}'}",
                    ""),
            "--yes",
            "transactional.id ledger was used before"),
    A_PIPELINE_THAT_COPIES_A_BACKLOG(
            "topics: [{name: others-orders, existing: true}, {name: mine}]\n"
                    + "consumers: [{kind: pipeline, topic: others-orders, output: mine, groups: 4}]\nduration: 1s\n",
            "--max-bytes=2KB",
            "the run writes about "),
    GROUPS_THAT_READ_A_TOPIC_OF_OTHERS(
            "topics: [{name: others-orders, existing: true}]\n"
                    + "consumers: [{engine: raw, topic: others-orders, groups: 200}]\nduration: 1s\n",
            "--max-bytes=20KB",
            "«guards.reads¦…¦--max-bytes»"),
    GROUPS_THAT_TAKE_THE_NETWORK(
            run("rate: 40MB/s", "duration: 1s") + "consumers: [{topic: mine, groups: 200}]\n",
            "",
            "«guards.readRate¦…¦10¦--max-rate»"),
    MORE_PARTITIONS_THAN_A_BROKER_TAKES(
            "topics: [{name: mine, partitions: 3000}]\nproducers: [{topic: mine, rate: 10/s, records: 10}]\n",
            "",
            "3,000 partition replicas"),
    A_SEARCH_WITHOUT_AN_END("", "ceiling quick", "«guards.search¦--max-rate»"),
    A_SEARCH_THAT_WRITES_FOR_AN_HOUR(
            "", "ceiling quick --max-rate 45MB/s --max-duration 1h", "«guards.searchBytes¦…¦--max-bytes»"),
    A_TOPIC_DELETED_BY_ITS_NAME("", "topic delete others-orders", "«guards.deletes¦others-orders¦10»"),
    AN_INTERNAL_TOPIC_DELETED("", "topic delete __consumer_offsets --yes", "__consumer_offsets"),
    A_BENCHMARKS_RESET("", "omb reset", "that Plimsoll did not create ("),
    A_CONSOLE_IN_A_GROUP_AT_WORK(
            "", "consume --topic others-orders --group busy --timeout 1s", "«guards.activeGroup¦busy¦1»"),
    A_TEST_IN_A_GROUP_AT_WORK(
            "", "consumer-perf-test --topic others-orders --group busy --num-records 5", "«guards.activeGroup¦busy¦1»"),
    A_TEST_THAT_FILLS_A_DISK(
            "",
            "producer-perf-test --topic others-orders --num-records 9000000000000 --record-size 1000 --throughput 1000",
            "«guards.disk»");

    /** A scenario to run; empty for another command. */
    final String scenario;

    private final String command;
    /** Part of the expected message; the exit code is 2. */
    final String sentence;

    WaysToHurt(String scenario, String command, String sentence) {
        this.scenario = scenario;
        this.command = command;
        this.sentence = sentence;
    }

    List<String> command() {
        return command.isEmpty() ? List.of() : List.of(command.split(" "));
    }

    private static String run(String producer, String more) {
        return "topics: [{name: mine}]\nproducers: [{topic: mine, " + producer + "}]\n" + more + "\n";
    }

    private static String read(String group, String more) {
        return "topics: [{name: others-orders, existing: true}]\nconsumers: [{topic: others-orders, records: 5, "
                + "config: {group.id: " + group + "}" + more + "}]\n";
    }
}
