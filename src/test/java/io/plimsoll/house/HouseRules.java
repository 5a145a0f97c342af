package io.plimsoll.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Rules of docs/contributing/architecture.md, checked on bytecode. The root package is a parameter, so that the same
 * rules can run on a fixture with violations.
 */
final class HouseRules {
    /** From the top down: a package imports only packages further down. */
    static final List<String> LAYERS = List.of(
            "fleet",
            "history",
            "omb",
            "perf",
            "schemas",
            "cli",
            "api",
            "web",
            "bundle",
            "report",
            "watch",
            "run",
            "capacity",
            "search",
            "diagnose",
            "load",
            "nullbroker",
            "cluster",
            "lab",
            "wire",
            "observe",
            "result",
            "audit",
            "measure",
            "payload",
            "pace",
            "scenario",
            "stats",
            "text");

    private static final List<String> PURE = List.of(
            "omb.files",
            "scenario",
            "pace",
            "payload",
            "audit",
            "stats",
            "search",
            "diagnose",
            "capacity",
            "perf.capture.shape");

    /** The only classes of pure packages that may read a file; they pass its contents on as values. */
    private static final Set<String> MAY_READ_FILES = Set.of("payload.PayloadFile", "scenario.BuiltIns");

    /** Kafka's documented API: these packages without their subpackages. */
    private static final Set<String> KAFKA_API = Set.of(
            "clients.admin",
            "clients.consumer",
            "clients.producer",
            "common",
            "common.acl",
            "common.annotation",
            "common.config",
            "common.errors",
            "common.header",
            "common.metrics",
            "common.quota",
            "common.resource",
            "common.security.auth",
            "common.serialization");

    /** Parameter and return types of the API outside these packages. */
    private static final Set<String> KAFKA_API_CLASSES =
            Set.of("clients.CommonClientConfigs", "common.record.TimestampType");

    private static final String KAFKA = "org.apache.kafka.";

    private final String root;

    HouseRules(String root) {
        this.root = root;
    }

    /** All rules by their name in test reports. */
    Map<String, ArchRule> all() {
        Map<String, ArchRule> rules = new LinkedHashMap<>();
        rules.put("every class is in a known package", everyClassIsInAKnownPackage());
        rules.put("imports go down", importsGoDown());
        rules.put("no cycles", noCycles());
        rules.put("pure packages know no Kafka", purePackagesKnowNoKafka());
        rules.put("pure packages know no thread", purePackagesKnowNoThread());
        rules.put("pure packages know no clock", purePackagesKnowNoClock());
        rules.put("pure packages know no file", purePackagesKnowNoFile());
        rules.put("pure packages get their randomness", purePackagesGetTheirRandomness());
        rules.put("Kafka's internals stay in one package", kafkaInternalsStayInOnePackage());
        rules.put("kinds of load know nothing of each other", kindsOfLoadKnowNothingOfEachOther());
        rules.put("nobody names a kind of load", nobodyNamesAKindOfLoad());
        rules.put("only cli and report print", onlyCliAndReportPrint());
        rules.put("Pekko stays in the fleet", pekkoStaysInTheFleet());
        rules.put("simple names are unique", simpleNamesAreUnique());
        return rules;
    }

    private ArchRule everyClassIsInAKnownPackage() {
        String[] known = Stream.concat(Stream.of(root), LAYERS.stream().map(this::subtree))
                .toArray(String[]::new);
        return classes().should().resideInAnyPackage(known).allowEmptyShould(true);
    }

