package io.plimsoll.payload;

import io.plimsoll.scenario.KeySpec;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A key number in the bytes of its type, in an array that the next call writes again. Owned by one thread. */
final class KeyEncoder {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final KeySpec.Type type;
    private final byte[] padded;
    private final byte[] asInteger = new byte[Integer.BYTES];
    private final byte[] asLong = new byte[Long.BYTES];
    private final byte[][] byDigits = new byte[Decimal.MAX_DIGITS + 1][];

    /** @param leastDigits texts that are shorter get zeros in front */
    KeyEncoder(KeySpec.Type type, int leastDigits) {
        this.type = type;
        this.padded = new byte[leastDigits];
        for (int digits = 1; digits < byDigits.length; digits++) {
            byDigits[digits] = new byte[digits];
        }
    }

    byte[] encode(long number) {
        return switch (type) {
            case INTEGER -> {
                INT.set(asInteger, 0, (int) number);
                yield asInteger;
            }
            case BYTES -> {
                LONG.set(asLong, 0, number);
                yield asLong;
            }
            case STRING -> {
                int digits = Decimal.digits(number);
                byte[] text = digits < padded.length ? padded : byDigits[digits];
                Arrays.fill(text, 0, Math.max(0, text.length - digits), (byte) '0');
                Decimal.write(number, text, text.length);
                yield text;
            }
        };
    }
}
