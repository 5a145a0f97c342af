package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cluster.Ability;
import io.plimsoll.cluster.ClusterProbe;
import io.plimsoll.cluster.ClusterProbe.Findings;
import io.plimsoll.cluster.ClusterProbe.Found;
import io.plimsoll.report.Mark;
import io.plimsoll.result.Json;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ApiLevels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plimsoll probe}: what a cluster can do, of whatever make it is, and what of Plimsoll works there. */
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
        Findings findings = ClusterProbe.of(cluster.connection());
        if (json) {
            out().print(Json.pretty(asMap(findings)));
        } else {
            show(findings);
        }
        return Exit.PASSED;
    }

    private void show(Findings findings) {
        print(
                "cli.probe.cluster",
                findings.cluster().clusterId(),
                findings.cluster().brokers().size());
        out().println();
        for (Map.Entry<Ability, Found> entry : new TreeMap<>(findings.abilities()).entrySet()) {
            Found found = entry.getValue();
            String detail = found.detail().in(language());
            String said = entry.getKey().label().in(language()) + (detail.isEmpty() ? "" : ": " + detail);
            out().println("  " + Mark.of(found.works()).before(said, look()));
            if (!found.works()) {
                out().println("      "
                        + Sentence.of("cli.probe.without", entry.getKey().use()).in(language()));
            }
        }
        if (!findings.features().isEmpty()) {
            out().println();
            print("cli.probe.features", told(findings.features()));
        }
        if (apis) {
            out().println();
            new TreeMap<>(findings.levels().ranges()).forEach((name, range) -> out().println(Mark.of(range.usable())
                    .before(
                            String.format("%-32s %3d – %-3d", name, range.oldest(), range.newest())
                                    .strip(),
                            look())));
        }
    }

    private static List<String> told(Map<String, Integer> features) {
        List<String> told = new ArrayList<>();
        new TreeMap<>(features).forEach((name, level) -> told.add(name + " " + level));
        return told;
    }

    private Map<String, Object> asMap(Findings findings) {
        Map<String, Object> abilities = new LinkedHashMap<>();
        new TreeMap<>(findings.abilities()).forEach((ability, found) -> {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("works", found.works());
            entry.put("detail", found.detail().english());
            entry.put("requests", ability.requests());
            entry.put("use", ability.use().english());
            abilities.put(ability.id(), entry);
        });
        Map<String, Object> requests = new LinkedHashMap<>();
        for (Map.Entry<String, ApiLevels.Range> entry :
                new TreeMap<>(findings.levels().ranges()).entrySet()) {
            ApiLevels.Range range = entry.getValue();
            requests.put(entry.getKey(), Map.of("min", range.oldest(), "max", range.newest(), "client", range.ours()));
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("schema", "plimsoll.probe/1");
        all.put("clusterId", String.valueOf(findings.cluster().clusterId()));
        all.put("brokers", findings.cluster().brokers());
        all.put("abilities", abilities);
        all.put("features", new TreeMap<>(findings.features()));
        all.put("requests", requests);
        return all;
    }
}
