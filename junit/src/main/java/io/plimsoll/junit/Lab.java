package io.plimsoll.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Real Kafka brokers for all tests of a class, started before the first test and removed after the last. A parameter of
 * type {@link io.plimsoll.junit.LabAddress} receives their address.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(LabExtension.class)
public @interface Lab {
    /** Number of brokers, 1 to 9. */
    int brokers() default 1;

    /** Broker properties, each {@code name=value}. */
    String[] config() default {};
}
