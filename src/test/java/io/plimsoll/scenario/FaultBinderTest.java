package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.plimsoll.run.faults.BrokerFaults;
import io.plimsoll.run.faults.ExecFault;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.FaultSpec.Timing;
import io.plimsoll.testing.Said;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults of a scenario are read as written, and mistakes are reported with their location. */
class FaultBinderTest {
    private static final String REST = """
        topics: [{name: events, partitions: 2}]
        producers: [{topic: events, rate: 10/s}]
        consumers: [{topic: events}, {topic: events, engine: raw}]
        """;

    private static List<FaultSpec> read(String faults, double scale) {
        return ScenarioReader.read(REST + faults, "f.yaml", List.of(), scale)
                .trials()
                .get(0)
                .scenario()
                .faults();
    }

    private static Optional<Duration> seconds(long seconds) {
        return Optional.of(Duration.ofSeconds(seconds));
    }

    @Test
    void readsEachKind() {
        List<FaultSpec> faults = read("""
            faults:
              - {at: 10s, kill: leader of events-1, restartAfter: 5s}
              - {every: 9s, stop: each, restartAfter: 0s}
              - {at: 0s, pause: 2}
              - {at: 1s, slow: any, delay: 100ms, jitter: 20ms, bandwidth: 5MB/s, for: 2s}
              - {at: 1s, cut: controller, for: 2s}
              - {at: 1s, halfOpen: 1, for: 2s}
              - {at: 1s, fillDisk: 1, diskSize: 64MiB, for: 2s}
              - {at: 1s, killMember: "consumers[0]", restartAfter: 2s}
              - {at: 1s, pauseMember: any, for: 2s}
              - {at: 1s, exec: "false", on: 3, undo: "true"}
            """, 1);

        assertThat(faults)
                .extracting(
                        fault -> fault.kind().name(),
                        fault -> fault.planned().english(),
                        FaultSpec::target,
                        FaultSpec::timing)
                .containsExactly(
                        tuple(
                                "kill",
                                "kill leader of events-1",
                                new Target.LeaderOf("events", 1),
                                new Timing(Duration.ofSeconds(10), Optional.empty(), seconds(5))),
                        tuple(
                                "stop",
                                "stop each broker",
                                new Target.Each(),
                                new Timing(Duration.ofSeconds(9), seconds(9), seconds(0))),
                        tuple(
                                "pause",
                                "pause broker 2",
                                new Target.Broker(2),
                                new Timing(Duration.ZERO, Optional.empty(), Optional.empty())),
                        once("slow", "slow the network of any broker by 100ms ± 20ms to 5MB/s", new Target.Any()),
                        once("cut", "cut the network of controller", new Target.Controller()),
                        once("halfOpen", "make the network of broker 1 half-open", new Target.Broker(1)),
                        once("fillDisk", "fill the disk of broker 1", new Target.Broker(1)),
                        once("killMember", "kill a member of consumers[0]", new Target.MemberOf(OptionalInt.of(0))),
                        once("pauseMember", "pause a member of any group", new Target.MemberOf(OptionalInt.empty())),
                        tuple(
                                "exec",
                                "exec (redacted) for broker 3",
                                new Target.Broker(3),
                                new Timing(Duration.ofSeconds(1), Optional.empty(), Optional.empty())));
        FaultSpec slow = faults.get(3);
        assertThat(slow.get(BrokerFaults.DELAY)).isEqualTo(Duration.ofMillis(100));
        assertThat(slow.get(BrokerFaults.JITTER)).isEqualTo(Duration.ofMillis(20));
        assertThat(slow.get(BrokerFaults.BANDWIDTH)).isEqualTo(5e6);
        assertThat(faults.get(6).get(BrokerFaults.DISK_SIZE)).isEqualTo(64 << 20);
        assertThat(faults.get(9).get(ExecFault.EXEC)).contains("false");
        assertThat(faults.get(9).get(ExecFault.UNDO)).contains("true");
    }

    private static Tuple once(String kind, String text, Target target) {
        return tuple(kind, text, target, new Timing(Duration.ofSeconds(1), Optional.empty(), seconds(2)));
    }

