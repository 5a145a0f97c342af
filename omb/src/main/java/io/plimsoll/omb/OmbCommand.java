package io.plimsoll.omb;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cli.Arguments;
import io.plimsoll.cli.FleetOptions;
import io.plimsoll.cli.HelpText;
import io.plimsoll.cli.ModuleCommand;
import io.plimsoll.cli.RunCommand;
import io.plimsoll.cli.RunCommand.ShownRun;
import io.plimsoll.cli.RunCommand.ShownRun.DryRun;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.omb.files.OmbRun;
import io.plimsoll.omb.files.OmbSetting;
import io.plimsoll.omb.files.OmbSetting.KafkaProperties;
import io.plimsoll.omb.files.OmbSetting.PayloadFile;
import io.plimsoll.omb.files.OmbTranslation;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.CeilingRequest;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.ScenarioException;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll omb}: replaces OpenMessaging Benchmark's {@code bin/benchmark}. */
@Command(name = "omb")
public final class OmbCommand extends ModuleCommand {
    /** Time format in OpenMessaging Benchmark's file names. */
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd-HH-mm-ss");

    private static final Pattern WORKER = Pattern.compile("https?://([^\\s/\"',\\]:]+)");

    private static final String PORT = ":7654";
    private static final String CERTIFICATES = " --certs certs/";
    private static final int MOST_TOLD = 3;

    private static final Duration SHORTEST_TRIAL = Duration.ofSeconds(2);
    private static final Duration LONGEST_TRIAL = Duration.ofSeconds(10);
    private static final double SEARCH_WIDTH = 0.05;

    /** Distribution of the load over workers, as in a fork of OpenMessaging Benchmark. */
    enum Topology {
        /** Each worker both produces and consumes. */
        SWARM,
        /** No worker both produces and consumes. */
        ENSEMBLE
    }

    @Parameters(arity = "1..*", paramLabel = "WORKLOAD.yaml", descriptionKey = "argument.omb.workloads")
    List<Path> workloads;

    @Option(
            names = {"-d", "--drivers"},
            required = true,
            split = ",",
            paramLabel = "DRIVER.yaml[,...]")
    List<Path> drivers;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE")
    Path output;

    @Option(
            names = {"-w", "--workers"},
            split = ",",
            paramLabel = "URL[,...]")
    List<String> workers = new ArrayList<>();

    @Option(
            names = {"-wf", "--workers-file"},
            paramLabel = "FILE")
    Path workersFile;

    @Option(names = {"-x", "--extra"})
    boolean extra;

    @Option(
            names = {"-t", "--topology"},
            paramLabel = "TOPOLOGY")
    Topology topology;

    @Option(names = {"-s", "--separate"})
    boolean separate;

    @Option(
            names = {"-v", "--service-version"},
            paramLabel = "TEXT")
    String serviceVersion;

    @Option(names = "--strict")
    boolean strict;

    @Option(names = "--bootstrap-server", paramLabel = "HOST:PORT[,...]")
    String bootstrapServer;

    @Option(names = "--lab")
    boolean lab;

    @Mixin
    RunCommand.OwnLab ownLab = new RunCommand.OwnLab();

    @Option(names = "--zone-id", paramLabel = "ID")
    String zoneId;

    @Option(names = "--set", paramLabel = "PATH=VALUE")
    List<String> overrides = new ArrayList<>();

    @Option(names = "--scale", paramLabel = "F", defaultValue = "1")
    double scale;

    @Option(names = "--max-rate", paramLabel = "RATE")
    String maxRate;

    @Option(names = "--allow-exec")
    boolean allowExec;

    @Option(names = "--dry-run")
    boolean dryRun;

    @Mixin
    FleetOptions fleet = new FleetOptions();

    @Mixin
    RunCommand.Guards guards = new RunCommand.Guards();

    @Mixin
    RunCommand.SelfWarmup selfWarmup = new RunCommand.SelfWarmup();

    @Mixin
    RunCommand.Results results;

