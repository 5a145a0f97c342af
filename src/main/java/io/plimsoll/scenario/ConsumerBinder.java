package io.plimsoll.scenario;

import io.plimsoll.scenario.ConsumerSpec.Begin;
import io.plimsoll.scenario.ConsumerSpec.Commit;
import io.plimsoll.scenario.ConsumerSpec.Rewind;
import io.plimsoll.scenario.ConsumerSpec.Start;
import io.plimsoll.scenario.KeyShape.Section;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the values of {@link ConsumerKeys} that have forms of their own. */
final class ConsumerBinder {
    private static final String COUNT = "a whole number of 1 or more";

    static final Section START = Section.of(
            "earliest, latest, {after: produce}, {backlog: 10m}, {offset: 1000}, {timestamp: 2026-01-31T12:00:00Z} or"
                    + " {rewind: 0}",
            Key.part("after", "produce")
                    .about(
                            "`{after: produce}`: from the beginning, once all producers are done",
                            "`{after: produce}`：所有 producer 完成后从头开始读"),
            Key.part("backlog", "a duration such as 10m, or an amount of data such as 500MB")
                    .about(
                            "`{backlog: 10m}`: from the beginning, once producing has gone on for so long; `{backlog:"
                                    + " 500MB}`: once so many bytes of keys and values have been acknowledged in its"
                                    + " topics",
                            "`{backlog: 10m}`：写入持续这么久之后从头开始读；`{backlog: 500MB}`：其 topic 中已确认这么多键和值的字节之后"),
            Key.part("offset", "an offset of 0 or more")
                    .about(
                            "`{offset: 1000}`: in each partition at this offset, or at the nearest that is there",
                            "`{offset: 1000}`：每个分区从此 offset 开始，若不存在则从最近的开始"),
            Key.part("timestamp", "a time such as 2026-01-31T12:00:00Z, or milliseconds since 1970")
                    .about(
                            "`{timestamp: 2026-01-31T12:00:00Z}` (or milliseconds since 1970): in each partition at"
                                    + " the first record that is not older, at the end if there is none",
                            "`{timestamp: 2026-01-31T12:00:00Z}`（或 1970 年以来的毫秒数）：每个分区从第一条不早于此时间的记录开始，没有则从末尾开始"),
            Key.part("rewind", "0 (the beginning) or a time such as 2026-01-31T12:00:00Z")
                    .about(
                            "`{rewind: 0}`: the group's offsets are set to the beginning before it joins; `{rewind:"
                                    + " \"2026-01-31T12:00:00Z\"}`: to the first record that is not older. Also beside"
                                    + " `after` or `backlog`, which say when reading begins",
                            "`{rewind: 0}`：加入前将消费组的 offset 设到开头；`{rewind: \"2026-01-31T12:00:00Z\"}`：设到第一条不早于此时间的记录。"
                                    + "也可与说明何时开始读的 `after` 或 `backlog` 并用"));

    private static final Section COMMIT_EVERY = Section.of(
            "a map such as {every: 1}",
            Key.part("every", COUNT).about("polls that returned records between two commits", "两次提交之间返回了记录的 poll 次数"));

    static final Section COMMIT = Section.of(
            "auto, none, {sync: {every: 1}} or {async: {every: 1000}}",
            Key.part("sync", COMMIT_EVERY)
                    .about(
                            "`{sync: {every: 1}}`: wait for the commit after every so many polls that returned records",
                            "`{sync: {every: 1}}`：每这么多次返回了记录的 poll 之后提交并等待"),
            Key.part("async", COMMIT_EVERY)
                    .about("`{async: {every: 1000}}`: the same without waiting", "`{async: {every: 1000}}`：同上，但不等待"));

    private ConsumerBinder() {}

    static Optional<Begin> start(EntryReading entry, String key) {
        if (entry.form().node(key).orElseThrow() instanceof YamlNode.Fields) {
            return entry.form().form(key).map(start -> startFrom(start, entry.scale()));
        }
        return entry.choice(key, Map.of("earliest", new Start.Earliest(), "latest", new Start.Latest()))
                .map(start -> new Begin(start, Optional.empty()));
    }

    private static Begin startFrom(Form start, Scale scale) {
        Optional<Rewind> rewind = start.read("rewind", ConsumerBinder::rewind);
        boolean elsewhere = start.has("offset") || start.has("timestamp");
        if (start.has("rewind") && elsewhere) {
            start.problem("rewind says where to begin, and so does offset or timestamp; keep one of them");
        }
        if (start.has("rewind") && !start.has("after") && !start.has("backlog")) {
            return new Begin(Begin.EARLIEST.start(), rewind);
        }
        Optional<String> kind = start.only(
                List.of("after", "backlog", "offset", "timestamp"),
                "one of the keys after, backlog, offset, timestamp or rewind");
        return new Begin(kind.flatMap(key -> from(start, key, scale)).orElse(Begin.EARLIEST.start()), rewind);
    }

    private static Optional<Start> from(Form start, String key, Scale scale) {
        return switch (key) {
            case "after" -> start.choice("after", Map.of("produce", new Start.AfterProduce()));
            case "backlog" -> start.read("backlog", text -> backlog(text, scale));
            case "offset" ->
                start.read("offset", text -> Quantities.count(text, 0, Long.MAX_VALUE))
                        .map(Start.Offset::new);
            default -> start.read("timestamp", ConsumerBinder::instant).map(Start.Timestamp::new);
        };
    }

    private static Instant instant(String text) {
        try {
            return text.matches("[0-9]{1,18}") ? Instant.ofEpochMilli(Long.parseLong(text)) : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "expected a time such as 2026-01-31T12:00:00Z, or milliseconds since 1970, found "
                            + Texts.quoted(text),
                    e);
        }
    }

    private static Start backlog(String text, Scale scale) {
        if (text.strip().matches("[0-9._]+ *[KMGT]i?B")) {
            return new Start.BacklogBytes(scale.records(Quantities.amount(text)));
        }
        try {
            return new Start.Backlog(scale.time(Quantities.duration(text)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "expected a duration such as 10m, or an amount of data such as 500MB, found " + Texts.quoted(text),
                    e);
        }
    }

    private static Rewind rewind(String text) {
        if (text.strip().equals("0")) {
            return new Rewind.ToBeginning();
        }
        try {
            return new Rewind.ToTime(Instant.parse(text.strip()));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "expected 0 (the beginning) or a time such as 2026-01-31T12:00:00Z, found " + Texts.quoted(text),
                    e);
        }
    }

    static Optional<Commit> commit(EntryReading entry, String key) {
        if (entry.form().node(key).orElseThrow() instanceof YamlNode.Fields) {
            return entry.form().form(key).flatMap(ConsumerBinder::commitFrom);
        }
        return entry.choice(key, Map.of("auto", new Commit.Auto(), "none", new Commit.None()));
    }

    /** How offsets are committed, as it is written. */
    static String text(Commit commit) {
        if (commit instanceof Commit.Sync sync) {
            return "sync every " + sync.everyPolls();
        } else if (commit instanceof Commit.Async async) {
            return "async every " + async.everyPolls();
        }
        return commit instanceof Commit.None ? "none" : "auto";
    }

    private static Optional<Commit> commitFrom(Form commit) {
        Optional<String> kind = commit.only(List.of("sync", "async"), "one of the keys sync or async");
        return kind.flatMap(commit::form).map(form -> {
            long polls = form.required("every", text -> Quantities.count(text, 1, Long.MAX_VALUE), 1L);
            return kind.get().equals("sync") ? new Commit.Sync(polls) : new Commit.Async(polls);
        });
    }
}
