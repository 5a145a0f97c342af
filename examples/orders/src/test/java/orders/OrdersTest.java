package orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.plimsoll.junit.Lab;
import io.plimsoll.junit.LoadTest;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult.Volume;

/**
 * What the topic of orders has to carry, on real brokers. It runs beside other tests, so it asks only for what holds on a busy
 * machine too; a test that has a machine for itself leaves {@code mustPass} out, and fails where the figures are no measure.
 */
@Lab(brokers = 1)
class OrdersTest {
    @LoadTest(value = "orders.yaml", mustPass = false)
    void carriesABusyHourWithoutALoss(RunResult result) {
        AuditResult.Counts counts = result.trials().get(0).audit().counts();
        assertTrue(counts.acknowledged() > 0);
        assertEquals(0, counts.lost());
    }

    @LoadTest(value = "orders.yaml", set = "producers[0].record.size=4KB", mustPass = false)
    void carriesLargeOrders(RunResult result) {
        Volume produced = result.trials().get(0).produce().volume();
        assertTrue(produced.bytes() >= 4000 * produced.records());
    }
}
