package io.plimsoll.run;

import io.plimsoll.result.AuditResult;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares, partition by partition, how many records were acknowledged with how far the log has grown. It sees a loss
 * unless something else filled the gap (a retry that wrote twice, a foreign producer); it cannot see duplicates as such.
 */
final class OffsetAudit {
    private OffsetAudit() {}

    /**
     * @param before how the logs ended before the first record
     * @param after how after the last acknowledgement
     * @param acknowledged per partition
     * @param markers transaction markers per partition, which take an offset each
     * @param unknown records whose outcome nobody knows; they may be in the log or not
     */
    static AuditResult audit(
            LogEnds before, LogEnds after, Map<String, Long> acknowledged, Map<String, Long> markers, long unknown) {
        long total = 0;
        long found = 0;
        long lost = 0;
        boolean complete = true;
        List<Sentence> findings = new ArrayList<>();
        for (Map.Entry<String, Long> entry : new TreeMap<>(acknowledged).entrySet()) {
            String partition = entry.getKey();
            long acked = entry.getValue();
            total += acked;
            Long from = before.start(partition, after.topics()).orElse(null);
            Long to = after.offsets().get(partition);
            if (from == null || to == null) {
                complete = complete && acked == 0;
                continue;
            }
            long grown = to - from - markers.getOrDefault(partition, 0L);
            found += grown;
            if (grown < acked) {
                lost += acked - grown;
                findings.add(Sentence.of("run.missing", acked - grown, acked, partition, from, to));
            }
        }
        return AuditResult.ofOffsets(
                new AuditResult.Counts(total, found, lost, null, null, null, unknown, null), complete, findings);
    }
}
