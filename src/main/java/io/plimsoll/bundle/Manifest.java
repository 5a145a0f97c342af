package io.plimsoll.bundle;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.plimsoll.report.compare.TurnsFile;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Units;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code manifest.json} of a bundle.
 * @param format {@link #FORMAT}
 * @param plimsoll version of the program that made the bundle
 * @param createdAt end of the bundle's latest run, so that the same runs give the same bytes
 * @param notes the author's text; null if none
 * @param anonymous whether host names, addresses and user names are masked
 * @param turns which of the runs are pairs; null unless they alternated
 * @param files all other files, by name
 */
record Manifest(
        String format,
        String plimsoll,
        String commit,
        Instant createdAt,
        @Nullable String notes,
        boolean anonymous,
        List<Labels> runs,
        @JsonInclude(NON_NULL) @Nullable TurnsFile turns,
        List<Entry> files) {
    static final String FORMAT = "plimsoll.bundle/1";
    static final String NAME = "manifest.json";

    private static final String PART = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,149}";

    /** The only names allowed in a bundle. They stay within the directory, and browsers neither execute nor display such files. */
    static final Pattern LEGAL = Pattern.compile("runs/(" + PART + ")/"
            + "(scenario\\.yaml|timeline\\.jsonl|result\\.json|plimsoll\\.log|broker-logs/" + PART + ")");

    /** @param sha256 in hexadecimal digits */
    record Entry(String name, long bytes, String sha256) {}

    /**
     * Labels by which readers filter runs; null if unknown.
     * @param directory of the run in the bundle
     * @param hardware processor and memory of the load generator's host, which in a lab also runs the brokers
     * @param kafka release of the brokers; outside a lab, as stated by the bundle's author
     * @param system product or service under test, as named by the bundle's author
     */
    record Labels(
            String directory,
            String scenario,
            Instant startedAt,
            @Nullable String hardware,
            @Nullable String kafka,
            @Nullable String system) {

        /** @param kafka release stated by the author, for a run that did not record it */
        static Labels of(String directory, RunResult result, @Nullable String system, @Nullable String kafka) {
            RunResult.Environment environment = result.environment();
            RunResult.Cluster cluster = environment == null ? null : environment.cluster();
            String ofLab = cluster != null && cluster.lab() ? "Apache Kafka (lab)" : null;
            return new Labels(
                    directory,
                    result.head().name(),
                    result.head().startedAt(),
                    environment == null ? null : hardware(environment.host()),
                    cluster == null || cluster.kafkaVersion() == null ? kafka : cluster.kafkaVersion(),
                    system == null ? ofLab : system);
        }

        /** Processor and memory, such as {@code 8 × AMD EPYC, 32 GB}. */
        private static @Nullable String hardware(@Nullable Map<String, Object> host) {
            if (host != null
                    && host.get("cpu") instanceof Map<?, ?> cpu
                    && host.get("memory") instanceof Map<?, ?> memory
                    && memory.get("totalBytes") instanceof Number bytes) {
                return cpu.get("usableCores") + " × " + cpu.get("model") + ", " + Units.bytes(bytes.doubleValue());
            }
            return null;
        }
    }
}
