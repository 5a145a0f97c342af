package io.plimsoll.house;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * One part of a test run that is split over several machines: {@code ./test -Pnightly -Dshard=2/4} runs the second of
 * four parts. A method belongs to one part, by a hash of its name, so that the parts need no coordination; all cases of
 * a parameterized method stay together. Without the property, all tests run.
 */
public final class Shard implements PostDiscoveryFilter {
    private static final Pattern PART_OF_COUNT = Pattern.compile("([1-9]\\d{0,2})/([1-9]\\d{0,2})");

    private final int part;
    private final int count;

    /** Found by the test launcher; reads the system property {@code shard}. */
    public Shard() {
        this(System.getProperty("shard", ""));
    }

    /**
     * @param shard {@code PART/COUNT}, parts numbered from 1, or empty: all tests
     * @throws IllegalArgumentException for any other text
     */
    Shard(String shard) {
        Matcher matcher = PART_OF_COUNT.matcher(shard.isEmpty() ? "1/1" : shard);
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) > Integer.parseInt(matcher.group(2))) {
            throw new IllegalArgumentException("-Dshard=" + shard + ": expected PART/COUNT, for example 1/4");
        }
        this.part = Integer.parseInt(matcher.group(1)) - 1;
        this.count = Integer.parseInt(matcher.group(2));
    }

    @Override
    public FilterResult apply(TestDescriptor test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .map(s -> FilterResult.includedIf(contains(s.getClassName(), s.getMethodName())))
                .orElseGet(() -> FilterResult.included("not a method"));
    }

    /** Whether this part runs a method. */
    boolean contains(String className, String methodName) {
        int hash = (className + '#' + methodName).hashCode();
        // String's hash varies least in its low bits between similar names: mix in the high bits.
        hash *= 0x9E3779B9;
        return Math.floorMod(hash >>> 8, count) == part;
    }
}
