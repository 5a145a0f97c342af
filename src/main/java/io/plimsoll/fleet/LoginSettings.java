package io.plimsoll.fleet;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The login settings that coordinators may choose for an agent: no files, programs or servers, and no classes except Kafka's
 * and the JDK's, unless the owner of the agent allowed them.
 *
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
    private static final Set<String> KERBEROS_OPTIONS =
            Set.of("useKeyTab", "storeKey", "principal", "serviceName", "keyTab");

    /** Between quotation marks as the JDK's tokenizer reads it: up to the next mark that no backslash is before. */
    private static final String QUOTED = "\"(?:[^\"\\\\\\n\\r]|\\\\[^\\n\\r])*\"|'(?:[^'\\\\\\n\\r]|\\\\[^\\n\\r])*'";
    /** One entry. Outside quotation marks no slash is taken: there it begins a comment, which would hide another entry. */
    private static final Pattern ENTRY =
            Pattern.compile("\\s*([\\w.$]+)\\s+required\\b((?:[^;\"'/\\\\]|" + QUOTED + ")*);\\s*");

    private static final Pattern OPTION = Pattern.compile("\\s*([\\w.]+)\\s*=\\s*(" + QUOTED + "|[\\w.@-]+)");

    /** Whether this setting is taken although its name speaks of a class, a file or a server. */
    boolean takes(String name, String value) {
        return switch (name) {
            case "sasl.login.callback.handler.class" -> HANDLERS.contains(value) || allowed.contains(value);
            case "sasl.client.callback.handler.class", "sasl.login.class" -> allowed.contains(value);
            case "sasl.oauthbearer.token.endpoint.url" -> value.startsWith(LoginText.DATA) || allowed.contains(value);
            default -> PLAIN_VALUES.contains(name);
        };
    }

    /** Whether this is one JAAS entry with a module that is taken, and with options of it that lead nowhere else. */
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
            if (file && !value.startsWith(LoginText.DATA)) {
                return false;
            }
            end = option.end();
        }
        return options.substring(end).isBlank();
    }
}
