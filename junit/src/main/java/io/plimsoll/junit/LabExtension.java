package io.plimsoll.junit;

import io.plimsoll.lab.LabOptions;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Starts the brokers of a {@link Lab}, and stops them after the class. */
final class LabExtension implements BeforeAllCallback, AfterAllCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(LabExtension.class);

    private record Started(io.plimsoll.lab.Lab lab) {}

    @Override
    public void beforeAll(ExtensionContext context) {
        Lab asked = context.getRequiredTestClass().getAnnotation(Lab.class);
        if (asked == null || address(context).isPresent()) {
            return;
        }
        Map<String, String> config = Arrays.stream(asked.config())
                .map(entry -> entry.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair.length > 1 ? pair[1] : ""));
        io.plimsoll.lab.Lab lab = io.plimsoll.lab.Lab.start(
                LabOptions.ephemeral(asked.brokers()).withBrokerConfig(config));
        context.getStore(NAMESPACE).put(LabAddress.class, new Started(lab));
    }

    /** Closes the lab explicitly: JUnit before 5.13 does not close an {@link AutoCloseable} in its store. */
    @Override
    public void afterAll(ExtensionContext context) {
        Started started = context.getStore(NAMESPACE).remove(LabAddress.class, Started.class);
        if (started != null) {
            started.lab.close();
        }
    }

    /** The lab of the test's class or of an enclosing class. */
    static Optional<LabAddress> address(ExtensionContext context) {
        return Optional.ofNullable(context.getStore(NAMESPACE).get(LabAddress.class, Started.class))
                .map(started -> new LabAddress(started.lab.bootstrapServers()));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == LabAddress.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return address(context).orElseThrow();
    }
}
