import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/**
 * A TLS 1.3 proxy in front of a plaintext broker on 127.0.0.1. It is a separate process, so that the CPU time of a client
 * contains no work of the server. Responses contain this port instead of the broker's.
 *
 * <p>{@code java TlsFront.java BROKER_PORT KEYSTORE PASSWORD} prints its port and runs until it is killed.
 */
public final class TlsFront {
    private static final int BYTES = 1 << 17;

    private final int brokerPort;
    private final SSLServerSocket server;

    private TlsFront(int brokerPort, SSLServerSocket server) {
        this.brokerPort = brokerPort;
        this.server = server;
    }

    public static void main(String[] arguments) throws Exception {
        char[] password = arguments[2].toCharArray();
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(KeyStore.getInstance(new File(arguments[1]), password), password);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(keys.getKeyManagers(), null, null);
        SSLServerSocket server = (SSLServerSocket) context.getServerSocketFactory()
                .createServerSocket(0, 100, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        System.out.println(server.getLocalPort());
        new TlsFront(Integer.parseInt(arguments[0]), server).serve();
    }

    private void serve() throws IOException {
        while (true) {
            Socket near = server.accept();
            near.setTcpNoDelay(true);
            Socket far = new Socket("127.0.0.1", brokerPort);
            far.setTcpNoDelay(true);
            start(() -> copy(near, far, false));
            start(() -> copy(far, near, true));
        }
    }

    private static void start(Runnable copying) {
        Thread thread = new Thread(copying, "tls-front");
        thread.setDaemon(true);
        thread.start();
    }

    private void copy(Socket from, Socket to, boolean answers) {
        byte[] bytes = new byte[BYTES];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                if (answers) {
                    nameThisPort(bytes, length);
                }
                out.write(bytes, 0, length);
            }
        } catch (IOException e) {
            // One end has closed, so the other closes, too.
        }
    }

    private void nameThisPort(byte[] bytes, int length) {
        byte[] host = "127.0.0.1".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer answer = ByteBuffer.wrap(bytes, 0, length);
        for (int at = 0; at + host.length + Integer.BYTES <= Math.min(length, 512); at++) {
            int after = at + host.length;
            if (answer.slice(at, host.length).equals(ByteBuffer.wrap(host)) && answer.getInt(after) == brokerPort) {
                answer.putInt(after, server.getLocalPort());
            }
        }
    }
}
