package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.run.fleet.FleetRules;
import io.plimsoll.fleet.FleetMessage.BeatAnswer;
import io.plimsoll.fleet.FleetMessage.Calibrated;
import io.plimsoll.fleet.FleetMessage.Info;
import io.plimsoll.fleet.plan.Placement.Host;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each agent gets its part of a trial, and together they have the whole trial. */
class TrialPlacementTest {
    private static final FleetRules ANYWHERE = new FleetRules(Map.of(), Map.of(), null);

    private static Scenario scenario(String producer, String consumer, String more) {
        String yaml = "name: n\ntopics: [{name: t}]\nproducers: [{topic: t, " + producer + "}]\n"
                + (consumer == null ? "" : "consumers: [{topic: t, " + consumer + "}]\n") + more;
        return ScenarioReader.read(yaml, "n", List.of(), 1).trials().get(0).scenario();
    }

    private static Host host(String name, String zone, double capacity) {
        return new Host(name, Map.of("zone", zone), capacity);
    }

    private static List<String> english(List<Sentence> lines) {
        return lines.stream().map(Sentence::english).toList();
    }

    private static List<String> lines(Scenario scenario, Host... hosts) {
        return english(new TrialPlacement(scenario, List.of(hosts), ANYWHERE).lines());
    }

    @Test
    void obeysScenarioLabels() {
        Scenario scenario = scenario("clients: 3, on: {zone: a}", "groups: 2, on: {zone: b}", "");
        assertThat(lines(scenario, host("x", "a", 2), host("y", "b", 2), host("z", "a", 1)))
                .containsExactly(
                        "x: producers[0] clients 0 to 1", "y: consumers[0] groups 0 to 1", "z: producers[0] client 2");
    }

    @Test
    void spreadsGroupMembersOverAgents() {
        Scenario scenario = scenario("clients: 2", "members: 12, on: {zone: b}", "");
        List<Host> hosts = List.of(host("x", "b", 1), host("y", "b", 2), host("z", "a", 1));
        TrialPlacement placement = new TrialPlacement(scenario, hosts, ANYWHERE);
        assertThat(english(placement.lines()))
                .containsExactly(
                        "x: producers[0] client 0, consumers[0] group 0 members 0 to 3",
                        "y: producers[0] client 1, consumers[0] group 0 members 4 to 11",
                        "z: nothing");
        assertThat(placement.spread()).isEqualTo(Map.of("consumers-0-group-0", Set.of("x", "y")));
    }

    @Test
    void splitsOnlyGroupAcrossAgentBoundary() {
        Scenario scenario = scenario("clients: 1", "groups: 5, members: 3", "");
        List<Host> hosts = List.of(host("x", "a", 1), host("y", "a", 1));
        TrialPlacement placement = new TrialPlacement(scenario, hosts, ANYWHERE);
        assertThat(english(placement.consumers(0)))
                .containsExactly("consumers[0] groups 0 to 1", "consumers[0] group 2 member 0");
        assertThat(english(placement.consumers(1)))
                .containsExactly("consumers[0] group 2 members 1 to 2", "consumers[0] groups 3 to 4");
        assertThat(placement.spread().keySet()).containsExactly("consumers-0-group-2");
    }

    @Test
    void keepsGroupWithRecordLimitOnOneAgent() {
        Scenario scenario = scenario("clients: 2", "members: 4, records: 100", "");
        List<Host> hosts = List.of(host("x", "a", 1), host("y", "a", 1));
        assertThat(new TrialPlacement(scenario, hosts, ANYWHERE).spread()).isEmpty();
    }

    @Test
    void namesLabelThatNoAgentHas() {
        Scenario scenario = scenario("on: {zone: q}", null, "");
        assertThatThrownBy(() -> lines(scenario, host("x", "a", 2)))
                .hasMessageContaining("producers[0].on: no agent has the labels {zone=q}");
    }

    @Test
    void apartSeparatesProducersFromConsumers() {
        Scenario scenario = scenario("clients: 6", "groups: 2", "fleet: {apart: true}\n");
        assertThat(lines(scenario, host("x", "a", 4), host("y", "a", 2), host("z", "a", 2)))
                .containsExactly(
                        "x: producers[0] clients 0 to 3",
                        "y: consumers[0] groups 0 to 1",
                        "z: producers[0] clients 4 to 5");
    }

    @Test
    void apartRequiresTwoAgents() {
        Scenario scenario = scenario("clients: 2", "groups: 2", "fleet: {apart: true}\n");
        assertThatThrownBy(() -> lines(scenario, host("x", "a", 4)))
                .hasMessageContaining("fleet.apart")
                .hasMessageContaining("start another agent");
    }

    @Test
    void commandOverridesScenarioOnAgentLoss() {
        Scenario continues = scenario("clients: 2", null, "fleet: {onAgentLoss: continue}\n");
        assertThat(ANYWHERE.continues(continues)).isTrue();
        assertThat(ANYWHERE.continues(scenario("clients: 2", null, ""))).isFalse();
        assertThat(new FleetRules(Map.of(), Map.of(), false).continues(continues)).isFalse();
    }

    private static RemoteAgent agent(String name, int cores, Map<String, Calibrated> calibrated) {
        RemoteAgent agent = new RemoteAgent("pekko://plimsoll@127.0.0.1:1");
        agent.introduce(new Info(name, Map.of(), "1", cores, "eth0 10000 Mbit/s", calibrated, null, null, name, List.of(), Set.of()));
        return agent;
    }

    @Test
    void usesCalibrationOnlyIfAllAgentsAreCalibrated() {
        Scenario client = scenario("clients: 4", null, "");
        List<RemoteAgent> all = List.of(
                agent("x", 2, Map.of("client", new Calibrated(9e5, 100, null))),
                agent("y", 4, Map.of("client", new Calibrated(3e5, 100, null), "raw", new Calibrated(5e6, 100, null))));
        assertThat(TrialPlacement.hosts(all, client)).extracting(Host::capacity).containsExactly(9e5, 3e5);
        assertThat(TrialPlacement.basis(all, client).english()).contains("calibrate");
        List<RemoteAgent> otherwise = List.of(all.get(0), agent("y", 4, Map.of("client", new Calibrated(3e5, 1000, null))));
        assertThat(TrialPlacement.hosts(otherwise, client))
                .extracting(Host::capacity)
                .containsExactly(2.0, 4.0);
        Scenario raw = scenario("clients: 4, engine: raw", null, "");
        assertThat(TrialPlacement.hosts(all, raw)).extracting(Host::capacity).containsExactly(2.0, 4.0);
        assertThat(TrialPlacement.basis(all, raw).english()).contains("core counts");
    }

    @Test
    void statusListsResourcesClockAndCalibration() {
        RemoteAgent agent =
                agent("x", 2, Map.of("client", new Calibrated(912_345, 100, null), "raw", new Calibrated(3_123_456, 100, null)));
        agent.saw(new BeatAnswer(0, 5_100_000, 5_200_000), 300_000);
        assertThat(agent.describe(300_000).english())
                .contains("x (127.0.0.1:1)")
                .contains("2 cores")
                .contains("eth0 10000 Mbit/s")
                .contains("clock +5.000 ms ± 0.1")
                .contains("calibrated: client engine 912k records/s of 100 B, raw engine 3.1M records/s of 100 B")
                .endsWith("idle");
    }
}
