package io.plimsoll.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.payload.SchemaSupport;
import io.plimsoll.payload.SchemaSupport.Finding;
import io.plimsoll.payload.SchemaSupport.Reader;
import io.plimsoll.run.guards.ForeignCluster.Findings;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas are found, registered with consent and checked through the REST API of Confluent, and logins stay secret. */
class RegistryTest {
    private static final String LOGIN = "reader:Tr0ub4dor&3-registry";
    private static final int FIRST_ID = MemoryRegistry.FIRST_ID;

    @TempDir
    Path directory;

    private MemoryRegistry registry;

    @BeforeEach
    void start() throws IOException {
        SchemaTesting.write(directory);
        registry = new MemoryRegistry(HttpServer.create(MemoryRegistry.ANY_PORT, 0), MemoryRegistry.basic(LOGIN));
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private String registry(String more) {
        return "{registry: \"" + registry.address() + "\", subject: orders-value, config: {basic.auth.user.info: \"" + LOGIN
                + "\"}" + more + "}";
    }

    @Test
    void recordsCarryIdOfRequestedVersion() {
        registry.register("other", "\"string\"");
        registry.register("orders-value", "\"long\"");
        registry.register("orders-value", SchemaTesting.AVRO);
        byte[] latest = SchemaTesting.values(SchemaTesting.record(registry("")), 1).get(0);
        assertThat(ByteBuffer.wrap(latest).get()).isZero();
        assertThat(ByteBuffer.wrap(latest).getInt(1)).isEqualTo(FIRST_ID + 2);
        byte[] first = SchemaTesting.values(SchemaTesting.record(registry(", version: 1")), 1).get(0);
        assertThat(ByteBuffer.wrap(first).getInt(1)).isEqualTo(FIRST_ID + 1);
        assertThatThrownBy(() -> SchemaTesting.values(SchemaTesting.record(registry(", version: 3")), 1))
                .isInstanceOfSatisfying(PlimsollException.class, e -> assertThat(
                                e.sentence().key())
                        .isEqualTo("schemas.noVersion"));
    }

    @Test
    void readersDecodeByRecordIdAndFetchEachSchemaOnce() {
        registry.register("orders-value", "\"string\"");
        registry.register("orders-value", SchemaTesting.AVRO);
        byte[] newest = SchemaTesting.values(SchemaTesting.record(registry("")), 1).get(0);
        SchemaSpec older = SchemaTesting.record(registry(", version: 1")).schemas().get(0);
        Reader reader = SchemaSupport.get().open(older).reader(Map.of("amount", ">= 0"));
        registry.asked.clear();
        assertThat(reader.read(ByteBuffer.wrap(newest))).isEqualTo(Finding.AS_EXPECTED);
        assertThat(reader.read(ByteBuffer.wrap(newest))).isEqualTo(Finding.AS_EXPECTED);
        assertThat(registry.asked).containsExactly("GET /schemas/ids/" + (FIRST_ID + 1));
        byte[] unknown = newest.clone();
        unknown[1] = 1;
        assertThat(reader.read(ByteBuffer.wrap(unknown))).isEqualTo(Finding.UNKNOWN_SCHEMA);
        byte[] bare = newest.clone();
        bare[0] = 1;
        assertThat(reader.read(ByteBuffer.wrap(bare))).isEqualTo(Finding.UNKNOWN_SCHEMA);
        assertThat(reader.read(ByteBuffer.wrap(new byte[3]))).isEqualTo(Finding.UNKNOWN_SCHEMA);
    }

    @Test
    void registersSchemaOnlyOnRequestAndWithConsent() {
        String file = ", file: " + directory.resolve("order.avsc");
        assertThatThrownBy(() -> SchemaTesting.values(SchemaTesting.record(registry(file)), 1))
                .isInstanceOfSatisfying(PlimsollException.class, e -> assertThat(
                                e.sentence().key())
                        .isEqualTo("schemas.notRegistered"));
        Plan plan = SchemaTesting.plan(registry(file + ", register: true"), "{decode: 1}");
        assertThat(Findings.registrations(plan).beyond())
                .singleElement()
                .satisfies(s -> assertThat(s.key()).isEqualTo("guards.registers"));
        assertThat(registry.asked).noneMatch(request -> request.endsWith("/versions"));
        SchemaSupport.toRegister(plan).forEach(spec -> SchemaSupport.get().register(spec));
        assertThat(registry.subjects.get("orders-value")).containsExactly(SchemaTesting.AVRO);
        assertThat(Findings.registrations(plan).beyond()).isEmpty();
        byte[] value = SchemaTesting.values(SchemaTesting.record(registry(file + ", register: true")), 1)
                .get(0);
        assertThat(ByteBuffer.wrap(value).getInt(1)).isEqualTo(FIRST_ID);
    }

    @Test
    void agentsNeedNeitherRegistryNorLogin() {
        registry.register("orders-value", SchemaTesting.AVRO);
        SchemaSpec spec = SchemaTesting.record(registry("")).schemas().get(0);
        SchemaSpec pinned = SchemaSupport.pinned(spec);
        assertThat(pinned.toString()).doesNotContain("Tr0ub4dor", registry.address());
        registry.asked.clear();
        byte[] there = SchemaSupport.get().open(pinned).writer(1, 0, 1).next(0, 1).clone();
        assertThat(there).isEqualTo(SchemaSupport.get().open(spec).writer(1, 0, 1).next(0, 1));
        assertThat(registry.asked).isEmpty();
    }

    @Test
    void agentsDecodeSchemasOfProducersAndEarlierVersions() {
        registry.register("orders-value", "\"long\"");
        registry.register("orders-value", SchemaTesting.AVRO);
        registry.register("other", "\"string\"");
        RecordSpec earlier = SchemaTesting.record(registry(", version: 1"));
        RecordSpec other = SchemaTesting.record(registry("").replace("orders-value", "other"));
        RecordSpec latest = SchemaTesting.record(registry(""));
        SchemaSpec pinned = SchemaSupport.pinnedForReading(latest.schemas().get(0), other.schemas());
        List<byte[]> values = Stream.of(latest, earlier, other)
                .map(record -> SchemaTesting.values(record, 1).get(0))
                .toList();
        assertThat(pinned.toString()).doesNotContain("Tr0ub4dor", registry.address());
        registry.asked.clear();
        Reader reader = SchemaSupport.get().open(pinned).reader(Map.of());
        for (byte[] value : values) {
            assertThat(reader.read(ByteBuffer.wrap(value))).isEqualTo(Finding.AS_EXPECTED);
            assertThat(reader.schema())
                    .isEqualTo("schema." + ByteBuffer.wrap(value).getInt(1));
        }
        byte[] unknown = values.get(0).clone();
        unknown[1] = 1;
        assertThat(reader.read(ByteBuffer.wrap(unknown))).isEqualTo(Finding.UNRESOLVED);
        unknown[0] = 1;
        assertThat(reader.read(ByteBuffer.wrap(unknown))).isEqualTo(Finding.UNKNOWN_SCHEMA);
        assertThat(registry.asked).isEmpty();
    }

    @Test
    void acceptsTokenFromFileThatEndsWithNewline() throws IOException {
        String token = "Tr0ub4dor-token";
        Files.writeString(directory.resolve("token"), token + "\n");
        try (MemoryRegistry guarded =
                new MemoryRegistry(HttpServer.create(MemoryRegistry.ANY_PORT, 0), "Bearer " + token)) {
            guarded.register("orders-value", SchemaTesting.AVRO);
            SchemaSpec spec = withToken(guarded, "${dir:" + directory + ":token}");
            assertThat(SchemaSupport.get().open(spec).pinned().id()).isEqualTo(FIRST_ID);
        }
    }

    @Test
    void neverPrintsTokenThatNoRequestCanCarry() {
        SchemaSpec spec = withToken(registry, "Tr0ub4dor\\ntoken");
        assertThatThrownBy(() -> SchemaSupport.get().open(spec))
                .hasNoCause()
                .isInstanceOfSatisfying(PlimsollException.class, e -> assertThat(e.sentence())
                        .isEqualTo(Sentence.of("schemas.notAHeader", "bearer.auth.token")));
    }

    private static SchemaSpec withToken(MemoryRegistry registry, String token) {
        return SchemaTesting.record("{registry: \"" + registry.address()
                        + "\", subject: orders-value, config: {bearer.auth.token: \"" + token + "\"}}")
                .schemas()
                .get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"confluent", "apicurio"})
    void decodesMessageThatProtobufRecordNames(String framing) {
        registry.register(
                "orders-value",
                "syntax = \"proto3\"; message A { string name = 1; } message B { message C { int64 count = 1; } }");
        registry.register("orders-value", "syntax = \"proto3\"; message D { string name = 1; }");
        String framed = ", framing: " + framing + ", message: ";
        byte[] value = SchemaTesting.values(
                        SchemaTesting.record(registry(framed + "C, version: 1, fields: {count: 7}")), 1)
                .get(0);
        byte[] later = SchemaTesting.values(SchemaTesting.record(registry(framed + "D")), 1)
                .get(0);
        SchemaSpec spec =
                SchemaTesting.record(registry(framed + "A, version: 1")).schemas().get(0);
        Reader reader = SchemaSupport.get().open(spec).reader(Map.of("count", "7"));
        assertThat(reader.read(ByteBuffer.wrap(value))).isEqualTo(Finding.AS_EXPECTED);
        // The later schema does not have message A.
        assertThat(reader.read(ByteBuffer.wrap(later))).isEqualTo(Finding.UNKNOWN_SCHEMA);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"http://schema_registry:8081; scenario.a.hostUrl", "http://host|name; scenario.a.url"})
    void refusesAddressWithoutValidHostName(String address, String expected) {
        assertThatThrownBy(() -> SchemaSpec.address(address))
                .isInstanceOfSatisfying(
                        InvalidValueException.class,
                        e -> assertThat(e.sentence().arguments()).contains(Sentence.of(expected)));
    }

    @Test
    void redactsLoginsAndKeepsReferences() {
        Plan plan = SchemaTesting.plan(registry(""), "{decode: 1}");
        // In the order of other tests, the value is already known by its reference.
        assertThat(plan.source()).doesNotContain("Tr0ub4dor").containsPattern("info: '?(\\(redacted\\)|\\$\\{file:)");
        String byReference = registry("").replace(LOGIN, "${env:REGISTRY_LOGIN}");
        assertThat(SchemaTesting.plan(byReference, "{decode: 1}").source()).contains("${env:REGISTRY_LOGIN}");
        SchemaSpec wrong = SchemaTesting.record(registry("").replace("Tr0ub", "wr0ng")).schemas().get(0);
        assertThatThrownBy(() -> SchemaSupport.get().open(wrong))
                .hasMessageContaining("401")
                .hasMessageNotContaining("wr0ng");
        SchemaSpec unknown =
                SchemaTesting.record(registry("").replace("basic.auth", "basik.auth")).schemas().get(0);
        assertThatThrownBy(() -> SchemaSupport.get().open(unknown)).hasMessageNotContaining("Tr0ub4dor");
    }

    @Test
    void referencesNeedNoProviderDeclaration() throws IOException {
        registry.register("orders-value", SchemaTesting.AVRO);
        Path file = Files.writeString(directory.resolve("login.properties"), "login=" + LOGIN);
        String byReference = registry("").replace(LOGIN, "${file:" + file + ":login}");
        SchemaSpec spec = SchemaTesting.record(byReference).schemas().get(0);
        assertThat(SchemaSupport.get().open(spec).pinned().id()).isEqualTo(FIRST_ID);
    }

    @Test
    void namesUnreachableRegistryAndMissingFile() {
        String address = registry.address();
        registry.close();
        assertThatThrownBy(() -> SchemaTesting.values(
                        SchemaTesting.record("{registry: \"" + address + "\", subject: s}"), 1))
                .isInstanceOfSatisfying(PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.CLUSTER))
                .hasMessageContaining(address)
                .hasMessageNotContaining("null");
        String missing = directory.resolve("none.avsc").toString();
        assertThatThrownBy(() -> SchemaTesting.values(SchemaTesting.record("{file: " + missing + "}"), 1))
                .isInstanceOfSatisfying(PlimsollException.class, e -> assertThat(e.sentence())
                        .isEqualTo(Sentence.of("schemas.noFile", missing)));
    }

    /** The root directory, which has no name, is not a schema. */
    @Test
    void rejectsTheRootDirectoryAsAFile() {
        assertThatThrownBy(() -> SchemaTesting.values(SchemaTesting.record("{file: /}"), 1))
                .isInstanceOfSatisfying(PlimsollException.class, e -> assertThat(e.sentence())
                        .isEqualTo(Sentence.of("schemas.fileType", "/")));
    }

    @Test
    void apicurioFramingUsesEightByteIds() {
        registry.register("orders-value", SchemaTesting.AVRO);
        byte[] value =
                SchemaTesting.values(SchemaTesting.record(registry(", framing: apicurio")), 1).get(0);
        assertThat(ByteBuffer.wrap(value).getLong(1)).isEqualTo(FIRST_ID);
    }

    @Test
    void recordsEvolveAndReadersDecodeBothVersions() throws IOException {
        registry.register("orders-value", SchemaTesting.AVRO);
        String grown = SchemaTesting.AVRO.replace(
                "{\"name\": \"amount\"", "{\"name\": \"shop\", \"type\": \"int\", \"default\": 0}, {\"name\": \"amount\"");
        Files.writeString(directory.resolve("v2.avsc"), grown);
        String schema = registry(", version: 1, register: true, fields: {amount: 3, shop: 5}, evolve: {at: 30s, file: "
                + directory.resolve("v2.avsc") + "}");
        Plan plan = SchemaTesting.plan(schema, "{decode: 1}");
        assertThat(Findings.registrations(plan).beyond()).hasSize(1);
        SchemaSupport.toRegister(plan).forEach(spec -> SchemaSupport.get().register(spec));
        assertThat(registry.subjects.get("orders-value")).containsExactly(SchemaTesting.AVRO, grown);
        SchemaSpec spec = plan.trials().get(0).scenario().producers().get(0).record().schema().orElseThrow();
        SchemaSpec pinned = SchemaSupport.pinned(spec);
        registry.asked.clear();
        SchemaSupport.Writer writer = SchemaSupport.get().open(pinned).writer(1, 0, 1);
        assertThat(writer.evolves()).isTrue();
        assertThat(writer.at(29_999_999_999L)).isEqualTo("schema." + FIRST_ID);
        byte[] before = writer.next(0, 1).clone();
        assertThat(writer.at(30_000_000_000L)).isEqualTo("schema." + (FIRST_ID + 1) + "@30s");
        byte[] after = writer.next(1, 1).clone();
        assertThat(ByteBuffer.wrap(before).getInt(1)).isEqualTo(FIRST_ID);
        assertThat(ByteBuffer.wrap(after).getInt(1)).isEqualTo(FIRST_ID + 1);
        Reader reader = SchemaSupport.get().open(pinned).reader(Map.of("amount", "== 3"));
        assertThat(reader.read(ByteBuffer.wrap(after))).isEqualTo(Finding.AS_EXPECTED);
        assertThat(reader.schema()).isEqualTo("schema." + (FIRST_ID + 1));
        assertThat(reader.read(ByteBuffer.wrap(before))).isEqualTo(Finding.AS_EXPECTED);
        assertThat(reader.schema()).isEqualTo("schema." + FIRST_ID);
        Reader ofNew = SchemaSupport.get().open(pinned).reader(Map.of("shop", "5"));
        assertThat(ofNew.read(ByteBuffer.wrap(after))).isEqualTo(Finding.AS_EXPECTED);
        assertThat(ofNew.read(ByteBuffer.wrap(before))).isEqualTo(Finding.UNEXPECTED);
        assertThat(registry.asked).isEmpty();
    }

    @Test
    void decodesRecordsWithoutIdByEitherVersion() throws IOException {
        Files.writeString(directory.resolve("a.avsc"), "\"boolean\"");
        Files.writeString(directory.resolve("b.avsc"), "{\"type\": \"fixed\", \"name\": \"F\", \"size\": 3}");
        SchemaSpec spec = SchemaTesting.record("{file: " + directory.resolve("a.avsc") + ", evolve: {at: 1s, file: "
                        + directory.resolve("b.avsc") + "}}")
                .schema()
                .orElseThrow();
        SchemaSupport.Writer writer = SchemaSupport.get().open(spec).writer(1, 0, 1);
        Reader reader = SchemaSupport.get().open(spec).reader(Map.of());
        for (long at : new long[] {0, 1_000_000_000, 0}) {
            String name = writer.at(at);
            assertThat(reader.read(ByteBuffer.wrap(writer.next(0, 1)))).isEqualTo(Finding.AS_EXPECTED);
            assertThat(reader.schema()).isEqualTo(name.replace("@1s", ""));
        }
        assertThat(reader.read(ByteBuffer.wrap(new byte[2]))).isEqualTo(Finding.UNDECODABLE);
        assertThat(reader.schema()).isNull();
        SchemaSupport.Writer onAgent =
                SchemaSupport.get().open(SchemaSupport.pinned(spec)).writer(1, 0, 1);
        for (long at : new long[] {0, 1_000_000_000}) {
            assertThat(onAgent.at(at)).isEqualTo(writer.at(at));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {409, 422})
    void refusesIncompatibleVersionBeforeTheLoad(int status) {
        registry.register("orders-value", "\"string\"");
        registry.incompatible = SchemaTesting.AVRO;
        registry.rejection = status;
        Plan plan = SchemaTesting.plan(
                registry(", version: 1, register: true, evolve: {at: 500ms, file: " + directory.resolve("order.avsc")
                        + "}"),
                "{decode: 1}");
        assertThatThrownBy(() -> SchemaSupport.toRegister(plan).forEach(spec -> SchemaSupport.get().register(spec)))
                .isInstanceOfSatisfying(PlimsollException.class, e -> {
                    assertThat(e.sentence().key()).isEqualTo("schemas.incompatible");
                    assertThat(e.sentence().arguments()).contains("no default for amount");
                });
    }
}
