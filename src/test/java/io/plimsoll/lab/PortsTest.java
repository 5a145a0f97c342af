package io.plimsoll.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.LabNodes.Ports;
import io.plimsoll.load.Concurrently;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Labs that start at the same time choose different ports. */
class PortsTest {
    @Test
    void concurrentLabsGetDistinctPorts() throws Exception {
        // At random, 60 of 22,000 ports collide 150 times in 1,800 choices that are never compared.
        Set<Integer> given = Collections.synchronizedSet(new HashSet<>());
        List<Runnable> labs = IntStream.range(0, 30)
                .<Runnable>mapToObj(i -> () -> given.addAll(Ports.free(60, Set.of())))
                .toList();
        Concurrently.run(labs);
        assertThat(given).hasSize(1800);
    }

    @Test
    void portInUseIsNotFree() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(Ports.isFree(taken.getLocalPort())).isFalse();
        }
    }
}
