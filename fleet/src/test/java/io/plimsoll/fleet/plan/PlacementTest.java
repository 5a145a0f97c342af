package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.fleet.plan.Placement.Host;
import io.plimsoll.load.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Load is placed by host capacity, completely and without duplicates. */
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
    void placesEveryPartOnceAndBalancesHosts(
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
                // Moving one part from a to b would not have made the fuller host less full.
                assertThat((double) load[a] / capacities.get(a))
                        .isLessThanOrEqualTo((load[b] + 1.0) / capacities.get(b));
            }
        }
    }

    private record Groups(int groups, int members) {}

    @Provide
    Arbitrary<Groups> groups() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 12),
                        Arbitraries.integers().between(1, 12))
                .as(Groups::new);
    }

    @Property(tries = 300)
    void placesEveryMemberOnceOnEligibleHostsInProportion(
            @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 1, max = 16) Integer> capacities,
            @ForAll("groups") Groups entry,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int certain = random.nextInt(capacities.size());
        List<Integer> eligible = all(capacities.size()).stream()
                .filter(h -> h == certain || random.nextInt(4) > 0)
                .toList();
        int members = entry.groups() * entry.members();
        List<Slice> slices =
                new Placement(hosts(capacities)).placeGroups(entry.groups(), entry.members(), true, eligible);
        double room = eligible.stream().mapToInt(capacities::get).sum();
        int next = 0;
        for (int h = 0; h < slices.size(); h++) {
            assertThat(slices.get(h).from()).isEqualTo(next);
            next = slices.get(h).to();
            if (!eligible.contains(h)) {
                assertThat(slices.get(h).count()).isZero();
            }
        }
        assertThat(next).isEqualTo(members);
        double fullest = fullest(slices, capacities);
        List<Slice> single = new Placement(hosts(capacities)).place(members, 1, eligible);
        assertThat(fullest).isLessThanOrEqualTo(fullest(single, capacities) + 1e-9);
        // No host could pass a member to another one and make the fullest host less full.
        assertThat(fullest).isLessThanOrEqualTo((members + eligible.size() - 1) / room + 1e-9);
        long cut = IntStream.range(0, entry.groups())
                .filter(g -> slices.stream()
                        .anyMatch(s -> s.within(g, entry.members()).count() > 0
                                && s.within(g, entry.members()).count() < entry.members()))
                .count();
        assertThat(cut).isLessThanOrEqualTo(eligible.size() - 1);
    }

    private static double fullest(List<Slice> slices, List<Integer> capacities) {
        return IntStream.range(0, slices.size())
                .mapToDouble(h -> (double) slices.get(h).count() / capacities.get(h))
                .max()
                .orElseThrow();
    }

    @Test
    void keepsGroupsWholeIfEquallyBalanced() {
        assertThat(new Placement(hosts(List.of(2, 2))).placeGroups(4, 3, true, all(2)))
                .containsExactly(new Slice(0, 6), new Slice(6, 6));
        assertThat(new Placement(hosts(List.of(2, 2))).placeGroups(3, 2, true, all(2)))
                .containsExactly(new Slice(0, 3), new Slice(3, 3));
        assertThat(new Placement(hosts(List.of(1, 3))).placeGroups(1, 12, true, all(2)))
                .containsExactly(new Slice(0, 3), new Slice(3, 9));
        assertThat(new Placement(hosts(List.of(1, 3))).placeGroups(1, 12, false, all(2)))
                .containsExactly(new Slice(0, 0), new Slice(0, 12));
    }

    @Test
    void usesOnlyEligibleHosts() {
        List<Slice> slices = new Placement(hosts(List.of(4, 4, 4))).place(5, 1, List.of(0, 2));
        assertThat(slices).containsExactly(new Slice(0, 3), new Slice(3, 0), new Slice(3, 2));
    }

    @Test
    void spreadsSingleClientEntriesOverHosts() {
        Placement placement = new Placement(hosts(List.of(2, 2)));
        List<Integer> first = new ArrayList<>();
        for (int entry = 0; entry < 4; entry++) {
            first.add(placement.place(1, 1, all(2)).get(0).count());
        }
        assertThat(first).containsExactly(1, 0, 1, 0);
    }
}
