package io.plimsoll.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.ClusterProbe.Findings;
import io.plimsoll.cluster.ClusterProbe.Found;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.testing.RunningCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster can do is found by trying it, and nothing is left there. */
class ClusterProbeTest {
    @TempDir
    Path directory;

    private static Findings probe(String servers) {
        return ClusterProbe.of(ClusterConnection.of(servers, null, List.of()));
    }

    @Test
    @Tag("nightly")
    void aBrokerOfKafkaCanDoAllButWhatNeedsAPlugIn() throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        Map<Ability, Found> found = probe(servers).abilities();
        for (Ability ability : Ability.values()) {
            boolean needsPlugIn = ability == Ability.ACLS || ability == Ability.TELEMETRY;
            assertThat(found.get(ability).works())
                    .as(ability + " " + found.get(ability))
                    .isEqualTo(!needsPlugIn);
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            assertThat(admin.listTopics().names().get()).noneMatch(name -> name.startsWith("plimsoll-probe"));
        }
    }

    @Test
    @Tag("nightly")
    void nothingIsLeftByOneThatIsInterrupted() throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers));
                RunningCommand probe = new RunningCommand(directory, "probe", "--bootstrap-server", servers)) {
            while (admin.listTopics().names().get().stream().noneMatch(name -> name.startsWith("plimsoll-probe"))) {
                assertThat(probe.process().isAlive()).as(probe.err()).isTrue();
            }
            assertThat(probe.signal("INT").exit()).isEqualTo(130);
            assertThat(admin.listTopics().names().get()).noneMatch(name -> name.startsWith("plimsoll-probe"));
        }
    }

    /** The null broker stands for a system that speaks a part of Kafka's protocol. */
    @Test
    void whatAnotherSystemCannotDoIsSaid() throws Exception {
        try (NullBroker broker = NullBroker.start(new NullBrokerOptions())) {
            Findings findings = probe(broker.bootstrapServers());
            assertThat(findings.abilities().get(Ability.PRODUCE).works()).isTrue();
            assertThat(findings.abilities().get(Ability.SHARE_GROUPS).works()).isFalse();
            assertThat(findings.abilities().get(Ability.SHARE_GROUPS).detail().english())
                    .contains("ShareFetch");
            assertThat(findings.levels().has("Produce")).isTrue();
        }
    }
}
