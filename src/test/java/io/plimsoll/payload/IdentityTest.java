package io.plimsoll.payload;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** A record's identity survives transport, and damage to it is detected. */
class IdentityTest {

    @Test
    void layoutIsFixed() {
        byte[] value = new byte[34];
        value[32] = 1;
        value[33] = 2;
        Identity.write(
                value, 0, value.length, 0x0102030405060708L, 0x1112131415161718L, 0x31323334, 0x2122232425262728L);
        assertThat(HexFormat.of().formatHex(value, 0, 28))
                .isEqualTo("0102030405060708" + "1112131415161718" + "2122232425262728" + "31323334");
        assertThat(Stamp.isOurs(ByteBuffer.wrap(value), 0x0102030405060708L)).isTrue();
        assertThat(Stamp.intendedEpochNanos(ByteBuffer.wrap(value))).isEqualTo(0x1112131415161718L);
    }

    /** The literal definition, so that values can be checked without this class. */
    @Test
    void checksumMatchesDefinition() {
        byte[] value = "................................123456789".getBytes(StandardCharsets.US_ASCII);
        Identity.write(value, 0, value.length, 3, 5, 11, 7);
        BigInteger mixed = product(3, "9e3779b97f4a7c15")
                .add(product(5, "bf58476d1ce4e5b9"))
                .add(product(7, "94d049bb133111eb"))
                .add(product(11, "d6e8feb86659fd93"));
        int castagnoliOfDigits = 0xe3069283;
        assertThat(ByteBuffer.wrap(value).getInt(28))
                .isEqualTo(mixed.shiftRight(32).intValue() ^ castagnoliOfDigits);
    }

    private static BigInteger product(long factor, String hexadecimal) {
        return BigInteger.valueOf(factor).multiply(new BigInteger(hexadecimal, 16));
    }

    @Property(tries = 500)
    void identityRoundTripsAtAnyOffset(
            @ForAll long run,
            @ForAll long intended,
            @ForAll int producer,
            @ForAll long sequence,
            @ForAll @Size(max = 300) byte[] tail,
            @ForAll @IntRange(max = 20) int offset) {
        int length = Identity.BYTES + tail.length;
        byte[] around = new byte[offset + length + 3];
        System.arraycopy(tail, 0, around, offset + Identity.BYTES, tail.length);
        Identity.write(around, offset, length, run, intended, producer, sequence);
        byte[] value = Arrays.copyOfRange(around, offset, offset + length);
        ByteBuffer direct = ByteBuffer.allocateDirect(around.length).put(around);
        for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.wrap(around), direct}) {
            buffer.limit(offset + length).position(offset);
            assertThat(Identity.runId(buffer, offset)).isEqualTo(run);
            assertThat(Stamp.intendedEpochNanos(buffer)).isEqualTo(intended);
            assertThat(Identity.producer(buffer, offset)).isEqualTo(producer);
            assertThat(Identity.sequence(buffer, offset)).isEqualTo(sequence);
            assertThat(Identity.isIntact(buffer, offset, Identity.tailChecksum(around, offset, length)))
                    .isTrue();
            assertThat(buffer.position()).isEqualTo(offset);
        }
        assertThat(WholeValue.producer(value)).isEqualTo(producer);
        assertThat(WholeValue.sequence(value)).isEqualTo(sequence);
        assertThat(WholeValue.isIntact(value)).isTrue();
    }

    @Property(tries = 1000)
    void detectsEveryFlippedBit(
            @ForAll long run,
            @ForAll long intended,
            @ForAll int producer,
            @ForAll long sequence,
            @ForAll @IntRange(min = 32, max = 80) int length,
            @ForAll @IntRange(max = 80 * 8 - 1) int bit) {
        byte[] value = new byte[length];
        Identity.write(value, 0, length, run, intended, producer, sequence);
        int flipped = bit % (8 * length);
        value[flipped / 8] ^= (byte) (1 << flipped % 8);
        assertThat(WholeValue.isIntact(value)).isFalse();
        int tail = Identity.tailChecksum(value, 0, length);
        assertThat(Identity.isIntact(ByteBuffer.wrap(value), 0, tail)).isFalse();
    }

    @Test
    void detectsExchangedIdentities() {
        byte[] one = new byte[40];
        byte[] other = new byte[40];
        Arrays.fill(other, (byte) 1);
        Identity.write(one, 0, 40, 9, 100, 0, 1);
        Identity.write(other, 0, 40, 9, 100, 0, 2);
        System.arraycopy(one, 0, other, 0, Identity.BYTES);
        assertThat(WholeValue.isIntact(other)).isFalse();
    }

    @Test
    void shortValuesHaveNoIdentity() {
        byte[] value = new byte[31];
        Stamp.write(value, 9, 100);
        assertThat(WholeValue.isIntact(value)).isFalse();
    }
}
