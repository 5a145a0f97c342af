package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No cell of an export is a formula, regardless of names, and numbers stay numbers. */
class CsvCellsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"=1+1", "+1+cmd|'/C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "=HYPERLINK(\"http://x\")"})
    void escapesFormulas(String text) {
        assertThat(CsvReport.harmless(text)).isEqualTo("'" + text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-5", "+3.2 %", "-1.5e-3", "-12,345", "-0.4 ms", "-", "orders", "a=b", ""})
    void keepsOtherCellsUnchanged(String text) {
        assertThat(CsvReport.harmless(text)).isEqualTo(text);
    }
}
