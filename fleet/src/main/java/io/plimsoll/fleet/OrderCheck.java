package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.fleet.FleetMessage.Order;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.scenario.Settings;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Checks orders from coordinators. Accepts only Kafka clients with settings that name no class and no file, and only
 * payload files in the agent's data directory.
 */
record OrderCheck(DataDirectory data, LoginSettings logins) {
    private static final Set<String> KNOWN = known();
    /** Settings that make a client load a class, read a file, or request a token from a server. */
    private static final List<String> DENIED = List.of(
            "class",
            "interceptor",
            "reporter",
            "location",
            "file",
            "path",
            "provider",
            "callback",
            "factory",
            "url",
            "oauthbearer",
            "kerberos",
            "engine",
            "assignment.strategy",
            "serializer");

    /** Kafka's own assignors, named by scenarios that repeat old experiments; no other class is accepted. */
    private static final Set<String> ASSIGNORS = Set.of(
            "org.apache.kafka.clients.consumer.RangeAssignor",
            "org.apache.kafka.clients.consumer.RoundRobinAssignor",
            "org.apache.kafka.clients.consumer.StickyAssignor",
            "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");

    private static Set<String> known() {
        Set<String> names = new HashSet<>(ProducerConfig.configNames());
        names.addAll(ConsumerConfig.configNames());
        return names;
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the order is rejected */
    Order checked(Order order) {
        settings(Sentence.of("fleet.clientProperties"), order.clientProperties());
        List<ProducerSpec> producers = new ArrayList<>();
        for (ProducerSpec p : order.load().producers()) {
            settings("producers.", p.settings());
            producers.add(withFiles(p));
        }
        for (ConsumerSpec c : order.load().consumers()) {
            settings("consumers.", c.settings());
            c.decoding().ifPresent(decoding -> pinned(decoding.schema()));
        }
        return order.withProducers(producers);
    }

    /** Checks every key that contains client properties: {@code config}, and additional keys of some kinds of load. */
    @SuppressWarnings("unchecked")
    private void settings(String where, Settings of) {
        of.keys().stream()
                .filter(key -> key.content() == Key.Content.PROPERTIES)
                .forEach(key -> settings(where + key.name(), (Map<String, String>) of.get(key)));
    }

    private void settings(Object where, Map<String, String> properties) {
        Secrets.learn(properties);
        properties.forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            // Settings of share groups belong to the cluster and do not name resources.
            boolean known = KNOWN.contains(name) || name.startsWith("share.");
            boolean denied = !known || DENIED.stream().anyMatch(lower::contains);
            boolean taken = !denied || isAssignors(name, value) || (KNOWN.contains(name) && logins.takes(name, value));
            Exit.USAGE.when(!taken, "fleet.settingNotTaken", where, name);
            Exit.USAGE.when(name.equals("sasl.jaas.config") && !logins.takesJaas(value), "fleet.jaasNotTaken", where);
        });
    }

    private static boolean isAssignors(String name, String value) {
        return name.equals(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG)
                && Stream.of(value.split(",", -1)).map(String::strip).allMatch(ASSIGNORS::contains);
    }

    /** Rejects schemas without their content: an agent reads no schema file and queries no registry for a coordinator. */
    private static void pinned(SchemaSpec schema) {
        boolean own = schema.pinned().isPresent()
                && schema.file().isEmpty()
                && schema.registry().isEmpty();
        Exit.USAGE.when(!own, "fleet.schemaNotTaken", schema.label());
    }

    private ProducerSpec withFiles(ProducerSpec p) {
        RecordSpec r = p.record();
        r.schemas().forEach(OrderCheck::pinned);
        RecordSpec.Payload payload = r.payload();
        if (payload instanceof RecordSpec.Payload.File file) {
            payload = new RecordSpec.Payload.File(data.file(file.path()), file.delimiter());
        } else if (payload instanceof RecordSpec.Payload.Files files) {
            payload = new RecordSpec.Payload.Files(
                    files.paths().stream().map(data::file).toList());
        } else {
            return p;
        }
        return p.with(ProducerSpec.RECORD, r.with(RecordSpec.PAYLOAD, payload));
    }

    /** The directory with files that coordinators can make an agent read (empty for none); it must not contain secrets. */
    record DataDirectory(Optional<Path> data, List<Path> secrets) {
        /** @throws PlimsollException {@link Exit#USAGE} if it contains a secret, or cannot be read */
        DataDirectory {
            data = data.map(directory -> directory.toAbsolutePath().normalize());
            if (data.isPresent()) {
                requireNone(secrets, data.get());
            }
        }

        private static void requireNone(List<Path> secrets, Path directory) {
            try {
                Path real = directory.toRealPath();
                for (Path secret : secrets) {
                    // Check both the given and the resolved path: a link inside can point outside, and a link outside
                    // can point inside.
                    Path parent = secret.toAbsolutePath().getParent();
                    Path named = parent == null ? secret : parent.toRealPath().resolve(secret.getFileName());
                    Exit.USAGE.when(
                            named.startsWith(real) || secret.toRealPath().startsWith(real),
                            "fleet.dataHasSecrets",
                            directory,
                            secret);
                }
            } catch (IOException e) {
                throw Exit.USAGE.because(e, "fleet.noDataDirectory", directory);
            }
        }

        /** The path of a payload file. Throws {@link PlimsollException} {@link Exit#USAGE} if it is not in the directory. */
        String file(String path) {
            Path directory = data.orElseThrow(() -> Exit.USAGE.because("fleet.noData", path));
            Path file = directory.resolve(path).normalize();
            try {
                if (file.startsWith(directory)
                        && file.toRealPath().startsWith(directory.toRealPath())
                        && !isSecret(file)) {
                    return file.toString();
                }
            } catch (IOException e) {
                throw Exit.USAGE.because(e, "fleet.noPayloadFile", path, directory);
            }
            throw Exit.USAGE.because("fleet.payloadFileOutside", path, directory);
        }

        /** Whether a file is a secret, for example through a hard link that was created later. */
        private boolean isSecret(Path file) throws IOException {
            for (Path secret : secrets) {
                if (Files.isSameFile(file, secret)) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * The login settings that coordinators can set on an agent: no files, programs or servers, and no classes except
     * classes of Kafka and the JDK, unless the owner of the agent allowed them.
     * @param allowed classes and URLs that the owner of the agent allowed
     */
    record LoginSettings(Set<String> allowed) {
        private static final String OAUTH = "org.apache.kafka.common.security.oauthbearer.";
        private static final Set<String> PLAIN_VALUES = Set.of(
                "sasl.kerberos.service.name",
                "sasl.kerberos.ticket.renew.jitter",
                "sasl.kerberos.ticket.renew.window.factor",
                "sasl.kerberos.min.time.before.relogin",
                "sasl.oauthbearer.client.credentials.client.id",
                "sasl.oauthbearer.client.credentials.client.secret",
                "sasl.oauthbearer.scope",
                "sasl.oauthbearer.header.urlencode",
                "sasl.oauthbearer.scope.claim.name",
                "sasl.oauthbearer.sub.claim.name",
                "sasl.oauthbearer.clock.skew.seconds");
        private static final Set<String> HANDLERS =
                Set.of(OAUTH + "OAuthBearerLoginCallbackHandler", OAUTH + "secured.OAuthBearerLoginCallbackHandler");
        private static final Set<String> PASSWORD_MODULES = Set.of(
                "org.apache.kafka.common.security.plain.PlainLoginModule",
                "org.apache.kafka.common.security.scram.ScramLoginModule");
        private static final String OAUTH_MODULE = OAUTH + "OAuthBearerLoginModule";
        private static final Set<String> OAUTH_OPTIONS = Set.of("clientId", "clientSecret", "scope");
        private static final String KERBEROS_MODULE = "com.sun.security.auth.module.Krb5LoginModule";
        /** The only accepted value of this option is {@code false}, because a cache is a file. */
        private static final String TICKET_CACHE = "useTicketCache";

        private static final Set<String> KERBEROS_OPTIONS = Set.of(
                "useKeyTab",
                "storeKey",
                "principal",
                "serviceName",
                "keyTab",
                "doNotPrompt",
                "refreshKrb5Config",
                "isInitiator",
                "renewTGT",
                "debug",
                TICKET_CACHE);

        /** Quoted text as the JDK's tokenizer reads it: up to the next quotation mark without a backslash before it. */
        private static final String QUOTED =
                "\"(?:[^\"\\\\\\n\\r]|\\\\[^\\n\\r])*\"|'(?:[^'\\\\\\n\\r]|\\\\[^\\n\\r])*'";
        /**
         * One JAAS entry. Slashes outside quotation marks are rejected, because they begin a comment that could hide
         * another entry.
         */
        private static final Pattern ENTRY =
                Pattern.compile("\\s*([\\w.$]+)\\s+required\\b((?:[^;\"'/\\\\]|" + QUOTED + ")*);\\s*");

        private static final Pattern OPTION = Pattern.compile("\\s*([\\w.]+)\\s*=\\s*(" + QUOTED + "|[\\w.@-]+)");

        /** Whether this setting is accepted although its name refers to a class, a file or a server. */
        boolean takes(String name, String value) {
            return switch (name) {
                case "sasl.login.callback.handler.class" -> HANDLERS.contains(value) || allowed.contains(value);
                case "sasl.client.callback.handler.class", "sasl.login.class" -> allowed.contains(value);
                case "sasl.oauthbearer.token.endpoint.url" ->
                    value.startsWith(LoginFiles.DATA) || allowed.contains(value);
                default -> PLAIN_VALUES.contains(name);
            };
        }

        /**
         * Whether this is a single JAAS entry with an accepted module, and with options that refer to no other
         * resource.
         */
        boolean takesJaas(String text) {
            Matcher entry = ENTRY.matcher(text);
            if (!entry.matches()) {
                return false;
            }
            String module = entry.group(1);
            return PASSWORD_MODULES.contains(module)
                    || allowed.contains(module)
                    || (module.equals(OAUTH_MODULE) && has(entry.group(2), OAUTH_OPTIONS))
                    || (module.equals(KERBEROS_MODULE) && has(entry.group(2), KERBEROS_OPTIONS));
        }

        private static boolean has(String options, Set<String> known) {
            Matcher option = OPTION.matcher(options);
            int end = 0;
            while (option.find() && option.start() == end) {
                String value = option.group(2).replaceAll("^[\"']|[\"']$", "");
                boolean file = option.group(1).equals("keyTab");
                if (!known.contains(option.group(1)) && !option.group(1).startsWith("extension_")) {
                    return false;
                }
                if (file && !value.startsWith(LoginFiles.DATA)) {
                    return false;
                }
                if (option.group(1).equals(TICKET_CACHE) && !value.equals("false")) {
                    return false;
                }
                end = option.end();
            }
            return options.substring(end).isBlank();
        }
    }
}
