package io.plimsoll.scenario;

import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes a {@link Scenario} of the tree of one trial. */
final class ScenarioBinder {
    static final Duration DEFAULT_DURATION = Duration.ofSeconds(30);

    private final Form form;
    private final String fallbackName;
    private final Scale scale;

    /** @param fallbackName for a file that has no name */
    ScenarioBinder(Fields tree, String fallbackName, Scale scale, Problems problems) {
        this.form = new Form(tree, ScenarioKeys.ROOT, "", problems);
        this.fallbackName = fallbackName;
        this.scale = scale;
    }

    Scenario bind() {
        Map<String, TopicSpec> topics = TopicBinder.bind(form);
        List<ProducerSpec> producers = new ArrayList<>();
        Optional<ClientDefaults> defaults = form.choice("defaults", ClientDefaults.BY_NAME);
        form.forms("producers").forEach(p -> producers.add(new ProducerBinder(p, topics, scale, defaults).bind()));
        List<ConsumerSpec> consumers = new ArrayList<>();
        boolean withProducers = present("producers");
        form.forms("consumers")
                .forEach(c -> consumers.add(new ConsumerBinder(c, topics, withProducers, scale, defaults).bind()));
        if (!withProducers && !present("consumers")) {
            form.problem("the scenario has neither producers nor consumers; give at least one of them");
        }
        Scenario scenario = new Scenario(
                form.read("name", ScenarioBinder::name).orElse(fallbackName),
                form.scalar("about").orElse(""),
                List.copyOf(topics.values()),
                producers,
                consumers,
                scale.time(form.read("duration", Quantities::duration).orElse(DEFAULT_DURATION)),
                form.read("warmup", Quantities::durationOrZero).map(scale::time),
                form.flag("audit", false),
                checks(),
                List.of(),
                form.flag("abortOnFail", false),
                fleet());
        checkBacklogs(scenario);
        return withScaledDefaultWarmup(withFaults(scenario, topics));
    }

    /** A backlog that takes longer than producing would never be worked off while producing goes on. */
    private void checkBacklogs(Scenario scenario) {
        if (scenario.boundByRecords()) {
            return;
        }
        Duration longest = scenario.producers().stream()
                .map(p -> p.duration().orElse(scenario.duration()))
                .max(Duration::compareTo)
                .orElse(scenario.duration());
        List<Form> forms = form.forms("consumers");
        for (int i = 0; i < Math.min(forms.size(), scenario.consumers().size()); i++) {
            if (scenario.consumers().get(i).start() instanceof ConsumerSpec.Start.Backlog backlog
                    && backlog.time().compareTo(longest) >= 0) {
                forms.get(i)
                        .problem(
                                "start",
                                "the backlog grows for " + Quantities.text(backlog.time())
                                        + ", and producing ends after " + Quantities.text(longest)
                                        + "; make the duration longer or the backlog shorter");
            }
        }
    }

    private Scenario withScaledDefaultWarmup(Scenario s) {
        if (scale.isOne() || s.warmup().isPresent() || s.boundByRecords()) {
            return s;
        }
        Optional<Duration> warmup = Optional.of(scale.time(Scenario.DEFAULT_WARMUP));
        return new Scenario(
                s.name(),
                s.about(),
                s.topics(),
                s.producers(),
                s.consumers(),
                s.duration(),
                warmup,
                s.audit(),
                s.checks(),
                s.faults(),
                s.abortOnFail(),
                s.fleet());
    }

    /** What may fail, and until when, depends on all the rest. */
    private Scenario withFaults(Scenario s, Map<String, TopicSpec> topics) {
        FaultTargets targets = new FaultTargets(topics, s.consumers());
        Optional<Duration> loadEnds = s.boundByRecords()
                ? Optional.empty()
                : Optional.of(Stream.concat(
                                s.producers().stream().flatMap(p -> p.duration().stream()), Stream.of(s.duration()))
                        .max(Duration::compareTo)
                        .get());
        List<FaultSpec> faults = new ArrayList<>();
        form.forms("faults")
                .forEach(
                        f -> new FaultBinder(f, targets, scale, loadEnds).bind().ifPresent(faults::add));
        return new Scenario(
                s.name(),
                s.about(),
                s.topics(),
                s.producers(),
                s.consumers(),
                s.duration(),
                s.warmup(),
                s.audit(),
                s.checks(),
                faults,
                s.abortOnFail(),
                s.fleet());
    }

    private FleetSpec fleet() {
        return form.form("fleet")
                .map(f -> new FleetSpec(
                        f.choice("onAgentLoss", Map.of("abort", false, "continue", true))
                                .orElse(false),
                        f.flag("apart", false)))
                .orElse(FleetSpec.DEFAULT);
    }

    /** True also for what is wrong, so that one mistake is not reported twice. */
    private boolean present(String key) {
        return form.node(key)
                .filter(node -> !(node instanceof Items items && items.values().isEmpty()))
                .isPresent();
    }

    static String name(String text) {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
            throw new IllegalArgumentException(
                    "expected a name of up to 100 letters, digits, dots, dashes and underscores,"
                            + " because it names a directory, found " + Texts.quoted(text));
        }
        return text;
    }

    private List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        YamlNode node = form.node("checks").orElse(null);
        if (node == null) {
            return checks;
        }
        if (!(node instanceof Items list)) {
            form.unexpected("checks", node);
            return checks;
        }
        for (int i = 0; i < list.values().size(); i++) {
            YamlNode element = list.values().get(i);
            String key = "checks[" + i + "]";
            if (!(element instanceof Scalar scalar) || scalar.kind() == Kind.NULL) {
                form.problem(
                        element,
                        key,
                        "expected a check such as \"produce.response.p99 < 50ms\", found " + element.found());
                continue;
            }
            try {
                checks.add(measurable(CheckParser.parse(scalar.text())));
            } catch (IllegalArgumentException e) {
                form.problem(element, key, e.getMessage());
            }
        }
        return checks;
    }

    private Check measurable(Check check) {
        String missing = check.figure().startsWith("consume.") && !present("consumers")
                ? "consumers"
                : check.figure().startsWith("produce.") && !present("producers") ? "producers" : "";
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    check.figure() + " is not measured, because the scenario has no " + missing);
        }
        return check;
    }
}
