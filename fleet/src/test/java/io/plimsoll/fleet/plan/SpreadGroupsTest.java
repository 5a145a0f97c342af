package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.GroupPart;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A group on several agents appears as one group. */
class SpreadGroupsTest {
    private static final String KEY = "consumers-0-group-0";

    private final SpreadGroups groups = new SpreadGroups(Map.of(KEY, Set.of("a", "b", "c")));

    private static GroupPart part(boolean joined, Set<String> owned, Set<String> reached, long taken) {
        return new GroupPart(KEY, false, joined, owned, reached, taken);
    }

    private GroupPart restOf(String worker) {
        return groups.changed().get(worker).get(0);
    }

    private void said(String worker, GroupPart part) {
        groups.update(worker, List.of(part));
    }

    @Test
    void isNotReadyUntilAllHaveJoined() {
        said("a", part(true, Set.of("t-0"), Set.of(), 0));
        said("b", part(true, Set.of("t-1"), Set.of(), 0));
        assertThat(restOf("a").joined()).isFalse();
        said("c", part(true, Set.of(), Set.of(), 0));
        assertThat(restOf("a")).isEqualTo(part(true, Set.of("t-1"), Set.of(), 0));
    }

    @Test
    void isNotReadyWhileTwoAgentsOwnSamePartition() {
        said("a", part(true, Set.of("t-0"), Set.of(), 0));
        said("b", part(true, Set.of("t-0", "t-1"), Set.of(), 0));
        said("c", part(true, Set.of(), Set.of(), 0));
        Map<String, List<GroupPart>> news = groups.changed();
        assertThat(news.get("c").get(0).joined()).isFalse();
        // With two agents, each receives its own view from the other.
        assertThat(news.get("a").get(0).owned()).containsExactlyInAnyOrder("t-0", "t-1");
    }

    @Test
    void sumsReadRecordsAndKeepsThoseOfLostWorker() {
        said("a", part(true, Set.of("t-0"), Set.of("t-0"), 10));
        said("b", part(true, Set.of("t-1"), Set.of(), 5));
        groups.lost("a");
        assertThat(restOf("c")).isEqualTo(part(true, Set.of("t-1"), Set.of("t-0"), 15));
        said("a", part(true, Set.of("t-0"), Set.of(), 99));
        assertThat(groups.changed()).isEmpty();
    }

    @Test
    void opensToAllOnceOpenedToOne() {
        groups.changed();
        assertThat(groups.changed()).isEmpty();
        said("b", new GroupPart(KEY, true, false, Set.of(), Set.of(), 0));
        Map<String, List<GroupPart>> news = groups.changed();
        assertThat(news.get("a").get(0).open()).isTrue();
        assertThat(news.get("b").get(0).open()).isFalse();
    }

    @Test
    void ignoresUnknownGroupsAndWorkers() {
        groups.changed();
        groups.update("a", List.of(GroupPart.unknown("consumers-1-group-0")));
        groups.update("stranger", List.of(part(true, Set.of("t-0"), Set.of(), 1)));
        assertThat(groups.changed()).isEmpty();
    }
}
