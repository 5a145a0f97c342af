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
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Cluster capabilities are detected by trial, without leftovers. */
class ClusterProbeTest {
    @TempDir
    Path directory;

    private static Findings probe(String servers) {
        return ClusterProbe.of(ClusterConnection.of(servers, null, List.of()));
    }

    @Test
    @Tag("nightly")
    void kafkaSupportsAllButPluginFeatures() throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        Map<Ability, Found> found = probe(servers).abilities();
        for (Ability ability : Ability.values()) {
            boolean needsPlugIn = ability == Ability.ACLS || ability == Ability.TELEMETRY;
            assertThat(found.get(ability).works())
                    .as(ability + " " + found.get(ability))
                    .isEqualTo(!needsPlugIn);
        }
        assertThat(found.get(Ability.ACLS).detail().english())
                .startsWith("cannot read the ACLs of the cluster")
                .contains("authorizer.class.name");
        assertThat(found.get(Ability.FETCH).detail().english()).isEmpty();
        assertThat(found.get(Ability.QUOTAS).detail().key()).isEqualTo("cluster.counted");
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            assertThat(admin.listTopics().names().get()).noneMatch(name -> name.startsWith("plimsoll-probe"));
        }
    }

    /** Each send to a missing topic used to wait for a minute. */
    @Test
    @Tag("nightly")
    @Timeout(200)
    void namesMissingRights() throws Exception {
        AclBinding seen = new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, "plimsoll-probe-", PatternType.PREFIXED),
                new AccessControlEntry(
                        "User:" + SecuredLab.ALICE, "*", AclOperation.DESCRIBE, AclPermissionType.ALLOW));
        try (Admin admin = SecuredLab.saslConnection(SecuredLab.ADMIN, SecuredLab.adminPassword())
                .admin()) {
            admin.createAcls(List.of(seen)).all().get();
            Map<Ability, Found> found = ClusterProbe.of(
                            SecuredLab.saslConnection(SecuredLab.ALICE, SecuredLab.alicePassword()))
                    .abilities();
            assertThat(found.get(Ability.TOPICS).detail().english()).contains("allows CREATE");
            assertThat(found.get(Ability.PRODUCE).works()).isFalse();
            assertThat(found.get(Ability.GROUPS).detail().english()).contains("allows READ");
            assertThat(found.get(Ability.LIMITS).detail().english()).contains("cluster that allows DESCRIBE_CONFIGS");
            admin.deleteAcls(List.of(seen.toFilter())).all().get();
        }
    }

    @Test
    @Tag("nightly")
    void interruptedProbeLeavesNoTopics() throws Exception {
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

    /** The null broker represents a system that supports a part of Kafka's protocol. */
    @Test
    void reportsAbilitiesMissingInAnotherSystem() throws Exception {
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
