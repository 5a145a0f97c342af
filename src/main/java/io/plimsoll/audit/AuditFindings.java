package io.plimsoll.audit;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All findings of an audit; adjacent findings with the same verdict are joined. Counts are exact, but only the first
 * {@link #MOST} findings of each verdict are kept. Not thread-safe.
 */
public final class AuditFindings {
    /** Maximum number of findings kept per verdict; a finding needs about 100 bytes of memory. */
    public static final int MOST = 20_000;

    private record Place(Verdict verdict, @Nullable LogPartition partition, int producer) {}

    private final Map<Verdict, List<AuditFinding>> kept = new EnumMap<>(Verdict.class);
    private final Map<Verdict, Long> records = new EnumMap<>(Verdict.class);
    private final Map<Place, Integer> last = new HashMap<>();
    private long violations;
    private long left;

    public void add(AuditFinding finding) {
        long of = finding.range().records();
        records.merge(finding.verdict(), of, Long::sum);
        if (finding.violation()) {
            violations += of;
        }
        List<AuditFinding> list = kept.computeIfAbsent(finding.verdict(), v -> new ArrayList<>());
        Place place = new Place(
                finding.verdict(), finding.range().partition(), finding.range().producer());
        Integer before = last.get(place);
        if (before != null && list.get(before).joins(finding)) {
            list.set(before, list.get(before).with(finding));
        } else if (list.size() < MOST) {
            last.put(place, list.size());
            list.add(finding);
        } else {
            left++;
        }
    }

    public void addAll(AuditFindings other) {
        other.all().forEach(this::add);
        other.records.forEach(
                (verdict, all) -> records.merge(verdict, all - sum(other.of(verdict).stream()), Long::sum));
        violations += other.violations - sum(other.all().stream().filter(AuditFinding::violation));
        left += other.left;
    }

    private static long sum(Stream<AuditFinding> findings) {
        return findings.mapToLong(finding -> finding.range().records()).sum();
    }

    /** Number of records with this verdict, including records of findings that were not kept. */
    public long records(Verdict verdict) {
        return records.getOrDefault(verdict, 0L);
    }

    /** Number of records that violate a guarantee of Kafka. */
    public long violations() {
        return violations;
    }

    public List<AuditFinding> of(Verdict verdict) {
        return List.copyOf(kept.getOrDefault(verdict, List.of()));
    }

    /** The findings that were kept: by verdict, then in the order of discovery. */
    public List<AuditFinding> all() {
        List<AuditFinding> all = new ArrayList<>();
        kept.values().forEach(all::addAll);
        return all;
    }

    /** Number of findings that were counted but not kept. */
    public long left() {
        return left;
    }

    boolean any(Verdict verdict, Predicate<AuditFinding> condition) {
        return kept.getOrDefault(verdict, List.of()).stream().anyMatch(condition);
    }
}
