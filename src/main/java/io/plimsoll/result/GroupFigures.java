package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.COUNT;
import static io.plimsoll.scenario.Check.Dimension.MICROSECONDS;
import static io.plimsoll.scenario.Check.Dimension.RECORDS_PER_SECOND;

import io.plimsoll.scenario.Check.Dimension;
import java.util.List;

/** What was observed of groups of others: of several the one that is worst off. */
public final class GroupFigures implements FigureSet {
    @Override
    public List<Figure> figures() {
        return List.of(
                gauge("group.lag", MICROSECONDS, "age of the oldest record that the group has not committed", "lagMs")
                        .ofEachBroker(0, "lag", "滞后时间")
                        .chart("groupLag", null),
                gauge("group.lagRecords", COUNT, "records that it has not committed", "lag")
                        .ofEachBroker(0, "lag, records", "滞后记录数")
                        .chart("groupLagRecords", null),
                ofWindow("group.lagAtEnd", COUNT, "the same when the load ended", "lagAtEnd")
                        .ofEachBroker(3, "at the end", "结束时"),
                rate("group.consumed", RECORDS_PER_SECOND, "what it read, by its commits", "consumed")
                        .ofEachBroker(0, "consumed/s", "消费/秒")
                        .chart("groupRate", null),
                rate("group.produced", RECORDS_PER_SECOND, "what was written to its partitions, by anyone", "produced")
                        .ofEachBroker(2, "written/s", "写入/秒"),
                ofWindow("group.growth", COUNT, "records a second by which it falls behind", "growth")
                        .ofEachBroker(3, "growth/s", "增长/秒"),
                ofWindow(
                                "group.drain",
                                MICROSECONDS,
                                "time until it will have read everything, at this rate",
                                "drainMs")
                        .ofEachBroker(1, "drains in", "排空需"),
                gauge("group.members", COUNT, "its members, at the most", "members")
                        .ofEachBroker(1, "members", "成员"),
                rate("group.rebalances", COUNT, "rebalances that were seen of it", "rebalances")
                        .ofEachBroker(2, "rebalances", "再均衡"));
    }

    private static Figure gauge(String id, Dimension dimension, String meaning, String key) {
        return Figure.of(id, meaning, dimension).seen(GroupsFold.GROUP, ObservedMetric.most(key, key));
    }

    private static Figure ofWindow(String id, Dimension dimension, String meaning, String key) {
        return Figure.of(id, meaning, dimension).seen(GroupsFold.GROUP, ObservedMetric.ofWindow(key));
    }

    private static Figure rate(String id, Dimension dimension, String meaning, String key) {
        return Figure.of(id, meaning, dimension).seen(GroupsFold.GROUP, ObservedMetric.rate(key, key));
    }
}
