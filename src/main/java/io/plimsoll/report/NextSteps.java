package io.plimsoll.report;

import io.plimsoll.Typed;
import io.plimsoll.report.Block.Command;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;

/**
 * The next commands for a newcomer, after an unchanged built-in {@code quick} only. Pure.
 */
final class NextSteps {
    private static final String QUICK = "quick";
    private static final double SHARE = 2.0 / 3;

    private NextSteps() {}

    /** @return empty after anything but a {@code quick} that passed */
    static List<Command> of(RunResult result) {
        List<String> typed = result.head().command();
        if (!QUICK.equals(result.head().name()) || !result.verdict().passed() || typed.size() < 2 || changed(typed)) {
            return List.of();
        }
        String same = Typed.program() + " " + Shell.quote(typed.subList(1, typed.size()));
        boolean lab = result.environment() == null
                || result.environment().cluster() == null
                || result.environment().cluster().lab();
        List<Command> steps = new ArrayList<>();
        if (lab) {
            steps.add(new Command(
                    Typed.program() + " run --bootstrap-server HOST:PORT", Sentence.of("report.next.yours")));
        }
        long rate = rate(result.trials());
        if (rate > 0) {
            steps.add(new Command(
                    same + " --set trials=null --set producers.rate=" + rate + "/s",
                    Sentence.of("report.next.latency")));
        }
        if (!lab) {
            steps.add(new Command(same + " --set producers.config.acks=1", Sentence.of("report.next.acks")));
        }
        steps.add(new Command(Typed.program() + " host", Sentence.of("report.next.host")));
        return steps;
    }

    private static boolean changed(List<String> typed) {
        return typed.stream()
                .anyMatch(word -> word.startsWith("--set")
                        || word.startsWith("--scale")
                        || word.endsWith(".yaml")
                        || word.endsWith(".yml")
                        || word.contains("(redacted)"));
    }

    /** Suggested records per second with two significant digits: a share of the closed-loop throughput; 0 without one. */
    private static long rate(List<TrialResult> trials) {
        double most = trials.stream()
                .filter(t -> t.pushed())
                .mapToDouble(t -> t.produce().volume().recordsPerSecond())
                .max()
                .orElse(0);
        if (most < 1.5) {
            return 0;
        }
        double asked = most * SHARE;
        double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(asked)) - 1));
        return Math.round(Math.floor(asked / unit) * unit);
    }
}
