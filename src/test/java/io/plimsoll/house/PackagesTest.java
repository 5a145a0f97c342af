package io.plimsoll.house;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Installation, upgrade, and removal scripts of packages; {@code packaging/check} installs complete packages. */
class PackagesTest {
    @TempDir
    Path directory;

    private Path calls;

    @BeforeEach
    void systemThatWritesDownWhatItIsAskedFor() throws IOException {
        calls = directory.resolve("calls");
        Files.createFile(calls);
        for (String name : List.of("systemd-sysusers", "systemctl", "prepare")) {
            program(directory.resolve("bin").resolve(name), "#!/bin/sh\necho " + name + " \"$@\" >>" + calls + "\n");
        }
    }

    private static void program(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** The output, and the exit code unless 0. */
    private String run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().merge("PATH", directory.resolve("bin") + ":", (path, ours) -> ours + path);
        builder.environment().put("JAVA_HOME", directory.resolve("java").toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        int exit = process.waitFor();
        return exit == 0 ? said : said + "exit " + exit;
    }

    /** Commands called by a package script with these arguments on a running system. */
    private List<String> asked(String script, String... words) throws IOException, InterruptedException {
        String here = script.replace("/usr/lib/plimsoll/bin/prepare", directory + "/bin/prepare")
                .replace("/run/systemd/system", directory.toString());
        List<String> command = new ArrayList<>(List.of("sh", "-c", here, "sh"));
        command.addAll(List.of(words));
        assertThat(run(command.toArray(String[]::new))).isEmpty();
        List<String> all = Files.readAllLines(calls);
        Files.writeString(calls, "");
        return all;
    }

    private static String sectionOfSpec(String name) throws IOException {
        String spec = Files.readString(Path.of("packaging", "plimsoll.spec"));
        return spec.substring(spec.indexOf("%" + name + "\n") + name.length() + 2)
                .replaceFirst("(?s)\n%.*", "");
    }

    /** An .rpm runs the old package's scripts after the new one's, so installed files must stay. */
    @Test
    void onlyFinalRemovalDisablesServices() throws Exception {
        String away = "systemctl disable --now plimsoll-agent plimsoll-watch";
        List<String> renewed = List.of(
                "systemd-sysusers plimsoll.conf",
                "prepare",
                "systemctl daemon-reload",
                "systemctl try-restart plimsoll-agent plimsoll-watch");
        assertThat(asked(sectionOfSpec("post"), "2")).isEqualTo(renewed);
        assertThat(asked(sectionOfSpec("preun"), "1")).isEmpty();
        assertThat(asked(sectionOfSpec("preun"), "0")).containsExactly(away, "prepare --remove");

        String prerm = Files.readString(Path.of("packaging", "deb", "prerm"));
        String postinst = Files.readString(Path.of("packaging", "deb", "postinst"));
        assertThat(asked(prerm, "upgrade", "2.0.0")).containsExactly("prepare --remove");
        assertThat(asked(postinst, "configure", "1.0.0")).isEqualTo(renewed);
        assertThat(asked(prerm, "remove", "in-favour", "plimsoll-agent", "2.0.0"))
                .containsExactly("prepare --remove");
        assertThat(asked(prerm, "remove")).containsExactly(away, "prepare --remove");
    }

    /** Without a bundled Java: an outdated one would fail with a stack trace. */
    @ParameterizedTest
    @CsvSource({"1.8.0_392, is Java 8", "11.0.2, is Java 11", "17, started", "25.0.1, started --enable-native-access"})
    void startsOnlyOnSupportedJava(String version, String said) throws Exception {
        String out = started(version, "--version");
        assertThat(out.replaceFirst("started .*?(--enable|-D)", "started $1")).contains(said);
        assertThat(out.endsWith("exit 2")).isEqualTo(!said.startsWith("started"));
        assertThat(out.contains("--enable-native-access")).isEqualTo(said.contains("--enable"));
    }

    @Test
    void observerUsesLittleMemory() throws Exception {
        assertThat(started("17", "agent", "--listen", "kafka1:7655", "--observe"))
                .contains("-Xmx256m")
                .doesNotContain("-Xms2g");
        assertThat(started("17", "agent", "--listen", "load1:7654")).contains("-Xms2g");
    }

    /** The output of an installed program on a Java of this version, which prints its own command line. */
    private String started(String version, String... arguments) throws IOException, InterruptedException {
        Path home = directory.resolve("a place");
        program(home.resolve("bin/plimsoll"), Files.readString(Path.of("packaging", "plimsoll")));
        Files.createDirectories(home.resolve("lib"));
        Files.writeString(home.resolve("lib/command-line"), "a.jar\n");
        program(directory.resolve("java/bin/java"), "#!/bin/sh\necho \"started $*\"\n");
        Files.writeString(directory.resolve("java/release"), "JAVA_VERSION=\"" + version + "\"\n");
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/plimsoll").toString()));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    /** Distributions have moved it from {@code lib} to {@code usr/lib}. */
    @ParameterizedTest
    @ValueSource(strings = {"lib", "usr/lib"})
    void imageHasCLibraryWhereProgramsExpectIt(String lib) throws Exception {
        Path debs = directory.resolve("debs");
        Path work = Files.createDirectories(directory.resolve("work"));
        Files.createDirectories(work.resolve("full"));
        for (String file : List.of(
                lib + "/a-linux-gnu/libc.so.6",
                "usr/lib/os-release",
                "usr/lib/locale/C.utf8/LC_CTYPE",
                "bin/busybox")) {
            program(debs.resolve(file), "");
        }
        if (!lib.equals("lib")) {
            Files.createSymbolicLink(debs.resolve("lib"), Path.of(lib));
        }
        program(directory.resolve("bin/apt-get"), "#!/bin/sh\n: >all.deb\n");
        program(directory.resolve("bin/dpkg-deb"), "#!/bin/sh\n[ $1 = -f ] && echo 'a 1' || cp -a " + debs + "/. $3\n");
        Files.writeString(Files.createDirectories(work.resolve("common")).resolve("bom.json"), "{\"components\": []}");
        assertThat(run(
                        "env",
                        "SOURCE_DATE_EPOCH=1700000000",
                        "packaging/image",
                        work.toString(),
                        "1.0",
                        "abc",
                        work + "/out"))
                .isEmpty();
        assertThat(work.resolve("image/lib/a-linux-gnu/libc.so.6")).exists();
    }

    /** A commit's jar is not packaged for the next commit, even without source changes. */
    @Test
    void packagesOnlyJarOfCurrentCommit() throws Exception {
        FreshMachine machine = new FreshMachine(directory.resolve("machine"));
        machine.withMaven().withJdk("jdk", "17");
        machine.run("plimsoll");
        assertThat(machine.run("bin/package", "tarr").err()).contains("'tarr': tar any deb rpm image");
        assertThat(machine.calls()).hasSize(1);
        Path built = machine.home().resolve("target/classes/plimsoll-version.properties");
        Files.createDirectories(built.getParent());
        Files.writeString(built, "commit=unknown\n");
        assertThat(machine.run("bin/package", "tar").err()).contains("jmods");
        assertThat(machine.calls()).hasSize(1);
        Files.writeString(built, "commit=1234567\n");
        assertThat(machine.run("bin/package", "tar").err()).contains("jmods");
        assertThat(machine.calls()).hasSize(2);
    }
}
