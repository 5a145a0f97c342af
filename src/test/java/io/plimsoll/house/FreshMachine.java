package io.plimsoll.house;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A clone of the repository's scripts in its own directory, on an emulated bare Debian. Java, Maven, apt-get, and id
 * are scripts that log their calls.
 */
final class FreshMachine {
    private static final List<String> BARE = List.of(
            "bash",
            "cat",
            "cp",
            "dirname",
            "env",
            "find",
            "flock",
            "grep",
            "mkdir",
            "mv",
            "readlink",
            "rm",
            "sed",
            "sleep",
            "tail",
            "touch");

    private static final String FAKE_JAVA = """
            #!/bin/bash
            [[ " $* " != *" -XshowSettings:properties "* ]] || exit 1
            echo "pid=$$ lc=${LC_ALL-} lang=${PLIMSOLL_LANG-}"
            printf 'arg=%s\\n' "$@"
            """;

    private static final String FAKE_MAVEN = """
            #!/bin/bash
            echo "mvn $JAVA_HOME $*" >>"%1$s"
            mkdir -p target/lib
            touch target/plimsoll.jar
            """;

    private static final String FAKE_APT_GET = """
            #!/bin/bash
            echo "apt-get $*" >>"%1$s"
            [[ " $* " != *" install "* ]] || cp -r "%2$s"/installable/. "%2$s"
            """;

    /** Result of a script. */
    record Outcome(int exitCode, String out, String err) {
        List<String> arguments() {
            return out.lines()
                    .filter(line -> line.startsWith("arg="))
                    .map(line -> line.substring("arg=".length()))
                    .toList();
        }
    }

    private final Path directory;
    private final Path calls;

    FreshMachine(Path directory) throws IOException {
        this.directory = directory;
        this.calls = directory.resolve("calls");
        Path repository = Path.of(System.getProperty("user.dir"));
        for (String file : List.of("plimsoll", "test", "bin/setup.sh", "bin/package")) {
            Path copy = home().resolve(file);
            Files.createDirectories(copy.getParent());
            Files.copy(repository.resolve(file), copy);
        }
        Files.createDirectories(home().resolve("src/main/java"));
        Files.writeString(home().resolve("pom.xml"), "<project/>");
        Files.writeString(source("Main"), "class Main {}");
        for (String command : BARE) {
            withCommand(command, "#!/bin/sh\nexec " + which(command) + " \"$@\"\n");
        }
    }

    Path home() {
        return directory.resolve("a clone");
    }

    Path source(String name) {
        return home().resolve("src/main/java").resolve(name + ".java");
    }

    /** All calls of Maven and apt-get so far. */
    List<String> calls() throws IOException {
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    FreshMachine withUser(int id) {
        return withCommand("id", "#!/bin/bash\necho " + id);
    }

    FreshMachine withMaven() {
        return withCommand("mvn", FAKE_MAVEN.formatted(calls));
    }

    FreshMachine withCommand(String name, String script) {
        write(directory.resolve("bin").resolve(name), script);
        return this;
    }

    /** A JDK where distributions keep them; returns its home. */
    Path withJdk(String name, String version) {
        return jdk(directory.resolve("jvm").resolve(name), version);
    }

    /**
     * A stub of apt-get that offers some packages and, when asked to install any, provides Java 17, Maven and a
     * browser.
     */
    FreshMachine withApt(String... offered) {
        jdk(directory.resolve("installable/jvm/apt-17"), "17.0.9");
        for (String command : List.of("chromium", "chromedriver")) {
            write(directory.resolve("installable/bin").resolve(command), "#!/bin/bash\n");
        }
        write(directory.resolve("installable/bin/mvn"), FAKE_MAVEN.formatted(calls));
        withCommand("apt-get", FAKE_APT_GET.formatted(calls, directory));
        String show = Arrays.stream(offered)
                .map(name -> "[[ $3 != " + name + " ]] || exit 0\n")
                .reduce("", String::concat);
        return withCommand("apt-cache", "#!/bin/bash\n" + show + "exit 100\n");
    }

    ProcessBuilder script(String script, String... arguments) {
        List<String> command = new ArrayList<>(List.of(home().resolve(script).toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", directory.resolve("bin").toString());
        builder.environment().put("PLIMSOLL_JVMS", directory.resolve("jvm").toString());
        return builder;
    }

    Outcome run(String script, String... arguments) throws IOException, InterruptedException {
        return finish(script(script, arguments).start());
    }

    static Outcome finish(Process process) throws IOException, InterruptedException {
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IllegalStateException("still running: " + err);
        }
        return new Outcome(process.exitValue(), out, err);
    }

    private static Path jdk(Path home, String version) {
        write(home.resolve("bin/java"), FAKE_JAVA);
        write(home.resolve("bin/javac"), "#!/bin/bash\n");
        write(home.resolve("release"), "IMPLEMENTOR=\"A\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path which(String command) {
        return Arrays.stream(System.getenv("PATH").split(":", -1))
                .map(directory -> Path.of(directory).resolve(command))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("this machine has no " + command));
    }
}
