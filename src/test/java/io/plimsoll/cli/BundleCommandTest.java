package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.bundle.Gallery;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.testing.Browser;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A bundle holds no secret, and its check trusts nothing that a stranger can edit without contradicting the timeline. */
@ExtendWith(Browser.Shared.class)
@Execution(ExecutionMode.SAME_THREAD)
class BundleCommandTest {
    private static final String DURABILITY = "\"setup\":{\"durability\":{\"acks\":\"all\",\"replication\":\"3\","
            + "\"min.insync.replicas\":\"2\",\"flush.messages\":\"1\",\"flush.ms\":\"1000\"},";

    @TempDir
    Path temp;

    private Path run;
    private Path file;

    /** A recorded run with one sound trial. */
    @BeforeEach
    void record() throws IOException {
        run = temp.resolve("sound");
        file = temp.resolve("a.plimsoll.zip");
        RecordedRuns.open("matrix", run).close();
        edit(RunDirectory.TIMELINE, text -> text.lines()
                .filter(line -> !line.contains("\"trial\":\"acks=1\"") && !line.contains("\"name\":\"acks=1\""))
                .map(line -> line.replace("\"setup\":{", DURABILITY))
                .collect(Collectors.joining("\n", "", "\n")));
        assertThat(plimsoll("report", run, "--format", "json", "--out", run.resolve("result.json"))
                        .exit())
                .isZero();
    }

    private static InProcess plimsoll(Object... words) {
        return InProcess.run(Stream.of(words).map(Object::toString).toArray(String[]::new));
    }

    private void edit(String name, UnaryOperator<String> change) throws IOException {
        Path edited = run.resolve(name);
        Files.createDirectories(edited.getParent());
        Files.writeString(edited, change.apply(Files.exists(edited) ? Files.readString(edited) : ""));
    }

    private InProcess bundle(Object... options) {
        InProcess bundled = plimsoll(Stream.concat(Stream.of("bundle", run, "-o", file), Stream.of(options))
                .toArray());
        assertThat(bundled.exit()).as(bundled.err()).isZero();
        assertThat(bundled.out()).endsWith(file + "\n");
        return bundled;
    }

