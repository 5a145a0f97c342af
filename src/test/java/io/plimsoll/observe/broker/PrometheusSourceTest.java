package io.plimsoll.observe.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.web.ObservedHostPage;
import io.plimsoll.web.WebPlace;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** An agent that observes is read over TLS by whoever was told its address, and by nobody else. */
class PrometheusSourceTest {
    @Test
    void theAddressNamesTheOnlyCertificateThatIsTrusted() throws Exception {
        try (ObservedHostPage page = new ObservedHostPage(new WebPlace("0.0.0.0", 0, null, null), Path.of("."))) {
            String address = page.address();
            BrokerSource told = BrokerSource.agent(1, address);
            assertThat(told.described()).isEmpty();
            assertThat(told.read().counters()).containsKey("host.cpuSeconds");
            assertThat(told.described().orElseThrow().host()).containsKeys("cpu", "disks");
            char last = address.charAt(address.length() - 1);
            String other = address.substring(0, address.length() - 1) + (last == '0' ? '1' : '0');
            assertThatThrownBy(() -> BrokerSource.agent(1, other).read())
                    .isInstanceOf(IOException.class)
                    .hasStackTraceContaining("not the certificate");
            assertThatThrownBy(() -> BrokerSource.agent(1, address.replaceFirst("#.*", ""))
                            .read())
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> BrokerSource.agent(1, address.replaceFirst("token=...", "token=abc"))
                            .read())
                    .hasMessageContaining("status 403")
                    .hasMessageNotContaining("token");
        }
    }
}
