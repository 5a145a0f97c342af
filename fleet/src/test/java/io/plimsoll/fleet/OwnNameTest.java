package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.fleet.Certificates.CertificateMaker;
import io.plimsoll.testing.Said;
import java.nio.file.Path;
import org.apache.pekko.actor.AddressFromURIString;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent has a unique name. */
class OwnNameTest {
    private static final Certificates NONE = SharedFleet.token();

    @TempDir
    Path directory;

    @Test
    void coordinatorUsesAddressWithoutCertificates() {
        assertThat(FleetNode.coordinatorHost(NONE, "192.0.2.7")).isEqualTo("192.0.2.7");
        assertThat(FleetNode.bound(new NodeAddress("localhost", 1), NONE)).isEqualTo("localhost");
        assertThat(FleetNode.bound(new NodeAddress("192.0.2.7", 1), NONE)).isEqualTo("192.0.2.7");
    }

    /** In an address of Pekko, as in a URI. */
    @Test
    void ipv6AddressIsInBrackets() {
        NodeAddress listen = NodeAddress.parse("[::1]:7654", "--listen");
        String address = FleetNode.address(listen);
        assertThat(address).isEqualTo("pekko://plimsoll@[::1]:7654");
        assertThat(AddressFromURIString.parse(address)).hasToString(address);
        assertThat(NodeAddress.parse(FleetNode.place(address), "--listen")).isEqualTo(listen);
    }

    @Test
    @Tag("nightly")
    void coordinatorUsesNameFromCertificate() {
        CertificateMaker maker = new CertificateMaker(directory, 9);
        Certificates named = Certificates.in(maker.host("localhost"));
        assertThat(FleetNode.coordinatorHost(named, "192.0.2.7")).isEqualTo("localhost");
        // Names of the loopback interface are used literally, with certificates as well.
        assertThat(FleetNode.bound(new NodeAddress("localhost", 1), named)).isEqualTo("localhost");
        assertThat(FleetNode.bound(new NodeAddress("127.0.0.1", 1), named)).isEqualTo("127.0.0.1");

        Path any = maker.host("*.fleet.example.invalid");
        assertThat(any.getFileName()).hasToString("any.fleet.example.invalid");
        assertThatThrownBy(() -> FleetNode.coordinatorHost(Certificates.in(any), "192.0.2.7"))
                .hasMessageFindingMatch(Said.en("fleet.certificateOfOther", null, "*.fleet.example.invalid")
                        .pattern());
    }
}
