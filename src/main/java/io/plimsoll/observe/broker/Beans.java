package io.plimsoll.observe.broker;

import java.io.IOException;
import java.util.List;

/** The managed beans of one broker, whichever way they are read. Used by one thread at a time. */
interface Beans {

    /**
     * Numbers of one bean.
     *
     * @param bean such as {@code kafka.network:type=RequestMetrics,name=TotalTimeMs,request=Produce}
     * @return one for each attribute, NaN for those that are not offered
     * @throws IOException if the broker does not answer
     */
    double[] numbers(String bean, String... attributes) throws IOException;

    /** One number of each bean that matches a pattern with stars; those that are not offered are left out. */
    List<Named> all(String pattern, String attribute) throws IOException;

    /** @param bean its full name */
    record Named(String bean, double number) {}
}
