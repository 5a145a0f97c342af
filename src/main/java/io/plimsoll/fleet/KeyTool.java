package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The JDK's keytool, which makes certificates without a library of ours. */
final class KeyTool {
    static final String STORE_TYPE = "PKCS12";
    static final String NEW_KEY = "-genkeypair -keyalg EC -groupname secp256r1 -alias ";

    private static final String TOKEN_DAYS = "3650";
    private static final int LIMIT_SECONDS = 60;

    private KeyTool() {}

    /** Makes the key and certificate of a {@link FleetToken} in this directory. */
    static Path token(Path directory) {
        Path store = directory.resolve(FleetToken.NAME);
        try {
            Files.writeString(directory.resolve(Certificates.PASSWORD), FleetToken.PASSWORD);
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
        run(
                directory,
                NEW_KEY + "token -validity " + TOKEN_DAYS,
                Map.of("-dname", "CN=plimsoll fleet token", "-keystore", store));
        return store;
    }

    /**
     * Runs keytool.
     *
     * @param of directory with the password; on the command line everybody could read it
     * @param words of the command
     * @param options whose values may hold spaces
     */
    static void run(Path of, String words, Map<String, Object> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        // Several of them one after the other: most of what each takes is its start.
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(words.split(" ")));
        options.forEach((name, value) -> command.addAll(List.of(name, value.toString())));
        command.addAll(List.of(
                "-storetype",
                STORE_TYPE,
                "-storepass:file",
                of.resolve(Certificates.PASSWORD).toString()));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw Exit.INTERNAL.because("fleet.noCertificateMade", said.strip());
            }
        } catch (IOException e) {
            throw unwritable(of, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Exit.INTERRUPTED.because(e, "fleet.interruptedMakingCertificates");
        }
    }

    static PlimsollException unwritable(Path of, IOException e) {
        return Exit.USAGE.because(e, "fleet.cannotWriteCertificates", of, e.getMessage());
    }
}
