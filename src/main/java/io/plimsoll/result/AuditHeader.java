package io.plimsoll.result;

import io.plimsoll.audit.ProducerProfile;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Data needed to audit a trial again, in addition to its journal. Contains no secrets.
 *
 * @param clusterId null if unknown
 * @param runId run ID in the identities, in hexadecimal
 * @param begins by topic, the end offset of each partition before the first record
 */
public record AuditHeader(
        String trial,
        Instant startedAt,
        String bootstrapServers,
        @Nullable String clusterId,
        String runId,
        List<String> topics,
        Map<String, String> topicIds,
        Map<String, List<Long>> begins,
        List<ProducerProfile> producers) {

    /** The run id as stored in identities. */
    public long runIdBits() {
        return Long.parseUnsignedLong(runId, 16);
    }

    /** Whether any producer uses transactions. */
    public boolean transactional() {
        return producers.stream().anyMatch(ProducerProfile::transactional);
    }
}
