package io.plimsoll.schemas;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.wire.ClientTls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Requests to a registry. Redirects are not followed, so that credentials are sent only to the configured server. Thread-safe. */
record RegistryHttp(String address, HttpClient client, Optional<String> authorization) {
    static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final String BASIC = "basic.auth.user.info";
    private static final String BEARER = "bearer.auth.token";
    private static final Set<String> SETTINGS = Set.of(
            BASIC,
            BEARER,
            "ssl.truststore.location",
            "ssl.truststore.password",
            "ssl.truststore.type",
            "ssl.truststore.certificates",
            "ssl.keystore.location",
            "ssl.keystore.password",
            "ssl.keystore.type",
            "ssl.keystore.key",
            "ssl.keystore.certificate.chain",
            "ssl.key.password");
    private static final List<String> STORES = List.of("ssl.truststore.location", "ssl.keystore.location");
    private static final String KAFKA_PROVIDER = "org.apache.kafka.common.config.provider.";
    /** Config providers that are always available, so that references need no declaration. */
    private static final Map<String, String> PROVIDERS = Map.of(
            "config.providers", "env,file,dir",
            "config.providers.env.class", KAFKA_PROVIDER + "EnvVarConfigProvider",
            "config.providers.file.class", KAFKA_PROVIDER + "FileConfigProvider",
            "config.providers.dir.class", KAFKA_PROVIDER + "DirectoryConfigProvider");
    private static final int MISSING = 404;
    /** The statuses for an incompatible schema and for an invalid one. */
    private static final Set<Integer> REJECTIONS = Set.of(409, 422);

    private static final int LONGEST = 200;

    /** The body of a successful response. */
    record Answer(String text) {
        JsonNode json() {
            try {
                return MAPPER.readTree(text);
            } catch (JsonProcessingException e) {
                throw Exit.CLUSTER.because(e, "schemas.notJson", shortened(text));
            }
        }
    }

    /** @throws PlimsollException ({@code USAGE}) for an unknown or unusable setting */
    static RegistryHttp of(SchemaSpec spec) {
        spec.config().keySet().stream()
                .filter(name -> !SETTINGS.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw Exit.USAGE.because("schemas.unknownSetting", name, String.join(", ", new TreeSet<>(SETTINGS)));
                });
        Map<String, String> config = new HashMap<>(ClusterConnection.lookUp(PROVIDERS, spec.config()));
        // A file with a secret often ends with a newline, which no header can contain.
        config.replaceAll((name, value) -> value.strip());
        Secrets.learn(config);
        HttpClient.Builder client = HttpClient.newBuilder()
                .connectTimeout(PATIENCE)
                .followRedirects(HttpClient.Redirect.NEVER);
        if (config.keySet().stream().anyMatch(name -> name.startsWith("ssl."))) {
            STORES.stream()
                    .filter(config::containsKey)
                    .filter(name -> !Files.isReadable(Path.of(config.get(name))))
                    .forEach(name -> {
                        throw Exit.USAGE.because("schemas.noStore", name, config.get(name));
                    });
            client.sslContext(ClientTls.context(config, "schemas.tls"));
        }
        Optional<String> basic = Optional.ofNullable(config.get(BASIC))
                .map(login -> "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)));
        return new RegistryHttp(
                spec.registry(),
                client.build(),
                basic.or(() -> Optional.ofNullable(config.get(BEARER)).map(token -> "Bearer " + token)));
    }

    /** The response; empty if the registry does not have the resource. */
    Optional<Answer> get(String path) {
        return send(request(path).GET().build(), this::refused);
    }

    Optional<Answer> post(String path, String type, String body) {
        return send(posting(path, type, body), this::refused);
    }

    /** @throws PlimsollException ({@code USAGE}) if the registry rejects the schema or does not have the path */
    void register(SchemaSpec spec, String path, String type, String body) {
        Optional<Answer> taken = send(
                posting(path, type, body),
                (status, answer) -> REJECTIONS.contains(status)
                        ? Exit.USAGE.because(
                                "schemas.incompatible", address, spec.file(), spec.subject(), reason(answer))
                        : refused(status, answer));
        if (taken.isEmpty()) {
            throw Registry.none(spec);
        }
    }

    private HttpRequest posting(String path, String type, String body) {
        return request(path)
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private PlimsollException refused(int status, String answer) {
        return Exit.CLUSTER.because("schemas.refused", address, status, shortened(answer));
    }

    /** The message of a rejection in the formats of Confluent and of Apicurio. */
    private static String reason(String answer) {
        try {
            JsonNode said = MAPPER.readTree(answer);
            return Stream.of("message", "detail", "title")
                    .map(field -> said.path(field).asText())
                    .filter(text -> !text.isEmpty())
                    .findFirst()
                    // Without the name of an exception class.
                    .map(text -> shortened(text.replaceFirst("^[\\w.]+: ", "").replaceFirst("\\.$", "")))
                    .orElseGet(() -> shortened(answer));
        } catch (JsonProcessingException e) {
            return shortened(answer);
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address + path)).timeout(PATIENCE).header("Accept", "application/json, */*");
        authorization.ifPresent(value -> {
            try {
                request.header("Authorization", value);
            } catch (IllegalArgumentException e) {
                // Without the cause, because its message contains the token.
                throw Exit.USAGE.because("schemas.notAHeader", BEARER);
            }
        });
        return request;
    }

    private Optional<Answer> send(HttpRequest request, BiFunction<Integer, String, PlimsollException> failure) {
        try {
            HttpResponse<String> response =
                    client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            int status = response.statusCode();
            if (status == MISSING) {
                return Optional.empty();
            }
            if (status / 100 != 2) {
                throw failure.apply(status, response.body());
            }
            return Optional.of(new Answer(response.body()));
        } catch (ConnectException | HttpTimeoutException e) {
            String reason = Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
            throw Exit.CLUSTER.because(e, "schemas.unreachable", address, reason);
        } catch (IOException e) {
            throw Exit.CLUSTER.because(e, problem(e), address, shortened(reason(e)));
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "schemas.interrupted", address);
        }
    }

    /** Describes an I/O failure; a server that does not trust its client can close the connection without an error message. */
    private String problem(IOException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof GeneralSecurityException) {
                return reason(cause).matches("(?s)No (name matching|subject alternative).*")
                        ? "schemas.otherHost"
                        : "schemas.untrusted";
            }
        }
        return address.startsWith("https") ? "schemas.closedTls" : "schemas.closed";
    }

    /** The message of the innermost cause. */
    private static String reason(Throwable failure) {
        Throwable inner = failure;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        return String.valueOf(inner.getMessage()).replaceFirst("\\.$", "");
    }

    private static String shortened(String text) {
        String line = Secrets.clean(text.strip().replaceAll("\\s+", " "));
        return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
    }
}
