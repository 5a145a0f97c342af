package io.plimsoll.observe.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.observe.incident.IncidentSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stages of a slow request are found in the lines of the request log, as brokers of several releases wrote them. */
class RequestLogTest {
    private static final long MILLI = 1_000_000;
    /** As brokers write it; the rest of a line differs between releases. */
    private static final String LINE = "[2026-11-30 07:28:10,045] DEBUG Completed request:{\"isForwarded\":false,"
            + "\"requestHeader\":{\"requestApiKey\":0,\"requestApiVersion\":9,\"correlationId\":259,"
            + "\"clientId\":\"run-producers-0-0\",\"requestApiKeyName\":\"PRODUCE\"},%s"
            + "\"connection\":\"127.0.0.1:26706-127.0.0.1:48330-3\",\"totalTimeMs\":%s,\"requestQueueTimeMs\":1.399,"
            + "\"localTimeMs\":18.661,\"remoteTimeMs\":250.5,\"throttleTimeMs\":40,\"responseQueueTimeMs\":8.751,"
            + "\"sendTimeMs\":0.068,\"securityProtocol\":\"PLAINTEXT\",\"principal\":\"User:ANONYMOUS\"}\n";

    private static final String OF_2_8 = "\"request\":{\"transactionalId\":null,\"acks\":-1,\"timeoutMs\":30000,"
            + "\"topicData\":[{\"name\":\"slow\",\"partitionData\":[{\"index\":1,\"recordsSizeInBytes\":388}]}]},"
            + "\"response\":{\"responses\":[{\"name\":\"slow\",\"partitionResponses\":[{\"index\":1,\"errorCode\":0,"
            + "\"baseOffset\":1594,\"logAppendTimeMs\":-1,\"logStartOffset\":0,\"recordErrors\":[],"
            + "\"errorMessage\":null}]}],\"throttleTimeMs\":40},";
    private static final String OF_4_3 = "\"request\":{\"transactionalId\":null,\"acks\":-1,\"timeoutMs\":30000,"
            + "\"topicData\":[{\"topicId\":\"ocIjGIiFRnmV4_ejovO0Rg\",\"partitionData\":[{\"index\":0,"
            + "\"recordsSizeInBytes\":279}]}]},\"response\":{\"responses\":[],\"throttleTimeMs\":40},";

    @TempDir
    Path directory;

    private final long millis = LocalDateTime.parse("2026-11-30T07:28:00")
                    .atZone(ZoneId.systemDefault())
                    .toEpochSecond()
            * 1_000;
    private final IncidentSink sink = new IncidentSink(0, millis * MILLI + MILLI / 2);

    private List<Incident> written(String text) throws IOException {
        Path file = directory.resolve("requests");
        RequestLog log = new RequestLog(3, file);
        log.look(0, sink);
        Files.writeString(file, text, StandardOpenOption.CREATE);
        log.look(1, sink);
        return sink.take();
    }

    /** The file does not exist before the first slow request. */
    @ParameterizedTest
    @ValueSource(strings = {OF_2_8, OF_4_3})
    void findsTimeAndBrokerOfEachStage(String ofRelease) throws IOException {
        List<Incident> stages = written(LINE.formatted(ofRelease, "279.379"));
        assertThat(stages)
                .extracting(Incident::kind)
                .containsExactly(
                        Kind.REQUEST_APPEND, Kind.REQUEST_REPLICATION, Kind.REQUEST_RESPONSE, Kind.REQUEST_THROTTLE);
        assertThat(stages).allSatisfy(stage -> {
            assertThat(stage.where()).isEqualTo("broker 3");
            assertThat(stage.detail()).isEqualTo("run-producers-0-0");
        });
        assertThat(millis(stages.get(0).fromNanos())).isCloseTo(10_045 - 279.379 + 1.399, within(1e-3));
        assertThat(millis(stages.get(1).fromNanos()))
                .isEqualTo(millis(stages.get(0).toNanos()));
        assertThat(millis(stages.get(1).toNanos() - stages.get(1).fromNanos())).isCloseTo(250.5, within(1e-3));
        assertThat(millis(stages.get(2).toNanos())).isCloseTo(10_045 - 0.068, within(1e-3));
        assertThat(millis(stages.get(3).fromNanos())).isEqualTo(10_045);
        assertThat(millis(stages.get(3).toNanos())).isEqualTo(10_085);
    }

    @Test
    void reportsSlowestOfManyRequests() throws IOException {
        String many = IntStream.range(0, 200)
                .mapToObj(i -> LINE.formatted(OF_4_3, i == 150 ? "900.0" : "279.379"))
                .collect(Collectors.joining());
        assertThat(written(many)).hasSizeLessThanOrEqualTo(200).anySatisfy(stage -> assertThat(
                        millis(stage.fromNanos()))
                .isCloseTo(10_045 - 900 + 1.399, within(1e-3)));
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }
}
