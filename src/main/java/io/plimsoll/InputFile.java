package io.plimsoll;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
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

/** Reads user files with a size limit, and resources of the program. Stateless. */
public final class InputFile {
    /** Maximum bytes of handwritten files: scenarios and equivalent files of other tools. */
    public static final int WRITTEN = 4_000_000;

    /** Maximum bytes of property and password files. */
    public static final int LINES = 1_000_000;

    /** Maximum bytes of files saved by programs: results and logs. */
    public static final int SAVED = 400_000_000;

    /** Byte order mark written by Windows editors; not part of the text. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private static final int PIPE_SECONDS = 5;

    /**
     * Reads a text file.
     *
     * @param most maximum size in bytes
     * @throws PlimsollException {@link Exit#USAGE} if it is larger
     * @throws IOException if it is unreadable or not UTF-8
     */
    public static String text(Path file, int most) throws IOException {
        return utf8(bytes(file, most));
    }

    /**
     * Reads a properties file in UTF-8 or, if it is not valid UTF-8, in ISO-8859-1, the encoding used by Java and
     * Kafka's tools.
     *
     * @throws PlimsollException {@link Exit#USAGE} if it is larger than {@link #LINES}
     * @throws IOException if it is unreadable
     */
    public static String properties(Path file) throws IOException {
        byte[] bytes = bytes(file, LINES);
        try {
            return utf8(bytes);
        } catch (CharacterCodingException e) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    /** Reads a resource next to a class, or from the root of the class path if the name begins with a slash. */
    public static String resource(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytes(Path file, int most) throws IOException {
        requireAtMost(file, most);
        try (InputStream in = open(file)) {
            // Special files report size 0, so the bytes read are counted.
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

    /** Opening a named pipe would block until a writer opens it. */
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

    /** @throws PlimsollException {@link Exit#USAGE} if the file has more than {@code most} bytes */
    public static void requireAtMost(Path file, int most) throws IOException {
        if (Files.size(file) > most) {
            throw tooLarge(file, most);
        }
    }

    private static PlimsollException tooLarge(Path file, int most) {
        return Exit.USAGE.because("text.fileTooLarge", file, most / 1_000_000);
    }
}
