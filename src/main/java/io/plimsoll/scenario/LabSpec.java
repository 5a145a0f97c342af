package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A lab (a local Kafka cluster), with values of the keys below. Trials with equal labs share one. */
public record LabSpec(Settings settings) {
    private static final Pattern RELEASE = Pattern.compile("\\d+\\.\\d+\\.\\d+");
    private static final Pattern CORES = Pattern.compile("\\d+(\\.\\d+)?|\\d+([-,]\\d+)+");
    private static final int MOST_NODES = 9;
    private static final int MOST_DISKS = 16;
    public static final Key<Integer> BROKERS = nodes("brokers", 1);
    public static final Key<Integer> CONTROLLERS = nodes("controllers", 0);
    public static final Key<String> KAFKA_VERSION =
            Key.scalar("kafkaVersion", "scenario.a.release", "", LabSpec::release);
    public static final Key<Map<String, String>> CONFIG =
            Key.properties("config", "{num.io.threads: 4}").noneByDefault();
    public static final Key<Long> HEAP = Key.scalar("heap", "scenario.a.amount", 0L, Quantities::amount);
    public static final Key<String> COLLECTOR =
            Key.choice("collector", "G1", List.of("G1", "Parallel", "Serial", "Z"), name -> name);
    public static final Key<String> FLAGS =
            Key.text("flags").content(Key.Content.TEXT).noneByDefault();
    public static final Key<Settings> JVM = section("jvm", Section.of("{heap: 2GiB}", HEAP, COLLECTOR, FLAGS));
    public static final Key<List<String>> DISKS =
            Key.list("disks", Sentence.of("scenario.a.disks"), String.class, LabSpec::disks);
    public static final Key<String> CPUS =
            Key.scalar("cpus", "scenario.a.cpus", "", LabSpec::cpus).noneByDefault();
    public static final Key<Duration> DELAY =
            Key.duration("delay", Duration.ZERO).noneByDefault();
    public static final Key<Duration> JITTER = Key.duration("jitter", Duration.ZERO)
            .noneByDefault()
            .rule((link, jitter) -> {
                if (jitter.compareTo(link.get(DELAY)) > 0) {
                    link.problemAt("jitter", "scenario.jitter");
                }
            });
    public static final Key<Double> BANDWIDTH =
            Key.scalar("bandwidth", "scenario.a.bandwidth", 0.0, LabSpec::bytesPerSecond);
    public static final Key<Link> CLIENTS = link("clients");
    public static final Key<Link> BETWEEN = link("brokers");
    public static final Key<Settings> NETWORK =
            section("network", Section.of("{clients: {delay: 5ms}, brokers: {bandwidth: 20MB/s}}", CLIENTS, BETWEEN));
    public static final Key<String> SECURITY = Key.text("security").noneByDefault();
    public static final Key<Integer> RACKS = nodes("racks", 1).noneByDefault();
    public static final Key<Boolean> TIERED = Key.flag("tiered");
    public static final Section ALL = Section.of(
                    "{brokers: 3, kafkaVersion: 3.9.1}", BROKERS, CONTROLLERS, KAFKA_VERSION)
            .and(List.of(CONFIG, JVM, DISKS, CPUS, NETWORK, SECURITY, RACKS, TIERED));

    public static final LabSpec USUAL = new LabSpec(Settings.NONE);

    /** A network link, with the same properties in each direction; {@code bytesPerSecond} is 0 for no limit. */
    public record Link(Duration delay, Duration jitter, double bytesPerSecond) {
        public static final Link PLAIN = new Link(Duration.ZERO, Duration.ZERO, 0);
    }

    /** @param settings paths below {@code lab} with values, each {@code name=value} as on a command line */
    public static LabSpec of(List<String> settings) {
        Problems problems = new Problems();
        Fields root = Fields.empty(Position.of("lab"));
        new Overrides(root, LabSpec.ALL, problems).apply(settings);
        LabSpec read = new LabSpec(EntryReading.of(root, LabSpec.ALL, problems).settings());
        problems.throwIfAny();
        return read;
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    private static Key<Integer> nodes(String name, int least) {
        return Key.scalar(name, Quantities.count(least), 0, text -> (int) Quantities.count(text, least, MOST_NODES));
    }

    private static Key<Settings> section(String name, Section section) {
        return Key.section(name, section, Settings.NONE, EntryReading::settings);
    }

    private static Key<Link> link(String name) {
        return Key.section(
                        name,
                        Section.of("{delay: 5ms}", DELAY, JITTER, BANDWIDTH),
                        Link.PLAIN,
                        link -> new Link(link.get(DELAY), link.get(JITTER), link.get(BANDWIDTH)))
                .noneByDefault();
    }

    /** A Kafka release, or a directory with a release. */
    public static String release(String text) {
        InvalidValueException.unexpected(
                !RELEASE.matcher(text.strip()).matches() && !text.startsWith("/"), "scenario.a.release", text);
        return text.strip();
    }

    private static Optional<List<String>> disks(EntryReading lab, String key) {
        if (lab.node(key).orElseThrow() instanceof YamlNode.Scalar) {
            return lab.read(key, text -> Collections.nCopies((int) Quantities.count(text, 1, MOST_DISKS), ""));
        }
        return lab.list(key, false, text -> {
            if (!text.startsWith("/")) {
                Quantities.amount(text);
            }
            return text;
        });
    }

    private static String cpus(String text) {
        InvalidValueException.unexpected(
                !CORES.matcher(text.strip()).matches() || text.strip().matches("0+(\\.0+)?"), "scenario.a.cpus", text);
        return text.strip();
    }

    /** @throws InvalidValueException if the text is not a byte rate */
    public static double bytesPerSecond(String text) {
        Rate.Quantity rate = Quantities.rate(text);
        InvalidValueException.unexpected(rate.unit() == Rate.Unit.RECORDS, "scenario.a.bandwidth", text);
        return rate.value();
    }
}
