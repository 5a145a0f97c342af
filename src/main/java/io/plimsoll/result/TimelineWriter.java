package io.plimsoll.result;

import io.plimsoll.measure.Snapshot;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a timeline. Old seconds of a long trial are folded into minutes, see {@link Folding}, so the file contains the
 * seconds of at most the last hour and a half. Folding rewrites the file and replaces it atomically, so the file is
 * complete at any time. A trial with faults keeps all its seconds. Used by one thread at a time.
 */
final class TimelineWriter implements AutoCloseable {
    private static final String FOLDED_SNAPSHOT = "{\"type\":\"snapshot\"";
    private static final String FOLDED_OBSERVATION = "{\"type\":\"observed\"";

    private final Path file;
    private final Folding folding;
    private final List<Minute> minutes = new ArrayList<>();
    /** The minute of the last snapshot; null before the first. */
    private @Nullable OpenMinute open;

    private boolean whole;
    private long foldedUntil;
    /** Not a channel, because a channel closes itself when the writing thread is interrupted. */
    private RandomAccessFile out;

    /** A minute that still consists of seconds, the place of these seconds in the file, and the lines that replace them. */
    private record Minute(long from, long to, long toNanos, String lines) {
        Minute moved(long by) {
            return new Minute(from + by, to + by, toNanos, lines);
        }
    }

    /** A minute to which seconds are added, and its start in the file. */
    private record OpenMinute(long from, SnapshotSum sum) {
        Minute closed(long to, String trial) {
            Snapshot minute = sum.snapshot();
            StringBuilder lines = new StringBuilder(line(new TimelineEvent.Measured(minute)));
            sum.observations().forEach(o -> lines.append(line(new TimelineEvent.Observed(trial, o))));
            return new Minute(from, to, minute.toNanos(), lines.toString());
        }
    }

    TimelineWriter(Path file, Folding folding) throws IOException {
        this.file = file;
        this.folding = folding;
        out = open(file);
        out.seek(out.length());
    }

    private static RandomAccessFile open(Path file) throws IOException {
        PrivateFiles.file(file);
        RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw");
        // The lock is held until the file is closed or this process ends in any way.
        var unused = opened.getChannel().tryLock();
        return opened;
    }

    private static String line(TimelineEvent event) {
        return Json.line(event) + "\n";
    }

    /** @throws IOException if the event cannot be written; the file still ends with a complete line */
    void append(TimelineEvent event) throws IOException {
        long before = -1;
        try {
            before = out.getFilePointer();
            out.write(line(event).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            removeTornLine(before, e);
            throw e;
        }
        if (event instanceof TimelineEvent.TrialStarted) {
            forget();
            whole = false;
            foldedUntil = 0;
        } else if (event instanceof TimelineEvent.FaultMark || event instanceof TimelineEvent.Acknowledged) {
            forget();
            whole = true;
        } else if (event instanceof TimelineEvent.Measured m && !whole) {
            accept(m.snapshot(), before);
        } else if (event instanceof TimelineEvent.Observed o && open != null) {
            open.sum.add(o.observation());
        }
    }

    private void forget() {
        minutes.clear();
        open = null;
    }

    /** Removes a line that a full disk cut off, because later events must not be appended to it. */
    private void removeTornLine(long length, IOException cause) {
        try {
            out.setLength(length);
            out.seek(length);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private void accept(Snapshot s, long at) throws IOException {
        if (open != null && open.sum.takes(s)) {
            open.sum.add(s);
        } else {
            if (open != null) {
                minutes.add(open.closed(at, s.trial()));
            }
            open = new OpenMinute(at, new SnapshotSum(s, folding));
        }
        long until = folding.untilNanos(s.toNanos());
        if (until > foldedUntil) {
            foldedUntil = until;
            fold(until);
        }
    }

    private void fold(long until) throws IOException {
        Deque<Minute> due = new ArrayDeque<>();
        while (!minutes.isEmpty() && minutes.get(0).toNanos <= until) {
            due.add(minutes.remove(0));
        }
        if (due.isEmpty()) {
            return;
        }
        long end = out.getFilePointer();
        Path fresh = file.resolveSibling("." + file.getFileName() + ".tmp");
        RandomAccessFile next = null;
        try {
            Files.deleteIfExists(fresh);
            next = open(fresh);
            copy(0, due.getFirst().from, next);
            for (Minute minute : due) {
                next.write(others(minute));
                next.write(minute.lines.getBytes(StandardCharsets.UTF_8));
            }
            long moved = next.getFilePointer() - due.getLast().to;
            copy(due.getLast().to, end, next);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            minutes.replaceAll(m -> m.moved(moved));
            open = open == null ? null : new OpenMinute(open.from + moved, open.sum);
            out.close();
            out = next;
        } catch (IOException e) {
            // The disk has no space for both files, so the seconds are kept.
            forget();
            whole = true;
            out.seek(end);
            if (next != null) {
                next.close();
                Files.deleteIfExists(fresh);
            }
        }
    }

    private void copy(long from, long to, RandomAccessFile next) throws IOException {
        byte[] buffer = new byte[1 << 20];
        out.seek(from);
        for (long left = to - from; left > 0; ) {
            int read = out.read(buffer, 0, (int) Math.min(left, buffer.length));
            next.write(buffer, 0, read);
            left -= read;
        }
    }

    /** Events of a minute other than snapshots and observations. */
    private byte[] others(Minute minute) throws IOException {
        byte[] bytes = new byte[(int) (minute.to - minute.from)];
        out.seek(minute.from);
        out.readFully(bytes);
        StringBuilder others = new StringBuilder();
        new String(bytes, StandardCharsets.UTF_8)
                .lines()
                .filter(l -> !l.startsWith(FOLDED_SNAPSHOT) && !l.startsWith(FOLDED_OBSERVATION))
                .forEach(l -> others.append(l).append('\n'));
        return others.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
