package io.plimsoll.schemas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.scenario.SchemaSpec.Framing;
import io.plimsoll.scenario.SchemaSpec.Pinned;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.StreamSupport;

/** A schema registry. Thread-safe. Methods throw {@link PlimsollException} ({@code CLUSTER}) if the registry does not respond. */
abstract class Registry {
    private static final String APICURIO = "/apis/registry/v";

    final RegistryHttp http;

    private Registry(RegistryHttp http) {
        this.http = http;
    }

    /**
     * The registry at an address: with Apicurio's own API, or with Confluent's API, which Apicurio and other registries
     * also support.
     */
    static Registry of(SchemaSpec spec) {
        RegistryHttp http = RegistryHttp.of(spec);
        return spec.registry().contains(APICURIO) ? new Apicurio(http) : new Confluent(http);
    }

    /** The schema of a version. Throws {@link PlimsollException} ({@code USAGE}) if the version does not exist. */
    abstract Pinned version(SchemaSpec spec);

    /** The id of this schema in the subject; empty if it is not registered. */
    abstract Optional<Long> idOf(SchemaSpec spec, Pinned schema);

    /** @param type type of the schema, used if the registry does not return it */
    abstract Optional<Pinned> byId(long id, SchemaSpec spec, String type);

    abstract void register(SchemaSpec spec, Pinned schema);

    /** The subjects and versions that have the schema with this ID. */
    abstract List<SchemaSpec> withId(long id, SchemaSpec spec);

    /** All versions of the subject, in no particular order. */
    abstract List<SchemaSpec> versions(SchemaSpec spec);

    static List<SchemaSpec> named(SchemaSpec spec, JsonNode versions, Function<JsonNode, String> subject) {
        List<SchemaSpec> all = new ArrayList<>();
        versions.forEach(
                each -> all.add(spec.named(subject.apply(each), each.path("version").asText())));
        return all;
    }

    static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    static PlimsollException none(SchemaSpec spec) {
        return Exit.USAGE.because("schemas.noVersion", spec.registry(), spec.subject(), spec.version());
    }

    /** Confluent's API: {@code /subjects}, {@code /schemas/ids}. */
    private static final class Confluent extends Registry {
        private static final String TYPE = "application/vnd.schemaregistry.v1+json";

        Confluent(RegistryHttp http) {
            super(http);
        }

        private static String subject(SchemaSpec spec) {
            return "/subjects/" + encoded(spec.subject());
        }

        @Override
        Pinned version(SchemaSpec spec) {
            return http.get(subject(spec) + "/versions/" + spec.version())
                    .map(found -> pinned(found.json(), found.json().path("id").asLong()))
                    .orElseThrow(() -> none(spec));
        }

        private Pinned pinned(JsonNode found, long id) {
            Map<String, String> imports = new LinkedHashMap<>();
            collect(found.path("references"), imports);
            String type = found.path("schemaType").asText("AVRO").toUpperCase(Locale.ROOT);
            return new Pinned(type, found.path("schema").asText(), imports, id);
        }

        /** Collects references; referenced schemas come before the schema that refers to them. */
        private void collect(JsonNode references, Map<String, String> imports) {
            for (JsonNode each : references) {
                String name = each.path("name").asText();
                String path = "/subjects/" + encoded(each.path("subject").asText()) + "/versions/"
                        + each.path("version").asInt();
                if (!imports.containsKey(name)) {
                    http.get(path).map(RegistryHttp.Answer::json).ifPresent(found -> {
                        collect(found.path("references"), imports);
                        imports.put(name, found.path("schema").asText());
                    });
                }
            }
        }

        private ObjectNode body(Pinned schema) {
            ObjectNode body = RegistryHttp.MAPPER.createObjectNode().put("schema", schema.text());
            if (!schema.type().equals("AVRO")) {
                body.put("schemaType", schema.type());
            }
            return body;
        }

        @Override
        Optional<Long> idOf(SchemaSpec spec, Pinned schema) {
            return http.post(subject(spec), TYPE, body(schema).toString())
                    .map(found -> found.json().path("id").asLong());
        }

        @Override
        Optional<Pinned> byId(long id, SchemaSpec spec, String type) {
            return http.get("/schemas/ids/" + id).map(found -> pinned(found.json(), id));
        }

        @Override
        List<SchemaSpec> withId(long id, SchemaSpec spec) {
            return http.get("/schemas/ids/" + id + "/versions")
                    .map(found -> named(spec, found.json(), each -> each.path("subject").asText()))
                    .orElse(List.of());
        }

        @Override
        List<SchemaSpec> versions(SchemaSpec spec) {
            return http.get(subject(spec) + "/versions")
                    .map(found -> StreamSupport.stream(found.json().spliterator(), false)
                            .map(each -> spec.named(spec.subject(), each.asText()))
                            .toList())
                    .orElse(List.of());
        }

        @Override
        void register(SchemaSpec spec, Pinned schema) {
            ObjectNode body = body(schema);
            Exit.USAGE.when(!schema.imports().isEmpty(), "schemas.registersNoImports", spec.file());
            http.register(spec, subject(spec) + "/versions", TYPE, body.toString());
        }
    }

    /** Apicurio's API, versions 2 and 3: {@code /groups/…/artifacts}, {@code /ids}. */
    private static final class Apicurio extends Registry {
        /** Maximum number of versions in a response of Apicurio. */
        private static final int MOST_VERSIONS = 500;

