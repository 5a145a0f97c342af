package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterProbe;
import io.plimsoll.cluster.ClusterProbe.Findings;
import io.plimsoll.report.Mark;
import io.plimsoll.result.Json;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plimsoll probe}: shows the features of a Kafka-compatible cluster. */
@Command(name = "probe")
final class ProbeCommand extends PlimsollCommand {
    @Mixin
    ClusterOptions cluster;

    @Option(names = "--apis")
    boolean apis;

    @Option(names = "--json")
    boolean json;

    @Override
    Exit perform() {
        Findings findings = ClusterProbe.of(cluster.warnedConnection());
        if (json) {
            out().print(Json.pretty(asMap(findings)));
        } else {
            show(findings);
        }
        return Exit.PASSED;
    }

    private void show(Findings findings) {
        var cluster = findings.cluster();
        print("cli.probe.cluster", cluster.clusterId(), cluster.brokers().size());
        out().println();
        new TreeMap<>(findings.abilities()).forEach((ability, found) -> {
            boolean bare = found.detail().english().isEmpty();
            Sentence said = bare ? ability.label() : Sentence.of("text.at", ability.label(), found.detail());
            printLine("  " + Mark.of(found.works()).before(said.in(language()), look()));
            if (!found.works()) {
                printLine("      "
                        + Sentence.of("cli.probe.without", ability.use()).in(language()));
            }
        });
        if (!findings.features().isEmpty()) {
            out().println();
            List<String> features = new ArrayList<>();
            new TreeMap<>(findings.features()).forEach((name, level) -> features.add(name + " " + level));
            print("cli.probe.features", features);
        }
        if (apis) {
            out().println();
            new TreeMap<>(findings.levels().ranges()).forEach((name, range) -> {
                String text = String.format("%-32s %3d – %-3d", name, range.oldest(), range.newest());
                out().println(Mark.of(range.usable()).before(text.strip(), look()));
            });
        }
    }

    private Map<String, Object> asMap(Findings findings) {
        Map<String, Object> abilities = new LinkedHashMap<>();
        new TreeMap<>(findings.abilities())
                .forEach((ability, found) -> abilities.put(
                        ability.id(),
                        Json.object(
                                "works", found.works(),
                                "detail", found.detail().english(),
                                "requests", ability.requests(),
                                "use", ability.use().english())));
        Map<String, Object> requests = new TreeMap<>();
        findings.levels()
                .ranges()
                .forEach((name, range) -> requests.put(
                        name, Map.of("min", range.oldest(), "max", range.newest(), "client", range.ours())));
        Map<String, Object> probed = Json.object(
                "schema", "plimsoll.probe/1",
                "clusterId", String.valueOf(findings.cluster().clusterId()),
                "brokers", findings.cluster().brokers());
        probed.putAll(Json.object(
                "abilities", abilities, "features", new TreeMap<>(findings.features()), "requests", requests));
        return probed;
    }
}
