package io.plimsoll.lab;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.plimsoll.Exit;
import io.plimsoll.lab.LabNode.LabPorts;
import io.plimsoll.lab.LabNode.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * State file of a persistent lab ({@code lab.json}) for later commands.
 *
 * @param ownDirectory whether the lab created its directory, and removes it if it is empty at the end
 * @param brokers the lab's processes, brokers first
 * @param security in the format of {@link LabSecurity#parse}
 * @param settings in the format of {@link LabOptions#described}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LabFile(
        String schema,
        String clusterId,
        int heapMegabytes,
        boolean ownDirectory,
        List<Entry> brokers,
        @Nullable String security,
        @Nullable List<String> settings) {

    static final String SCHEMA = "plimsoll.lab/1";
    private static final String NAME = "lab.json";
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /**
     * One process.
     * @param host null for {@link LabNode#HOST}
     * @param startedAtMillis process start time as reported by the operating system; only release 1.0 needs it
     * @param role null for {@link Role#COMBINED}
     * @param kafka see {@link KafkaRelease#of}; null for the bundled release
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Entry(
            int id,
            @Nullable String host,
            int port,
            int controllerPort,
            long pid,
            long startedAtMillis,
            @Nullable Role role,
            @Nullable String kafka) {
        static Entry of(BrokerProcess broker) {
            LabNode node = broker.node();
            String host = node.host().equals(LabNode.HOST) ? null : node.host();
            return new Entry(
                    node.id(),
                    host,
                    node.ports().port(),
                    node.ports().controller(),
                    broker.pid(),
                    broker.startedAtMillis(),
                    node.role() == Role.COMBINED ? null : node.role(),
                    broker.release().isEmpty() ? null : broker.release());
        }

        boolean serves() {
            return role == null || role.serves();
        }

        BrokerProcess process(Path lab, LabOptions options) {
            LabNode node = new LabNode(
                    id,
                    role == null ? Role.COMBINED : role,
                    host == null ? LabNode.HOST : host,
                    new LabPorts(port, controllerPort, port, 0, 0),
                    LabNode.directoryOf(lab, id),
                    LabNodes.disks(options, lab, id));
            return BrokerProcess.recorded(node, kafka == null ? KafkaRelease.OWN : kafka, pid, startedAtMillis);
        }
    }

    static Path in(Path directory) {
        return directory.resolve(NAME);
    }

    static LabFile of(Lab lab, LabOptions options, LabDirectory directory, List<Entry> processes) {
        return new LabFile(
                SCHEMA,
                lab.clusterId(),
                options.heapMegabytes,
                directory.own(),
                processes,
                options.security == null ? null : options.security.text(),
                options.settings().isEmpty() ? null : options.settings());
    }

    /** Number of brokers. */
    int size() {
        return (int) brokers.stream().filter(Entry::serves).count();
    }

    Lab lab(Path directory, Map<String, String> clientConfig) {
        LabOptions options = LabOptions.persistent(size(), directory)
                .described(settings == null ? List.of() : settings)
                .withClientConfig(clientConfig)
                .withHeapMegabytes(heapMegabytes);
        if (security != null) {
            LabSecurity asked = LabSecurity.parse(security);
            String first = brokers.get(0).host();
            options = options.withSecurity(asked)
                    .with(LabLogins.of(asked, directory, first == null ? LabNode.HOST : first));
        }
        List<BrokerProcess> processes = new ArrayList<>();
        for (Entry entry : brokers) {
            processes.add(entry.process(directory, options));
        }
        return new Lab(options, new LabDirectory(directory, ownDirectory), clusterId, processes, null, LabExtras.NONE);
    }

    boolean isOf(List<LabNode> nodes, Path directory) {
        return places(lab(directory, Map.of()).nodes()).equals(places(nodes));
    }

    private static List<List<Object>> places(List<LabNode> nodes) {
        return nodes.stream()
                .map(node -> List.<Object>of(node.id(), node.role(), node.disks()))
                .toList();
    }

    static LabFile read(Path directory) {
        Path file = in(directory);
        try {
            LabFile lab = JSON.readValue(file.toFile(), LabFile.class);
            Exit.USAGE.when(!SCHEMA.equals(lab.schema()), "lab.otherVersion", directory, lab.schema());
            return lab;
        } catch (JsonProcessingException e) {
            throw Exit.USAGE.because(e, "lab.notALabFile", file, e.getOriginalMessage());
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "lab.cannotReadFile", file, e.getMessage());
        }
    }

    /** Replaces the file atomically. */
    void write(Path directory) throws IOException {
        Path next = directory.resolve(NAME + ".new");
        JSON.writeValue(next.toFile(), this);
        Files.move(next, in(directory), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
