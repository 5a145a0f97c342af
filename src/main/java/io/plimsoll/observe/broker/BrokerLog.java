package io.plimsoll.observe.broker;

import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.observe.incident.IncidentSource;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads new lines of a broker's log on this host, and finds the events that Kafka 2.8 to 4.3 write there. Reading
 * continues across restarts of the broker.
 */
public final class BrokerLog implements IncidentSource {
    private static final long MILLI = 1_000_000L;

    private enum Part {
        MOMENT,
        BEGIN,
        END
    }

    /** A log message: {@code what} captures its group or detail, {@code ms} its duration. */
    private record Message(Kind kind, Part part, Pattern text) {
        static Message of(Kind kind, Part part, String text) {
            return new Message(kind, part, Pattern.compile(text));
        }
    }

    private static final List<Message> MESSAGES = List.of(
            Message.of(
                    Kind.LOG_ROLL,
                    Part.MOMENT,
                    "Log partition=(?<what>[^,]+), dir=.*] Rolled new log segment at offset \\d+ in (?<ms>\\d+) ms"),
            Message.of(Kind.ISR_SHRINK, Part.MOMENT, "^\\[Partition (?<what>\\S+) broker=\\d+] Shrinking ISR from"),
            Message.of(
                    Kind.ISR_EXPAND,
                    Part.MOMENT,
                    "^\\[Partition (?<what>\\S+) broker=\\d+] (?:Expanding ISR from|ISR updated to)"),
            Message.of(
                    Kind.LEADER_CHANGE,
                    Part.MOMENT,
                    "^\\[Broker id=\\d+] Leader (?<what>\\S+) .*starts at leader epoch .*Previous leader (?:Some|Optional)?"
                            + "\\W*\\d"),
            Message.of(
                    Kind.CONTROLLER_FAILOVER,
                    Part.BEGIN,
                    "^\\[RaftManager.* Completed transition to (?:Unattached|Candidate|Prospective)"),
            Message.of(
                    Kind.CONTROLLER_FAILOVER,
                    Part.END,
                    "] Becoming the active controller|Starting become controller state transition"),
            Message.of(Kind.BROKER_DOWN, Part.BEGIN, "Fencing broker (?<what>\\d+) at epoch"),
            Message.of(Kind.BROKER_DOWN, Part.END, "The request from broker (?<what>\\d+) to unfence has been granted"),
            // A follower has lost its connection to the leader; it fetches again after replica.fetch.backoff.ms.
            Message.of(
                    Kind.DISCONNECT,
                    Part.MOMENT,
                    "^\\[ReplicaFetcher replicaId=\\d+, leaderId=(?<what>\\d+),.*Error in response for fetch request"),
            Message.of(Kind.LOG_CLEANER, Part.BEGIN, "Beginning cleaning of log (?<what>[^ ]+?)\\.? \\("),
            Message.of(Kind.LOG_CLEANER, Part.END, "leaned log (?<what>\\S+) \\(dirty section"),
            Message.of(Kind.REBALANCE, Part.BEGIN, "Preparing to rebalance group (?<what>\\S+) in state"),
            Message.of(
                    Kind.REBALANCE,
                    Part.END,
                    "(?:Stabilized group|Group) (?<what>\\S+) (?:generation \\d+|with generation \\d+ is now empty)"),
            Message.of(Kind.REBALANCE, Part.MOMENT, "\\[GroupId (?<what>\\S+)] Bumped group epoch to"),
            Message.of(
                    Kind.TRANSACTION_ABORT,
                    Part.MOMENT,
                    "Completed rollback of ongoing transaction for transactionalId (?<what>\\S+) due to timeout"),
            // A producer with a later epoch fences its predecessor, and the open transaction is aborted.
            Message.of(
                    Kind.TRANSACTION_ABORT,
                    Part.MOMENT,
                    "Initialized transactionalId (?<what>\\S+) with producerId \\d+ and producer epoch [1-9]"),
            Message.of(Kind.TIERED_UPLOAD, Part.BEGIN, "partition=(?<what>[^\\]]+)] Copying .* to remote storage"),
            Message.of(Kind.TIERED_UPLOAD, Part.END, "partition=(?<what>[^\\]]+)] Copied .* to remote storage"));

    /** A transition of the quorum after which this node follows another leader. */
    private static final Pattern FOLLOWS = Pattern.compile("^\\[RaftManager.* Completed transition to Follower");

    private record Event(Kind kind, String where, @Nullable String detail) {}

    private final LogTail tail;
    private final String broker;
    private final Map<Event, Long> begun = new HashMap<>();

    /** @param broker ID of the broker */
    public BrokerLog(int broker, Path file) {
        this.broker = "broker " + broker;
        tail = new LogTail(file);
    }

    @Override
    public int every() {
        return 25;
    }

    @Override
    public void look(long nowNanos, IncidentSink sink) {
        tail.read(sink, (nanos, text) -> line(nanos, text, sink));
    }

    void line(long nanos, String text, IncidentSink sink) {
        if (FOLLOWS.matcher(text).find()) {
            begun.remove(new Event(Kind.CONTROLLER_FAILOVER, broker, null));
        }
        for (Message message : MESSAGES) {
            Matcher found = message.text.matcher(text);
            if (found.find()) {
                tell(message, found, nanos, sink);
                return;
            }
        }
    }

    private void tell(Message message, Matcher found, long lineNanos, IncidentSink sink) {
        String what = message.text.pattern().contains("(?<what>") ? found.group("what") : null;
        Event event =
                switch (message.kind) {
                    case REBALANCE -> new Event(message.kind, "group " + what, null);
                    case BROKER_DOWN, DISCONNECT -> new Event(message.kind, "broker " + what, null);
                    default -> new Event(message.kind, broker, what);
                };
        long lasted = message.text.pattern().contains("(?<ms>") ? Long.parseLong(found.group("ms")) * MILLI : 0;
        switch (message.part) {
            case BEGIN -> begun.putIfAbsent(event, lineNanos);
            case MOMENT -> add(event, lineNanos - lasted, lineNanos, sink);
            case END -> {
                Long from = begun.remove(event);
                add(event, from == null ? lineNanos : from, lineNanos, sink);
            }
        }
    }

    private static void add(Event event, long fromNanos, long toNanos, IncidentSink sink) {
        sink.add(event.kind, event.where, fromNanos, toNanos, MILLI, event.detail);
    }

    @Override
    public void end(long nowNanos, IncidentSink sink) {
        begun.forEach((event, from) -> add(event, from, Math.max(from, nowNanos), sink));
    }
}