    private static Map<String, String> contents(Path file) throws IOException {
        Map<String, String> contents = new LinkedHashMap<>();
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                contents.put(
                        entry.getName(),
                        new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.ISO_8859_1));
            }
        }
        return contents;
    }

    private void pack(Map<String, String> contents) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, String> each : contents.entrySet()) {
                zip.putNextEntry(new ZipEntry(each.getKey()));
                zip.write(each.getValue().getBytes(StandardCharsets.ISO_8859_1));
            }
        }
    }

    /** Replaces a file of the bundle, and its hash in the manifest as well. */
    private void forge(String name, UnaryOperator<String> change) throws Exception {
        Map<String, String> contents = contents(file);
        byte[] forged = change.apply(contents.get(name)).getBytes(StandardCharsets.ISO_8859_1);
        contents.put(name, new String(forged, StandardCharsets.ISO_8859_1));
        ObjectNode manifest = (ObjectNode) Json.MAPPER.readTree(contents.get("manifest.json"));
        manifest.get("files").forEach(entry -> {
            if (entry.get("name").asText().equals(name)) {
                ((ObjectNode) entry).put("bytes", forged.length).put("sha256", sha256(forged));
            }
        });
        contents.put("manifest.json", Json.pretty(manifest));
        pack(contents);
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private InProcess check(int exit) {
        InProcess checked = plimsoll("bundle", "check", file);
        assertThat(checked.exit()).as("%s%s", checked.out(), checked.err()).isEqualTo(exit);
        return checked;
    }

    @Test
    void bundleOfSoundRunPassesCheck() throws IOException {
        bundle("--system", "Kafka on paper", "--notes", "three racks");
        byte[] first = Files.readAllBytes(file);
        assertThat(check(0).out())
                .containsPattern(Said.en("bundle.durability", "all", "3", "2", null))
                .containsPattern(Said.en("bundle.flush", "1", "1000"))
                .containsPattern(Said.en("cli.bundle.checked", 1, 1))
                .containsPattern(Said.en("cli.bundle.hashes"));
        bundle("--system", "Kafka on paper", "--notes", "three racks");
        assertThat(Files.readAllBytes(file)).as("equal runs give equal bytes").isEqualTo(first);
        assertThat(contents(file))
                .containsOnlyKeys("manifest.json", "runs/sound/result.json", "runs/sound/timeline.jsonl");
    }

    /** Of a real run on a busy machine only the conditions that do not depend on the machine are known. */
    @Test
    void bundleOfRealRunStatesDurability() throws IOException {
        Path scenario = Files.writeString(temp.resolve("real.yaml"), """
                name: real
                topics: [{name: bundled-%1$d, partitions: 2, replication: 1}]
                producers: [{topic: bundled-%1$d, rate: 200/s, record: {size: 100}, config: {acks: 1}}]
                audit: true
                warmup: 0s
                duration: 3s
                """.formatted(System.nanoTime()));
        Path runs = temp.resolve("runs");
        plimsoll(
                "run",
                scenario,
                "--out",
                runs,
                "--self-warmup",
                "0s",
                "--bootstrap-server",
                SharedLab.oneBroker().bootstrapServers());
        try (Stream<Path> all = Files.list(runs)) {
            run = all.findFirst().orElseThrow();
        }
        bundle();
        assertThat(check(5).out()).containsPattern(Said.en("bundle.no.versions"));
        bundle("--kafka", "4.1.2");
        assertThat(check(5).out())
                .containsPattern(Said.en("bundle.complete"))
                .containsPattern(Said.en("bundle.audit", "600", "0", "0"))
                .containsPattern(Said.en("bundle.durability", "1", "1", "1", null))
                .containsPattern(Said.en("bundle.flush.never"))
                .containsPattern(Said.en("bundle.versions", "4.1.2", null, null))
                .containsPattern(Said.en("bundle.figures"))
                .containsPattern(Said.en("bundle.no.seconds"));
        assertThat(contents(file).keySet()).anyMatch(name -> name.endsWith("/plimsoll.log"));
        assertThat(plimsoll("report", file).out())
                .isEqualTo(plimsoll("report", run).out());
        InProcess compared = plimsoll("compare", file, run, "--figure", "produce.throughput");
        assertThat(compared.exit()).isZero();
        assertThat(compared.out().replaceAll("\\s", ""))
                .contains(file.toString())
                .doesNotContain("plimsoll-bundle");
    }

    @Test
    void detectsChangedOrMissingFile() throws Exception {
        bundle();
        Map<String, String> contents = contents(file);
        contents.computeIfPresent("runs/sound/result.json", (name, text) -> text.replace("acks=all", "acks=ALL"));
        pack(contents);
        assertThat(check(2).err()).containsPattern(Said.en("bundle.changed", "runs/sound/result.json"));
        contents.remove("runs/sound/result.json");
        pack(contents);
        check(2);
    }

    @Test
    void detectsEditedFigureDespiteUpdatedHash() throws Exception {
        bundle();
        forge("runs/sound/result.json", text -> text.replaceFirst("\"p99\":\\d+", "\"p99\":1000"));
        assertThat(check(2).out()).containsPattern(Said.en("bundle.no.figures", "result.json", null));
        bundle();
        forge("manifest.json", text -> text.replaceFirst("\"kafka\":\"[\\d.]+\"", "\"kafka\":\"9.9\""));
        assertThat(check(2).out()).containsPattern(Said.en("bundle.no.figures", "result.json", "manifest.json"));
    }

    @Test
    void reportsMissingAuditAndDurability() throws IOException {
        edit(RunDirectory.TIMELINE, text -> text.replaceFirst(
                        "\"audit\":\\{\"method\"", "\"audit\":null,\"gone\":{\"method\"")
                .replace(DURABILITY, "\"setup\":{"));
        plimsoll("report", run, "--format", "json", "--out", run.resolve("result.json"));
        bundle();
        assertThat(check(5).out())
                .containsPattern(Said.en("bundle.no.audit"))
                .containsPattern(Said.en("bundle.no.durability"))
                .containsPattern(Said.en("cli.bundle.checked", 0, 1));
    }

    /** Of {@code run --ab}. */
    @Test
    void keepsPairsOfAlternatingRuns() throws Exception {
        Path place = temp.resolve("pairs-ab");
        for (String one : new String[] {"A/1", "B/2", "B/3", "A/4"}) {
            Files.createDirectories(place.resolve(one));
            Files.copy(run.resolve(RunDirectory.TIMELINE), place.resolve(one).resolve(RunDirectory.TIMELINE));
        }
        Files.writeString(place.resolve("turns.json"), """
                {"schema": "plimsoll.turns/1", "sides": ["cluster=kafka-1.acme.com:9092", "cluster=b:1"],
                 "runs": [["A/1", "A/4"], ["B/2", "B/3"]]}""");
        run = place;
        bundle("--anonymous");
        assertThat(contents(file)).containsKeys("runs/A-1/timeline.jsonl", "runs/B-3/timeline.jsonl");
        assertThat(contents(file).get("manifest.json").replaceAll("\\s", ""))
                .contains("[[\"A-1\",\"A-4\"],[\"B-2\",\"B-3\"]]", "cluster=host-1");
        JsonNode packed = compared(file);
        JsonNode unpacked = compared(place);
        assertThat(packed.findValue("figures")).isNotNull().isEqualTo(unpacked.findValue("figures"));
        assertThat(packed.toString()).doesNotContain("plimsoll-bundle");
        forge("manifest.json", text -> text.replaceFirst("\"A-1\",(\\s*\"A-4)", "\"../A-1\",$1"));
        assertThat(check(2).err()).containsPattern(Said.en("bundle.changed", "manifest.json"));
    }

    private static JsonNode compared(Path place) throws IOException {
        InProcess compared = plimsoll("compare", place, "--format", "json");
        assertThat(compared.exit()).as(compared.err()).isZero();
        return Json.MAPPER.readTree(compared.out());
    }

    @Test
    void refusesSecrets() throws IOException {
        for (String planted : new String[] {
            "sasl.jaas.config = x required username=\"u\" password=\"plant01Zq7\";",
            "{\"my.api.key\":\"plant01Zq7\"}",
            "-----BEGIN RSA PRIVATE KEY----- plant01Zq7",
            "Authorization: Bearer plant01Zq7plant01Zq7",
            "DB_PASSWORD=plant01Zq7"
        }) {
            edit("broker-logs/broker-1.log", text -> "[INFO] ssl.key.password = [hidden]\n" + planted + "\n");
            InProcess refused = plimsoll("bundle", run, "-o", file);
            assertThat(refused.exit()).as(planted).isEqualTo(2);
            assertThat(refused.err())
                    .contains("broker-1.log:2")
                    .doesNotContain("plant01")
                    .doesNotContain("broker-1.log:1:");
            assertThat(file).doesNotExist();
        }
        InProcess told = plimsoll("bundle", run, "-o", file, "--no-logs", "--notes", "token=plant01Zq7");
        assertThat(told.exit()).isEqualTo(2);
        assertThat(told.err()).doesNotContain("plant01");
        bundle("--no-logs");
        assertThat(contents(file).keySet()).noneMatch(name -> name.endsWith(".log"));
        edit("plimsoll.log", text -> "https://alice:plant01Zq7@schemas/ password = (redacted)\n");
        // Of Kafka 2.8.
        edit(
                "broker-logs/broker-1.log",
                text -> "\tpassword.encoder.cipher.algorithm = AES/CBC/PKCS5Padding\n"
                        + "\tpassword.encoder.iterations = 4096\n\tpassword.encoder.key.length = 128\n");
        bundle();
        assertThat(contents(file).get("runs/sound/plimsoll.log")).contains("://(redacted)@schemas");
        edit("result.json", text -> text.replaceFirst("\n", "\n  \"my.api.key\":\"plant01Zq7\",\n"));
        InProcess inResult = plimsoll("bundle", run, "-o", file);
        assertThat(inResult.exit()).isEqualTo(2);
        assertThat(inResult.err()).contains("result.json:2").doesNotContain("plant01");
    }

    @Test
    void bundlesRunThroughLink() throws IOException {
        Path recorded = run;
        run = Files.createSymbolicLink(temp.resolve("latest"), recorded);
        bundle();
        assertThat(contents(file)).containsKeys("runs/latest/result.json", "runs/latest/timeline.jsonl");
        Path odd = Files.createDirectory(temp.resolve("odd"));
        Files.createSymbolicLink(odd.resolve(RunDirectory.TIMELINE), recorded.resolve(RunDirectory.TIMELINE));
        InProcess refused = plimsoll("bundle", odd, "-o", temp.resolve("odd.plimsoll.zip"));
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).containsPattern(Said.en("result.noRun.noTimeline", RunDirectory.TIMELINE));
    }

    /** The missing result of a killed run does not count as an edit; a changed label does. */
    @Test
    void incompleteBundleIsNotReportedAsEdited() throws Exception {
        run = temp.resolve("killed");
        RecordedRuns.open("quick", run, 0.6).close();
        bundle();
        assertThat(check(5).out())
                .containsPattern(Said.en("bundle.no.complete"))
                .containsPattern(Said.en("bundle.no.result", "result.json"));
        forge("manifest.json", text -> text.replaceFirst("\"scenario\":\"[^\"]+\"", "\"scenario\":\"other\""));
        check(2);
    }

    @Test
    void galleryFindsBundlesThroughLink() throws IOException {
        bundle();
        Path site = Files.createDirectories(temp.resolve("site/more"));
        Files.move(file, site.resolve("a.plimsoll.zip"));
        Files.createDirectory(
                temp.resolve("site/closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("---------")));
        Path link = Files.createSymbolicLink(temp.resolve("link"), temp.resolve("site"));
        assertThat(Gallery.in(link)).containsExactly(link.resolve("more/a.plimsoll.zip"));
    }

    @Test
    void masksNamesConsistently() throws IOException {
        edit("plimsoll.log", text -> """
                connected to kafka-1.acme.com:9092 (10.1.2.3), then to broker:9093; topic broker
                /home/alice/runs, kafka-1.acme.com, User:alice, 127.0.0.1:9, fe80::1ff:fe23:4567:890a, at 10:37:09
                """);
        bundle("--anonymous", "--notes", "on kafka-1.acme.com");
        Map<String, String> contents = contents(file);
        assertThat(contents.get("runs/sound/plimsoll.log")).isEqualTo("""
                connected to host-1:9092 (address-1), then to host-2:9093; topic broker
                /home/user-1/runs, host-1, User:user-1, 127.0.0.1:9, address-2, at 10:37:09
                """);
        assertThat(contents.get("manifest.json")).contains("\"on host-1\"", "\"anonymous\":true");
        check(0);
    }

    @Test
    void masksDomainOfHostWithShortName() throws IOException {
        edit("plimsoll.log", text -> "kafka-1:9092, kafka-1.acme.com:9092, by kafka-1.acme.com and kafka-1\n");
        bundle("--anonymous");
        assertThat(contents(file).get("runs/sound/plimsoll.log"))
                .isEqualTo("host-1:9092, host-2:9092, by host-2 and host-1\n");
    }

    @Test
    void masksNamesWithSpacesOrOutsideAscii() throws IOException {
        edit("plimsoll.log", text -> """
                /home/张伟/runs by 张伟, /Users/Jane Doe/x, "/Users/Jane Doe", /home/bob to /tmp, User:李娜
                """);
        bundle("--anonymous", "--notes", "三月，by 张伟");
        Map<String, String> contents = contents(file);
        assertThat(contents.get("runs/sound/plimsoll.log")).isEqualTo("""
                /home/user-1/runs by user-1, /Users/user-2/x, "/Users/user-2", /home/user-3 to /tmp, User:user-4
                """);
        JsonNode manifest = Json.MAPPER.readTree(contents.get("manifest.json").getBytes(StandardCharsets.ISO_8859_1));
        assertThat(manifest.get("notes").asText()).isEqualTo("三月，by user-1");
        check(0);
    }

    @Test
    void galleryPrintsNoControlCharacter() throws IOException {
        bundle();
        Map<String, String> contents = contents(file);
        contents.put("runs/\u001b[2J.log", "evil");
        pack(contents);
        InProcess shown = plimsoll("gallery", temp, "-o", temp.resolve("site"));
        assertThat(shown.err()).contains("runs/ [2J.log").doesNotContain("\u001b");
    }

    @Test
    void refusesHostileArchives() throws Exception {
        bundle();
        Map<String, String> sound = contents(file);
        for (String name : new String[] {
            "../evil",
            "runs/../../evil",
            "/etc/evil",
            "runs/a/../../x.log",
            "runs/a/evil.html",
            "runs/a/b\\..\\evil.log"
        }) {
            Map<String, String> contents = new LinkedHashMap<>(sound);
            contents.put(name, "evil");
            pack(contents);
            assertThat(check(2).err()).containsPattern(Said.en("bundle.illegalName", name));
        }
        Map<String, String> more = new LinkedHashMap<>(sound);
        more.put("runs/sound/plimsoll.log", "unlisted");
        pack(more);
        assertThat(check(2).err()).containsPattern(Said.en("bundle.notListed"));
        Files.writeString(file, "PK\3\4 and no archive");
        check(2);
        pack(sound);
        forge("runs/sound/timeline.jsonl", text -> text.replaceFirst("\"measured\":\\{", "\"measured\":[{"));
        check(2);
        try (Stream<Path> all = Files.walk(temp)) {
            assertThat(all).noneMatch(each -> each.endsWith("evil"));
        }
    }

    @Test
    void galleryListsSoundAndDamagedBundles(Browser browser) throws Exception {
        bundle("--system", "<script>alert(1)</script>");
        Path damaged = Files.copy(file, temp.resolve("b.plimsoll.zip"));
        file = damaged;
        Map<String, String> contents = contents(file);
        contents.remove("runs/sound/result.json");
        pack(contents);
        Path site = temp.resolve("site");
        InProcess shown = plimsoll("gallery", temp, "-o", site);
        assertThat(shown.exit()).as(shown.err()).isZero();
        assertThat(shown.err())
                .containsPattern(Said.en("bundle.damaged", damaged, null))
                .containsPattern(Said.en("cli.gallery.written", 2, 1, 0));
        assertThat(site.resolve("1-sound.html")).exists();
        assertThat(Files.readString(site.resolve("index.html")))
                .contains("\\u003cscript\\u003ealert(1)")
                .doesNotContain("<script>alert", "src=", "@import", "href=\"http");
        browser.open(site.resolve("index.html"));
        assertThat(browser.all("#gallery tbody tr")).singleElement().satisfies(row -> assertThat(row.getText())
                .contains("<script>alert(1)</script>"));
        assertThat(browser.all("#damaged tbody tr")).hasSize(1);
        for (int width : new int[] {390, 1280}) {
            browser.atWidth(
                    width,
                    () -> assertThat(browser.layoutFaults()).as("%d", width).isEmpty());
        }
        browser.assertNoConsoleMessage();
        browser.find("#gallery tbody a").click();
        browser.awaitTrue("document.querySelector('#verdict')");
    }
}
