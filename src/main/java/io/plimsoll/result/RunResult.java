package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.scenario.Reference;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * {@code result.json}, schema {@code plimsoll.result/1} (published as {@code /schema/plimsoll.result-1.json} on the
 * class path). Fields may be added; none changes its meaning. Nested values that JSON does not show lie flat in it.
 *
 * @param ceilings what searches have found; empty, and absent in JSON, in runs that do not search
 */
public record RunResult(
        @JsonUnwrapped Head head,
        Tool tool,
        Environment environment,
        Map<String, Object> scenario,
        Verdict verdict,
        List<TrialResult> trials,
        @JsonUnwrapped Published published,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Ceiling> ceilings) {

    public RunResult {
        trials = trials == null ? List.of() : List.copyOf(trials);
        ceilings = ceilings == null ? List.of() : List.copyOf(ceilings);
    }

    public static final String SCHEMA = "plimsoll.result/1";

    /**
     * Which run this is.
     *
     * @param endedAt null if the run was killed
     * @param exitCode null if the run was killed
     * @param seed of everything that is drawn by lot; may be negative
     * @param scale what numbers of records and lengths of time were multiplied with, above 0
     */
    public record Head(
            String schema,
            String name,
            Instant startedAt,
            Instant endedAt,
            List<String> command,
            Integer exitCode,
            long seed,
            double scale) {
        /** What the run came to; {@code usable}, {@code unusable} or {@code failed}. */
        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        public Outcome outcome() {
            return Outcome.of(exitCode);
        }
    }

    /**
     * Trials beside what was published, and beside each other.
     *
     * @param source where it was published; null without
     * @param conclusions of what was published; empty, and absent in JSON, without
     * @param comparisons checks between trials; empty, and absent in JSON, without
     */
    public record Published(
            Sentence source,
            List<ReferenceTable> tables,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ConclusionResult> conclusions,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<CrossCheckResult> comparisons) {
        public Published {
            tables = tables == null ? List.of() : List.copyOf(tables);
            conclusions = conclusions == null ? List.of() : List.copyOf(conclusions);
            comparisons = comparisons == null ? List.of() : List.copyOf(comparisons);
        }

        static Published of(Reference reference, List<String> checks, List<TrialResult> trials) {
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
     * The program that measured.
     *
     * @param kafkaClientVersion null if another tool did
     * @param java null if another tool did
     */
    public record Tool(String version, String commit, String kafkaClientVersion, String java) {}

    /**
     * Where it was measured.
     *
     * @param host free-form facts by name, see {@code plimsoll host}
     * @param cluster null if unknown
     * @param selfWarmups what each process did before the first trial to have its code compiled; empty if it was not asked
     * @param sources by what brokers were observed, as far as the run was told of it; empty, and absent in JSON, without
     */
    public record Environment(
            Map<String, Object> host,
            Cluster cluster,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SelfWarmup> selfWarmups,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ObservedSource> sources) {
        public Environment {
            selfWarmups = selfWarmups == null ? List.of() : List.copyOf(selfWarmups);
            sources = sources == null ? List.of() : List.copyOf(sources);
        }

        public Environment(Map<String, Object> host, Cluster cluster) {
            this(host, cluster, List.of(), List.of());
        }

        Environment with(List<SelfWarmup> done, List<ObservedSource> seen) {
            return new Environment(host, cluster, done, seen);
        }
    }

    /**
     * The brokers that were loaded.
     *
     * @param id null if unknown
     * @param kafkaVersion as far as it can be told from outside; null if not
     * @param lab true if the brokers were started by us
     */
    public record Cluster(String id, String kafkaVersion, List<Broker> brokers, boolean lab) {}

    /** @param rack null without */
    public record Broker(int id, String host, int port, String rack) {}

    /**
     * @param passed false if a check failed, the audit found loss, or the measurement is invalid
     * @param sentence one sentence a person would say
     * @param warnings what a reader must know, the weightiest first; remarks with one cause are one sentence
     * @param notes what is true as well, and asks for nothing; empty, and absent in JSON, without
     */
    public record Verdict(
            boolean passed,
            Sentence sentence,
            List<Sentence> warnings,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Sentence> notes) {
        public Verdict {
            notes = notes == null ? List.of() : List.copyOf(notes);
        }

        public Verdict(boolean passed, Sentence sentence, List<Sentence> warnings) {
            this(passed, sentence, warnings, List.of());
        }
    }
}
