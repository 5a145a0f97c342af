package io.plimsoll.web;

import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Json;
import io.plimsoll.result.Progress;
import io.plimsoll.result.SnapshotSum;
import io.plimsoll.result.Sums;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.scenario.Labels;
import java.io.IOException;
import java.io.Writer;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Writes the figures of each second during a run: once for all clients, and once for each label. Thread-safe. */
public final class FigureStream implements Progress {
    /** The form of the figures of one second and label. */
    public enum Format {
        JSONL {
            @Override
            String text(Line line) {
                return Json.line(Json.object(
                                "time", line.at(),
                                "trial", line.trial(),
                                "second", line.second(),
                                "phase", line.phase(),
                                "labels", line.labels(),
                                "figures", line.figures()))
                        + "\n";
            }
        },
        INFLUX {
            @Override
            String text(Line line) {
                StringBuilder text = new StringBuilder("plimsoll");
                line.tags().forEach((name, value) -> text.append("," + name + "=" + escaped(value)));
                text.append(line.figures().entrySet().stream()
                        .map(figure -> figure.getKey() + "=" + figure.getValue())
                        .collect(Collectors.joining(",", " ", " ")));
                Instant at = line.at();
                return text.append(at.getEpochSecond())
                        .append(String.format(Locale.ROOT, "%09d\n", at.getNano()))
                        .toString();
            }

            private String escaped(String value) {
                return value.replaceAll("[,= ]", "\\\\$0");
            }
        },
        /** With tags after {@code |#}, as understood by DogStatsD and the exporters of Prometheus and Telegraf. */
        STATSD {
            @Override
            String text(Line line) {
                String tags = line.tags().entrySet().stream()
                        .map(tag -> tag.getKey() + ":" + tag.getValue().replaceAll("[,|#]", "_"))
                        .collect(Collectors.joining(",", "|g|#", "\n"));
                return line.figures().entrySet().stream()
                        .map(figure -> "plimsoll." + figure.getKey() + ":" + figure.getValue() + tags)
                        .collect(Collectors.joining());
            }
        };

        abstract String text(Line line);
    }

    /**
     * Figures of one second.
     *
     * @param labels empty for all clients
     */
    record Line(
            Instant at,
            String trial,
            double second,
            String phase,
            Map<String, String> labels,
            Map<String, Double> figures) {
        Map<String, String> tags() {
            Map<String, String> tags = new LinkedHashMap<>(Map.of("trial", trial));
            tags.put("phase", phase);
            tags.putAll(labels);
            return tags;
        }
    }

    /** Receives complete lines. */
    public interface Destination extends AutoCloseable {
        void write(String lines) throws IOException;

        @Override
        default void close() {}
    }

    private final Format format;
    private final Destination to;
    private final Consumer<Exception> broken;
    private final Map<String, Instant> starts = new TreeMap<>();
    private boolean ended;

    /** @param broken receives the first failure, which ends the stream */
    public FigureStream(Format format, Destination to, Consumer<Exception> broken) {
        this.format = format;
        this.to = to;
        this.broken = broken;
    }

    /** Writes to a file, and flushes it each second. */
    public static Destination to(Writer out) {
        return new Destination() {
            @Override
            public void write(String lines) throws IOException {
                out.write(lines);
                out.flush();
            }

            @Override
            public void close() {
                try {
                    out.close();
                } catch (IOException e) {
                    // Each second was already flushed.
                }
            }
        };
    }

    /** Sends datagrams of complete lines, each small enough for an Ethernet frame. */
    public static Destination to(InetSocketAddress address) throws IOException {
        DatagramSocket socket = new DatagramSocket();
        return new Destination() {
            private static final int MOST_BYTES = 1400;

            @Override
            public void write(String lines) throws IOException {
                StringBuilder packet = new StringBuilder();
                for (String line : lines.split("(?<=\n)")) {
                    if (packet.length() + line.length() > MOST_BYTES) {
                        send(packet);
                    }
                    packet.append(line);
                }
                send(packet);
            }

            private void send(StringBuilder packet) throws IOException {
                byte[] bytes = packet.toString().getBytes(StandardCharsets.UTF_8);
                packet.setLength(0);
                socket.send(new DatagramPacket(bytes, bytes.length, address));
            }

            @Override
            public void close() {
                socket.close();
            }
        };
    }

    @Override
    public synchronized void event(TimelineEvent event) {
        if (event instanceof TimelineEvent.TrialStarted trial) {
            starts.put(trial.name(), trial.at());
        }
    }

    @Override
    public synchronized void snapshot(Snapshot s) {
        if (ended || s.toNanos() - s.fromNanos() < SnapshotSum.SHORTEST_NANOS) {
            return;
        }
        StringBuilder lines = new StringBuilder();
        append(lines, s, Map.of());
        s.labels().forEach(label -> append(lines, s.of(label), Map.ofEntries(Labels.parts(label))));
        try {
            to.write(lines.toString());
        } catch (IOException | RuntimeException e) {
            // The load continues without this stream.
            ended = true;
            broken.accept(e);
        }
    }

    /** Writes the figures; clients without counts, such as producers while consumers finish reading, are omitted. */
    private void append(StringBuilder lines, Snapshot s, Map<String, String> labels) {
        Map<String, Double> figures = FigureCatalogue.ofSecond(Sums.of(s));
        figures.keySet().removeIf(name -> !labels.isEmpty() && name.startsWith("generator."));
        if (!figures.isEmpty()) {
            lines.append(format.text(new Line(
                    starts.getOrDefault(s.trial(), Instant.EPOCH).plusNanos(s.toNanos()),
                    s.trial(),
                    Math.round(s.toNanos() / 1e6) / 1e3,
                    s.phase().name().toLowerCase(Locale.ROOT),
                    labels,
                    figures)));
        }
    }

    @Override
    public synchronized void close() {
        ended = true;
        to.close();
    }
}
