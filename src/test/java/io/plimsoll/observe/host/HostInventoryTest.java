package io.plimsoll.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The inventory reads real Linux files; unreadable values are unknown. */
class HostInventoryTest {

    @Test
    void readsThisMachine(@TempDir Path directory) {
        HostInventory host = HostInventory.read(directory);
        assertThat(host.cpu().usableCores()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(host.cpu().logicalCores().value()).isPositive();
        assertThat(host.memory().totalBytes().value())
                .isGreaterThan(Runtime.getRuntime().maxMemory() / 2);
        assertThat(host.storage().fileSystem().directory()).isEqualTo(directory.toString());
        assertThat(host.storage().fileSystem().totalBytes().value()).isPositive();
        assertThat(host.storage().fileSystem().type().isKnown()).isTrue();
        assertThat(host.software().jvm().version()).isEqualTo(System.getProperty("java.runtime.version"));
        assertThat(host.software().jvm().collector()).isNotBlank();
    }

    @Test
    void everyJsonFactHasValueOrExplanation(@TempDir Path directory) {
        JsonNode json =
                new ObjectMapper().valueToTree(HostInventory.read(directory).toMap());
        assertThat(json.path("cpu").path("usableCores").asInt()).isPositive();
        assertNothingEmpty(json);
    }

    private static void assertNothingEmpty(JsonNode node) {
        assertThat(node.isNull()).isFalse();
        if (node.isContainerNode()) {
            assertThat(node).isNotEmpty();
            node.forEach(HostInventoryTest::assertNothingEmpty);
        } else if (node.isTextual()) {
            assertThat(node.asText()).isNotBlank();
        }
    }

    @Test
    void describesMissingDirectoryByItsParent(@TempDir Path directory) {
        HostInventory there = HostInventory.read(directory);
        HostInventory below = HostInventory.read(directory.resolve("runs/one"));
        assertThat(below.storage().fileSystem().mountPoint())
                .isEqualTo(there.storage().fileSystem().mountPoint());
        assertThat(below.storage().fileSystem().type())
                .isEqualTo(there.storage().fileSystem().type());
    }

    @ParameterizedTest
    @CsvSource({
        "G1 Young Generation, G1 Old Generation, G1",
        "PS MarkSweep, PS Scavenge, Parallel",
        "Copy, MarkSweepCompact, Serial",
        "ZGC Cycles, ZGC Pauses, ZGC",
        "Shenandoah Cycles, Shenandoah Pauses, Shenandoah",
        "Foo, Bar, 'Foo, Bar'"
    })
    void namesCollectorByItsBeans(String first, String second, String name) {
        assertThat(InventoryReader.collector(List.of(first, second))).isEqualTo(name);
    }
}
