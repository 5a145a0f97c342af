package io.plimsoll.lab;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/** A Kerberos realm in this JVM, with a lab's service and users in one keytab. */
public final class TestKdc implements AutoCloseable {
    private static final String REALM = "PLIMSOLL.TEST";

    private final SimpleKdcServer server;
    private final Path directory;

    /** @param directory for its configuration and the keytab */
    public TestKdc(Path directory) throws KrbException, IOException {
        this.directory = directory;
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        server = new SimpleKdcServer();
        server.setWorkDir(directory.toFile());
        server.setKdcHost("localhost");
        server.setKdcRealm(REALM);
        server.setKdcTcpPort(port);
        server.setAllowUdp(false);
        server.init();
        server.start();
        awaitListening(port);
        server.createAndExportPrincipals(keytab().toFile(), "kafka/localhost", LabLogins.ADMIN, LabLogins.USER);
    }

    /** Its threads may start to listen after it reports its start. */
    private static void awaitListening(int port) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            try (Socket tried = new Socket("localhost", port)) {
                return;
            } catch (ConnectException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    private Path keytab() {
        return directory.resolve("lab.keytab");
    }

    /** The words for {@code --security}. */
    public String words() {
        return "GSSAPI,realm=" + REALM + ",keytab=" + keytab() + ",krb5=" + directory.resolve("krb5.conf");
    }

    @Override
    public void close() throws KrbException {
        server.stop();
    }

    /** For {@code bench/security-matrix}: prints the words and stays until standard input ends. */
    public static void main(String[] args) throws Exception {
        try (TestKdc kdc = new TestKdc(Files.createDirectories(Path.of(args[0])))) {
            System.out.println(kdc.words());
            while (System.in.read() >= 0) {
                // The starting process is still alive.
            }
        }
    }
}
