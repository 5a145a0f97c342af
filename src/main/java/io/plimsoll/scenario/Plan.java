package io.plimsoll.scenario;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The trials of a scenario file in their order, each a complete {@link Scenario}. A file without {@code trials} and
 * {@code matrix} has exactly one trial, named like the scenario, without parameters.
 *
 * @param source the scenario as YAML for the run directory, with {@code --set} applied and secrets redacted
 * @param scale factor for record counts and durations
 * @param reference published figures that the trials reproduce
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
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(?:env|file|dir):[^{}]*}");

    public Plan {
        comparisons = List.copyOf(comparisons);
        trials = List.copyOf(trials);
        if (trials.isEmpty()) {
            throw new IllegalArgumentException("a plan has at least one trial");
        }
    }

    /**
     * This plan with only some of its trials, their published figures, and the checks between them.
     *
     * @throws PlimsollException {@link Exit#USAGE} for an unknown name
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
        List<CrossCheck> crossChecks = comparisons.stream()
                .filter(c -> c.terms().stream().allMatch(t -> names.contains(t.trial())))
                .toList();
        return new Plan(this.name, about, kept, source, scale, reference.map(r -> r.of(names)), crossChecks);
    }

    /** This plan with changed client properties and an unchanged {@link #source}. */
    public Plan withClientProperties(UnaryOperator<Map<String, String>> change) {
        return with(
                p -> new ProducerSpec(p.settings().withProperties(change))
                        .with(ProducerSpec.RECORD, p.record().withTexts(text -> lookedUp(text, p.config(), change))),
                c -> new ConsumerSpec(c.settings().withProperties(change)));
    }

    /** Resolves references in a text with the client's config providers. */
    private static String lookedUp(String text, Map<String, String> config, UnaryOperator<Map<String, String>> change) {
        Map<String, String> all = new HashMap<>(config);
        REFERENCE.matcher(text).results().forEach(found -> all.put(found.group(), found.group()));
        Map<String, String> values = all.size() == config.size() ? config : change.apply(all);
        return REFERENCE
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(values.getOrDefault(found.group(), found.group())));
    }

    /** This plan with changed records and an unchanged {@link #source}. */
    public Plan withRecords(UnaryOperator<RecordSpec> change) {
        return with(p -> p.with(ProducerSpec.RECORD, change.apply(p.record())), c -> c);
    }

    private Plan with(UnaryOperator<ProducerSpec> producer, UnaryOperator<ConsumerSpec> consumer) {
        List<Trial> changed = trials.stream()
                .map(t -> new Trial(t.name(), t.parameters(), t.scenario().with(producer, consumer)))
                .toList();
        return new Plan(name, about, changed, source, scale, reference, comparisons);
    }

    /** This plan with other trials and without checks between trials. */
    public Plan with(List<Trial> others) {
        return new Plan(name, about, others, source, scale, reference, List.of());
    }

    /** Whether the arms of the plan have different labs. */
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

    /** @param parameters settings that distinguish the trial: value by path as in the file, in the order of the file */
    public record Trial(String name, Map<String, String> parameters, Scenario scenario) {}
}
