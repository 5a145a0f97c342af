package io.plimsoll.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeLogDirsResult;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

/** Disk usage of brokers is known as far as brokers respond. */
class LogDirsTest {
    private static KafkaFuture<Map<String, LogDirDescription>> disk(long total, long usable) {
        return KafkaFuture.completedFuture(Map.of("/data", new LogDirDescription(null, Map.of(), total, usable)));
    }

    private static LogDirs of(Map<Integer, KafkaFuture<Map<String, LogDirDescription>>> answers) throws Exception {
        Constructor<DescribeLogDirsResult> made = DescribeLogDirsResult.class.getDeclaredConstructor(Map.class);
        made.setAccessible(true);
        DescribeLogDirsResult result = made.newInstance(answers);
        Admin admin = (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(), new Class<?>[] {Admin.class}, (proxy, method, arguments) -> result);
        return new LogDirs(admin, List.copyOf(answers.keySet()));
    }

    @Test
    void deadBrokerDoesNotHideAFullDisk() throws Exception {
        KafkaFutureImpl<Map<String, LogDirDescription>> down = new KafkaFutureImpl<>();
        down.completeExceptionally(new TimeoutException("no answer"));
        LogDirs one = of(Map.of(1, down, 2, disk(1000, 150), 3, disk(1000, 900)));
        assertThat(one.leastRoomBytes(0.2, false)).hasValue(-50);
        assertThat(one.leastRoomBytes(0.2, true)).isEqualTo(OptionalLong.empty());
        assertThat(one.paths()).containsExactly("/data");
        assertThat(of(Map.of(1, down)).leastRoomBytes(0.2, false)).isEmpty();
        assertThat(of(Map.of(2, disk(1000, 300))).leastRoomBytes(0.2, true)).hasValue(100);
    }
}
