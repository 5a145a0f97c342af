package io.plimsoll.scenario;

import io.plimsoll.scenario.FaultSpec.Action;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.scenario.Rate.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads an element of {@code faults}. */
final class FaultBinder {
    static final String TARGETS = "a broker's id such as 2, leader of events-0, controller, any or each";

    private static final List<String> ACTIONS = List.of(
            "kill", "stop", "pause", "slow", "cut", "halfOpen", "fillDisk", "killMember", "pauseMember", "exec");
    private static final List<String> ENDED_BY_A_START = List.of("kill", "stop", "killMember");
    private static final Map<String, List<String>> BELONGS_TO = Map.of(
            "delay", List.of("slow"),
            "jitter", List.of("slow"),
            "bandwidth", List.of("slow"),
            "diskSize", List.of("fillDisk"),
            "on", List.of("exec"),
            "undo", List.of("exec"),
            "restartAfter", ENDED_BY_A_START,
            "for", ACTIONS.stream().filter(a -> !ENDED_BY_A_START.contains(a)).toList());
    private static final int DEFAULT_DISK_BYTES = 512 << 20;
    private static final int LEAST_DISK_BYTES = 64 << 20;

    private final Form form;
    private final FaultTargets targets;
    private final Scale scale;
    private final Optional<Duration> loadEnds;

    /** @param loadEnds the length of the measured window; empty if it ends with a number of records */
    FaultBinder(Form form, FaultTargets targets, Scale scale, Optional<Duration> loadEnds) {
        this.form = form;
        this.targets = targets;
        this.scale = scale;
        this.loadEnds = loadEnds;
    }

    /** @return empty, with a problem added, if it cannot be told what is meant */
    Optional<FaultSpec> bind() {
        Optional<String> kind = form.only(ACTIONS, "one of the keys " + String.join(", ", ACTIONS));
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        String action = kind.get();
        BELONGS_TO.forEach((key, actions) -> {
            if (form.has(key) && !actions.contains(action)) {
                form.problemAtKey(key, belongs(key, action));
            }
        });
        Optional<Action> what = action(action);
        Optional<Target> whom = target(action);
        Optional<Duration> every = form.read("every", Quantities::duration).map(scale::time);
        Optional<Duration> at = form.read("at", Quantities::durationOrZero).map(scale::time);
        if (!form.has("at") && !form.has("every")) {
            form.problem("says not when: give at, such as at: 10s, or every, such as every: 30s");
        }
        Optional<Duration> lasting = ENDED_BY_A_START.contains(action)
                ? form.read("restartAfter", Quantities::durationOrZero).map(scale::time)
                : form.read("for", Quantities::duration).map(scale::time);
        Duration first = at.or(() -> every).orElse(Duration.ZERO);
        checkTimes(first, every, lasting);
        if (whom.isPresent() && whom.get() instanceof Target.Each && lasting.isEmpty()) {
            form.problem("each broker in turn needs an end to each: give "
                    + (ENDED_BY_A_START.contains(action) ? "restartAfter" : "for"));
        }
        if (what.isEmpty() || whom.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new FaultSpec(text(action), what.get(), whom.get(), first, every, lasting));
    }

    private static String belongs(String key, String action) {
        List<String> actions = BELONGS_TO.get(key);
        String instead =
                switch (key) {
                    case "restartAfter" -> "; with " + action + " give for";
                    case "for" -> "; with " + action + " give restartAfter";
                    default -> "";
                };
        return "belongs to " + String.join(", ", actions) + " and not to " + action + instead;
    }

