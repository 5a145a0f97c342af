package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** An agent stops by itself without messages from its coordinator. */
class LeaseTest {
    @Test
    void holdsWhileRenewedAndStaysExpired() {
        Lease lease = new Lease(0);
        lease.renew(90, 100);
        assertThat(lease.expired(190, 100)).isFalse();
        assertThat(lease.expired(191, 100)).isTrue();
        lease.renew(192, 100);
        assertThat(lease.expired(193, 100)).isTrue();
    }

    @Test
    void ignoresLateRenewal() {
        Lease lease = new Lease(0);
        lease.renew(101, 100);
        assertThat(lease.expired(102, 100)).isTrue();
    }

    @Test
    void longerLeaseHoldsLonger() {
        Lease lease = new Lease(0);
        assertThat(lease.expired(150, 200)).isFalse();
        assertThat(lease.expired(150, 100)).isTrue();
        assertThat(lease.expired(150, 200)).isTrue();
    }
}