    @Test
    void scalesScheduleButNotDelays() {
        List<FaultSpec> faults = read(
                "faults: [{at: 10s, slow: 1, delay: 100ms, for: 4s}, {every: 6s, kill: any, restartAfter: 2s}]", 0.5);
        assertThat(faults)
                .extracting(FaultSpec::timing)
                .containsExactly(
                        new Timing(Duration.ofSeconds(5), Optional.empty(), seconds(2)),
                        new Timing(Duration.ofSeconds(3), seconds(3), seconds(1)));
        assertThat(faults.get(0).get(BrokerFaults.DELAY)).isEqualTo(Duration.ofMillis(100));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        at: 1s, kill: leader of events-2 | 25: @.kill: «scenario.noPartition¦events¦2¦2»
        at: 1s, kill: leader of evnts-0  | 25: @.kill: «scenario.noTopicHere¦"evnts"¦; did you mean events?»
        at: 1s, kill: boss               | 25: @.kill: expected «scenario.a.broker», found "boss"
        at: 1s, kill: 1, for: 5s         | 28: @.for: «scenario.otherEnd¦pause, slow, cut, halfOpen, fillDisk, pauseMember, rollMembers, addBroker, removeBroker, reassign, electLeaders, changeConfig, rotateCertificates, expireCertificates, exec¦kill¦restartAfter»
        at: 1s, pause: 1, restartAfter: 5s | 29: @.restartAfter: «scenario.otherEnd¦kill, stop, loseDisk, killMember, leaveMember, joinMember, upgrade, downgrade¦pause¦for»
        at: 1s, kill: 1, on: 2           | 28: @.on: «scenario.otherKinds¦exec¦kill»
        at: 30s, kill: 1                 | 15: @.at: «scenario.notWithin¦30s¦30s»
        at: 10, kill: 1                  | 15: @.at: «scenario.durationUnit¦10»
        kill: 1                          | 10: @: «scenario.noTime»
        at: 1s                           | 10: @: expected one of the keys kill, stop, pause, slow, cut, halfOpen, fillDisk, loseDisk, killMember, pauseMember, leaveMember, joinMember, rollMembers, upgrade, downgrade, addBroker, removeBroker, reassign, electLeaders, changeConfig, rotateCertificates, expireCertificates or exec
        at: 1s, kill: 1, cut: 2          | 10: @: «scenario.hasBoth¦kill and cut»
        every: 5s, pause: any, for: 5s   | 18: @.every: «scenario.comesAgain¦5s¦5s»
        every: 5s, pause: any            | 18: @.every: «scenario.needsEnd»
        at: 1s, stop: each               | 10: @: «scenario.eachNeedsEnd¦restartAfter»
        at: 1s, slow: 1                  | 10: @: «run.slowsNothing»
        at: 1s, slow: 1, delay: 1ms, jitter: 5ms | 48: @.jitter: «scenario.jitter»
        at: 1s, slow: 1, bandwidth: 5/s  | 39: @.bandwidth: expected bytes per second such as 5MB/s, found "5/s"
        at: 1s, fillDisk: 1, diskSize: 1MB | 42: @.diskSize: expected «run.smallDisk», found "1MB"
        at: 1s, killMember: 1            | 31: @.killMember: expected «scenario.a.member», found "1"
        at: 1s, killMember: "consumers[2]" | 31: @.killMember: «scenario.noConsumers¦2¦2»
        at: 1s, pauseMember: "consumers[1]" | 32: @.pauseMember: «scenario.notMembers¦1¦raw»
        at: 1s, exec: [ls]               | 25: @.exec: expected «scenario.a.command», found a list
        at: 1s, kill: [1]                | 25: @.kill: expected «scenario.a.broker», found a list
        """)
    void reportsMistakesWithLocation(String fault, String expected) {
        assertThat(problems("{" + fault + "}")).isEqualTo(Said.text(expected));
    }

    private static String problems(String fault) {
        ScenarioException e = catchThrowableOfType(ScenarioException.class, () -> read("faults: [" + fault + "]\n", 1));
        return e.problems().stream()
                .map(p -> p.toString().replace("f.yaml:4:", "").replace("faults[0]", "@"))
                .collect(Collectors.joining("; "));
    }
}
