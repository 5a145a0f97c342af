package io.plimsoll.cli;

import io.plimsoll.lab.LabSecurity;
import io.plimsoll.run.RunRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** The lab that is started where no cluster is named. */
final class OwnLabOptions {
    @Option(names = "--brokers", paramLabel = "N")
    Integer brokers;

    @Option(names = "--broker-config", paramLabel = "NAME=VALUE")
    Map<String, String> brokerConfig = new LinkedHashMap<>();

    @Option(names = "--security", paramLabel = "PROTOCOL[,...]")
    String security;

    boolean asked() {
        return brokers != null || !brokerConfig.isEmpty() || security != null;
    }

    void addTo(RunRequest.Draft draft) {
        draft.brokers = brokers == null ? OptionalInt.empty() : OptionalInt.of(brokers);
        draft.brokerConfig = brokerConfig;
        draft.security = Optional.ofNullable(security).map(LabSecurity::parse);
    }
}
