package io.plimsoll.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.result.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

/**
 * Guards that each figure read by a rule occurs in a recorded result: a rule on a figure that no result stores never
 * fires.
 */
class ReadFiguresTest {
    private static final Pattern READ = Pattern.compile(
            "\\.(?:get|getOrDefault|entry|host|cluster|sum|most|least|perRequest|weighted|reader|containsKey)"
                    + "\\(\\s*\"([A-Za-z.]+)\"");
    /** A stage computed by rules, a prefix, topic settings, and figures of work per poll and of fleets. */
    private static final Set<String> ELSEWHERE =
            Set.of("batch", "compression.", "cleanup.policy", "max.message.bytes", "workPerPollMs", "worker");

    @Test
    void everyFigureOccursInARecordedResult() throws IOException {
        Set<String> recorded = new TreeSet<>(ELSEWHERE);
        recorded.addAll(ProducerConfig.configNames());
        recorded.addAll(ConsumerConfig.configNames());
        for (Path file : files(Path.of("src", "test", "resources", "diagnose"), ".json")) {
            keys(Json.MAPPER.readTree(file.toFile()), recorded);
        }
        Set<String> read = new TreeSet<>();
        for (Path file : files(Path.of("src", "main", "java", "io", "plimsoll", "diagnose"), ".java")) {
            Matcher names = READ.matcher(Files.readString(file));
            while (names.find()) {
                read.add(names.group(1));
            }
        }
        assertThat(read).hasSizeGreaterThan(90);
        assertThat(recorded).containsAll(read);
    }

    private static Iterable<Path> files(Path directory, String ending) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(f -> f.toString().endsWith(ending)).toList();
        }
    }

    private static void keys(JsonNode node, Set<String> into) {
        node.fieldNames().forEachRemaining(into::add);
        node.forEach(child -> keys(child, into));
    }
}
