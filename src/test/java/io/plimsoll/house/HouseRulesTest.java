package io.plimsoll.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.plimsoll.cli.Main;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The program keeps the architecture rules, and the rules detect violations. */
class HouseRulesTest {
    private static final JavaClasses PROGRAM = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.plimsoll");
    private static final Map<String, ArchRule> RULES = new HouseRules("io.plimsoll").all();

    private static final String FIXTURE = "io.plimsoll.house.fixture";
    private static final JavaClasses BROKEN = new ClassFileImporter().importPackages(FIXTURE);
    private static final Map<String, ArchRule> RULES_OF_FIXTURE = new HouseRules(FIXTURE).all();

    /** All classes of the fixture that each rule must name; it must name no other. */
    private static final Map<String, Set<String>> CULPRITS = Map.ofEntries(
            Map.entry("every class is in a known package", Set.of("attic.Forgotten")),
            Map.entry("imports go down", Set.of("KnowsARoom", "scenario.ReachesUp", "text.KnowsTheRoot")),
            Map.entry("no cycles", Set.of("run.part.Part", "run.Whole")),
            Map.entry("pure packages know no Kafka", Set.of("audit.KnowsKafka")),
            Map.entry("pure packages know no thread", Set.of("stats.StartsThread", "search.UsesExecutor")),
            Map.entry(
                    "pure packages know no clock",
                    Set.of("pace.ReadsNanoTime", "scenario.ReadsInstant", "diagnose.TakesClock")),
            Map.entry("pure packages know no file", Set.of("payload.ReadsFile")),
            Map.entry("pure packages get their randomness", Set.of("payload.ThrowsDice")),
            Map.entry(
                    "Kafka's internals stay in one package",
                    Set.of(
                            "load.client.UsesNetworkClient",
                            "nullbroker.KnowsErrorCodes",
                            "lab.CallsBroker",
                            "observe.UsesRecordHeaders")),
            Map.entry("kinds of load know nothing of each other", Set.of("load.raw.KnowsClient")),
            Map.entry("nobody names a kind of load", Set.of("run.NamesAKind")),
            Map.entry("only cli and report print", Set.of("run.Prints", "lab.PrintsStackTrace")),
            Map.entry("Pekko stays in the fleet", Set.of("search.UsesPekko")),
            Map.entry("simple names are unique", Set.of("measure.Twin", "stats.Twin")));

    static Set<String> rules() {
        return RULES.keySet();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void programKeepsRule(String rule) {
        assertThat(PROGRAM.contain(Main.class)).isTrue();
        RULES.get(rule).check(PROGRAM);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void ruleNamesItsViolators(String rule) {
        String report = String.join(
                "\n",
                RULES_OF_FIXTURE.get(rule).evaluate(BROKEN).getFailureReport().getDetails());
        assertThat(culprits(report)).isEqualTo(CULPRITS.get(rule));
    }

    @Test
    void everyFixtureClassHasPurpose() {
        Set<String> broken = CULPRITS.values().stream().flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
        Set<String> innocent = BROKEN.stream()
                .map(JavaClass::getName)
                .map(name -> name.substring(FIXTURE.length() + 1))
                .filter(name -> !broken.contains(name) && !name.equals("package-info"))
                .collect(Collectors.toUnmodifiableSet());
        assertThat(innocent)
                .containsExactlyInAnyOrder(
                        "cli.PrintsResults",
                        "load.client.UsesDocumentedApi",
                        "fleet.SpeaksPekko",
                        "wire.SpeaksProtocol",
                        "payload.PayloadFile",
                        "pace.DrawsFromSeed",
                        "lab.RunsThread");
    }

    /** The classes with the violations of a report: the first class named in each sentence. */
    private static Set<String> culprits(String report) {
        Pattern origin = Pattern.compile("(?m)^[^<]*<" + Pattern.quote(FIXTURE) + "\\.([\\w.]*?[A-Z]\\w*)");
        return origin.matcher(report).results().map(found -> found.group(1)).collect(Collectors.toUnmodifiableSet());
    }
}
