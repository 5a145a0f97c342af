package io.plimsoll.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Real brokers for all tests of a class, started before the first and gone after the last. A parameter of type
 * {@link io.plimsoll.junit.LabAddress} is given their address.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(LabExtension.class)
public @interface Lab {
    /** 1 to 9. */
    int brokers() default 1;

    /** Properties of the brokers, each {@code name=value}. */
    String[] config() default {};
}
