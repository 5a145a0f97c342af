package io.plimsoll.cli;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cli.UiOptions.BindOptions;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.report.WatchText;
import io.plimsoll.result.Json;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import io.plimsoll.text.Sentence;
import io.plimsoll.watch.IncidentNews;
import io.plimsoll.watch.Watch;
import io.plimsoll.watch.WatchScenario;
import io.plimsoll.watch.WatchSettings;
import io.plimsoll.watch.WatchStatus;
import io.plimsoll.web.OtlpSettings.OtlpExport;
import io.plimsoll.web.WatchPage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll watch}: monitors every broker with a small, continuous load. */
@Command(name = "watch")
final class WatchCommand extends PlimsollCommand {
    private static final long LEAST_OUTAGE_MILLIS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Parameters(arity = "0..1", paramLabel = "NAME|FILE.yaml", descriptionKey = "argument.watch.scenario")
    String scenario;

    @Option(names = "--set", paramLabel = "PATH=VALUE")
    List<String> overrides = new ArrayList<>();

    @Mixin
    ClusterOptions cluster;

    @Option(names = "--topic", paramLabel = "TOPIC", defaultValue = "plimsoll-watch")
    String topic;

    @Option(names = "--rate", paramLabel = "RATE", defaultValue = "10/s")
    String rate;

    @Option(names = "--record-size", paramLabel = "SIZE", defaultValue = "100")
    String recordSize;

    @Option(names = "--max-rate", paramLabel = "RATE", defaultValue = "1MB/s")
    String maxRate;

    @Option(names = "--within", paramLabel = "TIME", defaultValue = "1s")
    String within;

    @Option(names = "--outage", paramLabel = "TIME", defaultValue = "400ms")
    String outage;

    @Option(names = "--objective", paramLabel = "SHARE", defaultValue = "99.9%")
    String objective;

    @Option(names = "--state", paramLabel = "DIR", defaultValue = "watch")
    Path state;

