package io.plimsoll.testing;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigData;
import org.apache.kafka.common.config.provider.ConfigProvider;

/**
 * A configuration provider that returns the key: <code>${echo:orders}</code> is {@code orders}; {@code absent} has no
 * value.
 */
public final class EchoProvider implements ConfigProvider {
    /** Client properties that register it as {@code echo}. */
    public static final Map<String, String> PROPERTIES =
            Map.of("config.providers", "echo", "config.providers.echo.class", EchoProvider.class.getName());

    @Override
    public ConfigData get(String path) {
        return new ConfigData(Map.of());
    }

    @Override
    public ConfigData get(String path, Set<String> keys) {
        return new ConfigData(keys.stream()
                .filter(key -> !key.equals("absent"))
                .collect(Collectors.toMap(Function.identity(), Function.identity())));
    }

    @Override
    public void configure(Map<String, ?> configs) {}

    @Override
    public void close() {}
}
