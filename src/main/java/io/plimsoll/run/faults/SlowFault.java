package io.plimsoll.run.faults;

import io.plimsoll.lab.Impairment;
import io.plimsoll.scenario.EntryReading;
import io.plimsoll.scenario.FaultKeys;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Settings;
import io.plimsoll.scenario.Texts;
import java.time.Duration;
import java.util.List;

/** What goes to a broker and comes back takes longer. */
public final class SlowFault extends LinkFault {
    public static final Key<Duration> DELAY = Key.duration("delay", Duration.ZERO)
            .byDefault("none", "无")
            .about("for `slow`: what is added each way", "用于 `slow`：每个方向增加的时间");

    public static final Key<Duration> JITTER = Key.scalar(
                    "jitter", Key.DURATION, Duration.ZERO, Quantities::durationOrZero)
            .byDefault("none", "无")
            .rule((fault, jitter) -> {
                if (jitter.compareTo(fault.get(DELAY)) > 0) {
                    fault.problem("jitter", "is more than the delay, which cannot become negative");
                }
            })
            .about("for `slow`: by how much the delay varies up and down", "用于 `slow`：延迟上下变化多少");

    public static final Key<Double> BANDWIDTH = Key.scalar(
                    "bandwidth", "bytes per second such as 5MB/s", 0.0, SlowFault::bytes)
            .byDefault("no limit", "不限")
            .about(
                    "for `slow`: bytes per second each way, over all connections of the broker",
                    "用于 `slow`：broker 所有连接合计，每个方向每秒的字节数");

    public SlowFault() {
        super(FaultKeys.broker("slow")
                .about(
                        "what goes to the broker and comes back takes longer: give `delay`, `bandwidth` or both",
                        "发往 broker 和从它返回的内容变慢：给出 `delay`、`bandwidth` 或两者"));
    }

    private static double bytes(String text) {
        Rate.Quantity rate = Quantities.rate(text);
        if (rate.unit() == Rate.Unit.RECORDS) {
            throw new IllegalArgumentException("expected bytes per second such as 5MB/s, found " + Texts.quoted(text));
        }
        return rate.value();
    }

    @Override
    public List<Key<?>> keys() {
        return List.of(DELAY, JITTER, BANDWIDTH);
    }

    @Override
    public void check(EntryReading fault) {
        if (!fault.has("delay") && !fault.has("bandwidth")) {
            fault.problem("slows nothing: give delay, such as delay: 100ms, or bandwidth, such as bandwidth: 5MB/s");
        }
    }

    @Override
    public String planned(String whom, Settings fault) {
        Duration delay = fault.get(DELAY);
        Duration jitter = fault.get(JITTER);
        double bandwidth = fault.get(BANDWIDTH);
        return "slow " + whom
                + (delay.isZero() ? "" : " by " + Quantities.text(delay))
                + (jitter.isZero() ? "" : " ± " + Quantities.text(jitter))
                + (bandwidth > 0
                        ? " to " + Quantities.text(new Rate.Quantity(bandwidth, Rate.Unit.PAYLOAD_BYTES))
                        : "");
    }

    @Override
    public String english() {
        return "slow the network of {0}";
    }

    @Override
    public String chinese() {
        return "使 {0} 的网络变慢";
    }

    @Override
    Impairment impairment(FaultSpec spec) {
        return Impairment.slow(spec.get(DELAY), spec.get(JITTER), spec.get(BANDWIDTH));
    }
}
