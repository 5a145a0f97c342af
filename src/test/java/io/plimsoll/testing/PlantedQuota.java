package io.plimsoll.testing;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.result.RunResult;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;

/** A known capacity: brokers with a producer quota. */
public final class PlantedQuota {
    public static final double BYTES_PER_SECOND = 2e6;

    private PlantedQuota() {}

    /** Brokers with such a quota and three one-second windows instead of eleven. */
    public static Lab lab(int brokers) throws Exception {
        Lab lab = Lab.start(
                LabOptions.ephemeral(brokers).withHeapMegabytes(384).withBrokerConfig(Map.of("quota.window.num", "3")));
        limitProducers(lab.bootstrapServers());
        return lab;
    }

    public static void limitProducers(String bootstrapServers) throws Exception {
        limitProducers(bootstrapServers, BYTES_PER_SECOND);
    }

    public static void limitProducers(String bootstrapServers, double bytesPerSecond) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            ClientQuotaEntity everybody =
                    new ClientQuotaEntity(Collections.singletonMap(ClientQuotaEntity.CLIENT_ID, null));
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                            everybody, List.of(new ClientQuotaAlteration.Op("producer_byte_rate", bytesPerSecond)))))
                    .all()
                    .get();
        }
    }

    /**
     * Quotas count whole requests: 9 extra bytes per record, a 61-byte header per batch, and about 70 bytes of the
     * request.
     */
    public static double wireBytesPerRecord(RunResult result) {
        double recordsPerBatch = result.trials().stream()
                .mapToDouble(t -> t.produce().wire().recordsPerBatch())
                .average()
                .orElseThrow();
        return 1000 + 9 + (61 + 70) / recordsPerBatch;
    }
}
