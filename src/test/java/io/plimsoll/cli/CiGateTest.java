package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The steps of the CI templates work as described, executed by a shell in a repository of their own. */
@Order(1)
class CiGateTest {
    private static final Path CI = Path.of("deploy/ci").toAbsolutePath();

    @TempDir
    Path directory;

    private Path checkout;

    private String shell(int exit, Map<String, String> environment, String... command) throws Exception {
        return shell(Files.isDirectory(checkout) ? checkout : directory, exit, environment, command);
    }

    private String shell(Path where, int exit, Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.directory(where.toFile());
        builder.environment().putAll(environment);
        Path said = Files.createTempFile(directory, "said", "");
        Process process = builder.redirectOutput(said.toFile()).start();
        assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(said);
        assertThat(process.exitValue()).as(text).isEqualTo(exit);
        return text;
    }

    @BeforeEach
    void repository() throws Exception {
        checkout = directory.resolve("checkout");
        shell(0, Map.of(), "git", "init", "--quiet", "--bare", "origin.git");
        shell(0, Map.of(), "git", "clone", "--quiet", "origin.git", "checkout");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> template(String name) throws IOException {
        return (Map<String, Object>)
                new Load(LoadSettings.builder().build()).loadFromString(Files.readString(CI.resolve(name)));
    }

    /** A key of the step with this name in the action. */
    @SuppressWarnings("unchecked")
    private static Object step(String name, String key) throws IOException {
        Map<String, Object> action = template("action.yml");
        Map<String, Object> runs = (Map<String, Object>) action.get("runs");
        List<Map<String, Object>> steps = (List<Map<String, Object>>) runs.get("steps");
        return steps.stream()
                .filter(step -> step.get("name").equals(name))
                .findFirst()
                .orElseThrow()
                .get(key);
    }

    private static String step(String name) throws IOException {
        return step(name, "run").toString();
    }

    /** A step, executed as by the action. */
    private String action(int exit, Map<String, String> environment, String name) throws Exception {
        return shell(exit, environment, "bash", "-eo", "pipefail", "-c", step(name));
    }

    @SuppressWarnings("unchecked")
    private static String byDefault(String input) throws IOException {
        Map<String, Object> action = template("action.yml");
        Map<String, Object> inputs = (Map<String, Object>) action.get("inputs");
        return ((Map<String, Object>) inputs.get(input)).get("default").toString();
    }

    private static final String PROGRAM = Path.of("plimsoll").toAbsolutePath().toString();

    /** The program, except for the outcome of a run. */
    private Path program(String run) throws IOException {
        Path program = Files.writeString(directory.resolve("program"), """
            #!/bin/sh
            [ "$1" = run ] || exec %s "$@"
            %s
            """.formatted(PROGRAM, run));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    /** A stub of the program: its runs end with these codes in turn, its check with another code. */
    private Map<String, String> stub(String codes, int check) throws IOException {
        Path program = Files.writeString(directory.resolve("stub"), """
            #!/usr/bin/env bash
            echo "$*" >>"$CALLS"
            case "$1 $2" in
              run*)
                run=$(grep -c ^run "$CALLS")
                code=$(cut -d ' ' -f "$run" <<<"$CODES")
                [[ $code != 6 ]] || exit 6
                made=${*: -1}/$(printf '2026-%04d-orders' "$run")
                mkdir -p "$made"
                printf '{\\n  "name":"orders",\\n  "by":"%s"\\n}\\n' "$PWD" >"$made/result.json"
                echo "Report of $made" >"$made/report.md"
                exit "${code:-0}"
                ;;
              'history check')
                echo checked
                exit "$CHECK"
                ;;
            esac
            """);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path summary = directory.resolve("step-summary");
        Map<String, String> environment = new HashMap<>();
        environment.put("GITHUB_ACTION_PATH", CI.toString());
        environment.put("GITHUB_STEP_SUMMARY", summary.toString());
        environment.put("PLIMSOLL", program.toString());
        environment.put("SCENARIO", "orders.yaml");
        environment.put("CALLS", directory.resolve("calls").toString());
        environment.put("CODES", codes);
        environment.put("CHECK", String.valueOf(check));
        return environment;
    }

    private String calls() throws IOException {
        return Files.readString(directory.resolve("calls"));
    }

    private long kept() {
        return checkout.resolve("plimsoll-history").toFile().list((d, name) -> name.endsWith("orders")).length;
    }

    @Tag("nightly")
    @Test
    @Timeout(300)
    void actionStepsRunCheckReportAndPublish() throws Exception {
        String topic = "ci-" + UUID.randomUUID();
        Path scenario = Files.writeString(checkout.resolve("orders.yaml"), """
            name: orders
            topics: [{name: %s}]
            producers: [{topic: %s, records: 2000, record: {size: 100}}]
            warmup: 0s
            """.formatted(topic, topic));
        Path summary = directory.resolve("step-summary");
        Map<String, String> environment = Map.of(
                "GITHUB_ACTION_PATH",
                CI.toString(),
                "GITHUB_STEP_SUMMARY",
                summary.toString(),
                "PLIMSOLL",
                // No rate is requested, so that a busy host cannot miss it and end the step.
                program("exec " + PROGRAM + " \"$@\"").toString(),
                "PLIMSOLL_NO_BUILD",
                "1",
                "PLIMSOLL_JAVA_OPTS",
                "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx1g",
                "SCENARIO",
                scenario.toString(),
                "OPTIONS",
                "--self-warmup 0s --bootstrap-server " + SharedLab.oneBroker().bootstrapServers(),
                "REPEAT",
                "1",
                "KEEP",
                "1");
        assertThat(shell(0, environment, "bash", "-c", step("Fetch the history")))
                .contains("begins here");
        assertThat(shell(0, environment, "bash", "-c", step("Run and check"))).contains("Too few runs");
        assertThat(Files.readString(summary)).contains("### Plimsoll", "orders", "produce.response.p99, 1 run", "| ");
        shell(0, environment, "bash", "-c", step("Publish the history"));
        assertThat(shell(0, Map.of(), "git", "status", "--porcelain", "orders.yaml"))
                .contains("?? orders.yaml");

        assertThat(shell(0, environment, "bash", "-c", step("Fetch the history")))
                .contains(", runs: 1");
        shell(0, environment, "bash", "-c", step("Run and check"));
        assertThat(kept()).isEqualTo(2);
        shell(0, environment, "bash", "-c", step("Publish the history"));
        assertThat(shell(0, environment, "bash", "-c", step("Fetch the history")))
                .as("as many as are to be kept")
                .contains(", runs: 1");

        program("cp -r runs/*-orders runs/20991231-no-measure-orders && exit 5");
        shell(0, Map.of(), "bash", "-c", "rm -r runs/$(ls runs | tail -n 1)");
        assertThat(shell(5, environment, "bash", "-c", step("Run and check"))).contains("invalid");
        assertThat(kept()).as("what is no measure is in no history").isEqualTo(1);
    }

    @Test
    void failedRunEndsStepWithItsExitCode() throws Exception {
        Map<String, String> environment = Map.of(
                "PLIMSOLL", PROGRAM,
                "PLIMSOLL_NO_BUILD", "1",
                "SCENARIO", "no-such-scenario",
                "REPEAT", "2");
        assertThat(shell(2, environment, CI.resolve("gate").toString(), "run")).contains("no-such-scenario");
    }

    @Test
    void unreachableRemoteDoesNotStartANewHistory() throws Exception {
        Map<String, String> environment = stub("0 0 0", 0);
        assertThat(action(0, environment, "Fetch the history")).contains("begins here");
        action(0, environment, "Run and check");
        action(0, environment, "Publish the history");
        assertThat(action(0, environment, "Publish the history")).contains("has added no run");

        origin("gone.git");
        assertThat(action(1, environment, "Fetch the history")).contains("from the remote 'origin'");
        action(0, environment, "Run and check");
        assertThat(action(1, environment, "Publish the history")).contains("from the remote 'origin'");
        origin("origin.git");
        action(0, environment, "Publish the history");
        assertThat(action(0, environment, "Fetch the history")).contains(", runs: 6");
        assertThat(step("Fetch the history", "id")).isEqualTo("fetch");
        assertThat(step("Publish the history", "if").toString()).contains("steps.fetch.outcome == 'success'");
    }

    private void origin(String name) throws Exception {
        String url = directory.resolve(name).toString();
        shell(0, Map.of(), "git", "remote", "set-url", "origin", url);
    }

    @Test
    void concurrentJobsKeepAllPublishedRuns() throws Exception {
        Path other = directory.resolve("other");
        shell(directory, 0, Map.of(), "git", "clone", "--quiet", "origin.git", "other");
        Map<String, String> environment = stub("0 0 0", 0);
        action(0, environment, "Fetch the history");
        action(0, environment, "Run and check");
        Map<String, String> others = new HashMap<>(environment);
        others.put("CALLS", directory.resolve("calls-of-other").toString());
        shell(other, 0, others, "bash", "-c", step("Fetch the history"));
        shell(other, 0, others, "bash", "-c", step("Run and check"));
        // The other job publishes runs with the same names after this one has read the branch and before it pushes.
        Path hooks = Files.createDirectories(checkout.resolve(".git").resolve("hooks"));
        Path hook = Files.writeString(hooks.resolve("pre-push"), """
            #!/bin/sh
            [ ! -e ../once ] || exit 0
            touch ../once
            unset $(git rev-parse --local-env-vars)
            cd ../other && "$GITHUB_ACTION_PATH/gate" publish
            """);
        assertThat(hook.toFile().setExecutable(true)).isTrue();
        action(0, environment, "Publish the history");
        assertThat(directory.resolve("once")).exists();
        assertThat(action(0, environment, "Fetch the history")).contains(", runs: 6");
        assertThat(shell(0, Map.of(), "bash", "-c", "cat plimsoll-history/*/result.json"))
                .contains("/checkout\"", "/other\"");

        environment.put("KEEP", "4");
        action(0, environment, "Run and check");
        action(0, environment, "Publish the history");
        action(0, environment, "Fetch the history");
        assertThat(checkout.resolve("plimsoll-history").toFile().list())
                .as("the last ones of all")
                .containsExactlyInAnyOrder(
                        "2026-0003-orders-2", "2026-0004-orders", "2026-0005-orders", "2026-0006-orders");
    }

    @Test
    void checksAllFiguresOfTheCurrentScenario() throws Exception {
        Map<String, String> environment = stub("0 0 0", 0);
        environment.put("FIGURES", "produce.throughput\nproduce.response.p99  produce.response.p50\n");
        environment.put("OPTIONS", "--brokers 1\n--self-warmup 0s\n");
        Path before = Files.createDirectories(checkout.resolve("runs").resolve("before"));
        Files.writeString(before.resolve("result.json"), "{\n  \"name\":\"another\",\n  \"seed\":1\n}\n");
        Files.writeString(before.resolve("report.md"), "A report of before\n");
        action(0, environment, "Run and check");
        assertThat(calls())
                .contains("run orders.yaml --brokers 1 --self-warmup 0s --quiet --out runs\n")
                .contains("history check plimsoll-history --figure produce.throughput --figure produce.response.p99"
                        + " --figure produce.response.p50 --scenario orders --tolerance 5% --newest 4 --allow-short\n");
        assertThat(checkout.resolve("plimsoll-history").toFile().list())
                .containsExactlyInAnyOrder("2026-0001-orders", "2026-0002-orders", "2026-0003-orders");
        assertThat(directory.resolve("step-summary"))
                .content()
                .contains("Report of runs/2026-0003-orders")
                .doesNotContain("before");

        environment.put("REPEAT", "5");
        action(0, environment, "Run and check");
        assertThat(calls()).contains("--newest 6 --allow-short\n");
    }

    @ParameterizedTest
    @CsvSource({
        "5 4 5, 7, 4",
        "0 3 4, 7, 4",
        "3 5 0, 7, 3",
        "0 0 0, 7, 7",
        "5 0 0, 7, 7",
        "0 6, 7, 7",
        "0 5 0, 0, 5",
        "5 5 5, 2, 5",
        "0 6, 0, 6",
        "0 0 0, 2, 2",
        "0 0 0, 0, 0"
    })
    void returnsMostSignificantExitCode(String codes, int check, int exit) throws Exception {
        action(exit, stub(codes, check), "Run and check");
    }

    @Test
    void failsWithoutAnyRun() throws Exception {
        Map<String, String> environment = stub("", 0);
        environment.put("REPEAT", "0");
        assertThat(action(1, environment, "Run and check")).contains("nothing to check");
    }

    @Test
    void publishesOnlyDefaultBranchByDefault() throws Exception {
        assertThat(byDefault("publish"))
                .startsWith("${{ github.event_name == 'schedule' || (")
                .contains(
                        "github.event_name != 'pull_request' &&",
                        "github.event_name != 'pull_request_target' &&",
                        "github.ref == format('refs/heads/{0}', github.event.repository.default_branch))");
        assertThat(byDefault("artifact")).contains("${{ github.job }}-${{ strategy.job-index }}");
        assertThat(step("Keep the reports", "with").toString()).contains("name=${{ inputs.artifact }}");
    }

    @Test
    void createsCommentOnceAndUpdatesItByMarker() throws Exception {
        Path programs = Files.createDirectory(directory.resolve("programs"));
        Path gh = Files.writeString(programs.resolve("gh"), """
            #!/bin/sh
            echo "$*" >>gh-calls
            case "$*" in *--paginate*) printf "$FOUND" ;; esac
            """);
        assertThat(gh.toFile().setExecutable(true)).isTrue();
        Map<String, String> environment = new HashMap<>(Map.of(
                "PATH",
                programs + ":" + System.getenv("PATH"),
                "ISSUES",
                "repos/o/r/issues",
                "NUMBER",
                "7",
                "MARKER",
                "<!-- plimsoll: orders.yaml, runs-0 -->",
                "FOUND",
                ""));
        action(0, environment, "Comment");
        assertThat(checkout.resolve("gh-calls")).as("without a summary").doesNotExist();

        Files.writeString(checkout.resolve("plimsoll-summary.md"), "### Plimsoll\n");
        action(0, environment, "Comment");
        environment.put("FOUND", "41\\n42\\n");
        action(0, environment, "Comment");
        assertThat(Files.readString(checkout.resolve("gh-calls")))
                .contains("startswith(env.MARKER)")
                .contains("--method POST repos/o/r/issues/7/comments --field body=@plimsoll-comment.md\n")
                .contains("--method PATCH repos/o/r/issues/comments/41 --field body=@plimsoll-comment.md\n");
        assertThat(checkout.resolve("plimsoll-comment.md"))
                .hasContent("<!-- plimsoll: orders.yaml, runs-0 -->\n### Plimsoll\n");
        assertThat(step("Comment", "if").toString())
                .contains("github.event.pull_request.head.repo.full_name == github.repository");
        assertThat(step("Comment", "env").toString()).contains("<!-- plimsoll: ${{ inputs.scenario }}, ");
    }

    @Test
    @SuppressWarnings("unchecked")
    void gitLabTemplateExitsLikeTheRun() throws Exception {
        Map<String, Object> gitlab = template("gitlab.yml");
        Map<String, Object> job = (Map<String, Object>) gitlab.get(".plimsoll");
        Map<String, String> variables = (Map<String, String>) job.get("variables");
        Map<String, String> environment = stub("0 3 0", 7);
        environment.put("PLIMSOLL_GATE", CI.resolve("gate").toString());
        environment.put("JUNIT_XML", variables.get("JUNIT_XML"));
        environment.put("CI_COMMIT_BRANCH", "change");
        environment.put("CI_DEFAULT_BRANCH", "main");
        environment.put("PLIMSOLL_TOKEN", "any");
        String script = String.join("\n", (List<String>) job.get("script"));
        shell(3, environment, "sh", "-e", "-c", script);
        assertThat(calls()).contains("report runs/2026-0003-orders --format junit --out junit.xml\n");
        String branches = shell(0, Map.of(), "git", "ls-remote", "origin");
        assertThat(branches).as("of a change nothing is published").isEmpty();
        origin("gone.git");
        Files.delete(directory.resolve("calls"));
        shell(1, environment, "sh", "-e", "-c", script);
        assertThat(directory.resolve("calls")).as("without a history").doesNotExist();
    }

    @Test
    void documentedCommandsPublishEvenIfCheckFails() throws Exception {
        String page = Files.readString(Path.of("docs", "guides", "gate-a-pull-request.md"));
        String section = page.substring(page.indexOf("## Anywhere else"), page.indexOf("| exit code |"));
        Map<String, String> environment = stub("0 0 0", 7);
        String script = Pattern.compile("^\\$ (.*)$", Pattern.MULTILINE)
                .matcher(section)
                .results()
                .map(line -> line.group(1))
                .collect(Collectors.joining("\n"))
                .replace("/usr/lib/plimsoll/deploy/ci/gate", CI.resolve("gate").toString())
                .replace("PLIMSOLL=plimsoll", "PLIMSOLL=" + environment.get("PLIMSOLL"));
        shell(7, environment, "bash", "-c", script);
        assertThat(action(0, environment, "Fetch the history")).contains(", runs: 3");
        origin("gone.git");
        assertThat(shell(1, environment, "bash", "-c", script)).contains("from the remote 'origin'");
    }
}
