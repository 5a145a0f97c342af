package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The keys of {@code lab}: the cluster that a run starts for itself. */
public final class LabKeys {
    private static final Pattern RELEASE = Pattern.compile("\\d+\\.\\d+\\.\\d+");
    private static final Pattern CORES = Pattern.compile("\\d+(\\.\\d+)?|\\d+([-,]\\d+)+");
    private static final int MOST_NODES = 9;
    private static final int MOST_DISKS = 16;

    public static final Key<Integer> BROKERS = nodes("brokers", 1)
            .byDefault("as many as the topics ask for", "主题所需的数量")
            .about("how many brokers it has; `--brokers` wins", "broker 的数量；`--brokers` 优先");

    public static final Key<Integer> CONTROLLERS = nodes("controllers", 0)
            .byDefault("`0`: each broker is one", "`0`：每个 broker 都是")
            .about(
                    "how many controllers run apart from the brokers, with ids from 101 on",
                    "与 broker 分开运行的 controller 数量，id 从 101 起");

    public static final Key<String> KAFKA_VERSION = Key.scalar(
                    "kafkaVersion", Sentence.of("scenario.a.release"), "", LabKeys::release)
            .byDefault("the one that Plimsoll comes with", "Plimsoll 自带的版本")
            .about(
                    "the brokers' release, 2.8.0 to 4.3.1, which Maven fetches once; or a directory with its jars. Before 3.3 with ZooKeeper",
                    "broker 的版本，2.8.0 到 4.3.1，由 Maven 获取一次；或其 jar 所在的目录。3.3 之前使用 ZooKeeper");

    public static final Key<Map<String, String>> CONFIG = Key.properties("config", "{num.io.threads: 4}")
            .noneByDefault()
            .about("broker properties; `--broker-config` wins", "broker 属性；`--broker-config` 优先");

    public static final Key<Long> HEAP = Key.scalar("heap", Sentence.of("scenario.a.amount"), 0L, Quantities::amount)
            .byDefault("`1GiB`", "`1GiB`")
            .about("the largest heap of each broker", "每个 broker 的最大堆");

    public static final Key<String> COLLECTOR = Key.choice(
                    "collector", "G1", List.of("G1", "Parallel", "Serial", "Z"), name -> name)
            .about("the garbage collector", "垃圾收集器");

    public static final Key<String> FLAGS = Key.text("flags")
            .noneByDefault()
            .about("more flags of the JVM, with spaces between them", "JVM 的其他参数，以空格分隔");

    public static final Key<Settings> JVM = section("jvm", Section.of("{heap: 2GiB}", HEAP, COLLECTOR, FLAGS))
            .byDefault("as Kafka's start script", "与 Kafka 的启动脚本相同")
            .about(
                    "the brokers' JVMs: `heap` (`1GiB`), `collector` (`G1`, `Parallel`, `Serial` or `Z`), `flags`",
                    "broker 的 JVM：`heap`（`1GiB`）、`collector`（`G1`、`Parallel`、`Serial` 或 `Z`）、`flags`");

    public static final Key<List<String>> DISKS = Key.of(
                    "disks",
                    new KeyShape.Value(Sentence.of("scenario.a.disks")),
                    List.<String>of(),
                    LabKeys::disks,
                    List.class,
                    String.class)
            .byDefault("`1`", "`1`")
            .about(
                    "log directories of each broker: their number, or a list of sizes (a file system in memory each, which takes"
                            + " the right to mount) and absolute paths (on another disk)",
                    "每个 broker 的日志目录：数量，或由大小（各为内存中的文件系统，需要 mount 权限）与绝对路径（在其他磁盘上）组成的列表");

    public static final Key<String> CPUS = Key.scalar("cpus", Sentence.of("scenario.a.cpus"), "", LabKeys::cpus)
            .noneByDefault()
            .about(
                    "cores of each broker: a fraction such as `0.2` is a quota (takes a cgroup), a whole number or a list such"
                            + " as `0-1` an affinity (takes `taskset`)",
                    "每个 broker 的核数：小数（如 `0.2`）为配额（需要 cgroup），整数或列表（如 `0-1`）为亲和性（需要 `taskset`）");

