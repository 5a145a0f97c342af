package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** An agent stops by itself without messages from its coordinator. */
class LeaseTest {
    @Test
    void holdsWhileItIsRenewedAndNotAgainOnceItIsOver() {
        Lease lease = new Lease(100, 0);
        lease.renew(90);
        assertThat(lease.expired(190)).isFalse();
        assertThat(lease.expired(191)).isTrue();
        lease.renew(192);
        assertThat(lease.expired(193)).isTrue();
    }

    @Test
    void aRenewalThatComesTooLateIsNone() {
        Lease lease = new Lease(100, 0);
        lease.renew(101);
        assertThat(lease.expired(102)).isTrue();
    }
}
