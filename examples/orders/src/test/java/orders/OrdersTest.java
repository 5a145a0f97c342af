package orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.plimsoll.junit.Lab;
import io.plimsoll.junit.LoadTest;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult.Volume;

/**
 * Load on the orders topic with real brokers. It runs beside other tests and therefore asserts only conditions that
 * also hold on a busy machine. On a dedicated machine, omit {@code mustPass}: the test then also fails if the
 * measurement is invalid.
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
