package io.plimsoll.lab;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.plimsoll.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The file that a persistent lab leaves in its directory ({@code lab.json}) for the commands that come after.
 *
 * @param ownDirectory whether the lab made its directory, and so removes it
 * @param security as {@link LabSecurity#parse} reads it; null for none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LabFile(
        String schema,
        String clusterId,
        int heapMegabytes,
        boolean ownDirectory,
        List<Entry> brokers,
        String security) {

    static final String SCHEMA = "plimsoll.lab/1";
    private static final String NAME = "lab.json";
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /**
     * One broker.
     *
     * @param host null for {@link LabNode#HOST}
     * @param startedAtMillis the system's record of when the process began
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Entry(int id, String host, int port, int controllerPort, long pid, long startedAtMillis) {
        static Entry of(BrokerProcess broker) {
            LabNode node = broker.node();
            String host = node.host().equals(LabNode.HOST) ? null : node.host();
            return new Entry(
                    node.id(), host, node.port(), node.controllerPort(), broker.pid(), broker.startedAtMillis());
        }

        BrokerProcess process(Path lab) {
            Path own = LabNode.directoryOf(lab, id);
            LabNode node = new LabNode(id, host == null ? LabNode.HOST : host, port, controllerPort, port, own);
            return BrokerProcess.recorded(node, pid, startedAtMillis);
        }
    }

    static Path in(Path directory) {
        return directory.resolve(NAME);
    }

    static LabFile read(Path directory) {
        Path file = in(directory);
        try {
            LabFile lab = JSON.readValue(file.toFile(), LabFile.class);
            if (!SCHEMA.equals(lab.schema())) {
                throw Exit.USAGE.because("lab.otherVersion", directory, lab.schema());
            }
            return lab;
        } catch (JsonProcessingException e) {
            throw Exit.USAGE.because(e, "lab.notALabFile", file, e.getOriginalMessage());
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "lab.cannotReadFile", file, e.getMessage());
        }
    }

    /** Replaces the file in one step, so that a reader never finds half of it. */
    void write(Path directory) throws IOException {
        Path next = directory.resolve(NAME + ".new");
        JSON.writeValue(next.toFile(), this);
        Files.move(next, in(directory), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
