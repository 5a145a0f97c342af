package io.plimsoll.capacity;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.util.Locale;
import java.util.Objects;

/**
 * The capacity of one broker as configuration of Strimzi and Cruise Control. An unknown network limit is replaced by
 * the traffic at the load that one broker sustains.
 */
public record CapacityExport(CapacityPlan plan) {
    private static final double KIB = 1024;

    /**
     * {@code spec.cruiseControl.brokerCapacity} of Strimzi's {@code Kafka} resource (Strimzi, <i>Custom Resource API
     * Reference</i>, {@code BrokerCapacity}). Strimzi determines the disk capacity itself.
     *
     * @throws PlimsollException {@link Exit#INVALID_MEASUREMENT} if brokers did not report enough figures
     */
    public String strimzi() {
        return """
                spec:
                  cruiseControl:
                    brokerCapacity:
                      cpu: "%s"
                      inboundNetwork: %dKiB/s
                      outboundNetwork: %dKiB/s
                """.formatted(cores(), kib(Resource.NETWORK_IN), kib(Resource.NETWORK_OUT));
    }

    /**
     * A file for Cruise Control's {@code BrokerCapacityConfigFileResolver}, like its {@code config/capacityCores.json},
     * with one entry for all brokers.
     *
     * @throws PlimsollException {@link Exit#USAGE} if the storage of a broker is unknown; otherwise as {@link #strimzi}
     */
    public String cruiseControl(BrokerLimits limits) {
        Double storage = limits.get("storage");
        if (storage == null) {
            throw Exit.USAGE.because("capacity.noStorage");
        }
        return """
                {"brokerCapacities": [{
                  "brokerId": "-1",
                  "capacity": {"DISK": "%d", "CPU": {"num.cores": "%s"}, "NW_IN": "%d", "NW_OUT": "%d"},
                  "doc": "Measured by Plimsoll. DISK in MiB, NW_IN and NW_OUT in KiB/s."
                }]}
                """.formatted(
                        Math.round(storage / KIB / KIB), cores(), kib(Resource.NETWORK_IN), kib(Resource.NETWORK_OUT));
    }

    private CapacityPlan.Need need(Resource resource) {
        return plan.resources().stream()
                .filter(n -> n.id().equals(resource.id()))
                .findFirst()
                .orElseThrow(() -> Exit.INVALID_MEASUREMENT.because("capacity.notTold"));
    }

    private String cores() {
        Double cores = need(Resource.CPU).limit();
        Exit.INVALID_MEASUREMENT.when(cores == null, "capacity.noCores");
        return String.format(Locale.ROOT, "%.3f", cores);
    }

    private long kib(Resource resource) {
        CapacityPlan.Need found = need(resource);
        double each = plan.resources().stream()
                .filter(n -> n.carries().bytesPerSecond() != null)
                .mapToDouble(n -> n.carries().bytesPerSecond())
                .min()
                .orElse(0);
        double passing =
                Objects.requireNonNull(found.cost().fixed()) / plan.measured().brokers()
                        + Objects.requireNonNull(found.cost().perMegabyte()) * each / Costs.MEGA;
        return Math.max(1, Math.round(Objects.requireNonNullElse(found.limit(), passing) / KIB));
    }
}
