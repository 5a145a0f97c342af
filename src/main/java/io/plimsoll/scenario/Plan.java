package io.plimsoll.scenario;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The trials of a scenario file in their order, each a complete {@link Scenario}. A file without {@code trials}
 * and {@code matrix} has exactly one trial, named like the scenario, without parameters.
 *
 * @param source the scenario file as it was read, with {@code --set} applied and secrets redacted, as YAML; written to
 *     the run directory
 * @param scale what numbers of records and lengths of time have been multiplied with
 * @param reference published figures that the trials repeat
 * @param comparisons checks between trials
 */
public record Plan(
        String name,
        String about,
        List<Trial> trials,
        String source,
        double scale,
        Optional<Reference> reference,
        List<CrossCheck> comparisons) {

    public Plan {
        comparisons = List.copyOf(comparisons);
        trials = List.copyOf(trials);
        if (trials.isEmpty()) {
            throw new IllegalArgumentException("a plan has at least one trial");
        }
    }

    /**
     * This plan with some of its trials, the published figures of those, and the checks between those.
     *
     * @param names of trials to keep, in any order
     * @throws PlimsollException {@link Exit#USAGE} if there is no trial of a name
     */
    public Plan only(Collection<String> names) {
        List<String> known = trials.stream().map(Trial::name).toList();
        for (String name : names) {
            Exit.USAGE.when(
                    !known.contains(name),
                    "scenario.noSuchTrial",
                    this.name,
                    Texts.quoted(name),
                    Suggestions.hint(name, known));
        }
        List<Trial> kept = trials.stream().filter(t -> names.contains(t.name())).toList();
        List<CrossCheck> told = comparisons.stream()
                .filter(c -> c.terms().stream().allMatch(t -> names.contains(t.trial())))
                .toList();
        return new Plan(this.name, about, kept, source, scale, reference.map(r -> r.of(names)), told);
    }

    /** This plan with other properties of its clients; {@link #source} stays as it was written. */
    public Plan withClientProperties(UnaryOperator<Map<String, String>> change) {
        return with(
                p -> new ProducerSpec(p.settings().withProperties(change)),
                c -> new ConsumerSpec(c.settings().withProperties(change)));
    }

    /** This plan with other records of its producers; {@link #source} stays as it was written. */
    public Plan withRecords(UnaryOperator<RecordSpec> change) {
        return with(p -> p.with(ProducerKeys.RECORD, change.apply(p.record())), c -> c);
    }

    private Plan with(UnaryOperator<ProducerSpec> producer, UnaryOperator<ConsumerSpec> consumer) {
        List<Trial> changed = trials.stream()
                .map(t -> new Trial(t.name(), t.parameters(), t.scenario().with(producer, consumer)))
                .toList();
        return new Plan(name, about, changed, source, scale, reference, comparisons);
    }

    /** This plan with other trials, which no check compares. */
    public Plan with(List<Trial> others) {
        return new Plan(name, about, others, source, scale, reference, List.of());
    }

    /** Whether its arms, which take turns, differ in the lab that they ask for. */
    public boolean comparesLabs() {
        return trials.get(0).parameters().containsKey(ABVariants.PAIR)
                && trials.stream().map(t -> t.scenario().lab()).distinct().count() > 1;
    }

    /** {@link #source} as plain maps, lists and scalars, for {@code result.json}. */
    @SuppressWarnings("unchecked")
    public Map<String, Object> asMap() {
        Object read = new Load(LoadSettings.builder()
                        .setBufferSize(Math.max(1024, source.length()))
                        .setCodePointLimit(Integer.MAX_VALUE)
                        .build())
                .loadFromString(source);
        return (Map<String, Object>) read;
    }

    /**
     * One cell of the matrix or one entry of {@code trials}.
     *
     * @param parameters what distinguishes this trial from the others: path as written in the file, value as text; in
     *     the file's order
     */
    public record Trial(String name, Map<String, String> parameters, Scenario scenario) {}
}
