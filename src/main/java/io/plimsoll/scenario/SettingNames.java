package io.plimsoll.scenario;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the settings that trials differ in are called where their whole paths would be too long. Pure. */
public final class SettingNames {
    private static final String CONFIG = ".config.";

    private SettingNames() {}

    /** Such as {@code linger.ms} for {@code producers[0].config.linger.ms}, unless another of them ends likewise. */
    public static String shortName(String path, Set<String> all) {
        String name = lastPart(path);
        return all.stream().filter(other -> lastPart(other).equals(name)).count() == 1 ? name : path;
    }

    /** Such as {@code acks=1 partitions=3}. */
    public static String joined(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(e -> shortName(e.getKey(), parameters.keySet()) + "=" + e.getValue())
                .collect(Collectors.joining(" "));
    }

    /** What is left of a trial's name without the settings that it is called by; empty if those are all of it. */
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

    /** What follows {@code config} is one key, dots included. */
    static String lastPart(String path) {
        int config = path.lastIndexOf(CONFIG);
        return path.substring(config >= 0 ? config + CONFIG.length() : path.lastIndexOf('.') + 1);
    }
}
