package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.engine.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static List<Host> hosts(List<Integer> capacities) {
        return IntStream.range(0, capacities.size())
                .mapToObj(i -> new Host("h" + i, Map.of(), capacities.get(i)))
                .toList();
    }

    private static List<Integer> all(int hosts) {
        return IntStream.range(0, hosts).boxed().toList();
    }

    @Property(tries = 300)
    void everyPartIsPlacedOnceAndNobodyIsFullerThanHeMustBe(
            @ForAll @Size(min = 1, max = 8) List<@IntRange(min = 1, max = 16) Integer> capacities,
            @ForAll @Size(min = 1, max = 5) List<@IntRange(min = 1, max = 60) Integer> entries) {
        Placement placement = new Placement(hosts(capacities));
        int[] load = new int[capacities.size()];
        for (int parts : entries) {
            List<Slice> slices = placement.place(parts, 1, all(capacities.size()));
            int next = 0;
            for (int h = 0; h < slices.size(); h++) {
                assertThat(slices.get(h).from()).isEqualTo(next);
                next = slices.get(h).to();
                load[h] += slices.get(h).count();
            }
            assertThat(next).isEqualTo(parts);
        }
        for (int a = 0; a < load.length; a++) {
            for (int b = 0; b < load.length; b++) {
                // Moving one part from a to b would not have made the fuller of both less full.
                assertThat((double) load[a] / capacities.get(a))
                        .isLessThanOrEqualTo((load[b] + 1.0) / capacities.get(b));
            }
        }
    }

    @Test
    void onlyEligibleHostsGetAnything() {
        List<Slice> slices = new Placement(hosts(List.of(4, 4, 4))).place(5, 1, List.of(0, 2));
        assertThat(slices).containsExactly(new Slice(0, 3), new Slice(3, 0), new Slice(3, 2));
    }

    @Test
    void entriesOfOneClientGoToDifferentHosts() {
        Placement placement = new Placement(hosts(List.of(2, 2)));
        List<Integer> first = new ArrayList<>();
        for (int entry = 0; entry < 4; entry++) {
            first.add(placement.place(1, 1, all(2)).get(0).count());
        }
        assertThat(first).containsExactly(1, 0, 1, 0);
    }
}
