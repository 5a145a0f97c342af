package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.BYTES_PER_SECOND;
import static io.plimsoll.scenario.Check.Dimension.COUNT;

import io.plimsoll.scenario.Check.Dimension;
import java.util.List;

/** What brokers have counted of each of a trial's topics, and what its copies take on their disks: of several the most. */
public final class TopicFigures implements FigureSet {
    /** Begins what is observed of a topic; its name follows. */
    public static final String TOPIC = "topic ";

    @Override
    public List<Figure> figures() {
        return List.of(
                seen("bytesIn", BYTES_PER_SECOND, "from producers, as brokers count them")
                        .ofEachBroker(0, "in MB/s", "入 MB/s")
                        .chart("topicIn", null),
                seen("bytesOut", BYTES_PER_SECOND, "to consumers, as brokers count them")
                        .ofEachBroker(1, "out MB/s", "出 MB/s")
                        .chart("topicOut", null),
                seen("messagesIn", COUNT, "records a second from producers, as brokers count them")
                        .ofEachBroker(2, "records in/s", "入 条/秒"),
                seen("logBytes", COUNT, "bytes of all of its copies on disks")
                        .ofEachBroker(0, "log, bytes", "日志字节")
                        .chart("topicLogs", null),
                seen("logGrowth", BYTES_PER_SECOND, "by which these grow").ofEachBroker(1, "growth MB/s", "增长 MB/s"));
    }

    private static Figure seen(String key, Dimension dimension, String meaning) {
        return Figure.of("topic." + key, meaning, dimension).seen(TOPIC, key);
    }
}
