package io.plimsoll;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The JDK's keytool, which makes certificates: the JDK has no other way to that which is public. Stateless. */
public final class KeyTool {
    public static final String STORE_TYPE = "PKCS12";
    public static final String NEW_KEY = "-genkeypair -keyalg EC -groupname secp256r1 -alias ";

    private static final int LIMIT_SECONDS = 60;

    private KeyTool() {}

    /**
     * Runs it.
     *
     * @param password file with that of all stores; on the command line everybody could read it
     * @param words of the command
     * @param options whose values may hold spaces
     * @throws PlimsollException {@link Exit#INTERNAL} with what it said, if it could not
     */
    public static void run(Path password, String words, Map<String, ?> options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        // Several of them one after the other: most of what each takes is its start.
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(words.split(" ")));
        options.forEach((name, value) -> command.addAll(List.of(name, value.toString())));
        command.addAll(List.of("-storetype", STORE_TYPE, "-storepass:file", password.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Exit.INTERNAL.when(
                    !process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0,
                    "text.noCertificate",
                    said.strip());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Exit.INTERRUPTED.because(e, "text.interruptedMakingCertificates");
        } finally {
            process.destroyForcibly();
        }
    }

    /** A host's name or address, as a certificate says for whom it is. */
    public static String subject(String host) {
        return (host.contains(":") || host.matches("[0-9.]+") ? "ip:" : "dns:") + host;
    }
}
