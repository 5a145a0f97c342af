package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.LineProducer;
import io.plimsoll.text.Sentence;
import java.io.IOException;
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

    @Override
    Exit perform() throws IOException {
        Exit.USAGE.when(keys.keySeparator != null && keys.keySeparator.isEmpty(), "cli.emptyKeySeparator");
        LineProducer.Options options = new LineProducer.Options(
                topic,
                Optional.ofNullable(keys.keySeparator),
                Optional.ofNullable(keys.key),
                partition == null ? OptionalInt.empty() : OptionalInt.of(partition),
                Optional.ofNullable(acks));
        LineProducer.Outcome outcome =
                LineProducer.produce(cluster.checkedConnection(), options, System.in, (line, why) -> {
                    if (++failures <= FAILURES_SHOWN) {
                        say("cli.lineFailed", line, why.sentence());
                    }
                });
        if (outcome.failed() > FAILURES_SHOWN) {
            say("cli.moreFailed", outcome.failed() - FAILURES_SHOWN);
        }
        tell(summary(outcome));
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
