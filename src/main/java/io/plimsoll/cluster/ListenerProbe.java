package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Detects with a raw socket which protocol listens at an address. Kafka's client is unsuitable: it retries a refused
 * connection until its timeout, and interprets the start of a TLS or HTTP response as a length of hundreds of
 * megabytes, which it allocates.
 *
 * <p>Every method returns within a few times {@link #TIMEOUT_MILLIS}, name resolution excepted.
 */
final class ListenerProbe {
    static final int TIMEOUT_MILLIS = 10_000;

    private static final short API_VERSIONS = 18;
    private static final short METADATA = 3;
    private static final int CORRELATION_ID = 0x506c696d;
    /** Upper bound of responses to the two requests, even from a cluster of a thousand brokers. */
    private static final int MAX_RESPONSE_BYTES = 1 << 20;

    enum ListenerAnswer {
        UNRESOLVABLE,
        REFUSED,
        CONNECT_TIMEOUT,
        UNREACHABLE,
        /** The port accepts connections; the protocol was not tested. */
        CONNECTED,
        KAFKA,
        TLS,
        HTTP,
        CLOSED,
        SILENT,
        NOT_KAFKA
    }

    /** @param detail message of the operating system or the peer; can be empty */
    record ProbeResult(ListenerAnswer answer, String detail) {
        ProbeResult(ListenerAnswer answer) {
            this(answer, "");
        }
    }

    private ListenerProbe() {}

    static ProbeResult connect(Address address) {
        try (Socket socket = open(address)) {
            return new ProbeResult(ListenerAnswer.CONNECTED);
        } catch (IOException e) {
            return connectFailure(e);
        }
    }

    /** Sends an unencrypted Kafka request; valid for listeners with SASL but without TLS too. */
    static ProbeResult speakPlaintext(Address address) {
        ProbeResult finding;
        try (Socket socket = open(address)) {
            finding = apiVersions(socket);
        } catch (IOException e) {
            return connectFailure(e);
        }
        // Some TLS servers close the connection on invalid bytes.
        return finding.answer == ListenerAnswer.CLOSED && speaksTls(address)
                ? new ProbeResult(ListenerAnswer.TLS)
                : finding;
    }

    /**
     * Addresses advertised by the brokers, from a listener without security.
     *
     * @throws EOFException if the listener closes the connection: it requires authentication
     */
    static List<Address> advertised(Address address) throws IOException {
        try (Socket socket = open(address)) {
            send(socket, METADATA, (short) 1, new byte[4]);
            DataInputStream in = response(socket);
            List<Address> brokers = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                in.readInt();
                String host = string(in);
                brokers.add(new Address(host, in.readInt()));
                string(in);
            }
            return brokers;
        }
    }

    private static Socket open(Address address) throws IOException {
        IOException failure = null;
        // As the client does (client.dns.lookup=use_all_dns_ips): a name can resolve to several addresses.
        for (InetAddress ip : InetAddress.getAllByName(address.host())) {
            Socket socket = new Socket();
            try {
                socket.setSoTimeout(TIMEOUT_MILLIS);
                socket.connect(new InetSocketAddress(ip, address.port()), TIMEOUT_MILLIS);
                return socket;
            } catch (IOException e) {
                socket.close();
                failure = e;
            }
        }
        throw failure == null ? new UnknownHostException(address.host()) : failure;
    }

    private static ProbeResult connectFailure(IOException e) {
        String detail = String.valueOf(e.getMessage());
        if (e instanceof UnknownHostException) {
            return new ProbeResult(ListenerAnswer.UNRESOLVABLE, detail);
        }
        if (e instanceof SocketTimeoutException) {
            return new ProbeResult(ListenerAnswer.CONNECT_TIMEOUT, detail);
        }
        boolean refused = e instanceof ConnectException && detail.contains("refused");
        return new ProbeResult(refused ? ListenerAnswer.REFUSED : ListenerAnswer.UNREACHABLE, detail);
    }

    private static ProbeResult apiVersions(Socket socket) {
        try {
            send(socket, API_VERSIONS, (short) 0, new byte[0]);
            byte[] start = socket.getInputStream().readNBytes(4);
            if (start.length == 0) {
                return new ProbeResult(ListenerAnswer.CLOSED);
            }
            if (start[0] == 0x15 && start.length > 1 && start[1] == 0x03) {
                return new ProbeResult(ListenerAnswer.TLS);
            }
            if (start.length == 4) {
                String text = new String(start, StandardCharsets.ISO_8859_1);
                if (text.equals("HTTP") || text.startsWith("<")) {
                    return new ProbeResult(ListenerAnswer.HTTP);
                }
                DataInputStream in = new DataInputStream(socket.getInputStream());
                int length = ByteBuffer.wrap(start).getInt();
                if (length >= 6 && length <= MAX_RESPONSE_BYTES && in.readInt() == CORRELATION_ID) {
                    return new ProbeResult(ListenerAnswer.KAFKA);
                }
            }
            return new ProbeResult(ListenerAnswer.NOT_KAFKA);
        } catch (SocketTimeoutException e) {
            return new ProbeResult(ListenerAnswer.SILENT);
        } catch (IOException e) {
            // A connection reset or a truncated response.
            return new ProbeResult(ListenerAnswer.CLOSED, String.valueOf(e.getMessage()));
        }
    }

    private static boolean speaksTls(Address address) {
        SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        try (Socket socket = open(address);
                SSLSocket tls = (SSLSocket) factory.createSocket(socket, address.host(), address.port(), true)) {
            tls.setSoTimeout(TIMEOUT_MILLIS);
            tls.startHandshake();
            return true;
        } catch (SSLException e) {
            // An untrusted certificate or an alert is still TLS.
            return Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause)
                            .anyMatch(CertificateException.class::isInstance)
                    || String.valueOf(e.getMessage()).contains("alert");
        } catch (IOException e) {
            return false;
        }
    }

    /** Request header version 1: API key, API version, correlation id, null client id. */
    private static void send(Socket socket, short apiKey, short apiVersion, byte[] body) throws IOException {
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        out.writeInt(2 + 2 + 4 + 2 + body.length);
        out.writeShort(apiKey);
        out.writeShort(apiVersion);
        out.writeInt(CORRELATION_ID);
        out.writeShort(-1);
        out.write(body);
        out.flush();
    }

    private static DataInputStream response(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        int length = in.readInt();
        if (length < 4 || length > MAX_RESPONSE_BYTES) {
            throw new IOException("not a Kafka response");
        }
        DataInputStream body = new DataInputStream(new ByteArrayInputStream(in.readNBytes(length)));
        if (body.readInt() != CORRELATION_ID) {
            throw new IOException("not a Kafka response");
        }
        return body;
    }

    private static String string(DataInputStream in) throws IOException {
        short length = in.readShort();
        return length < 0 ? "" : new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    /** One entry of a bootstrap list. */
    record Address(String host, int port) {
        private static final Pattern HOST_PORT =
                Pattern.compile("(?:[A-Za-z][A-Za-z0-9_]*://)?(\\[[^\\]]+\\]|[^\\[\\]:/\\s]+):([0-9]{1,6})");

        /** Parses {@code host:port,...}; an error is a usage error that quotes the entry. */
        static List<Address> parseAll(String bootstrapServers) {
            List<Address> addresses = new ArrayList<>();
            for (String entry : bootstrapServers.split(",", -1)) {
                addresses.add(parse(entry.strip(), bootstrapServers));
            }
            return addresses;
        }

        private static Address parse(String entry, String all) {
            if (entry.isEmpty()) {
                throw malformed(Sentence.of("cluster.emptyEntry", all));
            }
            Matcher matcher = HOST_PORT.matcher(entry);
            if (!matcher.matches()) {
                throw malformed(Sentence.of("cluster.notHostPort", entry));
            }
            int port = Integer.parseInt(matcher.group(2));
            if (port < 1 || port > 65535) {
                throw malformed(Sentence.of("cluster.noSuchPort", entry, port));
            }
            return new Address(matcher.group(1).replaceAll("[\\[\\]]", ""), port);
        }

        private static PlimsollException malformed(Sentence what) {
            return Exit.USAGE.because("cluster.notAnAddress", what);
        }

        @Override
        public String toString() {
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
    }
}
