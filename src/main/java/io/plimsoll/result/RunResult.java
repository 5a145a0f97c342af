package io.plimsoll.result;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.Exit;
import io.plimsoll.result.Json.AbsentIfEmpty;
import io.plimsoll.scenario.Reference;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code result.json}, schema {@code plimsoll.result/1} (published as {@code /schema/plimsoll.result-1.json} on the
 * class path). Later versions can add fields but never change the meaning of a field. In JSON, fields of records marked
 * as unwrapped are fields of this object.
 *
 * @param ceilings ceilings that searches found; empty, and absent in JSON, without a search
 */
public record RunResult(
        @JsonUnwrapped Head head,
        @Nullable Tool tool,
        @Nullable Environment environment,
        Map<String, Object> scenario,
        Verdict verdict,
        @JsonSetter(nulls = AS_EMPTY) List<TrialResult> trials,
        @JsonUnwrapped Published published,
        @AbsentIfEmpty List<Ceiling> ceilings) {
    public static final String SCHEMA = "plimsoll.result/1";

    /** The cluster under load; null if unknown. */
    public @Nullable Cluster cluster() {
        return environment == null ? null : environment.cluster();
    }

    /**
     * Identity of the run.
     *
     * @param endedAt end time; null if the run was killed
     * @param exitCode exit code; null if the run was killed
     * @param seed seed of all random values; may be negative
     * @param scale factor for numbers of records and durations, above 0
     */
    public record Head(
            String schema,
            String name,
            Instant startedAt,
            @Nullable Instant endedAt,
            @JsonSetter(nulls = AS_EMPTY) List<String> command,
            @Nullable Integer exitCode,
            long seed,
            double scale) {
        /** How the run ended; {@link Exit#INTERRUPTED} if it was killed. */
        public Exit exit() {
            return exitCode == null ? Exit.INTERRUPTED : Exit.of(exitCode);
        }

        /** Outcome of the run: {@code usable}, {@code unusable} or {@code failed}. */
        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        public Outcome outcome() {
            return Outcome.of(exit());
        }
    }

    /**
     * Comparison with published results, and between trials.
     *
     * @param source where the results were published; null without published results
     * @param conclusions published conclusions; empty, and absent in JSON, if none
     * @param comparisons checks between trials; empty, and absent in JSON, if none
     */
    public record Published(
            @Nullable Sentence source,
            @JsonSetter(nulls = AS_EMPTY) List<ReferenceTable> tables,
            @AbsentIfEmpty List<ConclusionResult> conclusions,
            @AbsentIfEmpty List<CrossCheckResult> comparisons) {
        static Published of(@Nullable Reference reference, List<String> checks, List<TrialResult> trials) {
            List<CrossCheckResult> comparisons =
                    checks.stream().map(c -> CrossCheckResult.of(c, trials)).toList();
            return reference == null
                    ? new Published(null, List.of(), List.of(), comparisons)
                    : new Published(
                            reference.source(),
                            ReferenceTable.of(reference, trials),
                            reference.conclusions().stream()
                                    .map(c -> ConclusionResult.of(c, trials))
                                    .toList(),
                            comparisons);
        }
    }

    /**
     * The program that made the measurement.
     *
     * @param kafkaClientVersion version of the Kafka client; null if another tool measured
     * @param java version of Java; null if another tool measured
     */
    public record Tool(
            String version,
            String commit,
            @Nullable String kafkaClientVersion,
            @Nullable String java) {}

    /**
     * Environment of the measurement.
     *
     * @param host facts about the host by name, see {@code plimsoll host}
     * @param cluster the cluster under load; null if unknown
     * @param selfWarmups JIT warm-up of each process before the first trial; empty if none
     * @param sources sources of broker metrics; empty, and absent in JSON, if none
     */
    public record Environment(
            Map<String, Object> host,
            @Nullable Cluster cluster,
            @AbsentIfEmpty List<SelfWarmup> selfWarmups,
            @AbsentIfEmpty List<ObservedSource> sources) {
        public Environment(Map<String, Object> host, @Nullable Cluster cluster) {
            this(host, cluster, List.of(), List.of());
        }

        Environment with(List<SelfWarmup> done, List<ObservedSource> seen) {
            return new Environment(host, cluster, done, seen);
        }
    }

    /**
     * The cluster under load.
     *
     * @param id cluster id; null if unknown
     * @param kafkaVersion version of the brokers, derived from their protocol support; null if unknown
     * @param lab whether Plimsoll started the brokers
     */
    public record Cluster(@Nullable String id, @Nullable String kafkaVersion, List<Broker> brokers, boolean lab) {}

    /** @param rack rack of the broker; null if it has none */
    public record Broker(
            int id, String host, int port, @Nullable String rack) {}

    /**
     * @param passed false if a check failed, the audit found loss, or the measurement is invalid or incomplete
     * @param sentence the result in one sentence
     * @param warnings remarks that affect the result, most important first; remarks with a common cause are merged
     * @param notes remarks that require no action; empty, and absent in JSON, if none
     */
    public record Verdict(
            boolean passed,
            Sentence sentence,
            List<Sentence> warnings,
            @AbsentIfEmpty List<Sentence> notes) {
        public Verdict(boolean passed, Sentence sentence, List<Sentence> warnings) {
            this(passed, sentence, warnings, List.of());
        }
    }
}
