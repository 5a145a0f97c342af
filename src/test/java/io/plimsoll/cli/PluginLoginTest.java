package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.SecuredLab;
import io.plimsoll.lab.Lab;
import io.plimsoll.testing.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A third-party login is loaded from a named directory; without it, the error names the missing class. */
class PluginLoginTest {
    private static final String HANDLER = "com.example.login.VaultHandler";
    /** Emulates the login of a cloud provider: the credentials are not in a property, but in a place that it knows. */
    private static final String SOURCE = """
        package com.example.login;

        import java.util.List;
        import java.util.Map;
        import javax.security.auth.callback.*;
        import javax.security.auth.login.AppConfigurationEntry;
        import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;

        public class VaultHandler implements AuthenticateCallbackHandler {
            public void configure(Map<String, ?> configs, String mechanism, List<AppConfigurationEntry> entries) {}
            public void close() {}
            public void handle(Callback[] callbacks) {
                for (Callback each : callbacks) {
                    if (each instanceof NameCallback name) {
                        name.setName("%s");
                    } else if (each instanceof PasswordCallback password) {
                        password.setPassword("%s".toCharArray());
                    }
                }
            }
        }
        """;

    @TempDir
    Path directory;

    private Path compiled(String user, String password) throws Exception {
        Path source = Files.createDirectories(directory.resolve("source")).resolve("VaultHandler.java");
        Files.writeString(source, SOURCE.formatted(user, password));
        Path classes = Files.createDirectories(directory.resolve("classes"));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        source.toString());
        assertThat(failed).isZero();
        return classes;
    }

    private static InProcess list(Lab lab, Map<String, String> properties, String... more) {
        List<String> words = new ArrayList<>(List.of("topic", "list", "--bootstrap-server", lab.bootstrapServers()));
        properties.forEach((name, value) -> words.addAll(List.of("--command-property", name + "=" + value)));
        words.addAll(List.of(more));
        return InProcess.run(words.toArray(String[]::new));
    }

    private static Map<String, String> withHandler() {
        Map<String, String> properties = new HashMap<>(SecuredLab.saslProperties("-", "-"));
        properties.put("sasl.jaas.config", "org.apache.kafka.common.security.plain.PlainLoginModule required;");
        properties.put("sasl.client.callback.handler.class", HANDLER);
        return properties;
    }

    @Tag("nightly")
    @Test
    void loadsLoginFromClasspathDirectory() throws Exception {
        Lab lab = SecuredLab.sasl();
        Path classes = compiled(SecuredLab.ADMIN, SecuredLab.adminPassword());
        InProcess with = list(lab, withHandler(), "--classpath", classes.toString());
        assertThat(with.exit()).as(with.err()).isZero();
        Path scenario = Files.writeString(directory.resolve("s.yaml"), """
                name: plugin
                topics: [{name: plugin-login}]
                producers: [{topic: plugin-login, engine: raw, records: 100}, {topic: plugin-login, records: 100}]
                consumers: [{topic: plugin-login}]
                audit: true
                """);
        List<String> run = new ArrayList<>(List.of(
                "run",
                scenario.toString(),
                "--classpath",
                classes.toString(),
                "--bootstrap-server",
                lab.bootstrapServers(),
                "--out",
                directory.resolve("runs").toString()));
        withHandler().forEach((name, value) -> run.addAll(List.of("--command-property", name + "=" + value)));
        InProcess ran = InProcess.run(run.toArray(String[]::new));
        assertThat(ran.exit()).as(ran.err() + ran.out()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "software.amazon.msk.auth.iam.IAMClientCallbackHandler, software.amazon.msk:aws-msk-iam-auth",
        "com.google.cloud.hosted.kafka.auth.GcpLoginCallbackHandler, com.google.cloud.hosted.kafka:managed-kafka-auth-login-handler"
    })
    void namesArtifactOfKnownLogin(String handler, String artifact) {
        Map<String, String> properties = withHandler();
        properties.put("sasl.client.callback.handler.class", handler);
        List<String> words = new ArrayList<>(List.of("topic", "list", "--bootstrap-server", "127.0.0.1:1"));
        properties.forEach((name, value) -> words.addAll(List.of("--command-property", name + "=" + value)));
        InProcess without = InProcess.run(words.toArray(String[]::new));
        assertThat(without.exit()).isEqualTo(2);
        assertThat(without.err()).containsPattern(Said.en("cluster.missingLogin", handler, artifact));
    }

    @Test
    void namesMissingClassAndClasspathOption() throws Exception {
        // No listener there: a connection must not be attempted.
        List<String> command = List.of("topic", "list", "--bootstrap-server", "127.0.0.1:1");
        List<String> words = new ArrayList<>(command);
        withHandler().forEach((name, value) -> words.addAll(List.of("--command-property", name + "=" + value)));
        InProcess without = InProcess.run(words.toArray(String[]::new));
        assertThat(without.exit()).isEqualTo(2);
        assertThat(without.err()).contains(HANDLER, "--classpath");

        Path empty = Files.createDirectories(directory.resolve("empty"));
        for (Path wrong : List.of(directory.resolve("none"), empty)) {
            words.addAll(List.of("--classpath", wrong.toString()));
            InProcess refused = InProcess.run(words.toArray(String[]::new));
            assertThat(refused.exit()).isEqualTo(2);
            assertThat(refused.err()).contains("--classpath " + wrong + ": ");
            words.subList(words.size() - 2, words.size()).clear();
        }
    }
}
