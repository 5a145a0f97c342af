package io.plimsoll.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that first runs a scenario and fails unless the run passes. A parameter of type
 * {@link io.plimsoll.result.RunResult} receives the result for further assertions.
 *
 * <pre>{@code
 * @Lab(brokers = 3)
 * class OrdersTest {
 *     @LoadTest("orders.yaml")
 *     void carriesABusyDay(RunResult result) {
 *         assertTrue(result.trials().get(0).produce().volume().records() > 0);
 *     }
 * }
 * }</pre>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(LoadTestExtension.class)
public @interface LoadTest {
    /** The scenario: a test resource, a file, or the name of a built-in scenario. */
    String value();

    /** Scenario keys to override, each {@code path=value}. */
    String[] set() default {};

    /**
     * The cluster. Default: the {@link Lab} of the class, else the system property {@code plimsoll.bootstrap.servers},
     * else a temporary lab.
     */
    String bootstrapServers() default "";

    /** Whether a run that does not pass fails the test, before the test method begins. */
    boolean mustPass() default true;
}
