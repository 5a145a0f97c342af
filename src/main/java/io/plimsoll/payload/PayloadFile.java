package io.plimsoll.payload;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** Reads payload files; the only class of this package with file access. */
public final class PayloadFile {
    /** Maximum size, because all pieces are held in memory. */
    public static final long MAX_BYTES = 512_000_000;

    /**
     * The non-empty pieces between the delimiters, byte for byte.
     * @param delimiter at least one character, in UTF-8
     * @throws PlimsollException ({@code USAGE}) if the file is missing, unreadable, empty or larger than {@link
     *     #MAX_BYTES}
     */
    public static List<byte[]> read(String path, String delimiter) {
        return read(Path.of(path), delimiter);
    }

    /**
     * Whole files, byte for byte, in the given order.
     * @throws PlimsollException ({@code USAGE}) if one is missing, unreadable or empty, or if together they exceed
     *     {@link #MAX_BYTES}
     */
    public static List<byte[]> readWhole(List<String> paths) {
        List<byte[]> files = new ArrayList<>();
        long left = MAX_BYTES;
        for (String path : paths) {
            Path file = Path.of(path);
            requireFile(file);
            try {
                if (Files.size(file) > left) {
                    throw problem(file, "payload.file.allTooLarge", MAX_BYTES / 1_000_000);
                }
                byte[] contents = Files.readAllBytes(file);
                if (contents.length == 0) {
                    throw problem(file, "payload.file.empty");
                }
                left -= contents.length;
                files.add(contents);
            } catch (IOException e) {
                throw unreadable(file, e);
            }
        }
        return List.copyOf(files);
    }

    static List<byte[]> read(Path file, String delimiter) {
        if (delimiter.isEmpty()) {
            throw problem(file, "payload.file.noDelimiter");
        }
        requireFile(file);
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw problem(file, "payload.file.tooLarge", Files.size(file) / 1_000_000, MAX_BYTES / 1_000_000);
            }
            List<byte[]> pieces;
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
                pieces = split(in, delimiter.getBytes(StandardCharsets.UTF_8));
            }
            if (pieces.isEmpty()) {
                throw problem(file, "payload.file.onlyDelimiters");
            }
            return pieces;
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** The checksum of the contents of files; {@link Exit#USAGE} if one is unreadable. */
    public static String checksum(List<String> paths) {
        CRC32C sum = new CRC32C();
        for (String path : paths) {
            try (OutputStream summed = new CheckedOutputStream(OutputStream.nullOutputStream(), sum)) {
                Files.copy(Path.of(path), summed);
            } catch (IOException e) {
                throw unreadable(Path.of(path), e);
            }
        }
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }

    private static void requireFile(Path file) {
        if (!Files.exists(file)) {
            throw problem(file, "payload.file.missing");
        }
        if (Files.isDirectory(file)) {
            throw problem(file, "payload.file.directory");
        }
    }

    private static PlimsollException unreadable(Path file, IOException e) {
        return Exit.USAGE.because(e, "payload.fileNotRead", file, e.getMessage());
    }

    private static PlimsollException problem(Path file, String key, Object... arguments) {
        return Exit.USAGE.because("payload.fileUnusable", file, Sentence.of(key, arguments));
    }

    private static List<byte[]> split(InputStream in, byte[] delimiter) throws IOException {
        List<byte[]> pieces = new ArrayList<>();
        Piece piece = new Piece();
        for (int next = in.read(); next >= 0; next = in.read()) {
            piece.write(next);
            if ((byte) next == delimiter[delimiter.length - 1] && piece.endsWith(delimiter)) {
                piece.moveTo(pieces, delimiter.length);
            }
        }
        piece.moveTo(pieces, 0);
        return List.copyOf(pieces);
    }

    private static final class Piece extends ByteArrayOutputStream {
        boolean endsWith(byte[] delimiter) {
            int start = count - delimiter.length;
            return start >= 0 && Arrays.equals(buf, start, count, delimiter, 0, delimiter.length);
        }

        void moveTo(List<byte[]> pieces, int without) {
            count -= without;
            if (count > 0) {
                pieces.add(toByteArray());
            }
            reset();
        }
    }
}
