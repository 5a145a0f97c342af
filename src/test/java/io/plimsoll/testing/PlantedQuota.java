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

/** A capacity that is put into brokers: each lets producers write so much. */
public final class PlantedQuota {
    public static final double BYTES_PER_SECOND = 2e6;

    private PlantedQuota() {}

    /** Brokers with such a quota each, which judge it by three windows of a second in place of eleven. */
    public static Lab lab(int brokers) throws Exception {
        Lab lab = Lab.start(
                LabOptions.ephemeral(brokers).withHeapMegabytes(384).withBrokerConfig(Map.of("quota.window.num", "3")));
        limitProducers(lab.bootstrapServers());
        return lab;
    }

    public static void limitProducers(String bootstrapServers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            ClientQuotaEntity everybody =
                    new ClientQuotaEntity(Collections.singletonMap(ClientQuotaEntity.CLIENT_ID, null));
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                            everybody, List.of(new ClientQuotaAlteration.Op("producer_byte_rate", BYTES_PER_SECOND)))))
                    .all()
                    .get();
        }
    }

    /**
     * A quota counts whole requests: with each record 9 bytes of its own, with each batch a header of 61 and about 70 of the
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
