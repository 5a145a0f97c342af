package io.plimsoll.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/** A split test run executes every method in exactly one part, and the parts have similar sizes. */
class ShardTest {
    @Test
    void everyMethodBelongsToExactlyOnePart() {
        int count = 4;
        List<Shard> parts = IntStream.rangeClosed(1, count)
                .mapToObj(i -> new Shard(i + "/" + count))
                .toList();
        int[] methods = new int[count];
        for (int c = 0; c < 100; c++) {
            for (int m = 0; m < 4; m++) {
                String className = "io.plimsoll.run.Story" + c + "Test";
                String method = "case" + m;
                int[] owners = IntStream.range(0, count)
                        .filter(i -> parts.get(i).contains(className, method))
                        .toArray();
                assertThat(owners).as("%s#%s", className, method).hasSize(1);
                methods[owners[0]]++;
            }
        }
        assertThat(Arrays.stream(methods).boxed()).allSatisfy(n -> assertThat(n).isBetween(70, 130));
    }

    @Test
    void runsEverythingWithoutProperty() {
        assertThat(new Shard("").contains("a.B", "c")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0/4", "5/4", "1", "1/0", "x/4", "1/4/2"})
    void refusesInvalidPart(String shard) {
        assertThatThrownBy(() -> new Shard(shard)).hasMessageContaining(shard).hasMessageContaining("PART/COUNT");
    }

    @Test
    void isRegisteredWithLauncher() {
        assertThat(ServiceLoader.load(PostDiscoveryFilter.class)).hasAtLeastOneElementOfType(Shard.class);
    }
}
