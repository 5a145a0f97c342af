package io.plimsoll.cli;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.LineProducer;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plimsoll produce}: sends each line of standard input as a record. */
@Command(name = "produce", customSynopsis = "plimsoll produce --topic=NAME --bootstrap-server=HOST:PORT [OPTIONS]")
final class ProduceCommand extends PlimsollCommand {
    private static final int FAILURES_SHOWN = 10;
    /** Maximum time to deliver the sent lines after a signal. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Mixin
    ClusterOptions cluster;

    @Option(names = "--topic", required = true, paramLabel = "NAME")
    String topic;

    @ArgGroup
    Keys keys = new Keys();

    static final class Keys {
        @Option(names = "--key-separator", paramLabel = "S")
        String keySeparator;

        @Option(names = "--key", paramLabel = "K")
        String key;
    }

    @Option(names = "--partition", paramLabel = "P")
    Integer partition;

    @Option(names = "--acks", paramLabel = "all|1|0")
    String acks;

    private long failures;
    private boolean finished;

    @Override
    Exit perform() throws IOException {
        Exit.USAGE.when(keys.keySeparator != null && keys.keySeparator.isEmpty(), "cli.emptyKeySeparator");
        LineProducer.Options options = new LineProducer.Options(
                topic,
                Optional.ofNullable(keys.keySeparator),
                Optional.ofNullable(keys.key),
                partition == null ? OptionalInt.empty() : OptionalInt.of(partition),
                Optional.ofNullable(acks));
        LineProducer producer = new LineProducer(cluster.checkedConnection(), options, (line, why) -> {
            if (++failures <= FAILURES_SHOWN) {
                say("cli.lineFailed", line, why.sentence());
            }
        });
        // This thread can wait for input forever, so after a signal the other thread finishes.
        return Daemon.untilSignal(
                () -> finish(producer.stop(PATIENCE)),
                Duration.ZERO,
                () -> {},
                () -> finish(producer.produce(System.in)));
    }

    /** Prints the summary, once. */
    private synchronized Exit finish(LineProducer.Outcome outcome) {
        if (!finished) {
            finished = true;
            if (outcome.failed() > FAILURES_SHOWN) {
                say("cli.moreFailed", outcome.failed() - FAILURES_SHOWN);
            }
            tell(summary(outcome));
        }
        return outcome.firstFailure().map(PlimsollException::exit).orElse(Exit.PASSED);
    }

    private Sentence summary(LineProducer.Outcome outcome) {
        List<Sentence> offsets = new ArrayList<>();
        outcome.offsets()
                .forEach((number, range) ->
                        offsets.add(Sentence.of("cli.offsetRange", topic + "-" + number, range.first(), range.last())));
        return Sentence.of(
                "cli.acknowledged",
                outcome.acknowledged(),
                outcome.lines(),
                offsets.isEmpty() ? Sentence.NONE : Sentence.of("cli.offsets", offsets));
    }
}
