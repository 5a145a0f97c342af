package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.observe.broker.BrokerSource;
import io.plimsoll.observe.broker.BrokerSource.JmxLogin;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.management.remote.JMXServiceURL;
import picocli.CommandLine.Option;

/** Sources of broker figures outside a lab. */
final class ObserveOptions {
    private static final Pattern HOST_AND_PORT = Pattern.compile("[^\\s:/]+:\\d{1,5}|\\[[0-9a-fA-F:.]+]:\\d{1,5}");

    @Option(names = "--jmx", paramLabel = "BROKER=HOST:PORT")
    Map<Integer, String> jmx = new LinkedHashMap<>();

    @Option(names = "--jmx-user", paramLabel = "NAME")
    String jmxUser;

    @Option(names = "--jmx-password-file", paramLabel = "FILE")
    Path jmxPasswordFile;

    @Option(names = "--jmx-password-in-clear")
    boolean jmxPasswordInClear;

    @Option(names = "--metrics-endpoint", paramLabel = "BROKER=URL")
    Map<Integer, String> endpoints = new LinkedHashMap<>();

    @Option(names = "--observer", paramLabel = "BROKER=URL")
    Map<Integer, String> observers = new LinkedHashMap<>();

    List<BrokerSource> observed() {
        Exit.USAGE.when((jmxUser == null) != (jmxPasswordFile == null), "cli.jmxUserAndPassword");
        List<BrokerSource> sources = new ArrayList<>();
        JmxLogin login = jmxUser == null ? null : new JmxLogin(jmxUser, password(), jmxPasswordInClear);
        jmx.forEach((broker, address) -> {
            String url = url(address);
            sources.add(BrokerSource.jmx(broker, () -> url, login));
        });
        endpoints.forEach(
                (broker, url) -> sources.add(BrokerSource.prometheus(broker, checked("--metrics-endpoint", url))));
        observers.forEach((broker, url) -> sources.add(BrokerSource.agent(broker, checked("--observer", url))));
        return sources;
    }

    private static String url(String address) {
        String url =
                address.startsWith("service:jmx:") ? address : "service:jmx:rmi:///jndi/rmi://" + address + "/jmxrmi";
        try {
            new JMXServiceURL(url);
        } catch (MalformedURLException e) {
            throw noJmx(address);
        }
        if (!url.equals(address) && !HOST_AND_PORT.matcher(address).matches()) {
            throw noJmx(address);
        }
        return url;
    }

    private static PlimsollException noJmx(String address) {
        return Exit.USAGE.because("cli.notAJmxAddress", address);
    }

    private static String checked(String option, String url) {
        if (!url.startsWith("http://") && !url.startsWith("https://")) {
            throw mistake(option, url);
        }
        try {
            URI uri = URI.create(url);
            if (uri.getRawQuery() != null && uri.getRawQuery().startsWith("token=")) {
                Secrets.learn(uri.getRawQuery().substring("token=".length()));
            }
            return uri.toString();
        } catch (IllegalArgumentException e) {
            throw mistake(option, url);
        }
    }

    private static PlimsollException mistake(String option, String url) {
        return Exit.USAGE.because("cli.notAMetricsEndpoint", url.replaceFirst("[?#].*", ""), option);
    }

    private String password() {
        try {
            String text = InputFile.text(jmxPasswordFile, InputFile.LINES);
            String password = text.lines().findFirst().orElse("");
            Secrets.learn(password);
            return password;
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "cli.cannotReadJmxPassword", jmxPasswordFile, e);
        }
    }
}