    @Mixin
    HelpText.All help = new HelpText.All();

    private boolean onLab() {
        return lab || ownLab.asked();
    }

    @Override
    protected Exit execute() {
        require(!onLab() || bootstrapServer == null, "cli.ombLabOrCluster");
        int count = workloads.size() * drivers.size();
        require(output == null || count == 1, "cli.oneOutput", count);
        require(topology != Topology.SWARM || !separate, "cli.swarmSeparate");
        List<Translated> runs = translate();
        warnOfWorkers();
        Exit exit = Exit.PASSED;
        for (Translated run : runs) {
            Exit code = execute(run, runs.size() > 1);
            exit = exit == Exit.PASSED ? code : exit;
            if (code == Exit.INTERRUPTED) {
                return code;
            }
        }
        return exit;
    }

    /**
     * A translated workload and driver.
     * @param again translates again, since rates by time of day depend on the start of the run
     * @param atRate the same at a fixed rate, for use after the search that {@code producerRate: 0} requests
     */
    private record Translated(OmbRun run, Supplier<OmbRun> again, DoubleFunction<OmbRun> atRate) {}

    /** Translates every workload for every driver, in command-line order, before the first run; reports all errors together. */
    private List<Translated> translate() {
        OmbSetting.Reading reading = new OmbSetting.Reading(strict, changes(), scale);
        OmbSetting.Cluster cluster =
                new OmbSetting.Cluster(onLab(), Optional.ofNullable(bootstrapServer), Optional.ofNullable(zoneId));
        List<Translated> runs = new ArrayList<>();
        Set<Sentence> mistakes = new LinkedHashSet<>();
        for (Path workload : workloads) {
            for (Path driver : drivers) {
                try {
                    String driverText = ScenarioSource.read(driver, "cli.aDriverFile");
                    String workloadText = ScenarioSource.read(workload, "cli.aWorkloadFile");
                    String suffix = workloads.size() * drivers.size() == 1 ? "" : "-" + runs.size();
                    String tag = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + suffix;
                    Supplier<OmbSetting> setting = () -> new OmbSetting(
                            reading,
                            cluster,
                            new OmbSetting.Surroundings(
                                    tag,
                                    LocalTime.now(ZoneId.systemDefault()),
                                    name -> payload(name, workload),
                                    new KafkaClientProperties()),
                            OptionalDouble.empty());
                    Function<OmbSetting, OmbRun> translation = s -> OmbTranslation.translate(
                            driverText, driver.toString(), workloadText, workload.toString(), s);
                    Supplier<OmbRun> again = () -> translation.apply(setting.get());
                    runs.add(new Translated(
                            again.get(),
                            again,
                            rate -> translation.apply(setting.get().withHighestRate(rate))));
                } catch (ScenarioException e) {
                    e.problems().forEach(problem -> mistakes.add(problem.sentence()));
                } catch (PlimsollException e) {
                    mistakes.add(e.sentence());
                }
            }
        }
        if (!mistakes.isEmpty()) {
            throw new PlimsollException(Exit.USAGE, Sentence.lines(List.copyOf(mistakes)));
        }
        return runs;
    }

