package io.plimsoll;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads files of users, none of which is larger than such a file ever is. Stateless. */
public final class InputFile {
    /** Most bytes of what people write by hand: scenarios, and the files of other tools in their place. */
    public static final int WRITTEN = 4_000_000;

    /** Most bytes of properties, and of a password. */
    public static final int LINES = 1_000_000;

    /** Most bytes of what programs have saved: results and logs. */
    public static final int SAVED = 400_000_000;

    /** Editors of Windows put it first; it is no part of the text. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private static final int PIPE_SECONDS = 5;

    private InputFile() {}

    /**
     * The text of a file.
     *
     * @param most bytes
     * @throws PlimsollException {@link Exit#USAGE} if it is larger
     * @throws IOException if it cannot be read, or is not UTF-8
     */
    public static String text(Path file, int most) throws IOException {
        return utf8(bytes(file, most));
    }

    /**
     * The text of a file of properties: UTF-8, or ISO-8859-1, which Java and with it Kafka's tools take such files for.
     *
     * @throws PlimsollException {@link Exit#USAGE} if it is larger than {@link #LINES}
     * @throws IOException if it cannot be read
     */
    public static String properties(Path file) throws IOException {
        byte[] bytes = bytes(file, LINES);
        try {
            return utf8(bytes);
        } catch (CharacterCodingException e) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    private static byte[] bytes(Path file, int most) throws IOException {
        requireAtMost(file, most);
        try (InputStream in = open(file)) {
            // A file that is not a regular one reports no size.
            byte[] bytes = in.readNBytes(most + 1);
            if (bytes.length > most) {
                throw tooLarge(file, most);
            }
            return bytes;
        }
    }

    private static String utf8(byte[] bytes) throws CharacterCodingException {
        String text = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    /** Opening a named pipe waits for a writer, which may never come. */
    private static InputStream open(Path file) throws IOException {
        boolean pipe = Files.exists(file)
                && Files.readAttributes(file, BasicFileAttributes.class).isOther();
        if (!pipe) {
            return Files.newInputStream(file);
        }
        CompletableFuture<InputStream> opened = new CompletableFuture<>();
        Daemon.start("plimsoll-pipe", () -> {
            try {
                opened.complete(Files.newInputStream(file));
            } catch (IOException e) {
                opened.completeExceptionally(e);
            }
        });
        try {
            return opened.get(PIPE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw Exit.USAGE.because(e, "text.pipeSilent", file, PIPE_SECONDS);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    /** @throws PlimsollException {@link Exit#USAGE} if a file is larger */
    public static void requireAtMost(Path file, int most) throws IOException {
        if (Files.size(file) > most) {
            throw tooLarge(file, most);
        }
    }

    private static PlimsollException tooLarge(Path file, int most) {
        return Exit.USAGE.because("text.fileTooLarge", file, most / 1_000_000);
    }
}
