package io.plimsoll.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.house.FreshMachine.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./plimsoll} and {@code ./test} on machines that lack something. */
class LauncherTest {
    private static final String APT_OPTIONS = "-q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 ";
    private static final String JDK_AND_MAVEN = "openjdk-17-jdk-headless maven";

    @TempDir
    Path directory;

    private FreshMachine machine;

    @BeforeEach
    void bareMachine() throws IOException {
        machine = new FreshMachine(directory);
    }

    @Test
    void printsInstallCommandWithoutRoot() throws Exception {
        machine.withApt("openjdk-17-jdk-headless").withUser(1000);
        Outcome outcome = machine.run("plimsoll", "--help");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err())
                .contains("  sudo apt-get update && sudo apt-get install -y --no-install-recommends " + JDK_AND_MAVEN
                        + "\n");
        assertThat(machine.calls()).isEmpty();
    }

    @Test
    void installsBuildsAndStartsAsRoot() throws Exception {
        machine.withApt("openjdk-17-jdk-headless").withUser(0);
        Outcome outcome = machine.run("plimsoll", "--help");
        assertThat(outcome.err())
                .isEqualTo("Installing with apt-get: " + JDK_AND_MAVEN + " ...\n"
                        + "Building Plimsoll (first use; about a minute) ...\n");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.arguments()).endsWith("io.plimsoll.cli.Main", "--help");
        assertThat(machine.calls())
                .hasSize(3)
                .startsWith(
                        "apt-get " + APT_OPTIONS + "update",
                        "apt-get " + APT_OPTIONS + "install -y --no-install-recommends " + JDK_AND_MAVEN);
    }

    @Test
    void installsDefaultJdkIfAptHasNo17() throws Exception {
        machine.withApt("default-jdk-headless").withUser(0);
        assertThat(machine.run("plimsoll").exitCode()).isZero();
        assertThat(machine.calls().get(1)).endsWith("install -y --no-install-recommends default-jdk-headless maven");
    }

    @Test
    void showsErrorIfAptFails() throws Exception {
        machine.withUser(0).withCommand("apt-cache", "#!/bin/bash\nexit 100");
        machine.withCommand("apt-get", "#!/bin/bash\necho 'E: no space left'\nexit 100");
        Outcome outcome = machine.run("plimsoll");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err()).contains("E: no space left", "apt-get could not install " + JDK_AND_MAVEN);
    }

    @Test
    void namesRequirementsWithoutApt() throws Exception {
        Outcome outcome = machine.withUser(0).run("plimsoll");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("Install a JDK 17 or newer with javac");
    }

    @Test
    void rebuildsOnlyWhenSourcesChange() throws Exception {
        machine.withMaven().withJdk("jdk", "21");
        Files.writeString(machine.source("Old"), "class Old {}");
        assertThat(machine.run("plimsoll").err()).contains("first use");
        assertThat(machine.run("plimsoll").err()).isEmpty();
        assertThat(machine.calls()).hasSize(1);

        Files.setLastModifiedTime(machine.source("Main"), FileTime.from(Instant.now()));
        assertThat(machine.run("plimsoll").err()).isEqualTo("Building Plimsoll (sources have changed) ...\n");
        Files.delete(machine.source("Old"));
        assertThat(machine.run("plimsoll").err()).isEqualTo("Building Plimsoll (sources have changed) ...\n");
        assertThat(machine.run("plimsoll").err()).isEmpty();
        assertThat(machine.calls()).hasSize(3);
    }

    @Test
    void concurrentStartsBuildOnce() throws Exception {
        machine.withJdk("jdk", "17.0.1");
        Path calls = directory.resolve("slow");
        machine.withCommand(
                "mvn",
                "#!/bin/bash\necho build >>" + calls + "\nsleep 1\nmkdir -p target/lib\ntouch target/plimsoll.jar");
        Process first = machine.script("plimsoll", "one").start();
        Process second = machine.script("plimsoll", "two").start();
        assertThat(FreshMachine.finish(first).arguments()).endsWith("one");
        assertThat(FreshMachine.finish(second).arguments()).endsWith("two");
        assertThat(calls).hasContent("build");
    }

    @Test
    void showsBuildFailureAndRebuildsNextTime() throws Exception {
        machine.withJdk("jdk", "17.0.1");
        machine.withCommand("mvn", "#!/bin/bash\necho '[ERROR] Main.java:[1,7] cannot find symbol'\nexit 1");
        Outcome outcome = machine.run("plimsoll");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err())
                .contains("Main.java:[1,7] cannot find symbol", "the build failed", "target/build.log");
        machine.withMaven();
        assertThat(machine.run("plimsoll").exitCode()).isZero();
    }

    @Test
    void reportsFailedDownload() throws Exception {
        machine.withJdk("jdk", "17.0.1");
        machine.withCommand("mvn", "#!/bin/bash\necho '[ERROR] Could not transfer artifact x: Read timed out'\nexit 1");
        Outcome outcome = machine.run("plimsoll");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err()).contains("could not download a library from Maven Central");
    }

    @Test
    void skipsOldJava() throws Exception {
        Path old = machine.withJdk("a-old", "1.8.0_392");
        machine.withJdk("b-eleven", "11.0.2");
        Path good = machine.withMaven().withJdk("c-good", "21.0.1");
        ProcessBuilder builder = machine.script("plimsoll");
        builder.environment().put("JAVA_HOME", old.toString());
        assertThat(FreshMachine.finish(builder.start()).exitCode()).isZero();
        assertThat(machine.calls()).singleElement().asString().startsWith("mvn " + good + " ");
    }

    @Test
    void prefersJavaHomeThenPath() throws Exception {
        machine.withMaven().withJdk("a-any", "17");
        Path chosen = machine.withJdk("b-chosen", "18");
        Files.createSymbolicLink(directory.resolve("bin/java"), chosen.resolve("bin/java"));
        machine.run("plimsoll");
        assertThat(machine.calls()).singleElement().asString().startsWith("mvn " + chosen + " ");

        Path home = machine.withJdk("c-home", "19");
        ProcessBuilder builder = machine.script("test");
        builder.environment().put("JAVA_HOME", home.toString());
        builder.environment().put("PLIMSOLL_SKIP_BROWSER", "1");
        FreshMachine.finish(builder.start());
        assertThat(machine.calls().get(1)).startsWith("mvn " + home + " ");
    }

    @Test
    void fleetCoordinatorUsesLessMemory() throws Exception {
        machine.withMaven().withJdk("jdk", "17");
        Outcome outcome = FreshMachine.finish(machine.script("plimsoll", "run", "a b", "--fleet", "load1:7654")
                .start());
        assertThat(outcome.arguments()).contains("-Xmn160m", "--fleet").doesNotContain("-Xms2g");
    }

    @Test
    void observerUsesLittleMemory() throws Exception {
        machine.withMaven().withJdk("jdk", "17");
        assertThat(machine.run("plimsoll", "agent", "--observe").arguments())
                .contains("-Xmx256m", "--observe")
                .doesNotContain("-Xms2g");
        assertThat(machine.run("plimsoll", "agent", "--listen", "kafka1:7655", "--observe", "--data", "/kafka")
                        .arguments())
                .contains("-Xmx256m")
                .doesNotContain("-Xms2g");
        assertThat(machine.run("plimsoll", "agent", "--listen", "load1:7654").arguments())
                .contains("-Xms2g");
    }

    @Test
    void refusesLowOpenFileLimit() throws Exception {
        machine.withMaven().withJdk("jdk", "17");
        ProcessBuilder builder = machine.script("plimsoll", "agent");
        builder.command(
                "bash",
                "-c",
                "ulimit -n 64; exec \"$0\" agent",
                builder.command().get(0));
        Outcome outcome = FreshMachine.finish(builder.start());
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("64 files");
    }

    @Test
    void passesCommandLineUnchanged() throws Exception {
        machine.withMaven().withJdk("jdk", "17");
        Path link = Files.createSymbolicLink(
                directory.resolve("link"), machine.home().resolve("plimsoll"));
        ProcessBuilder builder = machine.script("plimsoll", "run", "a b", "", "--set=x=*");
        builder.command().set(0, link.toString());
        Outcome outcome = FreshMachine.finish(builder.start());
        Path target = machine.home().resolve("target");
        assertThat(outcome.arguments())
                .containsExactly(
                        "-XX:+UseParallelGC",
                        "-XX:-UseAdaptiveSizePolicy",
                        "-Xms2g",
                        "-Xmn768m",
                        "-XX:SurvivorRatio=4",
                        "-Xmx2g",
                        "-Dsun.stdout.encoding=UTF-8",
                        "-Dsun.stderr.encoding=UTF-8",
                        "-Dstdout.encoding=UTF-8",
                        "-Dstderr.encoding=UTF-8",
                        "-Djdk.console=java.base",
                        "-Dplimsoll.home=" + machine.home(),
                        "-Dplimsoll.lib=" + target.resolve("lib"),
                        "-Dplimsoll.selfWarmup=8s",
                        "-cp",
                        target.resolve("plimsoll.jar") + ":" + target.resolve("lib") + "/*:"
                                + target.resolve("lib").resolve("fleet") + "/*:"
                                + target.resolve("lib").resolve("history") + "/*:"
                                + target.resolve("lib").resolve("omb") + "/*:"
                                + target.resolve("lib").resolve("perf") + "/*:"
                                + target.resolve("lib").resolve("schemas") + "/*",
                        "io.plimsoll.cli.Main",
                        "run",
                        "a b",
                        "",
                        "--set=x=*");
    }

    @Test
    void jvmReplacesScriptProcess() throws Exception {
        machine.withMaven().withJdk("jdk", "17");
        ProcessBuilder builder = machine.script("plimsoll");
        builder.environment().put("PLIMSOLL_JAVA_OPTS", "-Xmx9m  -Xint");
        builder.environment().put("TMPDIR", directory.toString());
        Process process = builder.start();
        Outcome outcome = FreshMachine.finish(process);
        assertThat(outcome.out()).startsWith("pid=" + process.pid() + " lc=C.UTF-8 lang=\n");
        assertThat(outcome.arguments())
                .startsWith("-Djava.io.tmpdir=" + directory, "-Xmx9m", "-Xint")
                .contains("-Dplimsoll.home=" + machine.home());
    }

    @Test
    void keepsLanguageOfLocaleWithoutUtf8() throws Exception {
        machine.withMaven().withJdk("jdk", "17");
        ProcessBuilder builder = machine.script("plimsoll");
        builder.environment().put("LANG", "zh_CN.GBK");
        assertThat(FreshMachine.finish(builder.start()).out()).contains(" lc=C.UTF-8 lang=zh\n");
        builder.environment().put("PLIMSOLL_LANG", "en");
        assertThat(FreshMachine.finish(builder.start()).out()).contains(" lc=C.UTF-8 lang=en\n");
    }

    @Test
    void startsExistingBuildWithoutBuildTools() throws Exception {
        machine.withMaven().withJdk("jdk", "17");
        machine.run("plimsoll");
        Files.delete(directory.resolve("bin/mvn"));
        Files.delete(directory.resolve("jvm/jdk/bin/javac"));
        assertThat(machine.run("plimsoll").exitCode()).isZero();
    }

    @Test
    void testScriptForwardsArgumentsAndExitCode() throws Exception {
        machine.withJdk("jdk", "17");
        machine.withCommand("chromium", "#!/bin/bash").withCommand("chromedriver", "#!/bin/bash");
        machine.withCommand("mvn", "#!/bin/bash\necho \"$@\"\nexit 9");
        Outcome outcome = machine.run("test", "-Dtest=Foo");
        assertThat(outcome.exitCode()).isEqualTo(9);
        assertThat(outcome.out()).contains("-Pstrict").endsWith(" verify -Dtest=Foo\n");
    }

    @Test
    void testScriptRequiresBrowserUnlessSkipped() throws Exception {
        machine.withMaven().withApt("chromium").withUser(1000).withJdk("jdk", "17");
        Outcome refused = machine.run("test");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("chromium chromium-driver\n", "PLIMSOLL_SKIP_BROWSER=1");

        ProcessBuilder builder = machine.script("test");
        builder.environment().put("PLIMSOLL_SKIP_BROWSER", "1");
        Outcome skipped = FreshMachine.finish(builder.start());
        assertThat(skipped.exitCode()).isZero();
        assertThat(skipped.err()).isEqualTo("PLIMSOLL_SKIP_BROWSER is set: the tests in a browser are skipped.\n");
    }

    @Test
    void testScriptRunsWithoutBrowserIfAptHasNone() throws Exception {
        machine.withMaven().withApt("openjdk-17-jdk-headless").withUser(0);
        Outcome outcome = machine.run("test");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err()).contains("apt offers no chromium here: the tests in a browser are skipped.");
        assertThat(machine.calls().get(1)).endsWith("install -y --no-install-recommends openjdk-17-jdk-headless");
    }
}
