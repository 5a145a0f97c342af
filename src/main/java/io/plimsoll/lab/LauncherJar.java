package io.plimsoll.lab;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * A jar of {@link BrokerMain} and the brokers' logging configuration alone. With it a broker's class path is the same
 * in a build, in a test and in an installation, does not change when the program is rebuilt under a running lab, and
 * holds nothing of ours but what the broker needs.
 */
final class LauncherJar {
    private static final String[] CONTENT = {"io/plimsoll/lab/BrokerMain.class", "io/plimsoll/lab/broker-log4j2.xml"};

    private LauncherJar() {}

    /** The bytes of the jar, the same for the same build. */
    static byte[] bytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes)) {
            for (String name : CONTENT) {
                JarEntry entry = new JarEntry(name);
                entry.setTime(0);
                jar.putNextEntry(entry);
                try (InputStream in = LauncherJar.class.getClassLoader().getResourceAsStream(name)) {
                    if (in == null) {
                        throw new IOException("missing in the program: " + name);
                    }
                    in.transferTo(jar);
                }
                jar.closeEntry();
            }
        }
        return bytes.toByteArray();
    }
}
