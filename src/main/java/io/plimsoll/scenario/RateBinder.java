package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads {@code rate}. */
final class RateBinder {
    static final Rate UNLIMITED = new Rate.Unlimited();

    private static final Section DAILY = Section.of(
            "a map such as {mean: 1000/s, amplitude: 0.5, period: 24h}",
            Key.part("mean", "a rate such as 1000/s or 20MB/s").about("the rate around which it goes", "围绕其变化的速率"),
            Key.part("amplitude", "a number from 0 to 1")
                    .about("the share of it by which it goes up and down", "上下变化的幅度所占比例"),
            Key.part("period", Key.DURATION).about("how long a day is", "一天有多长"));

    static final Section SHAPE = Section.of(
            "a rate such as 50000/s, 20MB/s, 20MB/s wire, unlimited,"
                    + " {ramp: [1000/s, 50000/s], over: 30s} or {steps: [1000/s, 5000/s], each: 10s}",
            Key.part("ramp", "a list of two rates such as [1000/s, 50000/s]")
                    .about(
                            "linear between two rates during `over`, then constant at the second; the first may be"
                                    + " `0/s`",
                            "在 `over` 时间内于两个速率之间线性变化，之后保持第二个速率；第一个可以是 `0/s`"),
            Key.part("over", Key.DURATION).about("for `ramp`: how long it takes", "用于 `ramp`：变化持续多久"),
            Key.part("steps", "a list of rates such as [1000/s, 5000/s]")
                    .about(
                            "each rate of a list for as long as `each` says, then constant at the last",
                            "列表中的每个速率各保持 `each` 所述时间，之后保持最后一个"),
            Key.part("each", Key.DURATION).about("for `steps`: how long each lasts", "用于 `steps`：每级持续多久"),
            Key.part("daily", DAILY)
                    .about(
                            "a day's curve around `mean`, up and down by the share `amplitude` (0 to 1), one day being"
                                    + " a `period`",
                            "围绕 `mean` 的日变化曲线，按比例 `amplitude`（0 到 1）上下变化，一天为一个 `period`"));

    private RateBinder() {}

    static Rate bind(Form producer, Scale scale) {
        YamlNode node = producer.node("rate").orElse(null);
        if (node instanceof YamlNode.Fields) {
            return producer.form("rate").flatMap(form -> shaped(form, scale)).orElse(UNLIMITED);
        }
        return producer.read("rate", RateBinder::simple).orElse(UNLIMITED);
    }

    private static Rate simple(String text) {
        if (text.equals("unlimited")) {
            return UNLIMITED;
        }
        if (Suggestions.nearest(text, List.of("unlimited")).isPresent()) {
            throw new IllegalArgumentException(
                    "expected a rate such as 50000/s, found " + Texts.quoted(text) + "; did you mean unlimited?");
        }
        return new Rate.Constant(Quantities.rate(text));
    }

    private static Optional<Rate> shaped(Form form, Scale scale) {
        Optional<String> kind = form.only(
                List.of("ramp", "steps", "daily"), "one of the keys ramp (with over), steps (with each) or daily");
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        misplaced(form, "over", kind.get(), "ramp");
        misplaced(form, "each", kind.get(), "steps");
        return switch (kind.get()) {
            case "ramp" -> ramp(form, scale);
            case "steps" -> steps(form, scale);
            default -> form.form("daily").flatMap(daily -> daily(daily, scale));
        };
    }

    private static void misplaced(Form form, String key, String kind, String owner) {
        if (form.has(key) && !kind.equals(owner)) {
            form.problem(key, "belongs to " + owner + ", not to " + kind);
        }
    }

    private static Optional<Rate> ramp(Form form, Scale scale) {
        Duration over = scale.time(form.required("over", Quantities::duration, Duration.ofSeconds(1)));
        List<Quantity> ends = quantities(form, "ramp", Quantities::rateOrZero);
        if (ends.isEmpty()) {
            return Optional.empty();
        }
        if (ends.size() != 2 || ends.get(0).value() + ends.get(1).value() == 0) {
            form.problem("ramp", "expected two rates such as [1000/s, 50000/s], at least one of them more than 0");
            return Optional.empty();
        }
        return Optional.of(new Rate.Ramp(ends.get(0), ends.get(1), over));
    }

    private static Optional<Rate> steps(Form form, Scale scale) {
        Duration each = scale.time(form.required("each", Quantities::duration, Duration.ofSeconds(1)));
        List<Quantity> levels = quantities(form, "steps", Quantities::rate);
        return levels.isEmpty() ? Optional.empty() : Optional.of(new Rate.Steps(levels, each));
    }

    private static Optional<Rate> daily(Form form, Scale scale) {
        Duration period = scale.time(form.required("period", Quantities::duration, Duration.ofHours(24)));
        double amplitude = form.required("amplitude", Quantities::ratio, 0.0);
        Quantity none = new Quantity(0, Rate.Unit.RECORDS);
        Quantity mean = form.required("mean", Quantities::rate, none);
        return mean.equals(none) ? Optional.empty() : Optional.of(new Rate.Daily(mean, amplitude, period));
    }

    /** Empty, with a problem, unless all are rates in the same unit. */
    private static List<Quantity> quantities(Form form, String key, Function<String, Quantity> parser) {
        YamlNode node = form.node(key).orElseThrow();
        if (!(node instanceof Items list) || list.values().isEmpty()) {
            form.unexpected(key, node);
            return List.of();
        }
        List<Quantity> quantities = new ArrayList<>();
        for (YamlNode element : list.values()) {
            if (!(element instanceof Scalar scalar) || scalar.kind() == Kind.NULL) {
                form.problem(element, key, "expected a rate such as 1000/s, found " + element.found());
                continue;
            }
            try {
                quantities.add(parser.apply(scalar.text()));
            } catch (IllegalArgumentException e) {
                form.problem(element, key, e.getMessage());
            }
        }
        if (quantities.size() < list.values().size()) {
            return List.of();
        }
        if (quantities.stream().map(Quantity::unit).distinct().count() > 1) {
            form.problem(key, "mixes units; give all of its rates in records, in bytes, or in wire bytes per second");
            return List.of();
        }
        return quantities;
    }
}
