package io.plimsoll.fleet;

import io.plimsoll.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files for login secrets that Kafka reads only from files (keytab and token), received as {@link LoginText}. They are in a
 * directory accessible only to the agent's user, and deleted on close.
 */
final class LoginFiles implements AutoCloseable {
    private static final Pattern SENT = Pattern.compile(Pattern.quote(LoginText.DATA) + "([A-Za-z0-9+/=]*)");

    private final List<Path> made = new ArrayList<>();

    /** Writes the files and returns the properties with their names. */
    Map<String, String> write(Map<String, String> properties) {
        Map<String, String> named = new LinkedHashMap<>();
        properties.forEach((name, value) -> {
            boolean url = name.endsWith(".url");
            Matcher sent = SENT.matcher(value);
            named.put(name, sent.replaceAll(found -> {
                Path file = file(Base64.getDecoder().decode(found.group(1)));
                return Matcher.quoteReplacement(url ? file.toUri().toString() : file.toString());
            }));
        });
        return named;
    }

    private Path file(byte[] content) {
        try {
            if (made.isEmpty()) {
                made.add(Files.createTempDirectory("plimsoll-login-"));
            }
            Path file = Files.createTempFile(made.get(0), "login-", "");
            made.add(file);
            return Files.write(file, content);
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "fleet.loginFileUnwritable", e.getMessage());
        }
    }

    @Override
    public void close() {
        for (int i = made.size() - 1; i >= 0; i--) {
            try {
                Files.deleteIfExists(made.get(i));
            } catch (IOException e) {
                made.get(i).toFile().deleteOnExit();
            }
        }
        made.clear();
    }
}
