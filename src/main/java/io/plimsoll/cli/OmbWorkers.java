package io.plimsoll.cli;

import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What stands behind {@code --workers} of OpenMessaging Benchmark, whose workers speak HTTP: the hosts where agents can be. */
final class OmbWorkers {
    private static final Pattern URL = Pattern.compile("https?://([^\\s/\"',\\]:]+)");
    private static final String PORT = ":7654";
    private static final String CERTIFICATES = " --certs certs/";
    private static final int MOST_TOLD = 3;

    private OmbWorkers() {}

    /** The hosts of these addresses and of those in a file, each once. */
    static List<String> hosts(List<String> addresses, Path file) {
        List<String> texts = new ArrayList<>(addresses);
        if (file != null) {
            texts.add(ScenarioSource.read(file, "cli.aWorkersFile"));
        }
        List<String> hosts = new ArrayList<>();
        for (String text : texts) {
            Matcher url = URL.matcher(text);
            while (url.find()) {
                hosts.add(url.group(1));
            }
        }
        return hosts.stream().distinct().toList();
    }

    /** The commands by which agents on these hosts make the load. */
    static Sentence instead(List<String> hosts) {
        List<String> agents = new ArrayList<>();
        for (String host : hosts) {
            String join = agents.isEmpty() ? "" : " --join " + hosts.get(0) + PORT;
            agents.add("plimsoll agent --listen " + host + PORT + join + CERTIFICATES + host);
        }
        return Sentence.of(
                "cli.agentsInstead",
                "plimsoll fleet certs certs coordinator " + String.join(" ", hosts),
                Sentence.list(agents, MOST_TOLD),
                "--fleet " + hosts.get(0) + PORT + CERTIFICATES + "coordinator");
    }
}