    @Option(names = "--for", paramLabel = "TIME")
    String time;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "0")
    int port;

    @Mixin
    BindOptions bind = new BindOptions();

    @Option(names = "--json")
    boolean json;

    @Override
    Exit perform() throws InterruptedException {
        WatchSettings settings = settings();
        long nanos = time == null
                ? Long.MAX_VALUE
                : read("--for", time, Quantities::duration).toNanos();
        CountDownLatch ended = new CountDownLatch(1);
        AtomicReference<PlimsollException> failure = new AtomicReference<>();
        Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
        // This thread creates all threads of the watch. A defect in any of them ends the watch, which can be restarted.
        Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> {
            // Failures during the shutdown are irrelevant.
            if (ended.getCount() > 0) {
                failure.compareAndSet(null, Exit.INTERNAL.because(e, "watch.failed", thread.getName(), e));
                ended.countDown();
            }
        });
        WatchStatus last;
        try {
            last = Daemon.untilSignal(ended::countDown, PATIENCE, () -> {}, () -> watch(settings, ended, nanos));
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(before);
        }
        if (failure.get() != null) {
            throw failure.get();
        }
        WatchStatus.Audit audit = last.place().audit();
        Exit looked = audit.blind() ? Exit.INVALID_MEASUREMENT : Exit.PASSED;
        return audit.clean() ? looked : Exit.AUDIT_FAILED;
    }

    /** @return the status when the watch ends */
    private WatchStatus watch(WatchSettings settings, CountDownLatch ended, long nanos) throws InterruptedException {
        try (Watch watch = new Watch(settings, listener())) {
            Optional<OtlpExport> sent = UiOptions.otlp(this, () -> WatchPage.metrics(watch.status()));
            try (WatchPage page = new WatchPage(bind.place(port), watch::status)) {
                begin(watch.status(), settings, page.address());
                boolean unused = ended.await(nanos, TimeUnit.NANOSECONDS);
                ended.countDown();
            } finally {
                sent.ifPresent(OtlpExport::close);
            }
            watch.close();
            WatchStatus last = watch.status();
            end(last);
            return last;
        }
    }

    private WatchSettings settings() {
        require(scenario != null || overrides.isEmpty(), "watch.setOfNothing");
        WatchScenario said =
                scenario == null ? WatchScenario.NONE : WatchScenario.of(ScenarioSource.plan(scenario, overrides, 1));
        said.options().forEach((option, value) -> {
            boolean given = isTyped(option);
            boolean less = option.equals("--max-rate") && bytes(value) <= bytes(maxRate);
            require(given || less || !option.equals("--max-rate"), "watch.tooMuch", value, maxRate);
            if (!given || less) {
                OptionSpec known = spec.findOption(option);
                known.setValue(value);
            }
        });
        double share = read("--objective", objective, Quantities::ratio);
        expect(share < 1, "--objective", objective, "cli.a.range", "0%", "99.9999%");
        if (cluster.connectionIfNamed().isEmpty()) {
            said.bootstrapServers().ifPresent(servers -> cluster.bootstrapServer = servers);
        }
        ClusterConnection connection = cluster.warnedConnection();
        WatchSettings.Load load = load(said, connection);
        Duration silence = read("--outage", outage, Quantities::duration);
        // A shorter outage could not be distinguished from the gap between two records.
        long least = Math.max(LEAST_OUTAGE_MILLIS, (long) Math.ceil(2000 / load.rate()));
        expect(silence.toMillis() >= least, "--outage", outage, "cli.a.orMore", least + "ms");
        return new WatchSettings(
                connection,
                topic,
                said.layout(),
                load,
                read("--within", within, Quantities::duration),
                silence,
                share,
                state);
    }

    private double bytes(String rate) {
        return read("--max-rate", rate, Quantities::rate).value();
    }

    private WatchSettings.Load load(WatchScenario said, ClusterConnection connection) {
        Rate.Quantity each = read("--rate", rate, Quantities::rate);
        boolean records =
                each.unit() == Rate.Unit.RECORDS && each.value() >= 0.1 && each.value() <= WatchSettings.MOST_RATE;
        expect(records, "--rate", rate, "cli.a.range", "0.1/s", "1000/s");
        int bytes = Math.toIntExact(Math.min(Integer.MAX_VALUE, read("--record-size", recordSize, Quantities::bytes)));
        boolean sized = bytes >= WatchSettings.LEAST_BYTES && bytes <= 1_000_000;
        expect(sized, "--record-size", recordSize, "cli.a.range", "40", "1MB");
        Rate.Quantity most = read("--max-rate", maxRate, Quantities::rate);
        expect(most.unit() != Rate.Unit.RECORDS, "--max-rate", maxRate, "watch.a.byteRate");
        Map<String, String> producing = connection.lookUp(said.producing());
        String acks = connection.properties().getOrDefault("acks", producing.getOrDefault("acks", ""));
        require(!acks.equals("0"), "watch.noAcks");
        return new WatchSettings.Load(each.value(), bytes, most.value(), producing, connection.lookUp(said.reading()));
    }

    private Watch.Listener listener() {
        return new Watch.Listener() {
            @Override
            public void outage(WatchStatus.Outage seen) {
                if (json) {
                    out().println(Json.line(seen));
                    out().flush();
                }
            }

            @Override
            public void incident(WatchStatus.Incident incident, IncidentNews.State state) {
                if (!json) {
                    WatchText.of(incident, state).forEach(WatchCommand.this::print);
                    out().flush();
                }
            }

            @Override
            public void slow(WatchStatus.Slow slow) {
                if (json) {
                    out().println(Json.line(slow));
                } else {
                    WatchText.of(slow).forEach(line -> out().println(line.in(language())));
                }
                out().flush();
            }

            @Override
            public void problem(Sentence what) {
                say(what);
            }
        };
    }

    private void begin(WatchStatus status, WatchSettings settings, String address) {
        Sentence begins = Sentence.of(
                "watch.begins",
                status.place().clusterId(),
                status.brokers().size(),
                Quantities.text(Duration.ofMillis(
                        settings.load().everyNanos(status.brokers().size()) / 1_000_000)),
                topic,
                state);
        tell(begins);
        err().println(address);
        err().flush();
    }

    private void end(WatchStatus last) {
        if (json) {
            out().println(Json.line(last));
        } else {
            out().print(WatchText.render(last, look()));
        }
        out().flush();
        say("watch.stays", topic, state);
    }
}
