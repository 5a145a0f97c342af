package io.plimsoll.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.payload.SchemaSupport;
import io.plimsoll.payload.SchemaSupport.Finding;
import io.plimsoll.payload.SchemaSupport.Reader;
import io.plimsoll.scenario.SchemaSpec;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A real registry takes and gives schemas through both of its APIs. */
@Tag("nightly")
class RealRegistryTest {
    @TempDir
    static Path scratch;

    private static RegistryProcess registry;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() throws Exception {
        Optional<Path> java = RegistryProcess.java();
        Assumptions.assumeTrue(java.isPresent(), "the registry needs a JDK " + RegistryProcess.FIRST_JAVA + " or newer");
        registry = new RegistryProcess(java.get(), scratch);
    }

    @AfterAll
    static void stop() {
        if (registry != null) {
            registry.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/apis/registry/v3, order.avsc, apicurio",
        "/apis/registry/v3, order.avsc, confluent",
        "/apis/registry/v3, order.json, apicurio",
        "/apis/registry/v3, flat.proto, apicurio",
        "/apis/ccompat/v7, order.avsc, confluent",
        "/apis/ccompat/v7, order.json, confluent",
        "/apis/ccompat/v7, flat.proto, confluent"
    })
    void registersFindsAndDecodesSchemasById(String api, String file, String framing) throws Exception {
        SchemaTesting.write(directory);
        Files.writeString(
                directory.resolve("flat.proto"),
                "syntax = \"proto3\"; package flat; message Order { int64 id = 1; int32 amount = 2; }");
        String source = "{registry: \"" + registry.address() + api + "\", subject: test-"
                + directory.getFileName() + "-" + file.replace('.', '-') + ", framing: " + framing;
        SchemaSpec mine = SchemaTesting.record(
                        source + ", file: " + directory.resolve(file) + ", register: true}")
                .schemas()
                .get(0);
        assertThat(SchemaSupport.get().open(mine).pinned().id()).isNegative();
        SchemaSupport.get().register(mine);
        long id = SchemaSupport.get().open(mine).pinned().id();
        assertThat(id).isPositive();
        SchemaSpec named = SchemaTesting.record(source + "}").schemas().get(0);
        assertThat(SchemaSupport.get().open(named).pinned().id()).isEqualTo(id);
        assertThat(SchemaSupport.get().withId(named, id)).contains(named.named(named.subject(), "1"));
        List<byte[]> values = SchemaTesting.values(SchemaTesting.record(source + "}"), 20);
        // One that knows neither this schema nor its id asks by the id.
        SchemaSpec.Pinned other = new SchemaSpec.Pinned(SchemaSupport.get().open(named).pinned().type(),
                SchemaSupport.get().open(named).pinned().text(), Map.of(), Integer.MAX_VALUE);
        SchemaSpec stranger = new SchemaSpec("", "", named.registry(), named.subject(), "latest", named.framing(),
                false, Map.of(), Map.of(), Optional.of(other), List.of(), Optional.empty());
        Reader reader = SchemaSupport.get().open(stranger).reader(Map.of("id", ">= 0"));
        values.forEach(
                value -> assertThat(reader.read(ByteBuffer.wrap(value))).isEqualTo(Finding.AS_EXPECTED));
        byte[] unknown = values.get(0).clone();
        unknown[framing.equals("apicurio") ? 5 : 1] = 9;
        assertThat(reader.read(ByteBuffer.wrap(unknown))).isEqualTo(Finding.UNKNOWN_SCHEMA);
    }
}
