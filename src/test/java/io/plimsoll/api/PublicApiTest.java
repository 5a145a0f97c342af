package io.plimsoll.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.junit.Lab;
import io.plimsoll.junit.LabAddress;
import io.plimsoll.junit.LoadTest;
import io.plimsoll.result.RunResult;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The public API stays compatible: every line of the list still exists. Add new lines with {@code
 * -Dplimsoll.write=true}.
 */
class PublicApiTest {
    private static final Path LIST = Path.of("src/test/resources/public-api.txt");

    private static String told(Method method) {
        return method.getDeclaringClass().getName() + "#" + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .toList() + ": "
                + method.getReturnType().getSimpleName();
    }

    private static void methods(Class<?> type, Set<String> lines) {
        Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .forEach(method -> lines.add(told(method)));
    }

    /** Components of a result and of its nested values. */
    private static void components(Type type, Set<Type> seen, Set<String> lines) {
        if (type instanceof ParameterizedType of) {
            Arrays.stream(of.getActualTypeArguments()).forEach(argument -> components(argument, seen, lines));
        } else if (type instanceof Class<?> record && record.isRecord() && seen.add(record)) {
            for (RecordComponent component : record.getRecordComponents()) {
                lines.add(told(component.getAccessor()));
                components(component.getGenericType(), seen, lines);
            }
        }
    }

    @Test
    void keepsAllPublishedMembers() throws IOException {
        Set<String> now = new TreeSet<>();
        for (Class<?> type : new Class<?>[] {Plimsoll.class, LoadTest.class, Lab.class, LabAddress.class}) {
            methods(type, now);
        }
        components(RunResult.class, new java.util.HashSet<>(), now);
        if (Boolean.getBoolean("plimsoll.write")) {
            Files.writeString(LIST, now.stream().collect(Collectors.joining("\n", "", "\n")));
        }
        assertThat(now).containsAll(Files.readAllLines(LIST));
        assertThat(Files.readAllLines(LIST)).hasSizeGreaterThan(100);
    }
}
