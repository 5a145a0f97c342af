package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.testing.Said;
import io.plimsoll.web.RunsPage;
import io.plimsoll.web.WebPlace;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without a module, commands that need it say so in one sentence and explain themselves. */
class WithoutModulesTest {
    /** The class path of the tests without these modules and their libraries. */
    private static final class Core extends URLClassLoader {
        /** The service types of each module. */
        private static final Map<String, String> SERVICES = Map.of(
                "fleet", "FleetSupport|ModuleCommand\\$OfFleet",
                "history", "HistorySupport|ModuleCommand\\$OfHistory",
                "omb", "OmbSupport|ModuleCommand",
                "perf", "ModuleCommand\\$OfPerf");

        private final String classes;
        private final String services;

        private Core(List<URL> all, List<String> modules) {
            super(all.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
            classes = "(io\\.plimsoll\\.(" + String.join("|", modules) + ")|org\\.apache\\.pekko|org\\.sqlite)\\..*";
            services = ".*\\.(" + modules.stream().map(SERVICES::get).collect(Collectors.joining("|")) + ")";
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.matches(classes)) {
                throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
        }

        @Override
        public Enumeration<URL> findResources(String name) throws IOException {
            return name.matches(services) ? Collections.emptyEnumeration() : super.findResources(name);
        }

        static Core without(String... modules) throws MalformedURLException {
            String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            List<URL> all = new ArrayList<>();
            for (String entry : path.split(File.pathSeparator)) {
                all.add(Path.of(entry).toUri().toURL());
            }
            return new Core(all, List.of(modules));
        }

        private Object get(Object of, String name) throws ReflectiveOperationException {
            return of.getClass().getMethod(name).invoke(of);
        }

        void assertSays(Exit exit, String pattern, String... words) throws ReflectiveOperationException {
            Object run = loadClass(InProcess.class.getName())
                    .getMethod("run", String[].class)
                    .invoke(null, (Object) words);
            assertThat((String) get(run, "err")).containsPattern(pattern);
            assertThat(get(run, "exit")).isEqualTo(exit.code());
        }
    }

    @Test
    void refusesOnlyFleetCommands() throws Exception {
        try (Core core = Core.without("fleet", "omb", "perf")) {
            String missing = Said.en("fleet.noModule").pattern();
            core.assertSays(Exit.USAGE, missing, "fleet", "status");
            core.assertSays(Exit.USAGE, missing, "fleet", "certs", "/nowhere", "host");
            core.assertSays(Exit.USAGE, missing, "agent", "--certs", "/nowhere");
            core.assertSays(Exit.USAGE, missing, "run", "--fleet", "127.0.0.1:1");
            core.assertSays(Exit.PASSED, "^$", "agent", "--help");
            core.assertSays(Exit.PASSED, "^$", "run", "--help");
        }
    }

    @Test
    void refusesOnlyHistoryCommands(@TempDir Path runs) throws Exception {
        try (Core core = Core.without("history")) {
            String missing = Said.en("history.noModule").pattern();
            core.assertSays(Exit.USAGE, missing, "history", runs.toString());
            core.assertSays(
                    Exit.USAGE, missing, "history", "check", runs.toString(), "--figure", "produce.response.p99");
            core.assertSays(Exit.PASSED, "^$", "history", "--help");
            core.assertSays(Exit.PASSED, "^$", "ui", "--help");
        }
    }

    @Test
    void pageOfHistoryNamesMissingModule(@TempDir Path runs) throws Exception {
        try (Core core = Core.without("history")) {
            Class<?> place = core.loadClass(WebPlace.class.getName());
            Object local = place.getMethod("local", int.class).invoke(null, 0);
            try (AutoCloseable page = (AutoCloseable) core.loadClass(RunsPage.class.getName())
                    .getConstructor(Path.class, place)
                    .newInstance(runs, local)) {
                String address = core.get(page, "address") + "history";
                assertThat(refused(address, "en")).containsPattern(Said.en("history.noModule"));
                assertThat(refused(address, "zh")).containsPattern(Said.zh("history.noModule"));
            }
        }
    }

    private static String refused(String address, String language) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .header("Accept-Language", language)
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(400);
        return response.body();
    }

    @Test
    void refusesOnlyPerformanceToolCommands(@TempDir Path directory) throws Exception {
        Path output = Files.writeString(directory.resolve("producer.log"), "1 records sent");
        try (Core core = Core.without("perf")) {
            String missing = Said.en("result.noPerf").pattern();
            core.assertSays(Exit.USAGE, missing, "producer-perf-test", "--topic", "t", "--throughput", "-1");
            core.assertSays(Exit.USAGE, missing, "consumer-perf-test", "--messages", "1");
            core.assertSays(Exit.USAGE, missing, "capture", "--topics", "orders");
            core.assertSays(Exit.USAGE, missing, "share-consumer-perf-test", "--num-records", "1");
            core.assertSays(Exit.USAGE, missing, "end-to-end-latency", "127.0.0.1:1", "t", "1", "all", "1");
            core.assertSays(Exit.USAGE, missing, "import", output.toString());
            core.assertSays(Exit.PASSED, "^$", "consumer-perf-test", "--help");
        }
    }

    @Test
    void refusesOnlyOmbCommands(@TempDir Path directory) throws Exception {
        Path result = Files.writeString(directory.resolve("result.json"), "{}");
        try (Core core = Core.without("omb")) {
            String missing = Said.en("result.noOmb").pattern();
            core.assertSays(Exit.USAGE, missing, "omb", "--drivers", "driver.yaml", "-x", "--lab", "workload.yaml");
            core.assertSays(Exit.USAGE, missing, "benchmark", "-d", "driver.yaml", "workload.yaml");
            core.assertSays(Exit.USAGE, missing, "import", result.toString());
            core.assertSays(Exit.PASSED, "^$", "omb", "--help");
            core.assertSays(Exit.PASSED, "^$", "--help");
        }
    }
}
