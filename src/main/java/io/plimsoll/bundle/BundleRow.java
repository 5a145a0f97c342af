package io.plimsoll.bundle;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.report.compare.Comparer;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Generator;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A trial of a bundle, and whether its figures can be published. All figures are computed again from the timeline.
 *
 * @param recordsPerSecond records acknowledged or, without producers, received; null if unknown, as for all figures
 * @param p50 response time or, without producers, end-to-end latency, in microseconds
 * @param durability settings that decide when a record is safe; null if unknown
 * @param search whether the trial belongs to a search, which tries loads that fail
 */
public record BundleRow(
        String run,
        String trial,
        Manifest.Labels labels,
        @Nullable Double recordsPerSecond,
        @Nullable Double bytesPerSecond,
        @Nullable Long p50,
        @Nullable Long p99,
        @Nullable Sentence durability,
        boolean search,
        List<Condition> conditions) {

    /** A condition for publication, with its evidence or the missing fact. */
    public record Condition(String name, boolean holds, Sentence said) {}

    /** Maximum relative difference between a stored and a recomputed figure that rounding can explain. */
    private static final double ROUNDING = 1e-3;

    private static final String NO_RESULT = "bundle.no.result";

    /** Figures that must have the same value in the stored result and in the timeline. */
    private static final List<String> FIGURES = Stream.concat(
                    Comparer.USUAL.stream(), Stream.of("audit.acknowledged", "audit.lost"))
            .toList();

    public boolean publishable() {
        return conditions.stream().allMatch(Condition::holds);
    }

    /** Whether the stored result or labels contradict the timeline. A killed run has no stored result. */
    public boolean contradicts() {
        return conditions.stream()
                .anyMatch(condition -> condition.name().equals("figures")
                        && !condition.holds()
                        && !NO_RESULT.equals(condition.said().key()));
    }

    /** The rows of one run of a bundle; {@code labels} from its manifest. */
    static List<BundleRow> of(Path directory, Manifest.Labels labels) {
        RunResult computed = Fold.of(RunDirectory.open(directory));
        RunResult stored = stored(directory);
        boolean labeled =
                labels.equals(Manifest.Labels.of(labels.directory(), computed, labels.system(), labels.kafka()));
        List<BundleRow> rows = new ArrayList<>();
        for (TrialResult trial : computed.trials()) {
            List<Condition> conditions = new ArrayList<>();
            conditions.add(complete(trial, computed));
            conditions.add(generator(trial));
            conditions.add(steady(trial));
            conditions.add(audit(trial.audit()));
            Sentence durability = durability(trial);
            conditions.add(condition("durability", durability, "bundle.no.durability"));
            conditions.add(condition("versions", versions(computed, labels), "bundle.no.versions"));
            conditions.add(figures(trial, stored, labeled));
            TrialResult.Volume volume = trial.produce() != null
                    ? trial.produce().volume()
                    : trial.consume() == null ? null : trial.consume().volume();
            Latency latency = latency(trial);
            rows.add(new BundleRow(
                    labels.directory(),
                    trial.name(),
                    labels,
                    volume == null ? null : volume.recordsPerSecond(),
                    volume == null ? null : volume.bytesPerSecond(),
                    latency == null ? null : latency.percentiles().p50(),
                    latency == null ? null : latency.percentiles().p99(),
                    durability,
                    !computed.ceilings().isEmpty(),
                    List.copyOf(conditions)));
        }
        return rows;
    }

    private static @Nullable Latency latency(TrialResult trial) {
        return trial.produce() != null
                ? trial.produce().times().responseTime()
                : trial.consume() == null ? null : trial.consume().times().endToEnd();
    }

    private static Condition condition(String name, @Nullable Sentence holds, String missing) {
        return new Condition(name, holds != null, holds == null ? Sentence.of(missing) : holds);
    }

    private static Condition complete(TrialResult trial, RunResult run) {
        boolean ended = run.head().endedAt() != null;
        String seconds = Units.duration(trial.course().measuredSeconds());
        return trial.course().complete() && ended
                ? new Condition("complete", true, Sentence.of("bundle.complete", seconds))
                : new Condition("complete", false, Sentence.of("bundle.no.complete", seconds));
    }

    private static Condition generator(TrialResult trial) {
        Generator generator = trial.observed().generator();
        if (generator == null || trial.course().valid() == null) {
            return new Condition("generator", false, Sentence.of("bundle.no.generator"));
        }
        return Invalidity.of(trial)
                .map(why -> new Condition("generator", false, why.said(List.of(trial.name()), false)))
                .orElseGet(() -> new Condition(
                        "generator",
                        !Invalidity.isLowerBound(trial),
                        Sentence.of(Invalidity.isLowerBound(trial) ? "bundle.no.limit" : "bundle.generator")));
    }

    private static Condition steady(TrialResult trial) {
        Boolean steady = trial.course().steady();
        return new Condition(
                "steady",
                Boolean.TRUE.equals(steady),
                Sentence.of(steady == null ? "bundle.no.seconds" : steady ? "bundle.steady" : "bundle.no.steady"));
    }

    /**
     * Lost or corrupted records, violated guarantees and incomplete audits prevent publication. Duplicates that no
     * guarantee excludes are only reported.
     */
    private static Condition audit(@Nullable AuditResult audit) {
        if (audit == null) {
            return new Condition("audit", false, Sentence.of("bundle.no.audit"));
        }
        AuditResult.Counts counts = audit.counts();
        if (counts.duplicated() == null) {
            return new Condition("audit", false, Sentence.of("bundle.no.identities"));
        }
        Sentence counted = Sentence.of(
                "bundle.audit",
                Units.count(counts.acknowledged()),
                Units.count(counts.lost()),
                Units.count(counts.duplicated()));
        boolean sound = audit.complete() && !audit.violated();
        Sentence said = audit.complete() ? counted : Sentence.of("bundle.no.wholeAudit", counted);
        return new Condition("audit", sound, said);
    }

    private static @Nullable Sentence durability(TrialResult trial) {
        Map<String, String> of = trial.detail().setup().getOrDefault(TrialResult.DURABILITY, Map.of());
        String acks = trial.produce() == null ? "–" : of.get("acks");
        String replication = of.get("replication");
        String least = of.get("min.insync.replicas");
        String messages = of.get("flush.messages");
        String millis = of.get("flush.ms");
        if (Stream.of(acks, replication, least, messages, millis).anyMatch(Objects::isNull)) {
            return null;
        }
        String never = String.valueOf(Long.MAX_VALUE);
        Sentence flush = never.equals(messages) && never.equals(millis)
                ? Sentence.of("bundle.flush.never")
                : Sentence.of("bundle.flush", messages, millis);
        return Sentence.of("bundle.durability", acks, replication, least, flush);
    }

    private static @Nullable Sentence versions(RunResult run, Manifest.Labels labels) {
        RunResult.Tool tool = run.tool();
        return labels.kafka() == null || tool == null || tool.kafkaClientVersion() == null
                ? null
                : Sentence.of("bundle.versions", labels.kafka(), tool.kafkaClientVersion(), tool.version());
    }

    /** Compares {@code result.json} and the labels with the timeline; edited values differ even if the hashes were recomputed. */
    private static Condition figures(TrialResult trial, @Nullable RunResult stored, boolean labeled) {
        TrialResult claimed = stored == null
                ? null
                : stored.trials().stream()
                        .filter(t -> t.name().equals(trial.name()))
                        .findFirst()
                        .orElse(null);
        if (stored == null && labeled) {
            return new Condition("figures", false, Sentence.of(NO_RESULT, RunDirectory.RESULT));
        }
        List<String> different = new ArrayList<>();
        if (claimed != null) {
            for (String figure : FIGURES) {
                compare(
                        figure,
                        FigureCatalogue.value(claimed, figure),
                        FigureCatalogue.value(trial, figure),
                        different);
            }
            compare(
                    "measuredSeconds",
                    claimed.course().measuredSeconds(),
                    trial.course().measuredSeconds(),
                    different);
        } else if (stored != null) {
            different.add(trial.name());
        }
        if (!labeled) {
            different.add(Manifest.NAME);
        }
        return different.isEmpty()
                ? new Condition("figures", true, Sentence.of("bundle.figures"))
                : new Condition("figures", false, Sentence.of("bundle.no.figures", RunDirectory.RESULT, different));
    }

    private static void compare(String name, @Nullable Double says, @Nullable Double is, List<String> different) {
        boolean equal = (says == null || is == null)
                ? Objects.equals(says, is)
                : Math.abs(says - is) <= ROUNDING * Math.abs(is);
        if (!equal) {
            different.add(name + " " + says + " ≠ " + is);
        }
    }

    private static @Nullable RunResult stored(Path directory) {
        Path file = directory.resolve(RunDirectory.RESULT);
        try {
            return Files.exists(file) ? Json.MAPPER.readValue(file.toFile(), RunResult.class) : null;
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "bundle.damaged", file, String.valueOf(e.getMessage()));
        }
    }

    /**
     * The rows of all runs of a bundle.
     *
     * @throws PlimsollException {@link Exit#USAGE} if its timelines cannot be read
     */
    public static List<BundleRow> of(UnpackedBundle bundle) {
        try {
            List<BundleRow> rows = new ArrayList<>();
            for (Manifest.Labels labels : bundle.manifest().runs()) {
                rows.addAll(of(bundle.runs().get(bundle.manifest().runs().indexOf(labels)), labels));
            }
            return rows;
        } catch (PlimsollException e) {
            throw e;
        } catch (RuntimeException e) {
            // An untrusted timeline can contain anything.
            throw Exit.USAGE.because(
                    e, "bundle.damaged", bundle.file(), Sentence.of("bundle.unreadable", String.valueOf(e)));
        }
    }
}
