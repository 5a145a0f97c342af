package io.plimsoll.extending;

import io.plimsoll.diagnose.AddedRules;
import io.plimsoll.load.LoadKind;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioException;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Runs;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Reports where the extensions of docs/contributing/extending.md appear, if they are on the class path, and starts the
 * kind of load.
 */
public final class AddedThings implements Callable<Map<String, String>> {
    private static final String TOPICS = "topics: [{name: events}]\n";

    private final Map<String, String> found = new TreeMap<>();
    private final String servers;
    private final Path out;

    /** @param servers of a cluster on which the added kind of load is started */
    public AddedThings(String servers, Path out) {
        this.servers = servers;
        this.out = out;
    }

    @Override
    public Map<String, String> call() {
        figure();
        producer();
        consumer();
        load();
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
        found.put("figure in the list", figure.meaning(Language.EN));
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
                "key in the documents", ProducerSpec.ALL.keys().get("clientId").about(Language.EN));
        found.put("key misspelt", mistake("producers: [{topic: events, engine: trickle, cliendId: orders}]"));
        found.put("key of another kind", mistake("producers: [{topic: events, clientId: orders}]"));
    }

    private void consumer() {
        ConsumerSpec spec = read("consumers: [{topic: events, engine: trickle, piece: 500}]")
                .consumers()
                .get(0);
        found.put("kind", LoadKind.of(spec.engine()).getClass().getSimpleName() + " " + spec.get(TrickleKind.PIECE));
        found.put("kind's key", ConsumerSpec.ALL.keys().get("piece").about(Language.ZH));
        ConsumerSpec other = read("consumers: [{topic: events}]").consumers().get(0);
        found.put("kind's default", String.valueOf(other.get(TrickleKind.PIECE)));
    }

    /** Batches of one record: a reader with a limit of less than two of them must request each. */
    private void load() {
        TrialResult trial = Runs.run("""
                        name: trickle
                        topics: [{name: trickle}]
                        producers: [{topic: trickle, engine: trickle, records: 200, record: {size: 900}, config: {batch.size: 0}}]
                        consumers: [{topic: trickle, engine: trickle, piece: 1000, start: {after: produce}}]
                        """, servers, out).trials().get(0);
        Consume consume = trial.consume();
        found.put(
                "load",
                trial.produce().volume().records() + " written, "
                        + consume.volume().records() + " read");
        found.put("load's engine", consume.engine());
        found.put("load asks for each", String.valueOf(consume.fetches().requests() >= 200));
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
