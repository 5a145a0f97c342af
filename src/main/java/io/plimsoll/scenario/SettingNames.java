package io.plimsoll.scenario;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Short names of the settings that differ between trials. */
public final class SettingNames {
    private static final String CONFIG = ".config.";

    /**
     * The end of a path, such as {@code linger.ms} for {@code producers[0].config.linger.ms}, or the whole path if
     * another path has the same end.
     */
    public static String shortName(String path, Set<String> all) {
        String name = lastPart(path);
        return all.stream().filter(other -> lastPart(other).equals(name)).count() == 1 ? name : path;
    }

    /** The parameters as text, such as {@code acks=1 partitions=3}. */
    public static String joined(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(e -> shortName(e.getKey(), parameters.keySet()) + "=" + e.getValue())
                .collect(Collectors.joining(" "));
    }

    /** The name of a trial without its settings; can be empty. */
    public static String ownName(String trial, Map<String, String> parameters) {
        String name = trial;
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            String path = parameter.getKey();
            String setting = "(?:" + Pattern.quote(path) + "|" + Pattern.quote(lastPart(path)) + ")="
                    + Pattern.quote(parameter.getValue());
            name = name.replaceFirst("(?:^|[ ,])" + setting + "(?=$|[ ,])", "");
        }
        return name.strip();
    }

    /** The last part of a path. Everything after {@code config} is one key, including dots. */
    static String lastPart(String path) {
        int config = path.lastIndexOf(CONFIG);
        return path.substring(config >= 0 ? config + CONFIG.length() : path.lastIndexOf('.') + 1);
    }
}
