package io.plimsoll.extending;

import io.plimsoll.diagnose.AddedRules;
import io.plimsoll.load.LoadKind;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.ConsumerKeys;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.ProducerKeys;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioException;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/** Tells where the things arrive that docs/extending.md adds, if they are on the class path. */
public final class AddedThings implements Callable<Map<String, String>> {
    private static final String TOPICS = "topics: [{name: events}]\n";

    private final Map<String, String> found = new TreeMap<>();

    @Override
    public Map<String, String> call() {
        figure();
        producer();
        consumer();
        fault();
        found.put("rule", String.join(" / ", AddedRules.said(true)));
        found.put("rule without figures", String.join(" / ", AddedRules.said(false)));
        sentence(3, "orders", "events");
        return found;
    }

    private void figure() {
        found.put(
                "check",
                CheckParser.parse("produce.batchRate > 100 for 95% of seconds").figure());
        Figure figure = FigureCatalogue.all().stream()
                .filter(f -> f.id().equals("produce.batchRate"))
                .findFirst()
                .orElseThrow();
        found.put("figure in the list", figure.meaning());
        found.put("figure in Chinese", figure.label(Language.ZH));
        found.put("figure charted", String.valueOf(FigureCatalogue.charted().contains(figure)));
        found.put("figure of a column", String.valueOf(!figure.columns().isEmpty()));
    }

    private static Scenario read(String yaml) {
        return ScenarioReader.read(TOPICS + yaml, "f.yaml", List.of(), 1)
                .trials()
                .get(0)
                .scenario();
    }

    private static String mistake(String yaml) {
        try {
            read(yaml);
            return "";
        } catch (ScenarioException e) {
            return e.getMessage() + " / " + e.sentence().in(Language.ZH);
        }
    }

    private void producer() {
        Scenario scenario = read("producers: [{topic: events, engine: trickle, clientId: orders}]");
        found.put("key", scenario.producers().get(0).get(TrickleKind.CLIENT_ID));
        found.put(
                "key in the documents", ProducerKeys.ALL.keys().get("clientId").about(Language.EN));
        found.put("key misspelt", mistake("producers: [{topic: events, engine: trickle, cliendId: orders}]"));
        found.put("key of another kind", mistake("producers: [{topic: events, clientId: orders}]"));
    }

    private void consumer() {
        ConsumerSpec spec = read("consumers: [{topic: events, engine: trickle, piece: 500}]")
                .consumers()
                .get(0);
        found.put("kind", LoadKind.of(spec.engine()).getClass().getSimpleName() + " " + spec.get(TrickleKind.PIECE));
        found.put("kind's key", ConsumerKeys.ALL.keys().get("piece").about(Language.ZH));
        ConsumerSpec other = read("consumers: [{topic: events}]").consumers().get(0);
        found.put("kind's default", String.valueOf(other.get(TrickleKind.PIECE)));
    }

    private void fault() {
        FaultSpec fault = read("producers: [{topic: events}]\nfaults: [{at: 1s, roll: 1, for: 2s}]")
                .faults()
                .get(0);
        Sentence planned = fault.kind().planned(fault);
        found.put("fault", planned.english() + " / " + planned.in(Language.ZH));
    }

    private void sentence(int idle, String group, String topic) {
        int partitions = 1;
        List<Sentence> texts = new ArrayList<>();
        texts.add(Sentence.of("result.idleMembers", Units.count(idle), group, topic, Units.count(partitions)));
        found.put("sentence", texts.get(0).english() + " / " + texts.get(0).in(Language.ZH));
    }
}