        Apicurio(RegistryHttp http) {
            super(http);
        }

        private static String artifact(SchemaSpec spec) {
            return "/groups/" + encoded(group(spec)) + "/artifacts/" + encoded(name(spec));
        }

        private static String group(SchemaSpec spec) {
            int slash = spec.subject().indexOf('/');
            return slash < 0 ? "default" : spec.subject().substring(0, slash);
        }

        private static String name(SchemaSpec spec) {
            return spec.subject().substring(spec.subject().indexOf('/') + 1);
        }

        private boolean second() {
            return http.address().contains(APICURIO + "2");
        }

        private static String idKind(SchemaSpec spec) {
            return spec.framing() == Framing.CONFLUENT ? "contentId" : "globalId";
        }

        @Override
        Pinned version(SchemaSpec spec) {
            boolean latest = spec.version().equals("latest");
            String version = "/versions/" + (latest ? "branch%3Dlatest" : spec.version());
            String path = artifact(spec) + (second() ? (latest ? "" : version) + "/meta" : version);
            JsonNode meta = http.get(path).map(RegistryHttp.Answer::json).orElseThrow(() -> none(spec));
            String type = meta.path(second() ? "type" : "artifactType").asText("AVRO");
            return content("globalId", meta.path("globalId").asLong(), type, meta.path(idKind(spec)).asLong())
                    .orElseThrow(() -> none(spec));
        }

        private Optional<Pinned> content(String kind, long asked, String type, long id) {
            String path = "/ids/" + kind + "s/" + asked;
            return http.get(path).map(found -> {
                Map<String, String> imports = new LinkedHashMap<>();
                collect(path, imports);
                return new Pinned(type.toUpperCase(Locale.ROOT), found.text(), imports, id);
            });
        }

        /** Collects references; referenced schemas come before the schema that refers to them. */
        private void collect(String path, Map<String, String> imports) {
            JsonNode references = http.get(path + "/references")
                    .map(RegistryHttp.Answer::json)
                    .orElseGet(() -> RegistryHttp.MAPPER.createArrayNode());
            for (JsonNode each : references) {
                String name = each.path("name").asText();
                String at = "/groups/" + encoded(each.path("groupId").asText("default")) + "/artifacts/"
                        + encoded(each.path("artifactId").asText()) + "/versions/"
                        + encoded(each.path("version").asText());
                if (!imports.containsKey(name)) {
                    collect(at, imports);
                    http.get(at + (second() ? "" : "/content")).ifPresent(text -> imports.put(name, text.text()));
                }
            }
        }

        @Override
        Optional<Long> idOf(SchemaSpec spec, Pinned schema) {
            Optional<RegistryHttp.Answer> found = second()
                    ? http.post(artifact(spec) + "/meta?canonical=true", "application/json", schema.text())
                    : http.post(
                            "/search/versions?canonical=true&artifactType=" + schema.type() + "&groupId="
                                    + encoded(group(spec)) + "&artifactId=" + encoded(name(spec)),
                            contentType(schema),
                            schema.text());
            return found.map(RegistryHttp.Answer::json)
                    .map(json -> second() ? json : json.path("versions").path(0))
                    .filter(version -> version.has("globalId"))
                    .map(version -> version.path(idKind(spec)).asLong());
        }

        private static String contentType(Pinned schema) {
            return schema.type().equals("PROTOBUF") ? "application/x-protobuf" : "application/json";
        }

        @Override
        Optional<Pinned> byId(long id, SchemaSpec spec, String type) {
            return content(idKind(spec), id, type, id);
        }

        @Override
        List<SchemaSpec> withId(long id, SchemaSpec spec) {
            Exit.USAGE.when(second(), "schemas.needsV3", spec.registry());
            return http.get("/search/versions?" + idKind(spec) + "=" + id)
                    .map(found -> named(spec, found.json().path("versions"), Apicurio::subject))
                    .orElse(List.of());
        }

        @Override
        List<SchemaSpec> versions(SchemaSpec spec) {
            return http.get(artifact(spec) + "/versions?limit=" + MOST_VERSIONS)
                    .map(found -> named(spec, found.json().path("versions"), each -> spec.subject()))
                    .orElse(List.of());
        }

        private static String subject(JsonNode version) {
            String group = version.path("groupId").asText("default");
            String artifact = version.path("artifactId").asText();
            return group.equals("default") ? artifact : group + "/" + artifact;
        }

        @Override
        void register(SchemaSpec spec, Pinned schema) {
            Exit.USAGE.when(second(), "schemas.needsV3", spec.registry());
            Exit.USAGE.when(!schema.imports().isEmpty(), "schemas.registersNoImports", spec.file());
            ObjectNode body = RegistryHttp.MAPPER.createObjectNode();
            body.put("artifactId", name(spec)).put("artifactType", schema.type());
            body.putObject("firstVersion")
                    .putObject("content")
                    .put("content", schema.text())
                    .put("contentType", contentType(schema))
                    .set("references", new ArrayNode(RegistryHttp.MAPPER.getNodeFactory()));
            String path = "/groups/" + encoded(group(spec)) + "/artifacts?ifExists=FIND_OR_CREATE_VERSION&canonical=true";
            http.register(spec, path, "application/json", body.toString());
        }
    }
}
