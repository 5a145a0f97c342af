package io.plimsoll.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs a scenario first and fails unless its verdict is that it passed. A parameter of type
 * {@link io.plimsoll.result.RunResult} is given the result, for more to be asked of it.
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
    /** The scenario: a resource of the tests, a file, or the name of a built-in one. */
    String value();

    /** Keys to be changed, each {@code path=value}. */
    String[] set() default {};

    /**
     * The cluster; by default the lab of {@link Lab}, without it that of the property {@code plimsoll.bootstrap.servers}, and without
     * both a lab of the run's own.
     */
    String bootstrapServers() default "";

    /** Whether the test fails by itself where the verdict is that the run did not pass. */
    boolean mustPass() default true;
}