    private void checkTimes(Duration first, Optional<Duration> every, Optional<Duration> lasting) {
        if (loadEnds.isPresent() && first.compareTo(loadEnds.get()) >= 0) {
            form.problem(
                    form.has("at") ? "at" : "every",
                    Quantities.text(first) + " is not within the measured window, which is "
                            + Quantities.text(loadEnds.get()) + " long");
        }
        if (every.isPresent() && lasting.isPresent() && lasting.get().compareTo(every.get()) >= 0) {
            form.problem(
                    "every",
                    "comes again after " + Quantities.text(every.get()) + ", when the last one, of "
                            + Quantities.text(lasting.get()) + ", is not over");
        }
        if (every.isPresent() && lasting.isEmpty() && !form.has("exec")) {
            form.problem("every", "needs an end to each: give for or restartAfter");
        }
    }

    private Optional<Action> action(String kind) {
        return switch (kind) {
            case "kill" -> Optional.of(new Action.Kill());
            case "stop" -> Optional.of(new Action.Stop());
            case "pause" -> Optional.of(new Action.Pause());
            case "slow" -> slow();
            case "cut" -> Optional.of(new Action.Cut());
            case "halfOpen" -> Optional.of(new Action.HalfOpen());
            case "fillDisk" ->
                Optional.of(new Action.FillDisk(
                        form.read("diskSize", FaultBinder::diskSize).orElse(DEFAULT_DISK_BYTES)));
            case "killMember" -> Optional.of(new Action.KillMember());
            case "pauseMember" -> Optional.of(new Action.PauseMember());
            default -> form.scalar("exec").map(command -> new Action.Exec(command, form.scalar("undo")));
        };
    }

    private static int diskSize(String text) {
        int bytes = Quantities.size(text);
        if (bytes < LEAST_DISK_BYTES) {
            throw new IllegalArgumentException(
                    "expected a disk of at least 64MiB, because a broker needs some, found " + Texts.quoted(text));
        }
        return bytes;
    }

    private Optional<Action> slow() {
        if (!form.has("delay") && !form.has("bandwidth")) {
            form.problem("slows nothing: give delay, such as delay: 100ms, or bandwidth, such as bandwidth: 5MB/s");
        }
        Duration delay = form.read("delay", Quantities::duration).orElse(Duration.ZERO);
        Duration jitter = form.read("jitter", Quantities::durationOrZero).orElse(Duration.ZERO);
        if (jitter.compareTo(delay) > 0) {
            form.problem("jitter", "is more than the delay, which cannot become negative");
        }
        double bandwidth = form.read("bandwidth", FaultBinder::bandwidth).orElse(0.0);
        return Optional.of(new Action.Slow(delay, jitter, bandwidth));
    }

    private static double bandwidth(String text) {
        Quantity rate = Quantities.rate(text);
        if (rate.unit() == Unit.RECORDS) {
            throw new IllegalArgumentException("expected bytes per second such as 5MB/s, found " + Texts.quoted(text));
        }
        return rate.value();
    }

    private Optional<Target> target(String kind) {
        if (kind.equals("exec")) {
            return form.has("on") ? form.read("on", targets::broker) : Optional.of(new Target.Any());
        }
        return kind.endsWith("Member") ? form.read(kind, targets::member) : form.read(kind, targets::broker);
    }

    private String text(String action) {
        List<String> words = new ArrayList<>();
        words.add(
                switch (action) {
                    case "halfOpen" -> "half-open";
                    case "fillDisk" -> "fill the disk of";
                    case "killMember" -> "kill a member of";
                    case "pauseMember" -> "pause a member of";
                    default -> action;
                });
        String whom = form.scalar(action).orElse("");
        boolean anyMember = action.endsWith("Member") && whom.equals("any");
        words.add(whom.matches("\\d+") ? "broker " + whom : anyMember ? "any group" : Texts.shown(whom));
        if (action.equals("slow")) {
            form.scalar("delay").ifPresent(delay -> words.add("by " + delay));
            form.scalar("jitter").ifPresent(jitter -> words.add("± " + jitter));
            form.scalar("bandwidth").ifPresent(rate -> words.add("to " + rate));
        }
        return String.join(" ", words);
    }
}
