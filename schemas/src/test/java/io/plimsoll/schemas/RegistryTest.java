package io.plimsoll.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.plimsoll.PlimsollException;
import io.plimsoll.payload.SchemaSupport;
import io.plimsoll.payload.SchemaSupport.Finding;
import io.plimsoll.payload.SchemaSupport.Reader;
import io.plimsoll.run.guards.ForeignCluster.Findings;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.SchemaSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schemas are found, registered with consent and checked through the REST API of Confluent, and logins stay secret. */
class RegistryTest {
    private static final String LOGIN = "reader:Tr0ub4dor&3-registry";
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int FIRST_ID = 40;

    @TempDir
    Path directory;

    private final Map<String, List<String>> subjects = new ConcurrentHashMap<>();
    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;

    /** A registry with the documented answers, in memory. */
    @BeforeEach
    void start() throws IOException {
        SchemaTesting.write(directory);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        asked.add(exchange.getRequestMethod() + " " + path);
        String expected = "Basic " + Base64.getEncoder().encodeToString(LOGIN.getBytes(StandardCharsets.UTF_8));
        String body = expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))
                ? found(exchange, path.substring(1).split("/"))
                : "unauthorized";
        byte[] bytes = (body == null ? "{}" : body).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(body == null ? 404 : body.startsWith("{") ? 200 : 401, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private String found(HttpExchange exchange, String[] path) throws IOException {
        if (path[0].equals("schemas")) {
            int id = Integer.parseInt(path[2]) - FIRST_ID;
            return id >= 0 && id < texts.size() ? schema(id) : null;
        }
        List<String> versions = subjects.getOrDefault(path[1], List.of());
        if (exchange.getRequestMethod().equals("POST")) {
            JsonNode body = MAPPER.readTree(exchange.getRequestBody());
            String text = body.get("schema").asText();
            if (path.length == 3) {
                register(path[1], text);
            } else if (!versions.contains(text)) {
                return null;
            }
            return "{\"id\": " + (FIRST_ID + texts.indexOf(text)) + "}";
        }
        if (versions.isEmpty()) {
            return null;
        }
        int version = path[3].equals("latest") ? versions.size() : Integer.parseInt(path[3]);
        return version > versions.size() ? null : schema(texts.indexOf(versions.get(version - 1)));
    }

    private String schema(int index) {
        return MAPPER.createObjectNode()
                .put("id", FIRST_ID + index)
                .put("schema", texts.get(index))
                .toString();
    }

    private void register(String subject, String text) {
        texts.add(text);
        List<String> versions = new ArrayList<>(subjects.getOrDefault(subject, List.of()));
        versions.add(text);
        subjects.put(subject, versions);
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private String registry(String more) {
        return "{registry: \"" + address() + "\", subject: orders-value, config: {basic.auth.user.info: \"" + LOGIN
                + "\"}" + more + "}";
    }

    @Test
    void recordsCarryTheIdOfTheVersionAsked() {
        register("other", "\"string\"");
        register("orders-value", "\"long\"");
        register("orders-value", SchemaTesting.AVRO);
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
    void readersDecodeByTheIdOfEachRecordAndAskOnceForIt() {
        register("orders-value", "\"string\"");
        register("orders-value", SchemaTesting.AVRO);
        byte[] newest = SchemaTesting.values(SchemaTesting.record(registry("")), 1).get(0);
        SchemaSpec older = SchemaTesting.record(registry(", version: 1")).schemas().get(0);
        Reader reader = SchemaSupport.get().open(older).reader(Map.of("amount", ">= 0"));
        asked.clear();
        assertThat(reader.read(ByteBuffer.wrap(newest))).isEqualTo(Finding.AS_EXPECTED);
        assertThat(reader.read(ByteBuffer.wrap(newest))).isEqualTo(Finding.AS_EXPECTED);
        assertThat(asked).containsExactly("GET /schemas/ids/" + (FIRST_ID + 1));
        byte[] unknown = newest.clone();
        unknown[1] = 1;
        assertThat(reader.read(ByteBuffer.wrap(unknown))).isEqualTo(Finding.UNKNOWN_SCHEMA);
        byte[] bare = newest.clone();
        bare[0] = 1;
        assertThat(reader.read(ByteBuffer.wrap(bare))).isEqualTo(Finding.UNKNOWN_SCHEMA);
        assertThat(reader.read(ByteBuffer.wrap(new byte[3]))).isEqualTo(Finding.UNKNOWN_SCHEMA);
    }

    @Test
    void aSchemaIsRegisteredOnlyOnRequestAndWithConsent() {
        String file = ", file: " + directory.resolve("order.avsc");
        assertThatThrownBy(() -> SchemaTesting.values(SchemaTesting.record(registry(file)), 1))
                .isInstanceOfSatisfying(PlimsollException.class, e -> assertThat(
                                e.sentence().key())
                        .isEqualTo("schemas.notRegistered"));
        Plan plan = SchemaTesting.plan(registry(file + ", register: true"), "{decode: 1}");
        assertThat(Findings.registrations(plan).beyond())
                .singleElement()
                .satisfies(s -> assertThat(s.key()).isEqualTo("guards.registers"));
        assertThat(asked).noneMatch(request -> request.endsWith("/versions"));
        SchemaSupport.toRegister(plan).forEach(spec -> SchemaSupport.get().register(spec));
        assertThat(subjects.get("orders-value")).containsExactly(SchemaTesting.AVRO);
        assertThat(Findings.registrations(plan).beyond()).isEmpty();
        byte[] value = SchemaTesting.values(SchemaTesting.record(registry(file + ", register: true")), 1)
                .get(0);
        assertThat(ByteBuffer.wrap(value).getInt(1)).isEqualTo(FIRST_ID);
    }

    @Test
    void agentsGetTheSchemaWithoutTheRegistryAndItsLogin() {
        register("orders-value", SchemaTesting.AVRO);
        SchemaSpec spec = SchemaTesting.record(registry("")).schemas().get(0);
        SchemaSpec pinned = SchemaSupport.pinned(spec);
        assertThat(pinned.toString()).doesNotContain("Tr0ub4dor", address());
        asked.clear();
        byte[] there = SchemaSupport.get().open(pinned).writer(1, 0, 1).next(0, 1).clone();
        assertThat(there).isEqualTo(SchemaSupport.get().open(spec).writer(1, 0, 1).next(0, 1));
        assertThat(asked).isEmpty();
    }

    @Test
    void loginsAreNeitherStoredNorToldAndOnlyReferencesStay() {
        Plan plan = SchemaTesting.plan(registry(""), "{decode: 1}");
        assertThat(plan.source()).doesNotContain("Tr0ub4dor").contains("(redacted)");
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
    void apicuriosFramingHasAnIdOf8Bytes() {
        register("orders-value", SchemaTesting.AVRO);
        byte[] value =
                SchemaTesting.values(SchemaTesting.record(registry(", framing: apicurio")), 1).get(0);
        assertThat(ByteBuffer.wrap(value).getLong(1)).isEqualTo(FIRST_ID);
    }
}