    private ArchRule importsGoDown() {
        CompositeArchRule rule = CompositeArchRule.of(noClasses()
                .that()
                .resideInAPackage(root)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(subtrees(LAYERS.subList(0, LAYERS.size() - 1)))
                .because("every package may use the root package, which itself uses text")
                .allowEmptyShould(true));
        rule = rule.and(noClasses()
                .that()
                .resideInAPackage(subtree("text"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(root)
                .because("the root package uses text")
                .allowEmptyShould(true));
        for (int floor = 1; floor < LAYERS.size(); floor++) {
            rule = rule.and(noClasses()
                    .that()
                    .resideInAPackage(subtree(LAYERS.get(floor)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(subtrees(LAYERS.subList(0, floor)))
                    .allowEmptyShould(true));
        }
        return rule;
    }

    /** Only fleet commands load its classes and depend on its delivery rules. */
    private ArchRule pekkoStaysInTheFleet() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(root + ".fleet")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache.pekko..", "com.typesafe.."))
                .allowEmptyShould(true);
    }

    private ArchRule noCycles() {
        return slices().matching(root + ".(**)").should().beFreeOfCycles().allowEmptyShould(true);
    }

    private ArchRule purePackagesKnowNoKafka() {
        return noClasses()
                .that(arePure())
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache.kafka..", "kafka.."))
                .allowEmptyShould(true);
    }

    private ArchRule purePackagesKnowNoThread() {
        DescribedPredicate<JavaClass> threads = describe(
                "are threads or made for them",
                type -> type.getName().startsWith("java.lang.Thread")
                        || (type.getPackageName().startsWith("java.util.concurrent")
                                && !type.getSimpleName().equals("TimeUnit")));
        return noClasses().that(arePure()).should().dependOnClassesThat(threads).allowEmptyShould(true);
    }

    private ArchRule purePackagesKnowNoClock() {
        DescribedPredicate<JavaAccess<?>> readsClock = describe("read a clock", access -> {
            String method = access.getTarget().getName();
            String owner = access.getTargetOwner().getName();
            return (owner.equals("java.lang.System")
                            && Set.of("nanoTime", "currentTimeMillis").contains(method))
                    || (owner.startsWith("java.time.") && method.equals("now"))
                    || (owner.equals("java.util.Date") && takesNothing(access));
        });
        return noClasses()
                .that(arePure())
                .should()
                .dependOnClassesThat()
                .areAssignableTo(java.time.Clock.class)
                .orShould()
                .accessTargetWhere(readsClock)
                .allowEmptyShould(true);
    }

    private ArchRule purePackagesKnowNoFile() {
        DescribedPredicate<JavaClass> files = describe(
                "are files or sockets",
                type -> type.getPackageName().startsWith("java.nio.file")
                        || type.getPackageName().startsWith("java.nio.channels")
                        || type.getName().startsWith("java.io.File")
                        || type.getName().equals("java.io.RandomAccessFile")
                        || (type.getPackageName().equals("java.net")
                                && type.getName().endsWith("Socket")));
        DescribedPredicate<JavaClass> mayRead = describe("may read files", type -> MAY_READ_FILES.stream()
                .anyMatch(name -> isOrIsNestedIn(type, root + "." + name)));
        return noClasses()
                .that(arePure().and(not(mayRead)))
                .should()
                .dependOnClassesThat(files)
                .allowEmptyShould(true);
    }

    private ArchRule purePackagesGetTheirRandomness() {
        DescribedPredicate<JavaAccess<?>> unseeded = describe("draw a random number without a seed", access -> {
            String owner = access.getTargetOwner().getName();
            String method = access.getTarget().getName();
            return (owner.equals("java.lang.Math") && method.equals("random"))
                    || (owner.equals("java.util.UUID") && method.equals("randomUUID"))
                    || (owner.equals(RandomGenerator.class.getName())
                            && Set.of("of", "getDefault").contains(method))
                    || owner.equals("java.security.SecureRandom")
                    || (Set.of("java.util.Random", "java.util.SplittableRandom").contains(owner)
                            && method.equals("<init>")
                            && takesNothing(access));
        });
        return noClasses().that(arePure()).should().accessTargetWhere(unseeded).allowEmptyShould(true);
    }

    private ArchRule kafkaInternalsStayInOnePackage() {
        DescribedPredicate<JavaClass> internal = describe(
                "are internal to Kafka or its brokers",
                type -> type.getName().startsWith("kafka.") || (type.getName().startsWith(KAFKA) && !isKafkaApi(type)));
        return noClasses()
                .that()
                .resideOutsideOfPackage(subtree("wire"))
                .should()
                .dependOnClassesThat(internal)
                .allowEmptyShould(true);
    }

    /** A kind of producer or consumer is one package; shared code is in the parent package. */
    private ArchRule kindsOfLoadKnowNothingOfEachOther() {
        return slices().matching(root + ".load.(*)..")
                .should()
                .notDependOnEachOther()
                .allowEmptyShould(true);
    }

    /** Kinds register themselves, so that a new one needs no change elsewhere. */
    private ArchRule nobodyNamesAKindOfLoad() {
        DescribedPredicate<JavaClass> ofOneKind = describe(
                "belong to one kind of load",
                type -> type.getPackageName().startsWith(root + ".load.")
                        // Reads logs for audits, written by any kind.
                        && !isOrIsNestedIn(type, root + ".load.raw.AuditReader"));
        return noClasses()
                .that()
                .resideOutsideOfPackage(root + ".load..")
                .should()
                .dependOnClassesThat(ofOneKind)
                .allowEmptyShould(true);
    }

    private ArchRule onlyCliAndReportPrint() {
        DescribedPredicate<JavaAccess<?>> prints = describe("print to standard output or error", access -> {
            String target = access.getTarget().getName();
            return (access.getTargetOwner().getName().equals("java.lang.System")
                            && Set.of("out", "err").contains(target))
                    || (target.equals("printStackTrace") && takesNothing(access));
        });
        return noClasses()
                .that()
                .resideOutsideOfPackages(subtree("cli"), subtree("report"))
                // The main class of a broker's JVM: its output is the broker's log.
                .and()
                .doNotHaveFullyQualifiedName("io.plimsoll.lab.BrokerMain")
                .should()
                .accessTargetWhere(prints)
                .because("standard output is for results, and only these two packages know the form of a result")
                .allowEmptyShould(true);
    }

    /** Readers cannot distinguish types with the same simple name. */
    private ArchRule simpleNamesAreUnique() {
        return classes()
                .that()
                .areTopLevelClasses()
                .and()
                .doNotHaveSimpleName("package-info")
                .should(new ArchCondition<>("have simple names of their own") {
                    private final Map<String, Long> uses = new HashMap<>();

                    @Override
                    public void init(Collection<JavaClass> all) {
                        all.forEach(type -> uses.merge(type.getSimpleName(), 1L, Long::sum));
                    }

                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        boolean alone = uses.get(type.getSimpleName()) == 1;
                        events.add(new SimpleConditionEvent(
                                type, alone, "Class <" + type.getName() + "> has the simple name of another"));
                    }
                });
    }

    private DescribedPredicate<JavaClass> arePure() {
        return resideInAnyPackage(subtrees(PURE)).as("are in a pure package");
    }

    private static boolean isKafkaApi(JavaClass type) {
        return KAFKA_API.stream().anyMatch(name -> type.getPackageName().equals(KAFKA + name))
                || KAFKA_API_CLASSES.stream().anyMatch(name -> isOrIsNestedIn(type, KAFKA + name));
    }

    private static boolean isOrIsNestedIn(JavaClass type, String name) {
        return type.getName().equals(name) || type.getName().startsWith(name + "$");
    }

    private static boolean takesNothing(JavaAccess<?> access) {
        return access.getTarget().getFullName().endsWith("()");
    }

    private String subtree(String name) {
        return root + "." + name + "..";
    }

    private String[] subtrees(List<String> names) {
        return names.stream().map(this::subtree).toArray(String[]::new);
    }
}
