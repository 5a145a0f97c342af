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
                        .called("lag", "滞后时间")
                        .ofEachBroker(0)
                        .chart("groupLag", null),
                gauge("group.lagRecords", COUNT, "records that it has not committed", "lag")
                        .called("lag, records", "滞后记录数")
                        .ofEachBroker(0)
                        .chart("groupLagRecords", null),
                ofWindow("group.lagAtEnd", COUNT, "the same when the load ended", "lagAtEnd")
                        .called("at the end", "结束时")
                        .ofEachBroker(3),
                rate("group.consumed", "what it read, by its commits", "consumed")
                        .called("consumed/s", "消费/秒")
                        .ofEachBroker(0)
                        .chart("groupRate", null),
                rate("group.produced", "what was written to its partitions, by anyone", "produced")
                        .called("written/s", "写入/秒")
                        .ofEachBroker(2),
                ofWindow("group.growth", COUNT, "records a second by which it falls behind", "growth")
                        .called("growth/s", "增长/秒")
                        .ofEachBroker(3),
                ofWindow(
                                "group.drain",
                                MICROSECONDS,
                                "time until it will have read everything, at this rate",
                                "drainMs")
                        .called("drains in", "排空需")
                        .ofEachBroker(1),
                gauge("group.members", COUNT, "its members, at the most", "members")
                        .called("members", "成员")
                        .ofEachBroker(1),
                Figure.of("group.rebalances", "rebalances that were seen of it", COUNT)
                        .seen(new ObservedFigure(GroupsFold.GROUP, "rebalances", "rebalances", "seconds", 1, false))
                        .called("rebalances", "再均衡")
                        .ofEachBroker(2));
    }

    private static Figure gauge(String id, Dimension dimension, String meaning, String key) {
        return gauge(id, dimension, meaning, key, key);
    }

    private static Figure ofWindow(String id, Dimension dimension, String meaning, String key) {
        return gauge(id, dimension, meaning, key, null);
    }

    private static Figure gauge(String id, Dimension dimension, String meaning, String key, String ofSecond) {
        double factor = dimension == MICROSECONDS ? 1e3 : 1;
        return Figure.of(id, meaning, dimension)
                .seen(new ObservedFigure(GroupsFold.GROUP, key, null, ofSecond, factor, false));
    }

    private static Figure rate(String id, String meaning, String key) {
        return Figure.of(id, meaning, RECORDS_PER_SECOND)
                .seen(new ObservedFigure(GroupsFold.GROUP, key, key, "seconds", 1, false));
    }
}
