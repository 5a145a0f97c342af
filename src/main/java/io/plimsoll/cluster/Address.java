package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One entry of a bootstrap list. */
record Address(String host, int port) {
    private static final Pattern HOST_PORT =
            Pattern.compile("(?:[A-Za-z][A-Za-z0-9_]*://)?(\\[[^\\]]+\\]|[^\\[\\]:/\\s]+):([0-9]{1,6})");

    /** Reads {@code host:port,...}; every mistake is a usage error that quotes the entry. */
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