    public static final Key<Duration> DELAY =
            Key.duration("delay", Duration.ZERO).noneByDefault().about("added each way", "每个方向增加的时间");

    public static final Key<Duration> JITTER = Key.duration("jitter", Duration.ZERO)
            .noneByDefault()
            .rule((link, jitter) -> {
                if (jitter.compareTo(link.get(DELAY)) > 0) {
                    link.problemAt("jitter", Sentence.of("scenario.jitter"));
                }
            })
            .about("by how much the delay varies up and down", "延迟上下变化多少");

    public static final Key<Double> BANDWIDTH = Key.scalar(
                    "bandwidth", Sentence.of("scenario.a.bandwidth"), 0.0, LabKeys::bytesPerSecond)
            .byDefault("no limit", "不限")
            .about("bytes per second each way, over all connections of a broker", "broker 所有连接合计，每个方向每秒的字节数");

    public static final Key<LabSpec.Link> CLIENTS = link("clients")
            .about(
                    "between clients and brokers: `delay`, `jitter`, `bandwidth`",
                    "客户端与 broker 之间：`delay`、`jitter`、`bandwidth`");

    public static final Key<LabSpec.Link> BETWEEN = link("brokers").about("between brokers, likewise", "broker 之间，同样");

    public static final Key<Settings> NETWORK = section(
                    "network", Section.of("{clients: {delay: 5ms}, brokers: {bandwidth: 20MB/s}}", CLIENTS, BETWEEN))
            .byDefault("loopback", "环回")
            .about(
                    "the network, each way: `clients` and `brokers` (between them), each with `delay`, `jitter` and `bandwidth`",
                    "网络，每个方向：`clients` 与 `brokers`（broker 之间），各有 `delay`、`jitter` 和 `bandwidth`");

    public static final Key<String> SECURITY = Key.text("security")
            .noneByDefault()
            .about("what brokers ask of their clients, as `--security` says it", "broker 对客户端的要求，写法同 `--security`");

    public static final Key<Integer> RACKS = nodes("racks", 1)
            .noneByDefault()
            .about(
                    "the brokers are in so many racks, in turn: `rack-1`, `rack-2`",
                    "broker 依次分布在这么多机架：`rack-1`、`rack-2`");

    /** Everything, in the order in which it is read. */
    public static final Section ALL = Section.of(
            "{brokers: 3, kafkaVersion: 3.9.1}",
            BROKERS,
            CONTROLLERS,
            KAFKA_VERSION,
            CONFIG,
            JVM,
            DISKS,
            CPUS,
            NETWORK,
            SECURITY,
            RACKS);

    private LabKeys() {}

    private static Key.Draft<Integer> nodes(String name, int least) {
        return Key.scalar(name, Quantities.count(least), 0, text -> (int) Quantities.count(text, least, MOST_NODES));
    }

    private static Key.Draft<Settings> section(String name, Section section) {
        return Key.section(name, section, Settings.NONE, EntryReading::settings);
    }

    private static Key.Draft<LabSpec.Link> link(String name) {
        return Key.section(
                        name,
                        Section.of("{delay: 5ms}", DELAY, JITTER, BANDWIDTH),
                        LabSpec.Link.PLAIN,
                        link -> new LabSpec.Link(link.get(DELAY), link.get(JITTER), link.get(BANDWIDTH)))
                .byDefault("none", "无");
    }

    /** A release, or the directory of one. Any key of a fault that names one takes it, too. */
    public static String release(String text) {
        if (!RELEASE.matcher(text.strip()).matches() && !text.startsWith("/")) {
            throw InvalidValueException.expected(Sentence.of("scenario.a.release"), text);
        }
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
        if (!CORES.matcher(text.strip()).matches() || text.strip().matches("0+(\\.0+)?")) {
            throw InvalidValueException.expected(Sentence.of("scenario.a.cpus"), text);
        }
        return text.strip();
    }

    /** @throws InvalidValueException if it is no rate of bytes */
    public static double bytesPerSecond(String text) {
        Rate.Quantity rate = Quantities.rate(text);
        if (rate.unit() == Rate.Unit.RECORDS) {
            throw InvalidValueException.expected(Sentence.of("scenario.a.bandwidth"), text);
        }
        return rate.value();
    }
}