    /**
     * Finds payload files: in the current directory, as OpenMessaging Benchmark does, otherwise beside the workload,
     * otherwise one level above it.
     */
    private static List<PayloadFile> payload(String name, Path workload) {
        try {
            Path beside = workload.toAbsolutePath().resolveSibling(name);
            Path above = workload.toAbsolutePath().resolveSibling("").resolveSibling(name);
            Path found = Stream.of(Path.of(name), beside, above)
                    .filter(Files::exists)
                    .findFirst()
                    .orElse(null);
            List<PayloadFile> files = new ArrayList<>();
            if (found != null) {
                try (Stream<Path> all = Files.isDirectory(found) ? Files.list(found) : Stream.of(found)) {
                    for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                        files.add(new PayloadFile(file.toString(), Files.size(file)));
                    }
                }
            }
            return files;
        } catch (InvalidPathException | IOException e) {
            return List.of();
        }
    }

    private static final class KafkaClientProperties implements KafkaProperties {
        private static final Map<Client, ConfigDef> DEFINITIONS = Map.of(
                Client.PRODUCER, ProducerConfig.configDef(),
                Client.CONSUMER, ConsumerConfig.configDef(),
                Client.ADMIN, AdminClientConfig.configDef());

        private static ConfigDef definition(Client client) {
            return Objects.requireNonNull(DEFINITIONS.get(client));
        }

        @Override
        public Set<String> names(Client client) {
            return definition(client).names();
        }

        @Override
        public Optional<Sentence> refusal(Client client, String name, String value) {
            ConfigDef.ConfigKey key = Objects.requireNonNull(definition(client).configKeys().get(name), name);
            try {
                Object parsed = ConfigDef.parseType(name, value, key.type);
                if (key.validator != null) {
                    key.validator.ensureValid(name, parsed);
                }
                return Optional.empty();
            } catch (ConfigException e) {
                return Optional.of(Sentence.of("cli.clientRefuses", e.getMessage()));
            }
        }
    }

    /**
     * The overrides of the run. In a fleet, no host both produces and consumes by default, as in OpenMessaging
     * Benchmark.
     */
    private List<String> changes() {
        List<String> all = new ArrayList<>(overrides);
        if (fleet.named() && overrides.stream().noneMatch(o -> o.startsWith("fleet"))) {
            all.add("fleet.apart=" + (topology != Topology.SWARM));
        }
        return all;
    }

    private void warnOfWorkers() {
        List<String> hosts = hosts();
        boolean asked = !hosts.isEmpty() || extra;
        if (!fleet.named() && (asked || workersFile != null)) {
            warn(Sentence.of("cli.noWorkers", hosts.isEmpty() ? Sentence.NONE : instead(hosts)));
        } else if (fleet.named() && asked) {
            warn(Sentence.of("cli.workersAndFleet"));
        }
    }

    private List<String> hosts() {
        List<String> texts = new ArrayList<>(workers);
        if (workersFile != null) {
            texts.add(ScenarioSource.read(workersFile, "cli.aWorkersFile"));
        }
        return texts.stream()
                .flatMap(text -> WORKER.matcher(text).results())
                .map(url -> url.group(1))
                .distinct()
                .toList();
    }

    private static Sentence instead(List<String> hosts) {
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

    private void warn(Sentence text) {
        say("cli.warning", text);
    }

    /** Runs one workload. A failure does not prevent the following runs. */
    private Exit execute(Translated translated, boolean several) {
        OmbRun run = translated.run();
        try {
            run.warnings().forEach(this::warn);
            return execute(translated);
        } catch (PlimsollException e) {
            List<Sentence> lines = e.sentence()
                    .in(language())
                    .lines()
                    .map(line -> Sentence.of("cli.ofWorkload", run.workloadFile(), run.driver(), line))
                    .toList();
            if (!several) {
                throw e.exit() == Exit.USAGE ? new PlimsollException(Exit.USAGE, Sentence.lines(lines)) : e;
            }
            lines.forEach(this::say);
            return e.exit();
        }
    }

    private Exit execute(Translated translated) {
        OmbRun run = translated.again().get();
        Optional<ClusterConnection> connection = run.cluster()
                .bootstrapServers()
                .map(servers -> new ClusterConnection(
                        servers, new LinkedHashMap<>(run.cluster().clientProperties())));
        if (dryRun) {
            return new DryRun(this, fleet).show(request(run, connection), Optional.empty());
        }
        Optional<RunRequest.OldTopics> old = connection
                .flatMap(cluster -> run.cluster().reset())
                .map(asked -> new RunRequest.OldTopics(OmbRun.TOPIC_PREFIX, asked));
        RunRequest request = request(run, connection).with(draft -> draft.oldTopics = old);
        if (!run.highestRate()) {
            return measure(run, request);
        }
        Duration measured = run.plan().trials().get(0).scenario().duration();
        RunResult search = show(request, Optional.of(search(measured)), finished -> {});
        Double rate = search.ceilings().isEmpty()
                ? null
                : search.ceilings().get(0).found().sustained().lowerRecordsPerSecond();
        Exit exit = search.head().exit();
        if (exit == Exit.INTERRUPTED || exit == Exit.CLUSTER || rate == null) {
            return exit;
        }
        OmbRun found = translated.atRate().apply(Math.floor(rate));
        Exit ofRate = measure(found, request(found, connection));
        return exit == Exit.PASSED ? ofRate : exit;
    }

    private Exit measure(OmbRun run, RunRequest request) {
        RunResult measured = show(request, Optional.empty(), finished -> writeResult(run, finished));
        return measured.head().exit();
    }

    private RunResult show(RunRequest asked, Optional<CeilingRequest> search, Consumer<Run.Finished> more) {
        ShownRun shown = new ShownRun(this, results, more, true);
        return fleet.run(asked, this, request -> shown.execute(request, search, Optional.empty(), List.of())
                .result());
    }

    private RunRequest request(OmbRun run, Optional<ClusterConnection> connection) {
        return RunRequest.of(run.plan(), results.out, Arguments.typed(spec), ToolInfo.ofRun())
                .with(draft -> {
                    draft.cluster = connection;
                    ownLab.addTo(draft);
                    draft.seed = results.seed;
                    draft.allowExec = allowExec;
                    draft.strict = strict;
                    selfWarmup.addTo(draft, this);
                    draft.limits = guards.limits(this, maxRate);
                });
    }

    /** The search for the highest rate. After the search, the workload runs at the rate found, for its own duration. */
    CeilingRequest search(Duration measured) {
        Optional<Rate.Quantity> most =
                Optional.ofNullable(maxRate).map(text -> read("--max-rate", text, Quantities::rate));
        boolean bytes = most.filter(rate -> rate.unit() != Rate.Unit.RECORDS).isPresent();
        double highest = most.map(Rate.Quantity::value).orElse(Double.MAX_VALUE);
        Duration trial = measured.compareTo(LONGEST_TRIAL) < 0 ? measured : LONGEST_TRIAL;
        return new CeilingRequest(
                Optional.empty(),
                bytes ? Rate.Unit.PAYLOAD_BYTES : Rate.Unit.RECORDS,
                Math.min(bytes ? 1000 : 1, highest),
                most.isPresent() ? OptionalDouble.of(highest) : OptionalDouble.empty(),
                SEARCH_WIDTH,
                Optional.of(OmbRun.LONGEST_SEARCH),
                new CeilingRequest.Lengths(
                        trial.compareTo(SHORTEST_TRIAL) < 0 ? SHORTEST_TRIAL : trial, Duration.ZERO, 0),
                CeilingRequest.Extras.NONE);
    }

    private void writeResult(OmbRun run, Run.Finished finished) {
        Path file = output != null
                ? output
                : Path.of(run.workloadFile() + "-" + run.driver().replaceAll("[/\\\\\\s]+", "-") + "-"
                        + TIME.format(LocalDateTime.now(ZoneId.systemDefault())) + ".json");
        try (RunDirectory directory = RunDirectory.open(finished.directory())) {
            String result =
                    OmbResult.of(directory, Optional.empty(), run.periodMillis(), Optional.ofNullable(serviceVersion));
            directory.write(OmbResult.FILE, result);
            Files.writeString(file, result);
            if (!results.json) {
                print("cli.ombResult", file);
            }
        } catch (PlimsollException e) {
            // The run was interrupted before the first measurement, or the disk is full; the partial report was already
            // shown.
            warn(e.sentence());
        } catch (IOException e) {
            throw Exit.INTERNAL.because(
                    e, "cli.cannotWriteOmb", file, e.getMessage(), OmbResult.FILE, finished.directory());
        }
    }
}
