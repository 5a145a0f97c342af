package io.plimsoll.schemas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** A registry with the documented answers of the REST API of Confluent, in memory. */
final class MemoryRegistry implements AutoCloseable {
    static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    static final int FIRST_ID = 40;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    final Map<String, List<String>> subjects = new ConcurrentHashMap<>();
    final List<String> texts = new CopyOnWriteArrayList<>();
    final List<String> asked = new CopyOnWriteArrayList<>();
    /** A schema that no subject takes. */
    volatile String incompatible = "";
    /** The status of its rejection. */
    volatile int rejection = 409;

    private final HttpServer server;
    private final String authorization;

    /** @param authorization header that each request needs; empty for none */
    MemoryRegistry(HttpServer server, String authorization) {
        this.server = server;
        this.authorization = authorization;
        server.createContext("/", this::answer);
        server.start();
    }

    static String basic(String login) {
        return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    }

    String address() {
        return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:"
                + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private record Reply(int status, String body) {
        static final Reply NONE = new Reply(404, "{}");
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        asked.add(exchange.getRequestMethod() + " " + path);
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        Reply reply = authorization.isEmpty() || authorization.equals(given)
                ? found(exchange, path.substring(1).split("/"))
                : new Reply(401, "unauthorized");
        byte[] bytes = reply.body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private Reply found(HttpExchange exchange, String[] path) throws IOException {
        if (path[0].equals("schemas")) {
            int id = Integer.parseInt(path[2]) - FIRST_ID;
            if (id < 0 || id >= texts.size()) {
                return Reply.NONE;
            }
            return path.length > 3 ? new Reply(200, versions(texts.get(id))) : schema(id);
        }
        List<String> versions = subjects.getOrDefault(path[1], List.of());
        if (exchange.getRequestMethod().equals("POST")) {
            JsonNode body = MAPPER.readTree(exchange.getRequestBody());
            String text = body.get("schema").asText();
            if (path.length == 3 && text.equals(incompatible)) {
                return new Reply(
                        rejection, "{\"error_code\": " + rejection + ", \"message\": \"no default for amount.\"}");
            }
            if (path.length == 3) {
                register(path[1], text);
            } else if (!versions.contains(text)) {
                return Reply.NONE;
            }
            return new Reply(200, "{\"id\": " + (FIRST_ID + texts.indexOf(text)) + "}");
        }
        if (path.length == 3) {
            return new Reply(
                    200, IntStream.rangeClosed(1, versions.size()).boxed().toList().toString());
        }
        int version = versions.isEmpty() ? 1 : path[3].equals("latest") ? versions.size() : Integer.parseInt(path[3]);
        return version > versions.size() ? Reply.NONE : schema(texts.indexOf(versions.get(version - 1)));
    }

    private static Reply schema(int index, String text) {
        return new Reply(
                200,
                MAPPER.createObjectNode()
                        .put("id", FIRST_ID + index)
                        .put("schemaType", text.startsWith("syntax") ? "PROTOBUF" : "AVRO")
                        .put("schema", text)
                        .toString());
    }

    private Reply schema(int index) {
        return schema(index, texts.get(index));
    }

    private String versions(String text) {
        List<String> found = new ArrayList<>();
        subjects.forEach((subject, versions) -> {
            if (versions.contains(text)) {
                found.add("{\"subject\": \"" + subject + "\", \"version\": " + (versions.indexOf(text) + 1) + "}");
            }
        });
        return found.toString();
    }

    void register(String subject, String text) {
        if (!texts.contains(text)) {
            texts.add(text);
        }
        List<String> versions = new ArrayList<>(subjects.getOrDefault(subject, List.of()));
        versions.add(text);
        subjects.put(subject, versions);
    }
}
