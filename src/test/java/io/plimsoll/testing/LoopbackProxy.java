package io.plimsoll.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A local TCP proxy; subclasses define its effect on the data. */
public abstract class LoopbackProxy implements AutoCloseable {
    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile int targetPort;

    LoopbackProxy() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept, "proxy-accept");
    }

    public int port() {
        return server.getLocalPort();
    }

    public void target(int port) {
        targetPort = port;
    }

    /** Starts forwarding in new threads. */
    abstract void connected(Socket client, Socket broker);

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                sockets.add(client);
                Socket broker = new Socket(InetAddress.getLoopbackAddress(), targetPort);
                sockets.add(broker);
                client.setTcpNoDelay(true);
                broker.setTcpNoDelay(true);
                connected(client, broker);
            } catch (IOException e) {
                // the proxy is closed, or the broker is not up yet: the client retries
                endUnpaired();
            }
        }
    }

    /** Disconnects a client without a reachable broker, so that it does not wait for its timeout. */
    private void endUnpaired() {
        if (sockets.size() % 2 != 0) {
            try {
                sockets.remove(sockets.size() - 1).close();
            } catch (IOException e) {
                // already gone
            }
        }
    }

    static void daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
