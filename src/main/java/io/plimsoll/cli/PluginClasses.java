package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Classes of the user's own that client properties name, such as the login of a cloud provider. */
final class PluginClasses {
    private PluginClasses() {}

    /**
     * Has Kafka's clients find the classes in these directories and in the jars there. They look in the context class
     * loader of their thread, which each thread takes over from the one that made it.
     *
     * @throws PlimsollException {@link Exit#USAGE} naming the directory that is none, or holds no classes
     */
    static void load(List<Path> directories) {
        List<URL> urls = new ArrayList<>();
        for (Path directory : directories) {
            try (Stream<Path> files = Files.list(directory)) {
                List<Path> jars = files.filter(file -> file.toString().endsWith(".jar"))
                        .sorted()
                        .toList();
                for (Path jar : jars) {
                    urls.add(url(jar));
                }
                urls.add(url(directory));
                Exit.USAGE.when(jars.isEmpty() && !holdsClasses(directory), "cli.noClassesIn", directory);
            } catch (IOException e) {
                throw Exit.USAGE.because(e, "cli.noClassDirectory", directory);
            }
        }
        Thread thread = Thread.currentThread();
        // Never closed: its classes are used until the process ends.
        thread.setContextClassLoader(new URLClassLoader(urls.toArray(new URL[0]), Main.class.getClassLoader()));
    }

    private static boolean holdsClasses(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.anyMatch(file -> file.toString().endsWith(".class"));
        }
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }
}
