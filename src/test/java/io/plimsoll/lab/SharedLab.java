package io.plimsoll.lab;

import java.util.List;
import org.apache.kafka.common.Uuid;

/**
 * Labs that all tests of a JVM share, started on first use and removed with the JVM. A test that uses one creates
 * topics and groups with unique names and leaves the brokers running.
 */
public final class SharedLab {
    private static final int HEAP_MEGABYTES = 384;

    private SharedLab() {}

    /** One broker. */
    public static Lab oneBroker() {
        return One.LAB;
    }

    /** Three brokers. */
    public static Lab threeBrokers() {
        return Three.LAB;
    }

    /** One broker with an ordinary cluster id, which the program treats as a shared cluster. */
    public static Lab foreign() {
        return Foreign.LAB;
    }

    /** The same kind of brokers for a test that kills or stops some of them; the caller closes the lab. */
    public static Lab ownForeign(int brokers) {
        return new LabStarter(
                        LabOptions.ephemeral(brokers).withHeapMegabytes(HEAP_MEGABYTES),
                        List.of(),
                        Uuid.randomUuid().toString())
                .start();
    }

    // Never closed: tests rely on the removal of ephemeral labs at the JVM's end, and so verify it.
    private static final class One {
        static final Lab LAB = Lab.start(LabOptions.ephemeral(1).withHeapMegabytes(HEAP_MEGABYTES));
    }

    private static final class Foreign {
        static final Lab LAB = ownForeign(1);
    }

    private static final class Three {
        static final Lab LAB = Lab.start(LabOptions.ephemeral(3).withHeapMegabytes(HEAP_MEGABYTES));
    }
}
