package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.fleet.OrderCheck.LoginSettings;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Login settings sent to an agent cannot select files, programs, classes, or servers. */
class LoginSettingsTest {
    private static final String OWN_CLASS = "software.amazon.msk.auth.iam.IAMLoginModule";
    private static final String OWN_URL = "https://issuer.example.com/token";
    private final LoginSettings settings = new LoginSettings(Set.of(OWN_CLASS, OWN_URL));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\"a;b/c'd\";",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=u password='p\"q' ;",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\"a\\\"b\";",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required clientId=\"c\""
                        + " clientSecret=\"s\" scope=\"a b\" extension_pool=\"x\";",
                "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true"
                        + " keyTab=\"data:;base64,AAA/+=\" principal=\"admin@R.TEST\";",
                "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true doNotPrompt=true useTicketCache=false"
                        + " refreshKrb5Config=true isInitiator=true renewTGT=false debug=\"true\""
                        + " keyTab=\"data:;base64,AAA/+=\" principal=\"admin@R.TEST\";",
                OWN_CLASS + " required awsProfileName=\"x\";"
            })
    void acceptsSafeEntries(String jaas) {
        assertThat(settings.takesJaas(jaas)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.sun.security.auth.module.JndiLoginModule required x=\"y\";",
                "org.apache.kafka.common.security.plain.PlainLoginModule required; com.example.Evil required;",
                "org.apache.kafka.common.security.plain.PlainLoginModule required /* \" */; com.example.Evil required; /* \" */;",
                "org.apache.kafka.common.security.plain.PlainLoginModule required x=\"a\\\" b=\"; com.example.Evil required; c=\";",
                "org.apache.kafka.common.security.plain.PlainLoginModule required x=\"a\n; com.example.Evil required; c=\";",
                "org.apache.kafka.common.security.plain.PlainLoginModule optional;",
                "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true keyTab=\"/etc/krb5.keytab\";",
                "com.sun.security.auth.module.Krb5LoginModule required useTicketCache=true ticketCache=\"/tmp/krb5cc_0\";",
                "com.sun.security.auth.module.Krb5LoginModule required useTicketCache=true;",
                "com.sun.security.auth.module.Krb5LoginModule required useTicketCache=false ticketCache=\"/tmp/krb5cc_0\";",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required"
                        + " ssl.truststore.location=\"/etc/shadow\";",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required x x=y;"
            })
    void refusesUnsafeEntries(String jaas) {
        assertThat(settings.takesJaas(jaas)).isFalse();
    }

    @Test
    void acceptsClassesAndUrlsNamedByTheOwner() {
        String url = "sasl.oauthbearer.token.endpoint.url";
        assertThat(settings.takes(url, OWN_URL)).isTrue();
        assertThat(settings.takes(url, OWN_URL + "/other")).isFalse();
        assertThat(settings.takes(url, "file:///etc/shadow")).isFalse();
        assertThat(settings.takes(url, "data:;base64,abc")).isTrue();
        assertThat(settings.takes("sasl.client.callback.handler.class", OWN_CLASS))
                .isTrue();
        assertThat(settings.takes("sasl.client.callback.handler.class", "com.example.Evil"))
                .isFalse();
        assertThat(settings.takes("sasl.kerberos.service.name", "kafka")).isTrue();
        assertThat(settings.takes("sasl.kerberos.kinit.cmd", "/bin/sh")).isFalse();
        assertThat(settings.takes("interceptor.classes", OWN_CLASS)).isFalse();
    }
}
