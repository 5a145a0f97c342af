package io.plimsoll.junit;

import io.plimsoll.api.Plimsoll;
import io.plimsoll.result.RunResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.opentest4j.AssertionFailedError;

/** Runs the scenario of a {@link LoadTest} once, before its method. */
final class LoadTestExtension implements BeforeTestExecutionCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(LoadTestExtension.class);
    private static final String PROPERTY = "plimsoll.bootstrap.servers";
    private static final Path OUT = Path.of("target", "plimsoll-runs");

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        RunResult.Verdict verdict = result(context).verdict();
        if (asked(context).mustPass()) {
            demandPassed(verdict);
        }
    }

    /** @throws AssertionFailedError with the verdict's sentence, unless the run passed */
    static void demandPassed(RunResult.Verdict verdict) {
        if (!verdict.passed()) {
            throw new AssertionFailedError(verdict.sentence().english());
        }
    }

    private static LoadTest asked(ExtensionContext context) {
        return context.getRequiredTestMethod().getAnnotation(LoadTest.class);
    }

    private static RunResult result(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(RunResult.class, type -> run(context, asked(context)), RunResult.class);
    }

    private static RunResult run(ExtensionContext context, LoadTest asked) {
        Plimsoll run = scenario(context.getRequiredTestClass(), asked.value()).out(OUT);
        for (String change : asked.set()) {
            String[] pair = change.split("=", 2);
            run = run.set(pair[0], pair.length > 1 ? pair[1] : "");
        }
        Optional<String> cluster = asked.bootstrapServers().isEmpty()
                ? LabExtension.address(context)
                        .map(LabAddress::bootstrapServers)
                        .or(() -> named(System.getProperty(PROPERTY)))
                : Optional.of(asked.bootstrapServers());
        return cluster.map(run::on).orElse(run).run();
    }

    /** The cluster in the system property, which builds also pass on without a value. */
    static Optional<String> named(String property) {
        return Optional.ofNullable(property).filter(servers -> !servers.isBlank());
    }

    private static Plimsoll scenario(Class<?> test, String name) {
        try (InputStream resource = test.getResourceAsStream("/" + name)) {
            return resource == null
                    ? Plimsoll.scenario(Path.of(name))
                    : Plimsoll.yaml(name, new String(resource.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RunResult.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return result(context);
    }
}
