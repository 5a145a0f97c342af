package io.plimsoll.wire;

import java.util.Map;
import java.util.Optional;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;

/** A JAAS entry as Kafka's clients read it, quotes and comments included. Stateless. */
public final class LoginEntry {
    private LoginEntry() {}

    /** The class of the one login module that {@code sasl.jaas.config} requires; empty if it is anything else. */
    public static Optional<String> required(String jaasConfig) {
        try {
            JaasContext read =
                    JaasContext.loadClientContext(Map.of(SaslConfigs.SASL_JAAS_CONFIG, new Password(jaasConfig)));
            AppConfigurationEntry entry = read.configurationEntries().get(0);
            return entry.getControlFlag() == AppConfigurationEntry.LoginModuleControlFlag.REQUIRED
                    ? Optional.of(entry.getLoginModuleName())
                    : Optional.empty();
        } catch (RuntimeException e) {
            // It says what it met, which may be a part of the password.
            return Optional.empty();
        }
    }
}
