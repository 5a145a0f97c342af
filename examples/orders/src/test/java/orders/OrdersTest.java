package orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.plimsoll.junit.Lab;
import io.plimsoll.junit.LoadTest;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;

/** What the topic of orders has to carry, on real brokers. */
@Lab(brokers = 1)
class OrdersTest {
    @LoadTest("orders.yaml")
    void carriesABusyHourWithoutALoss(RunResult result) {
        TrialResult trial = result.trials().get(0);
        assertEquals(0, trial.audit().counts().lost());
        assertTrue(trial.consume().volume().records() >= 1500);
    }

    @LoadTest(value = "orders.yaml", set = "producers[0].record.size=4KB")
    void carriesLargeOrders() {}
}
