package io.plimsoll.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;

/** A proxy that recognizes produce requests and responses and lets a test change them. */
public final class FrameProxy extends LoopbackProxy {
    private static final short PRODUCE = 0;
    private static final short FETCH = 1;
    private static final int CRC_AT = 17;
    private static final int CRC_FROM = 21;
    private static final int HEADER_BYTES = 61;

    /** Changes to produce requests and responses; called by connection threads. */
    public interface Tamper {
        /** @return the frames to send now, in order */
        default List<byte[]> request(byte[] frame) {
            return List.of(frame);
        }

        /** @return false to close the connection instead of forwarding this response */
        default boolean answer() {
            return true;
        }

        /** Error code to set in this fetch response; 0 for no change. */
        default short fetchError() {
            return 0;
        }

        /** Throttle time in milliseconds to set in this response. */
        default int throttle() {
            return 0;
        }
    }

    /** No changes. */
    public static final Tamper HONEST = new Tamper() {};

    /** Drops every thirtieth of the first hundred responses. */
    public static Tamper withoutSomeAnswers() {
        AtomicInteger answers = new AtomicInteger();
        return new Tamper() {
            @Override
            public boolean answer() {
                int n = answers.incrementAndGet();
                return n % 30 != 0 || n > 100;
            }
        };
    }

    private volatile Tamper tamper = HONEST;

    public FrameProxy() throws IOException {}

    public void tamper(Tamper with) {
        tamper = with;
    }

    @Override
    void connected(Socket client, Socket broker) {
        Map<Integer, Short> asked = new ConcurrentHashMap<>();
        daemon(() -> pump(client, broker, frame -> requests(frame, asked)), "frame-proxy-out");
        daemon(() -> pump(broker, client, frame -> answers(frame, asked)), "frame-proxy-in");
    }

    private interface Step {
        /** Null closes the connection. */
        List<byte[]> of(byte[] frame);
    }

    private static void pump(Socket from, Socket to, Step step) {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            DataOutputStream out = new DataOutputStream(to.getOutputStream());
            while (true) {
                byte[] frame = new byte[in.readInt()];
                in.readFully(frame);
                List<byte[]> frames = step.of(frame);
                if (frames == null) {
                    return;
                }
                for (byte[] one : frames) {
                    ByteBuffer whole = ByteBuffer.allocate(4 + one.length);
                    whole.putInt(one.length).put(one);
                    out.write(whole.array());
                }
            }
        } catch (IOException e) {
            // the connection ended
        }
    }

    private List<byte[]> requests(byte[] frame, Map<Integer, Short> asked) {
        ByteBuffer header = ByteBuffer.wrap(frame);
        asked.put(header.getInt(4), header.getShort(0));
        return header.getShort(0) == PRODUCE ? tamper.request(frame) : List.of(frame);
    }

    private List<byte[]> answers(byte[] frame, Map<Integer, Short> asked) {
        short api = asked.remove(ByteBuffer.wrap(frame).getInt(0));
        short error = api == FETCH ? tamper.fetchError() : 0;
        if (error != 0) {
            // After the correlation id, tagged fields, and throttle time.
            ByteBuffer.wrap(frame).putShort(9, error);
        }
        boolean answersProduce = api == PRODUCE;
        if (answersProduce && !tamper.answer()) {
            return null;
        }
        int throttle = answersProduce ? tamper.throttle() : 0;
        if (throttle > 0) {
            // The last field before the empty tagged fields.
            ByteBuffer.wrap(frame).putInt(frame.length - 5, throttle);
        }
        return List.of(frame);
    }

    /** Position of the record batch in a produce request for one partition. */
    public static int batchAt(byte[] frame) {
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        for (int at = 8; at + HEADER_BYTES <= frame.length; at++) {
            int length = bytes.getInt(at + 8);
            boolean fits = frame[at + 16] == 2 && length >= HEADER_BYTES - 12 && length <= frame.length - at - 12;
            if (fits && crc(frame, at) == bytes.getInt(at + CRC_AT)) {
                return at;
            }
        }
        throw new IllegalArgumentException("a produce request without a batch");
    }

    public static int batchEnd(byte[] frame, int batchAt) {
        return batchAt + 12 + ByteBuffer.wrap(frame).getInt(batchAt + 8);
    }

    public static int recordsOf(byte[] frame, int batchAt) {
        return ByteBuffer.wrap(frame).getInt(batchAt + 57);
    }

    /** Recomputes the CRC of the batch. */
    public static void repair(byte[] frame, int batchAt) {
        ByteBuffer.wrap(frame).putInt(batchAt + CRC_AT, crc(frame, batchAt));
    }

    private static int crc(byte[] frame, int batchAt) {
        CRC32C crc = new CRC32C();
        crc.update(frame, batchAt + CRC_FROM, batchEnd(frame, batchAt) - batchAt - CRC_FROM);
        return (int) crc.getValue();
    }
}
